"""What the documents say is true: examples run, numbers are right, commands exist."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import typer

from pelagos.cli import app
from pelagos.engine import record as records
from pelagos.engine.game import find_game
from pelagos.engine.match import Match
from pelagos.engine.pack import default_pack
from pelagos.engine.stream import below, players_stream, seed_of, shuffle, word, words_of
from pelagos.engine.words import words
from pelagos.envs.table import set_up
from places import ROOT

DOCS = ROOT / "docs"
PAGES = [
    *(ROOT / name for name in ("README.md", "NOTICE.md", "CHANGELOG.md", "CONTRIBUTING.md")),
    *sorted(DOCS.rglob("*.md")),
]


def blocks(page: Path, language: str) -> list[str]:
    text = page.read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def load(script: Path) -> Any:
    """A script as a module."""
    spec = importlib.util.spec_from_file_location(script.stem, script)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def relative(page: Path) -> str:
    return str(page.relative_to(ROOT))


# --- Python ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "page",
    [
        ROOT / "README.md",
        *(DOCS / f"{page}.md" for page in ("bots", "observations", "python", "research")),
    ],
    ids=relative,
)
def test_python_examples_run_from_top_to_bottom(
    page: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    examples = blocks(page, "python")
    assert examples
    names: dict[str, Any] = {"__name__": "example"}
    for example in examples:
        exec(compile(example, page.name, "exec"), names)  # our own text
    assert capsys.readouterr().out


def test_readme_example_is_ten_lines() -> None:
    (example,) = blocks(ROOT / "README.md", "python")
    assert len([line for line in example.splitlines() if line.strip()]) <= 10


@pytest.mark.parametrize("notebook", sorted((DOCS / "notebooks").glob("*.ipynb")), ids=relative)
def test_notebooks_run_from_top_to_bottom(notebook: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "tools")
    notebooks = importlib.import_module("notebooks")
    printed = [text for text in notebooks.run_all(notebook) if text]
    page = notebooks.as_page(notebook)
    shown = re.findall(r"^```text\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert len(shown) == len(printed) > 1
    menu = (ROOT / "mkdocs.yml").read_text("utf-8")
    assert f": notebooks/{notebook.stem}.md" in menu


def test_the_research_page_says_how_large_the_games_are() -> None:
    text = (DOCS / "research.md").read_text("utf-8")
    for name in ("ecosystem", "oceanide", "oceanos", "ozeanien"):
        setup = set_up(name)
        game, layout = setup.game, setup.layout
        least, most = setup.points
        row = (
            f"`{name}`",
            f"{game.players[0]} to {game.players[-1]}",
            "yes" if game.simultaneous else "no",
            *map(str, (layout.size, layout.expanded, game.actions, setup.longest)),
            f"{least} to {most}".replace("-", "−"),
        )
        assert f"| {' | '.join(row)} |" in text


# --- the contract ---------------------------------------------------------------------------------


def test_the_contracts_declarations_run() -> None:
    example = blocks(DOCS / "contract.md", "python")[0]
    exec(compile(example, "contract.md", "exec"), {})  # our own text


@pytest.mark.parametrize("name", ["ecosystem", "oceanide", "oceanos", "ozeanien"])
def test_the_contract_lists_every_games_actions(name: str) -> None:
    game = find_game(name)
    actions = game.part("actions").ACTIONS
    listed = [
        " ".join(filter(None, (f"`{verb}`", ", ".join(parameters), str(last - first + 1))))
        for first, last, verb, parameters in actions.table()
    ]
    assert actions.size == game.actions
    text = (DOCS / "contract.md").read_text("utf-8")
    assert f"\n**Actions** ({game.actions}): {' · '.join(listed)}." in text


def test_the_tables_of_observations_are_those_of_the_layouts() -> None:
    tool = load(ROOT / "tools" / "observations.py")
    page = tool.PAGE.read_text("utf-8")
    assert page == tool.build(page), "run python tools/observations.py"
    assert {"facts", *tool.GAMES} == set(tool.TABLE.findall(page))


# --- fairness -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def script() -> Any:
    """docs/recompute_deal.py, which knows nothing of Pelagos."""
    return load(DOCS / "recompute_deal.py")


@pytest.fixture(scope="module")
def vectors() -> dict[str, Any]:
    (block,) = blocks(DOCS / "fairness.md", "json")
    published: dict[str, Any] = json.loads(block)
    return published


def hexadecimal(numbers: Any) -> list[str]:
    return [f"{int(number):016x}" for number in numbers]


def test_generator_gives_the_published_numbers() -> None:
    stream = np.array([1, 2, 3, 4], np.uint64)
    published = re.search(
        r"state 1, 2, 3, 4, gives ([\d, ]+)\.", (DOCS / "fairness.md").read_text("utf-8")
    )
    assert published is not None
    assert [int(number) for number in published[1].split(",")] == [
        int(word(stream)) for _ in range(4)
    ]


def test_vectors_are_what_the_engine_draws(vectors: dict[str, Any]) -> None:
    seed = seed_of("reef", 0)
    stream = words_of(seed)
    assert vectors["seed"] == seed.hex()
    assert vectors["stream"] == hexadecimal(stream)
    fresh = stream.copy()
    assert vectors["words"] == hexadecimal(word(fresh) for _ in vectors["words"])
    for bound in (6, 3_000_000_000):
        fresh = stream.copy()
        published = vectors[f"below {bound}"]
        assert published == [int(below(fresh, bound)) for _ in published]
    fresh, cards = stream.copy(), np.arange(10)
    shuffle(fresh, cards, 0, 10)
    assert vectors["shuffle of 0 to 9"] == cards.tolist()
    assert vectors["players' stream"] == hexadecimal(players_stream(seed))
    assert vectors["deck, first ten"] == Match.new("ecosystem", seed="reef").deal["deck"][:10]


def test_vectors_are_what_the_script_draws(vectors: dict[str, Any], script: Any) -> None:
    seed = bytes.fromhex(vectors["seed"])
    stream = script.words(seed)
    assert vectors["words"] == hexadecimal(next(stream) for _ in vectors["words"])
    for bound in (6, 3_000_000_000):
        stream = script.words(seed)
        published = vectors[f"below {bound}"]
        assert published == [script.below(stream, bound) for _ in published]


@pytest.mark.parametrize("seed", ["reef", "0", "tide", "f" * 64])
def test_script_recomputes_the_deal(seed: str, script: Any) -> None:
    match = Match.new("ecosystem", seed=seed)
    assert match.seed is not None
    assert script.deck(match.seed) == match.deal["deck"]


def test_script_runs_by_itself_and_stands_in_the_page_as_it_is() -> None:
    path = DOCS / "recompute_deal.py"
    assert path.read_text("utf-8") in blocks(DOCS / "fairness.md", "python")
    match = Match.new("ecosystem", seed="reef")
    assert match.seed is not None
    command = [sys.executable, "-I", str(path), match.seed.hex()]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert printed.split() == match.deal["deck"]


# --- the score pad and the rules page -------------------------------------------------------------


def test_score_pad_examples_score_as_told() -> None:
    game = find_game("ecosystem")
    section = re.search(
        r"^## Ecosystem$.*?^## ", (DOCS / "score-pad.md").read_text("utf-8"), re.M | re.S
    )
    assert section is not None
    examples = re.findall(r"^```text\n(.*?)^```$", section[0], re.M | re.S)
    assert len(examples) == 2
    for example, language in zip(examples, ("en", "fr"), strict=True):
        pad = game.part("tableau").score(example, default_pack(game))
        assert [sheet["total"] for sheet in pad.sheets] == [72, 72]
        note, _ = (words(game, language).say(note) for note in pad.notes)
        assert "flip 1,1 1,2" in note


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_scored_reef_of_the_rules_page_scores_as_told(language: str) -> None:
    game = find_game("ecosystem")
    page = DOCS / "games" / "ecosystem" / f"rules.{language}.md"
    (grid,) = (block for block in blocks(page, "text") if "kri↓" in block)
    marked = re.sub(r"(\w+)↓", r"(\1)", grid)
    rival = "Bo\nplankton plankton plankton krill coral\n" + "krill krill krill krill krill\n" * 3
    pad = game.part("tableau").score(f"Ada\n{marked}\n{rival}", default_pack(game))
    table = page.read_text("utf-8").partition("kri↓ cra pla")[2]
    said = words(game, language)
    for line in pad.sheets[0]["lines"]:
        name = re.escape(said.text(f"line.{line['key']}"))
        assert re.search(rf"^\| \**{name}\** \| \**{line['points']}\** \|", table, re.M), name
    assert f"| **total** | **{pad.sheets[0]['total']}** |" in table


@pytest.mark.parametrize("language", ["en", "fr"])
def test_rules_page_counts_the_cards_of_the_default_pack(language: str) -> None:
    text = (DOCS / "games" / "ecosystem" / f"rules.{language}.md").read_text("utf-8")
    game = find_game("ecosystem")
    state = game.part("state")
    counts = default_pack(game).data["counts"][0].tolist()
    for species, count in zip(state.SPECIES, counts, strict=True):
        name = re.escape(words(game, language).noun(species))
        assert re.search(rf"^\| [\w–]+ \| {name}[^|]* \| {count} \|", text, re.M), name


# --- records --------------------------------------------------------------------------------------


def test_sample_record_is_the_one_that_its_command_writes() -> None:
    from pelagos.arena.simulate import random_match

    game = find_game("ecosystem")
    record = random_match(game, default_pack(game), {"players": 2}, "reef", 0).record()
    text = (DOCS / "record.md").read_text("utf-8")
    for move in record["moves"][:5] + record["moves"][-2:]:
        assert json.dumps(move) in text
    assert f'"seed": "{record["seed"][:8]}…"' in text
    assert f'"sha256": "{record["pack"]["sha256"][:4]}…"' in text
    assert f'"scores": {record["result"]["scores"]}' in text
    assert f'"winners": {record["result"]["winners"]}' in text
    assert all(f"`{name}`" in text for name in record)


def test_limits_of_a_record_are_as_told() -> None:
    text = (DOCS / "record.md").read_text("utf-8")
    assert f"{records.LARGEST:,} bytes" in text
    assert f"{records.MOST_MOVES:,} moves" in text


# --- commands -------------------------------------------------------------------------------------


def commands(page: Path) -> list[str]:
    """Everything on the page that is typed at a prompt and starts with `pelagos`."""
    text = page.read_text("utf-8")
    lines = [line for block in blocks(page, "console") for line in block.splitlines()]
    lines += re.findall(r"`(pelagos [^`]+)`", text)
    return [line for line in lines if line.startswith("pelagos ")]


WITH_COMMANDS = [page for page in PAGES if commands(page)]


@pytest.mark.parametrize("page", WITH_COMMANDS, ids=relative)
def test_commands_exist(page: Path) -> None:
    for line in commands(page):
        command: Any = typer.main.get_command(app)
        parts = line.split()[1:]
        while parts and not parts[0].startswith("-") and hasattr(command, "commands"):
            assert parts[0] in command.commands, line
            command = command.commands[parts.pop(0)]
        known = {name for option in command.params for name in option.opts} | {"--help", "-h"}
        assert {part for part in parts if part.startswith("-")} <= known, line


def test_readme_and_command_page_show_every_command() -> None:
    tree: Any = typer.main.get_command(app)
    for page in (ROOT / "README.md", DOCS / "cli.md"):
        shown = {line.split()[1] for line in commands(page)}
        assert shown >= set(tree.commands), page.name


# --- all pages ------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", PAGES, ids=relative)
def test_no_page_names_a_place_on_a_machine(page: Path) -> None:
    text = page.read_text("utf-8")
    place = re.search(r"(?<![\w.~:/)-])/(home|root|tmp|work|usr|opt|Users|mnt|var)/|[A-Z]:\\", text)
    assert place is None, place


@pytest.mark.parametrize("page", PAGES, ids=relative)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.M | re.S)
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
        if not target.startswith(("http://", "https://")):
            assert (page.parent / target).is_file(), f"{relative(page)} links {target}"


def test_every_page_is_in_the_menu() -> None:
    menu = (ROOT / "mkdocs.yml").read_text("utf-8").partition("\nnav:\n")[2]
    for page in DOCS.rglob("*.md"):
        name = re.escape(page.relative_to(DOCS).as_posix())
        assert re.search(rf"(- |: ){name}$", menu, re.M), f"{name} isn't in mkdocs.yml's nav"
