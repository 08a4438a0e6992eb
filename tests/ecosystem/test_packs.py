"""The state, and packs of other cards."""

from __future__ import annotations

import pytest

from ecosystem.reefs import GAME, PACK
from pelagos.engine.batch import Batch
from pelagos.engine.errors import BadPack
from pelagos.engine.match import Match
from pelagos.engine.pack import make_pack
from pelagos.games.ecosystem.state import SPECIES, STATE


def test_the_state_is_under_two_kibibytes() -> None:
    assert STATE.size <= 2048


def changed(**counts: int) -> dict[str, str]:
    files = dict(PACK.files)
    for species, count in counts.items():
        lines = files["cards.csv"].splitlines()
        row = next(i for i, line in enumerate(lines) if line.startswith(species + ","))
        parts = lines[row].split(",")
        parts[4] = str(count)
        lines[row] = ",".join(parts)
        files["cards.csv"] = "\n".join(lines) + "\n"
    return files


def test_two_packs_in_one_process_each_give_their_own_results() -> None:
    rich = make_pack(GAME, changed(plankton=0, krill=60, shark=0))
    plain = Batch("ecosystem", 300, players=3, seed="p")
    other = Batch("ecosystem", 300, players=3, seed="p", pack=rich)
    first = plain.play_out().copy()
    assert (other.play_out() != first).any()
    assert (other.states["cells"] != SPECIES.index("plankton") + 1).all()
    assert (Batch("ecosystem", 300, players=3, seed="p").play_out() == first).all()


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        (changed(krill=5), "115 cards in all; it takes 120 to 192"),
        (changed(krill=61), "line 3: count must be from 0 to 60"),
        ({**PACK.files, "cards.csv": "id,count\n"}, "no column"),
        (
            {**PACK.files, "cards.csv": PACK.files["cards.csv"].replace("krill,p", "squid,p")},
            "line 3: there is no species 'squid'",
        ),
        (
            {**PACK.files, "cards.csv": PACK.files["cards.csv"].replace("moray,p", "coral,p")},
            "line 8: coral stands here a second time",
        ),
        (
            {
                **PACK.files,
                "cards.csv": PACK.files["cards.csv"].replace("krill,producer", "krill,x"),
            },
            "line 3: krill belongs to group 'producer', not 'x'",
        ),
        (
            {
                **PACK.files,
                "cards.csv": "".join(PACK.files["cards.csv"].splitlines(keepends=True)[:-1]),
            },
            "octopus is missing",
        ),
    ],
)
def test_a_wrong_pack_is_refused_with_line_and_reason(files: dict[str, str], reason: str) -> None:
    with pytest.raises(BadPack, match=reason) as refused:
        make_pack(GAME, files)
    assert refused.value.say("fr") not in ("", str(refused.value))
    assert "{" not in refused.value.say("fr")


def test_a_packs_own_names_are_on_the_table() -> None:
    files = {
        **PACK.files,
        "cards.csv": PACK.files["cards.csv"].replace("coral,corail", "kelp,varech"),
    }
    match = Match.new("ecosystem", players=1, seed=0, pack=make_pack(GAME, files))
    while "take coral" not in match.moves(0):
        match = Match.new("ecosystem", players=1, pack=make_pack(GAME, files))
    assert "kelp" in match.text(0)
    assert "varech" in match.text(0, "fr")
