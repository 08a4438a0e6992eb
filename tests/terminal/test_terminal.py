"""The terminal table, played through its standard input like a person would."""

from __future__ import annotations

import io
import json
import random
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterable
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from pelagos.engine import record as records
from pelagos.engine.errors import PelagosError
from pelagos.engine.game import Game, find_game
from pelagos.engine.match import Match
from pelagos.terminal.reader import Reader
from pelagos.terminal.sheets import draw_totals
from pelagos.terminal.start import part_options, start

ASKED = re.compile(r"\[1(?:–(\d+))?, ")
LANGUAGES = ("en", "fr")


class Keyboard(io.StringIO):
    """Types given lines first, then a random choice whenever it is asked for one."""

    def __init__(self, screen: io.StringIO, lines: Iterable[str], seed: int, go_on: bool) -> None:
        super().__init__()
        self.screen = screen
        self.lines = list(lines)
        self.choices = random.Random(seed)
        self.go_on = go_on

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        if self.lines:
            return self.lines.pop(0) + "\n"
        if not self.go_on:
            return ""
        asked = ASKED.search(self.screen.getvalue()[-90:])
        return f"{self.choices.randint(1, int(asked[1] or 1))}\n" if asked else "\n"


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., str]:
    """Plays with typed lines and gives what was on the screen; `ended` says if the game did."""

    def run(
        game: str | Game,
        *lines: str,
        to_the_end: bool = False,
        seed: int = 1,
        width: int = 80,
        height: int = 24,
        options: dict[str, Any] | None = None,
        terminal: bool = False,
        **more: Any,
    ) -> str:
        screen = io.StringIO()
        console = Console(
            file=screen, width=width, height=height, highlight=False, force_terminal=terminal
        )
        monkeypatch.setattr(sys, "stdin", Keyboard(screen, lines, seed, to_the_end))
        settings = {"bots": ["random"], "seed": str(seed), "save": tmp_path / "save.json"} | more
        installed = find_game(game) if isinstance(game, str) else game
        run.ended = start(installed, options or {}, console=console, **settings)  # type: ignore[attr-defined]
        return screen.getvalue()

    return run


# --- whole games --------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_whole_game_of_every_game_in_both_languages(
    game: Game, language: str, play: Any, tmp_path: Path
) -> None:
    screen = play(game, to_the_end=True, language=language, record=tmp_path / "records")
    assert play.ended
    assert not (tmp_path / "save.json").exists()
    (file,) = (tmp_path / "records").iterdir()
    match = Match.replay(records.load(file))
    assert match.over
    assert game.titles.get(language, game.titles["en"]) in screen
    assert max(map(len, screen.splitlines())) <= 120  # only questions and typed lines may be longer


def test_every_table_size_can_be_played(game: Game, play: Any) -> None:
    for players in game.players:
        play(game, to_the_end=True, options={"players": players}, seed=players)
        assert play.ended


def test_no_key_of_the_words_is_left_untranslated(game: Game, play: Any) -> None:
    for language in LANGUAGES:
        screen = play(game, "?", "s", "l", "f", to_the_end=True, language=language)
        keys = re.findall(
            r"\b(?:prompt|label|event|fact|line|reason|place|mark|table|help|error|name|end|save)"
            r"\.[a-z_]+\b",
            screen,
        )
        assert keys == []


def test_a_series_is_played_to_its_end_and_the_loser_begins(play: Any, tmp_path: Path) -> None:
    for language, said in (("en", "Best of 3, game "), ("fr", "Au meilleur des 3, partie ")):
        folder = tmp_path / language
        screen = play(
            "ozeanien", to_the_end=True, length=3, first=2, language=language, record=folder
        )
        assert play.ended
        assert not (tmp_path / "save.json").exists()
        kept = sorted(
            (records.load(file) for file in folder.iterdir()),
            key=lambda record: int(record["series"]["number"]),
        )
        assert 2 <= len(kept) <= 3
        assert kept[0]["deal"]["start"] == 1
        for number, record in enumerate(kept):
            assert f"{said}{number + 1}" in screen
            assert record["series"]["number"] == number + 1
            assert Match.replay(record).over
            if number and len(kept[number - 1]["result"]["winners"]) == 1:
                (winner,) = kept[number - 1]["result"]["winners"]
                assert record["deal"]["start"] == 1 - winner
        ends = {
            "en": ("wins the series", "You win the series", "is shared"),
            "fr": ("gagne la série", "Vous gagnez la série", "est partagée"),
        }
        assert any(words in screen for words in ends[language])


def test_a_series_is_saved_and_goes_on(play: Any, tmp_path: Path) -> None:
    play("ozeanien", "1", "q", length=5)
    assert not play.ended
    kept = json.loads((tmp_path / "save.json").read_text())
    assert kept["series"] == 5
    assert len(kept["records"]) == 1
    screen = play("ozeanien", to_the_end=True, go_on=True)
    assert play.ended
    assert "Best of 5, game 3" in screen


def test_who_begins_may_be_said(play: Any, tmp_path: Path) -> None:
    play("oceanos", "q", options={"players": 3}, first=3)
    assert json.loads((tmp_path / "save.json").read_text())["deal"]["captain"] == 2
    (tmp_path / "save.json").unlink()
    for game, settings, reason in (
        ("ecosystem", {"first": 1}, "nobody begins"),
        ("ozeanien", {"first": 3}, "0 to 1"),
        ("ozeanien", {"length": 2}, "odd number"),
        ("ozeanien", {"length": 3, "options": {"players": 1}}, "somebody to play against"),
    ):
        with pytest.raises(PelagosError, match=reason):
            play(game, "q", **settings)


DIVE = """keep 1-19, done, keep 1-11, fuel 1-40, pass, keep 1-07, fuel 1-33, keep 1-13,
upgrade propeller, under 1-20, keep 1-01, keep 1-39"""
"""A game of Oceanos up to where the captain may let a diver down."""


def test_a_choice_shows_what_it_changes_and_nothing_else(tmp_path: Path, play: Any) -> None:
    """Oceanos' sheets count at the end of a round only: a pass changes nothing, a dive adds 3."""
    match = Match.new("oceanos", players=2, seed="22", names=["A", "B"])
    for move in DIVE.replace("\n", " ").split(", "):
        seat = next(seat for seat in match.pending if move in match.moves(seat))
        match.play(seat, move)
    path = tmp_path / "dive.json"
    path.write_text(match.to_json())
    screen = play("oceanos", "q", save=path, go_on=True, width=119)
    (choices,) = re.findall(r"^ 1 .*?(?=^▸)", screen, re.MULTILINE | re.DOTALL)
    assert choices.split("  ")[0] == " 1 Send no diver"
    assert re.findall(r"[+−]\d+", choices) == ["+3"]
    assert choices.endswith("Send a diver for 1 chest  +3\n")


def test_moves_in_words_are_moves(play: Any) -> None:
    dealt = Match.new("ecosystem", players=3, seed="1")
    move = dealt.moves(0)[0]
    play("ecosystem", f"  {move.replace(' ', '   ')} ", options={"players": 3})
    assert not play.ended
    assert "Player" in play("ecosystem", "l", seed=1)


# --- what can be typed --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "english", "french"),
    [
        ("99", "There is no choice 99; your choices are 1 to", "Il n'y a pas de choix 99"),
        ("0", "There is no choice 0", "Il n'y a pas de choix 0"),
        ("-3", "There is no choice -3", "Il n'y a pas de choix -3"),
        ("fly away", "“fly away” isn't a move", "« fly away » n'est pas un coup"),
        ("[bold]", "“[bold]” isn't a move", "« [bold] » n'est pas un coup"),
        ("1" * 5000, "There is no choice 1111", "Il n'y a pas de choix 1111"),
        ("²", "“²” isn't a move", "« ² » n'est pas un coup"),
        ("s 9", "There is no player 9; the players are 1 to 3", "Il n'y a pas de joueur 9"),
        ("u", "You have made no move yet", "Vous n'avez encore joué aucun coup"),
        ("?", "take back your last move", "reprendre votre dernier coup"),
        ("l", "Nothing has happened yet", "Il ne s'est encore rien passé"),
        ("s", "Player: 0 points", "Joueur : 0 points"),
        ("S 2", "Random: 0 points", "Random : 0 points"),
    ],
)
def test_whatever_is_typed_gets_a_clear_answer(
    typed: str, english: str, french: str, play: Any
) -> None:
    options = {"players": 3}
    flat = play("ecosystem", typed, options=options, width=200).replace("\u202f", " ")
    assert english in flat
    flat = play("ecosystem", typed, options=options, width=200, language="fr", go_on=False)
    assert french in flat.replace("\u202f", " ")


def test_a_sheet_shows_what_makes_each_line(play: Any) -> None:
    screen = play("ecosystem", *["1"] * 14, "s")
    assert re.search(r"\+\d+ .+\(\d,\d", screen)


def test_undo_takes_the_last_move_back(play: Any, tmp_path: Path) -> None:
    screen = play("ecosystem", "1", "u", "q", options={"players": 1})
    assert "Your last move is taken back." in screen
    saved = json.loads((tmp_path / "save.json").read_text())
    assert saved["moves"] == []


def test_undo_is_refused_once_something_came_to_light(play: Any) -> None:
    assert "something came to light" in play("ecosystem", "1", "u", width=120)
    refused = play("ecosystem", "1", "u", width=120, language="fr", go_on=False)
    assert "quelque chose a été révélé" in refused


def test_a_hint_names_a_choice_and_its_worth(play: Any) -> None:
    screen = play("ecosystem", "h", budget="60sims", width=120)
    assert re.search(r"Orca would play \d+: Take the ", screen)
    assert re.search(r"\d+ % win +\d+\.\d points", screen)
    screen = play("ecosystem", "h", budget="60sims", width=120, language="fr", go_on=False)
    assert re.search(r"Orque jouerait \d+.: Prendre ", screen)
    alone = play("ecosystem", "h", budget="60sims", options={"players": 1}, go_on=False, width=120)
    assert "Expected final points" in alone
    assert "% win" not in alone


def test_hints_are_counted_and_among_people_off_unless_somebody_says_otherwise(
    play: Any, tmp_path: Path
) -> None:
    play("ecosystem", "h", "h", "1", "q", budget="60sims")
    saved = json.loads((tmp_path / "save.json").read_text())
    assert saved["seats"][0]["hints"] == 1
    off = play("ecosystem", "", "h", people=2, go_on=False, budget="60sims")
    assert "nobody asks for hints" in off
    on = play("ecosystem", "", "h", people=2, go_on=False, budget="60sims", hints=True)
    assert "Orca would play" in on


def test_a_bot_that_fails_does_not_end_the_game(play: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from pelagos.bots.random import Random

    def fail(*_: Any) -> int:
        raise RuntimeError("lost its way")

    monkeypatch.setattr("pelagos.terminal.table.warm_up", lambda *_: None)
    monkeypatch.setattr(Random, "choose", fail)
    screen = play("ecosystem", "1", "1", width=200)
    assert "lost its way" in screen
    assert "a simpler player moved in its place" in screen


# --- saving -------------------------------------------------------------------------------------


@pytest.mark.parametrize("leave", [["q"], []])
def test_a_saved_game_goes_on_to_the_same_end(leave: list[str], play: Any, tmp_path: Path) -> None:
    moves = ["1"] * 60
    play(
        "ecosystem",
        *moves,
        options={"players": 2},
        record=tmp_path / "straight",
        save=tmp_path / "x",
    )
    assert play.ended
    screen = play("ecosystem", *moves[:7], *leave, options={"players": 2})
    assert not play.ended
    assert "Saved in" in screen
    screen = play("ecosystem", *moves, record=tmp_path / "resumed")
    assert play.ended
    assert "Going on with the game saved" in screen
    straight, resumed = (
        records.load(next((tmp_path / name).iterdir())) for name in ("straight", "resumed")
    )
    assert straight == resumed


def test_a_save_is_written_after_each_own_move(play: Any, tmp_path: Path) -> None:
    play("ecosystem", "1")
    first = json.loads((tmp_path / "save.json").read_text())
    play("ecosystem", "1")
    second = json.loads((tmp_path / "save.json").read_text())
    assert len(second["moves"]) > len(first["moves"])
    assert [seat.get("bot") for seat in second["seats"]] == [None, "random", "random"]


def test_a_new_game_can_be_asked_for_and_anothers_save_is_refused(
    play: Any, tmp_path: Path
) -> None:
    play("ecosystem", "1")
    assert "Going on" not in play("ecosystem", "q", go_on=False)
    with pytest.raises(PelagosError, match="holds a game of ecosystem, not of ozeanien"):
        play("ozeanien", "q")


def test_a_folder_that_cannot_be_written_is_a_sentence(play: Any, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    screen = play("ecosystem", "1", save=tmp_path / "file" / "save.json", width=200)
    assert "can't be saved in" in screen


# --- several people -----------------------------------------------------------------------------


def test_people_pass_the_keyboard_and_the_screen_is_cleared(play: Any) -> None:
    screen = play(
        "ecosystem", to_the_end=True, options={"players": 3}, people=3, terminal=True, bots=[]
    )
    assert play.ended
    before = [part[-60:] for part in screen.split("Pass the keyboard to")[:-1]]
    assert len(before) > 40
    assert all("\x1b[H\x1b[2J\x1b[3J" in part for part in before)
    for name in ("Player 1", "Player 2", "Player 3"):
        assert f"keyboard to {name}" in screen


def test_nobody_sees_anothers_hand(play: Any) -> None:
    """Between two hand-overs there are only the hand and choices of the one who sits there."""
    screen = play("ecosystem", "", "1", "", options={"players": 3}, people=2, bots=["random"])
    _, first, second = screen.split("Pass the keyboard to")
    dealt = Match.new("ecosystem", players=3, seed="1")
    for seat, part in enumerate((first, second)):
        before, _, after = part.partition(": ")
        assert f"Player {seat + 1}" in before
        assert after.count("Take the") == len(dealt.moves(seat))


@pytest.mark.parametrize("language", LANGUAGES)
def test_people_at_one_keyboard_leave_each_other_a_word(language: str, play: Any) -> None:
    """It is read by the others, each until they have decided; nobody reads their own."""
    screen = play(
        "ecosystem",
        *("", "t", "t well_played", "t Nice reef 🐙", "t \u202eback", "1", "", "", "1", "", "q"),
        **{"options": {"players": 3}, "people": 3, "bots": [], "language": language, "width": 100},
    )
    name, well = {"en": ("Player 1:", "Well played!"), "fr": ("Joueur 1\u202f:", "Bien joué")}[
        language
    ]
    _, first, second, third = screen.split({"en": "keyboard to", "fr": "clavier à"}[language])
    assert well in first  # in the list of what can be said in one word
    assert f"{name} {well}" not in first
    assert {"en": "control characters", "fr": "caractères de contrôle"}[language] in first
    assert "back" not in second
    for part in (second, third):
        lines = [line.strip() for line in part.splitlines() if line.startswith(name)]
        assert well in lines[0]
        assert lines[1] == f"{name} Nice reef 🐙"
    assert second.count("Nice reef") == 2  # the table was drawn again


def test_alone_there_is_nobody_to_talk_to(play: Any) -> None:
    assert "Nobody else sits at this keyboard." in play("ecosystem", "t hello", "q")


@pytest.mark.parametrize(("answer", "games_played"), [("y", 2), ("", 1)])
def test_another_game_is_offered_at_the_end(
    answer: str, games_played: int, play: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    answers = iter([answer])
    monkeypatch.setattr(
        "pelagos.terminal.start._wants_another",
        lambda *_: next(answers, "").startswith("y"),
    )
    play("ozeanien", to_the_end=True, options={"players": 2}, record=tmp_path / "records")
    assert play.ended
    kept = [records.load(file) for file in (tmp_path / "records").iterdir()]
    assert len(kept) == games_played
    assert len({record["seed"] for record in kept}) == games_played  # cards of its own
    assert [chair["name"] for chair in kept[0]["seats"]] == ["Player", "Random"]


def test_the_seat_is_the_one_asked_for(play: Any, tmp_path: Path) -> None:
    play("ecosystem", "q", options={"players": 4}, seat=3)
    seats = json.loads((tmp_path / "save.json").read_text())["seats"]
    assert [seat["name"] for seat in seats] == ["Random", "Random 2", "Player", "Random 3"]


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"people": 4}, "1 to 3 people can sit, not 4"),
        ({"seat": 4}, "There is no seat 4"),
        ({"bots": ["random"] * 3}, "room for 2 bots"),
        ({"bots": ["whelk"]}, "There is no bot or creature 'whelk'"),
        ({"budget": "long"}, "A budget is written"),
    ],
)
def test_a_wrong_table_gets_a_sentence(settings: dict[str, Any], reason: str, play: Any) -> None:
    with pytest.raises(PelagosError, match=reason):
        play("ecosystem", options={"players": 3}, **settings)


# --- the screen ---------------------------------------------------------------------------------


def test_a_narrow_and_a_wide_terminal_show_the_same_game(game: Game, play: Any) -> None:
    for width, height in ((80, 24), (200, 60), (40, 12)):
        screen = play(
            game, to_the_end=True, width=width, height=height, terminal=True, bots=["random"]
        )
        assert play.ended
        assert "\x1b[" in screen


def test_without_a_terminal_there_is_no_colour_and_nothing_is_cleared(play: Any) -> None:
    assert "\x1b" not in play("ecosystem", "1", "?", "s", "h", budget="5sims")


def test_no_colour_is_respected(play: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    coloured = re.compile(r"\x1b\[[0-9;]*(?:3[0-7]|4[0-7]|9[0-7]|38;|48;)[0-9;]*m")
    assert coloured.search(play("ecosystem", "1", terminal=True))
    monkeypatch.setenv("NO_COLOR", "1")
    assert not coloured.search(play("ecosystem", "1", terminal=True, go_on=False))


def test_the_words_have_the_same_keys_and_slots_in_both_languages() -> None:
    tables = [
        tomllib.loads((files("pelagos.terminal") / "words" / f"{language}.toml").read_text("utf-8"))
        for language in LANGUAGES
    ]

    def slots(table: Any, at: str = "") -> dict[str, set[str]]:
        if isinstance(table, str):
            return {at: set(re.findall(r"\{\w+\}", table))}
        slots_of: dict[str, set[str]] = {}
        for key, value in table.items():
            slots_of |= slots(value, f"{at}.{key}")
        return slots_of

    assert slots(tables[0]) == slots(tables[1])


# --- the command --------------------------------------------------------------------------------


def command(*arguments: str, typed: str = "", **more: Any) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "pelagos.cli", "play", *arguments]
    return subprocess.run(line, input=typed, capture_output=True, text=True, timeout=300, **more)


def test_the_command_plays_a_piped_game_and_keeps_its_record(tmp_path: Path) -> None:
    done = command(
        *f"ecosystem --players 2 --seed 4 --bots puffin --lang fr --record {tmp_path}".split(),
        *f"--save {tmp_path / 'save.json'}".split(),
        typed="1\n" * 60,
    )
    assert done.returncode == 0, done.stderr
    assert "Macareux" in done.stdout
    (file,) = tmp_path.glob("ecosystem-2-*.pelagos.json")
    assert f"enregistrée : {file}" in done.stdout.replace("\u202f", " ").replace("\n", "")
    assert Match.replay(records.load(file)).over


def test_the_command_without_a_game_and_terminal_asks_for_its_name() -> None:
    done = command()
    assert done.returncode == 1
    assert "Name a game: ecosystem" in done.stderr


def test_a_table_option_opens_collections_in_the_terminal() -> None:
    """Without it the others' points are a question mark."""
    game = find_game("oceanide")
    options, shown = part_options(game, {"players": 3, "closed": False})
    assert (options, shown) == ({"players": 3}, {"closed": False})
    match = Match.new(game, seed=1, **options)
    reader = Reader(match.pack, "en", ["Ada", "Bo", "Cy"])
    assert draw_totals(match.view(0), reader).plain.count("?") == 2
    assert "?" not in draw_totals(match.view(0, options=shown), reader).plain
