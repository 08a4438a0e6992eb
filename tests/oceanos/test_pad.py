"""The score pad: a finished game typed in."""

from __future__ import annotations

import json
from typing import Any

import pytest

from conftest import finished
from oceanos.setting import (
    DATA,
    GAME,
    PACK,
)
from pelagos.engine.errors import BadTableau
from pelagos.engine.match import Match
from pelagos.engine.words import words
from pelagos.games.oceanos.cards import names_of
from pelagos.games.oceanos.state import (
    AQUARIUM,
    COLUMNS,
    PARTS,
    PROPELLER,
)

ADA = """Ada
1-38 1-39! 1-31 1-20 1-35 1-29
2-34 2-09 2-41 2-07 2-28 2-25
3-22 3-43 3-07 3-12 3-11 3-27 3-36
"""


def pad(text: str) -> Any:
    return GAME.part("tableau").score(text, PACK)


@pytest.mark.parametrize("players", [2, 3])
def test_a_finished_game_typed_in_scores_the_same(players: int) -> None:
    for seed in range(6):
        match = finished(GAME, {"players": players}, seed)
        game = match.position.record
        if int(game.captain) != 0:
            continue
        pad_text = typed(match, game)
        counted = pad(pad_text)
        assert [sheet["total"] for sheet in counted.sheets] == match.scores
        for seat, sheet in enumerate(counted.sheets):
            assert {line["key"]: line["points"] for line in sheet["lines"]} == match.sheet(
                seat, seat
            )


def typed(match: Match, game: Any) -> str:
    """A finished game as a person would type it in."""
    blocks = ["kraken: " + " ".join(str(int(track[0])) for track in game.kraken)]
    levels = levels_at_rounds_ends(match)
    for seat in range(match.players):
        lines = [f"Seat {seat}"]
        for depth in range(3):
            row = []
            for column in range(int(game.row_size[seat, depth])):
                card = names_of(DATA, depth)[int(game.rows[seat, depth, column])]
                dived = int(game.dived[seat]) >> (depth * COLUMNS + column) & 1
                row.append(card + "!" * dived)
            lines.append(" ".join(row))
        first = sum(int(game.chests[other]) for other in range(seat))
        tokens = game.bag[first : first + int(game.chests[seat])].tolist()
        lines.append("tokens: " + " ".join(map(str, tokens)))
        for part in (AQUARIUM, PROPELLER):
            written = " ".join(str(at[seat][part]) for at in levels)
            lines.append(f"{PARTS[part]}: {written}")
        lines.append(f"parts: {sum(game.boat[seat, :5].tolist())}")
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks)


def levels_at_rounds_ends(match: Match) -> list[list[list[int]]]:
    """Each seat's parts when each round was scored."""
    levels = []
    again = Match.replay(json.dumps({**match.record(), "moves": [], "result": None}))
    depth = 0
    for entry in match.history:
        if entry.seat >= 0:
            again.play(entry.seat, entry.action)
        game = again.position.record
        if int(game.depth) != depth or again.over:
            depth = int(game.depth)
            levels.append(game.boat[:, :5].tolist())
    return levels[:3]


BY_SYMBOLS = """Ada
clownfish+coral whale+base crab+coral+coral+yellow seahorse manta+turtle+green
poisson-clown+œil requin 0 tort+corail+trésor! eye
treasure+coral coral crab turtle+treasure! shark+whale+seahorse
tokens: 3 2
"""


def test_a_card_is_told_by_what_it_shows() -> None:
    counted = pad(BY_SYMBOLS)
    lines = {line["key"]: line["points"] for line in counted.sheets[0]["lines"]}
    assert lines["animals1"] == 3 * 2
    assert (lines["reef"], lines["treasure"]) == (2, 5)
    assert counted.groups[0][0].points == 3 * 6
    reef = next(line for line in counted.sheets[0]["lines"] if line["key"] == "reef")
    assert reef["evidence"][0]["pieces"] == ["1.3"]


def test_what_is_written_reads_as_the_same_table() -> None:
    tableau = GAME.part("tableau")
    for source in (ADA, BY_SYMBOLS, "kraken: 0 -2 0\nBo\nturtle - - - -\n- - - - -\n- - - - -\n"):
        table = tableau.read(source, PACK)
        assert tableau.read(tableau.write(table), PACK).players[0].rows == table.players[0].rows
        assert tableau.count(table, PACK).sheets == pad(source).sheets


def test_a_tie_is_broken_by_the_levels_of_the_parts() -> None:
    rows = "turtle turtle turtle turtle turtle\n" * 3
    two = pad(f"Ada\n{rows}Bo\n{rows}parts: 8\n")
    assert two.winners == [1]
    said = words(GAME, "en").say(two.notes[-1], two.names)
    assert said == "The tie is broken by the levels of the parts: 8 : 5."
    assert pad(f"Ada\n{rows}Bo\n{rows}").tie_break is None


@pytest.mark.parametrize(
    ("card", "reason"),
    [
        ("turtle+turtle", "2 × sea turtle; a card shows 1 at most"),
        ("turtle+crab+shark+whale", "4 animals; a card has 3 at most"),
        ("coral!", "coral has no treasure for a diver"),
        ("cora+pearl", "'cora\\+pearl' is no card of round 1"),
    ],
)
def test_a_card_that_cant_be_is_refused(card: str, reason: str) -> None:
    with pytest.raises(BadTableau, match=reason):
        pad(f"Ada\n{card} 0 0 0 0\n0 0 0 0 0\n0 0 0 0 0\n")


def test_the_pad_tells_how_many_tokens_to_draw() -> None:
    counted = pad(ADA)
    assert counted.sheets[0]["total"] > 0
    assert [words(GAME, "en").say(note) for note in counted.notes] == [
        "Ada has 1 treasure token to draw."
    ]


def test_the_pads_evidence_names_the_cards() -> None:
    lines = {line["key"]: line["evidence"] for line in pad(ADA + "tokens: 4").sheets[0]["lines"]}
    assert [proof["pieces"] for proof in lines["reef"]] == [["1-38", "1-39"]]
    assert [proof["pieces"] for proof in lines["treasure"]] == [["1-39"]]


def test_french_names_are_read_too() -> None:
    text = ADA + "propulseur: 1 1 2\njetons: 4\npièces: 6\n"
    lines = {line["key"]: line["points"] for line in pad(text).sheets[0]["lines"]}
    assert (lines["propeller3"], lines["treasure"]) == (2, 4)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no player"),
        ("Ada\n1-01", "1 cards; a row has 5"),
        ("Ada\n1-01 1-02 1-03 1-04 1-05\n", r"Ada \(line 1\) has 1 rows"),
        ("Ada\n1-01 1-02 1-03 1-04 2-05\n", "'2-05' is no card of round 1"),
        ("Ada\n1-01 1-02 1-03 1-04 1-01\n", "1-01 lies in line 2 already"),
        ("Ada\n1-01 1-02 1-03! 1-04 1-05\n", "1-03 has no treasure"),
        ("aquarium: 1 1 1", "a player's name comes first"),
        (ADA + "tokens: 2 3", "has 2 tokens; the divers bring up 1"),
        (ADA + "aquarium: 2 1 1", "never falls"),
        (ADA + "aquarium: 1 1", "2 numbers where 3 belong"),
        (ADA + "aquarium: 1 1 4", "4 should be from 1 to 3"),
        (ADA + "parts: 16", "16 should be from 5 to 15"),
        (ADA + "propeller: 3 3 3\nparts: 5", "parts can't be 5"),
        (ADA + "colour: 3", "'colour' should be"),
        (ADA + "tokens: x", "should be a number"),
        ("kraken: -1 -1 -1\nkraken: 0 0 0\n" + ADA, "a line kraken already"),
    ],
)
def test_a_wrong_score_file_is_refused_by_line(text: str, reason: str) -> None:
    with pytest.raises(BadTableau, match=reason):
        pad(text)
