"""Ozeanien's own table: every phase, alone and for two, on both boards, in both languages."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from itertools import count, product

import pytest

from drawn import Page, check_clean, draw
from pelagos.engine.game import find_game
from pelagos.engine.match import Match
from pelagos.engine.pack import Pack, default_pack, make_pack
from pelagos.engine.words import LANGUAGES, words
from pelagos.games.ozeanien import coasts
from places import SOURCE

GAME = find_game("ozeanien")
FOLDER = SOURCE / "games" / "ozeanien"
NAMES = ["Mira", "Bo"]
LYING = 'columns = 7\nrows = 5\nwithout_circles = "left"\n'
STAGES = {
    1: ["ship", "draw", "lay", "over"],
    2: ["ship", "draw", "lay", "explorer", "wait", "over"],
}
CASES = [
    (players, lying, stage)
    for players in STAGES
    for lying in (False, True)
    for stage in STAGES[players]
]


def stage_of(match: Match) -> str:
    """Which decision seat 0 has before it, as the table calls it."""
    if match.over:
        return "over"
    moves = match.moves(0)
    if not moves:
        return "wait"
    return "explorer" if "pass" in moves else moves[0].split()[0]


def board(lying: bool) -> Pack:
    """The usual board, upright with its top bare; or lying, with its left side bare."""
    usual = default_pack(GAME)
    return make_pack(GAME, {**usual.files, "board.toml": LYING}) if lying else usual


@cache
def games(players: int, lying: bool = False) -> dict[str, list[Match]]:
    """Positions of a few games by what seat 0 has to do; explorers are liked."""
    by_stage: dict[str, list[Match]] = {}
    for seed in range(6):
        chance = random.Random(seed)
        match = Match.new(
            GAME, players=players, seed=seed, names=NAMES[:players], pack=board(lying)
        )
        while True:
            kept = by_stage.setdefault(stage_of(match), [])
            if len(kept) < 8:
                kept.append(match.copy())
            elif chance.random() < 0.3:
                kept[chance.randrange(1, 8)] = match.copy()
            if match.over:
                break
            seat = match.pending[0]
            moves = match.moves(seat)
            reuses = [move for move in moves if move.startswith("reuse")]
            if "pass" in moves and chance.random() < 0.8:
                moves.remove("pass")
            match.play(seat, chance.choice(reuses or moves))
    assert set(STAGES[players]) <= by_stage.keys()
    return by_stage


class Chart(Page):
    """The table, and the text that is in each grid cell."""

    def __init__(self, text: str) -> None:
        self.cells: list[str] = []
        super().__init__(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        super().handle_starttag(tag, attrs)
        if ("role", "gridcell") in attrs:
            self.cells.append("")

    def handle_data(self, data: str) -> None:
        super().handle_data(data)
        if self.cells and not self.cells[-1]:
            self.cells[-1] = data.strip()

    def classed(self, name: str) -> list[dict[str, str]]:
        return [attrs for _, attrs in self.tags if name in attrs.get("class", "").split()]


def check(text: str, match: Match, viewer: int | None = 0) -> Chart:
    """What must hold of every drawing."""
    page = Chart(text)
    legal = set(match.legal(viewer)) if viewer is not None else set()
    offered = set()
    for attrs in page.classed("choice"):
        if "listed" not in attrs["class"].split():
            offered |= {int(attrs["value"]), *map(int, attrs.get("data-more", "").split())}
    assert offered == legal
    check_clean(page)
    return page


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("players", "lying", "stage"), CASES)
def test_every_phase_is_drawn(players: int, lying: bool, stage: str, language: str) -> None:
    for match in games(players, lying)[stage][:4]:
        page = check(draw(match, language), match)
        (root,) = page.classed("oze")
        assert root["data-stage"] == stage


@pytest.mark.parametrize("language", LANGUAGES)
def test_playing_on_with_discards_is_drawn(language: str) -> None:
    """A house reading: where a discard fits or rest; then which one, and nothing to draw."""
    drawn = set()
    for seed in range(60):
        chance = random.Random(seed)
        match = Match.new(GAME, players=2, seed=seed, names=NAMES, play_on=True)
        while not match.over:
            seat = match.pending[0]
            key = match.view(seat, previews=False)["prompt"]["key"]
            if key.endswith("_last") and seat == 0 and key not in drawn:
                page = check(draw(match, language), match)
                rests = [attrs for attrs in page.classed("none") if "value" in attrs]
                assert len(rests) == (key == "prompt.ship_last")
                drawn.add(key)
            moves = match.moves(seat)
            on = [move for move in moves if move != "pass"] if key.endswith("_last") else moves
            discards = [move for move in on if move == "pass"]  # explorers are kept to pay with
            match.play(seat, chance.choice(discards or on))
        if len(drawn) == 2:
            return
    pytest.fail(f"only {drawn} came up")


@pytest.mark.parametrize("lying", [False, True])
def test_the_chart_is_heard_cell_by_cell(lying: bool) -> None:
    """From the cells' words alone the board can be rebuilt, its explorers included."""
    said = words(GAME, "en")
    for match in games(2, lying)["over"] + games(2, lying)["ship"][-2:]:
        page = Chart(draw(match))
        pieces = [
            piece for piece in match.view(0)["pieces"] if piece["key"][:5] in ("cell:", "tile:")
        ]
        pieces.sort(key=lambda piece: piece["at"] or [])
        assert len(page.cells) == len(pieces) == 35
        for heard, piece in zip(page.cells, pieces, strict=True):
            assert heard.startswith(f"{piece['key'][5:]}: {said.noun(str(piece['face']))}")
            for mark in piece["marks"]:
                if mark.startswith("explorer"):
                    _, seat, value = mark.split("-")
                    whose = "your" if seat == "0" else f"{NAMES[int(seat)]}'s"
                    assert f"{whose} explorer of value {value}" in heard


@pytest.mark.parametrize("players", sorted(STAGES))
def test_a_spectator_sees_the_table(players: int) -> None:
    for stage in ("ship", "over"):
        match = games(players)[stage][0]
        check(draw(match, viewer=None), match, None)


def test_an_absent_player_a_long_name_and_an_empty_log() -> None:
    match = next(
        match
        for match in (
            Match.new(GAME, players=2, seed=seed, names=["Mira", "B" * 40]) for seed in range(9)
        )
        if match.pending == (1,)
    )
    page = check(draw(match, away=1), match)
    assert len(page.classed("st-away")) == 1
    assert len([text for text in page.texts if "begins, by lot." in text]) == 1
    alone = Match.new(GAME, players=1, seed=1)
    assert "Nothing has happened yet." in check(draw(alone), alone).texts


def test_the_series_stands_above_the_players() -> None:
    match = games(2)["ship"][0]
    assert "Game 3 · you lead 1½ : ½" in draw(match, past=((0,), (0, 1)))
    assert "Partie 2 · Bo mène 1\u202f: 0" in draw(match, "fr", past=((1,),))
    assert "Game 2" not in draw(match)


def test_a_tile_that_fits_nowhere_is_told() -> None:
    times = 0
    for seed in range(8):
        chance = random.Random(seed)
        match = Match.new(GAME, players=2, seed=seed, names=NAMES)
        while not match.over:
            seat = match.pending[0]
            match.play(seat, chance.choice(match.legal(seat)))
            last = match.events(0)[-1]
            page = Chart(draw(match)) if last["key"] == "event.discard" else None
            if page is not None:
                (news,) = page.classed("news")
                assert "hidden" in news
                assert any(text.startswith("Fits nowhere from") for text in page.texts)
                times += 1
            if times > 5:
                return
    raise AssertionError("Everything fitted.")


def test_what_gets_enclosed_is_shown_as_a_ghost() -> None:
    seen = 0
    for seed in range(10):
        chance = random.Random(seed)
        match = Match.new(GAME, players=1, seed=seed)
        while not match.over:
            choices = match.view(0)["choices"]
            fills = {
                choice["action"]: choice["label"]["params"]["fills"]
                for choice in choices
                if "fills" in choice["label"]["params"]
            }
            if fills:
                page = check(draw(match), match)
                ghosts = [int(ghost["data-for"]) for ghost in page.classed("fill")]
                assert sorted(ghosts) == sorted(
                    action for action, cells in fills.items() for _ in cells
                )
                for action, cells in fills.items():
                    after = match.copy()
                    after.play(0, action)
                    laid = {piece["key"]: piece["face"] for piece in after.view(0)["pieces"]}
                    assert all(laid[f"tile:{name}"] == face for name, face in cells)
                seen += 1
            match.play(0, chance.choice(match.legal(0)))
    assert seen > 3


def test_a_choice_tells_what_becomes_of_the_islands() -> None:
    match = games(2)["lay"][3]
    for choice in match.view(0)["choices"]:
        after = match.copy()
        after.play(0, choice["action"])
        cell = choice["label"]["params"]["cell"]
        proofs = after.view(0)["sheets"][0]["lines"][0]["evidence"]
        there = [proof for proof in proofs if f"tile:{cell}" in proof["pieces"]]
        islands = choice["label"]["params"]["islands"]
        assert [island["size"] for island in islands] == [len(proof["pieces"]) for proof in there]
        for island, proof in zip(islands, there, strict=True):
            params = proof["reason"]["params"]
            assert island["coasts"] == params["coasts"]["params"]["count"]
            assert " : ".join(map(str, island["sums"])) == params["sums"]


def test_the_sheet_counts_up_to_the_total() -> None:
    for match in games(2)["over"] + games(1)["over"]:
        page = Chart(draw(match))
        for seat, total in enumerate(match.scores):
            lines = [
                int(attrs["data-points"])
                for _, attrs in page.tags
                if "data-line" in attrs and attrs["data-seat"] == str(seat)
            ]
            assert sum(lines) == total
            totals = {
                int(attrs["data-total"])
                for _, attrs in page.tags
                if "data-total" in attrs and attrs["data-seat"] == str(seat)
            }
            assert totals == {total}  # on the sheet, and where the end is counted


def test_neighbours_look_different_and_always_the_same() -> None:
    for row, column in product(range(7), range(7)):
        look = coasts.look_at(row, column)
        assert 0 <= look < coasts.LOOKS
        assert look != coasts.look_at(row, column + 1)
        assert look != coasts.look_at(row + 1, column)


def test_the_coasts_are_drawn_anew_alike() -> None:
    """The file is what the module draws: on every machine, from the edges alone."""
    assert coasts.FILE.read_text(encoding="utf-8") == coasts.sheet()


def test_nothing_slides_by_the_style() -> None:
    assert "transition" not in (FOLDER / "table" / "table.css").read_text(encoding="utf-8")


def test_the_end_says_why_and_names_ties() -> None:
    times = 0
    for match in games(2)["over"]:
        page = Chart(draw(match))
        assert len(page.classed("outcome")) == 1
        ends = [event for event in match.events(0) if event["key"].startswith("event.over_")]
        assert words(GAME, "en").say(ends[0]) in page.texts
        ties = [
            proof["reason"]["params"]["sums"]
            for proof in match.view(0)["sheets"][0]["lines"][0]["evidence"]
            if proof["reason"]["key"] == "reason.equal"
        ]
        for sums in ties:
            assert any("nobody takes" in text and sums in text for text in page.texts)
            note = f"complete · {sums} tied"
            assert any(note in text.replace("\u00a0", " ") for text in page.texts)
            times += 1
    assert times > 0


def test_a_drawn_game_is_called_a_draw() -> None:
    match = next(drawn_games())
    total = str(match.scores[0]).replace("-", "−")
    assert f"{total} : {total} is a draw." in Chart(draw(match)).texts


def drawn_games() -> Iterator[Match]:
    """Games that end with equal points, played at random."""
    for seed in count():
        chance = random.Random(seed)
        match = Match.new(GAME, players=2, seed=seed, names=NAMES)
        while not match.over:
            match.play(match.pending[0], chance.choice(match.legal(match.pending[0])))
        if len(match.winners) == 2:
            yield match
