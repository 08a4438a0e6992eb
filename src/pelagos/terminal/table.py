"""A table in the terminal: whose turn it is, what they type, what the bots do."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from pelagos.arena.tournament import Entrant
from pelagos.bots import (
    LADDER,
    USUAL,
    Budget,
    Player,
    Thought,
    UnknownBot,
    advise,
    decide,
    find_creature,
    warm_up,
)
from pelagos.engine.errors import IllegalMove, PelagosError
from pelagos.engine.game import Game
from pelagos.engine.match import Match
from pelagos.engine.pack import Pack
from pelagos.engine.rule import watch_compiling
from pelagos.engine.types import TURNED
from pelagos.engine.view import Choice, View
from pelagos.terminal.saves import save, write_record
from pelagos.terminal.screen import NUMBER, QUIET, Screen, own_words

DEFAULT_LEVEL = USUAL.id
SHOWN_THOUGHTS = 5
NUMBER_TYPED = re.compile(r"[+-]?[0-9]+")
COMMANDS = ("?", "s", "u", "h", "l", "f", "q")


class LeaveError(Exception):
    """The person has had enough for now."""


# --- who sits where -------------------------------------------------------------------------


def lay_table(
    game: Game,
    options: Mapping[str, Any],
    *,
    people: int,
    seat: int,
    bots: Sequence[str],
    budget: Budget | None,
    language: str,
    seed: str | None,
    pack: Pack | None,
) -> Match:
    """A new match with people and bots in its seats."""
    checked: dict[str, Any] = dict(game.check_options(options))
    players = int(checked["players"])
    if not 1 <= people <= players:
        raise PelagosError(
            f"At a table for {players}, 1 to {players} people can sit, not {people}."
        )
    if not 1 <= seat <= players:
        raise PelagosError(f"There is no seat {seat}; the seats are 1 to {players}.")
    own = [(seat - 1 + step) % players for step in range(people)]
    others = [one for one in range(players) if one not in own]
    if len(bots) > max(len(others), 1):
        raise PelagosError(f"There is room for {len(others)} bots, not {len(bots)}.")
    match = Match.new(game, seed=seed, pack=pack, **checked)
    said = own_words(language)
    for number, one in enumerate(own):
        key = "name.person" if people == 1 else "name.people"
        match.seats[one] = {"name": said.text(key, {"number": number + 1})}
    taken: dict[str, int] = {}
    for number, one in enumerate(others):
        entrant = Entrant.parse(bots[number % len(bots)], budget or Budget(milliseconds=50))
        name = _name(entrant.name, language)
        taken[name] = taken.get(name, 0) + 1
        if taken[name] > 1:
            name = said.text("name.again", {"name": name, "number": taken[name]})
        spent = budget or entrant.budget
        match.seats[one] = {"name": name, "bot": entrant.bot, "budget": str(spent)}
    return match


def _name(bot: str, language: str) -> str:
    """A creature's name in the reader's language, or the bot's own."""
    try:
        return find_creature(bot).names[language]
    except UnknownBot:
        return bot.capitalize()


# --- the table ------------------------------------------------------------------------------


class Table:
    """One match in one terminal."""

    def __init__(
        self,
        match: Match,
        console: Console,
        language: str,
        path: Path,
        budget: Budget | None = None,
    ) -> None:
        self.match = match
        self.screen = Screen(console, match.pack, language, match.names)
        self.own = own_words(language)
        self.language = language
        self.path = path
        self.budget = budget
        """For hints, if not the strongest bot's own."""
        self._console = console
        self._bots = {
            seat: Player(str(chair["bot"]))
            for seat, chair in enumerate(match.seats)
            if "bot" in chair
        }
        self._people = [seat for seat in range(match.players) if seat not in self._bots]
        self._seen: dict[int, int] = {}
        self._note = ""
        """A sentence to say below the table."""
        self._at_keyboard: int | None = self._people[0] if len(self._people) == 1 else None

    def play(self) -> bool:
        """Play to the end, or until someone leaves: then False, and the match is saved."""
        try:
            self._warm_up()
            while not self.match.over:
                pending = self.match.pending
                people = [seat for seat in pending if seat in self._people]
                if people:
                    self._ask(people[0])
                else:
                    self._let_bot(pending[0])
        except (LeaveError, EOFError, KeyboardInterrupt):
            self._save()
            self._console.print()
            self.screen.say("save.saved", path=str(self.path))
            return False
        finally:
            for player in self._bots.values():
                player.close()
        self._end()
        return True

    def _warm_up(self) -> None:
        """Compile what the game and its bots need, so that nobody waits in the middle of it."""
        with self._status("table.loading"):
            warm_up(self.match.game, [player.bot for player in self._bots.values()])

    # --- bots --------------------------------------------------------------------------------

    def _let_bot(self, seat: int) -> None:
        match, chair = self.match, self.match.seats[seat]
        with self._status("table.thinking", name=chair["name"]):
            decision = decide(match, seat, self._bots[seat], Budget.parse(str(chair["budget"])))
        if decision.failure:
            self._complain("error.failed", name=chair["name"], reason=decision.failure)
        match.play(seat, decision.action)

    @contextmanager
    def _status(self, key: str, **params: Any) -> Iterator[None]:
        """Say what is being waited for, and that rules are being compiled if they are."""
        if not self._console.is_terminal:
            yield
            return
        with self._console.status(self.own.text(key, params)) as status:
            compiling = self.own.text("table.compiling")
            with watch_compiling(lambda _: status.update(compiling)):
                yield

    # --- people ------------------------------------------------------------------------------

    def _ask(self, seat: int) -> None:
        """Let a person decide."""
        view = self._view(seat)
        if view["forced"]:
            self.match.play(seat, view["choices"][0]["action"])
            self._save()
            return
        if self._at_keyboard != seat:
            self._hand_over(seat)
        self._draw(view)
        while True:
            words = self._read(self._question(view)).strip()
            if not words:
                self._draw(view)
                continue
            command, _, rest = words.partition(" ")
            if command.lower() in COMMANDS:
                if self._obey(seat, view, command.lower(), rest.strip()):
                    return
            elif self._move(seat, view, words):
                return

    def _view(self, seat: int) -> View:
        since = min(self._seen.get(seat, 0), len(self.match.events(seat)))
        return self.match.view(seat, since)

    def _draw(self, view: View) -> None:
        self.screen.clear()
        self.screen.draw(view, _numbers(view))
        if self._note:
            self.screen.say(self._note, "green")
            self._note = ""

    def _question(self, view: View) -> str:
        count = len(view["choices"])
        key = "table.ask" if count > 1 else "table.ask_one"
        return f"[{self.own.text(key, {'first': 1, 'last': count})}] > "

    def _hand_over(self, seat: int) -> None:
        """Clear the screen, so that nobody sees another's hand."""
        name = self.match.names[seat]
        self.screen.clear()
        self.screen.say("pass.title", "bold", name=name)
        self._read(self.own.text("pass.ready", {"name": name}))
        self._at_keyboard = seat

    def _read(self, question: str) -> str:
        """One line that was typed; what comes from a pipe is shown as if it had been."""
        if sys.stdin.isatty():
            return input(question)
        self._console.print(Text(question), end="", soft_wrap=True)
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        self._console.print(Text(line.rstrip("\n")), soft_wrap=True)
        return line.rstrip("\n")

    def _move(self, seat: int, view: View, words: str) -> bool:
        count = len(view["choices"])
        if NUMBER_TYPED.fullmatch(words):
            if len(words) > 6 or not 1 <= int(words) <= count:
                key = "error.number" if count > 1 else "error.number_one"
                self._complain(key, number=words[:20], first=1, last=count)
                return False
            move: int | str = view["choices"][int(words) - 1]["action"]
        else:
            move = " ".join(words.split())
        try:
            self.match.play(seat, move)
        except IllegalMove:
            self._complain("error.move", words=words[:40])
            return False
        self._seen[seat] = view["seen"]
        self._save()
        return True

    def _complain(self, key: str, **params: Any) -> None:
        self.screen.say(key, "red", **params)

    # --- commands ----------------------------------------------------------------------------

    def _obey(self, seat: int, view: View, command: str, rest: str) -> bool:
        """Do what a letter stands for; True if the table has changed."""
        if command == "q":
            raise LeaveError
        if command == "?":
            self._help(view)
        elif command == "s":
            self._sheet(seat, view, rest)
        elif command == "h":
            self._hint(seat, view)
        elif command == "l":
            self.screen.log(self.match.events(seat))
        elif command == "f":
            for line in self.screen.facts(view):
                self._console.print(line)
        return command == "u" and self._undo(seat)

    def _help(self, view: View) -> None:
        said = self.own
        example = view["choices"][0]["notation"]
        bot = _name(LADDER[-1].id, self.language)
        lines = [
            (said.text("help.numbers"), said.text("help.number")),
            (said.text("help.words"), said.text("help.move", {"example": example})),
            ("s", said.text("help.sheet")),
            ("u", said.text("help.undo")),
            ("h", said.text("help.hint", {"bot": bot})),
            ("l", said.text("help.log")),
            ("f", said.text("help.facts")),
            (said.text("help.enter"), said.text("help.table")),
            ("q", said.text("help.quit")),
        ]
        self.screen.say("help.title", "bold")
        self.screen.pairs(lines)
        self.screen.legend(view)

    def _sheet(self, seat: int, view: View, rest: str) -> None:
        if rest and rest not in map(str, range(1, self.match.players + 1)):
            self._complain("error.no_sheet", number=rest[:20], last=self.match.players)
            return
        self.screen.evidence(view, int(rest) - 1 if rest else seat)
        for line in self.screen.sheets(view["sheets"]):
            self._console.print(line)

    def _undo(self, seat: int) -> bool:
        """Take back the last move that was a choice, and what was made for the player since."""
        before = self.match.copy()
        while True:
            if before.why_no_undo(seat):
                self._complain(self._why_no_undo(seat))
                return False
            before.undo(seat)
            if not before.view(seat, previews=False)["forced"]:
                break
        self.match = before
        self._save()
        self._note = "undo.done"
        return True

    def _why_no_undo(self, seat: int) -> str:
        history = self.match.history
        own = [index for index, entry in enumerate(history) if entry.seat == seat]
        if not own:
            return "error.undo_none"
        turned = any(entry.news == TURNED for entry in history[own[-1] :])
        return "error.undo_turned" if turned else "error.undo_moved"

    def _hint(self, seat: int, view: View) -> None:
        if len(view["choices"]) == 1:
            self.screen.say("hint.only")
            return
        creature = LADDER[-1]
        name = _name(creature.id, self.language)
        try:
            with self._status("table.thinking", name=name):
                warm_up(self.match.game, [creature.bot])
                found = advise(self.match, seat, creature.bot, self.budget or creature.budget)
        except Exception as error:  # a bot may be anybody's: whatever it raises, the game goes on
            self._complain("error.hint", reason=str(error)[:100])
            return
        choices = {choice["action"]: choice for choice in view["choices"]}
        best = choices[found[0].action]
        self.screen.say("hint.best", "bold green", bot=name, **self._named(best, view))
        self._reasons(found, choices, view)

    def _named(self, choice: Choice, view: View) -> dict[str, Any]:
        number = _numbers(view)[choice["action"]]
        return {"number": number, "label": self.screen.label(choice)}

    def _reasons(self, found: Sequence[Thought], choices: Mapping[int, Choice], view: View) -> None:
        count = sum(thought.visits for thought in found)
        if not count:
            return
        alone = self.match.players == 1
        self.screen.say("hint.alone" if alone else "hint.why", QUIET, count=count)
        shown = [thought for thought in found if thought.visits][:SHOWN_THOUGHTS]
        labels = [self.screen.label(choices[thought.action]) for thought in shown]
        wide = max(len(label) for label in labels)
        for thought, label in zip(shown, labels, strict=True):
            number = _numbers(view)[thought.action]
            line = Text("  ").append(f"{number:>2}", style=NUMBER).append(f" {label.ljust(wide)}  ")
            if not alone:
                line.append(f"{100 * thought.value:3.0f} % {self.own.text('hint.win')}  ")
            points = f"{thought.points:6.1f}".replace(".", self.own.text("hint.decimal"))
            line.append(f"{points} {self.own.text('hint.points')}")
            self._console.print(line)

    # --- saving and the end ------------------------------------------------------------------

    def _save(self) -> None:
        try:
            save(self.match, self.path)
        except OSError as error:
            reason = error.strerror or str(error)
            self._complain("save.failed", path=str(self.path), reason=reason)

    def _end(self) -> None:
        viewer = self._people[0] if len(self._people) == 1 else None
        view = self.match.view(viewer, min(self._seen.get(viewer or 0, 0), 10**6))
        self.screen.clear()
        self.screen.draw(view, {})
        if not self.screen.roomy:
            for line in self.screen.sheets(view["sheets"]):
                self._console.print(line)
        self._console.print(Text(self._outcome(), style="bold green"))
        if self.match.players == 1 and not self.match.winners:
            self.screen.say("end.missed")
        self.path.unlink(missing_ok=True)

    def _outcome(self) -> str:
        names = self.match.names
        winners = [names[seat] for seat in self.match.winners]
        if self.match.players == 1:
            return self.own.text("end.alone", {"points": self.match.scores[0]})
        said = self.screen.said
        if len(winners) == 1:
            return said.text("table.winner", {"who": winners[0]})
        joined = ", ".join(winners[:-1]) + said.text("table.and") + winners[-1]
        return said.text("table.shared", {"who": joined})

    def keep_record(self, folder: Path | None) -> None:
        """Write the record, into the folder or where a person at the terminal says."""
        if folder is None and sys.stdin.isatty() and self._console.is_terminal:
            try:
                told = input(self.own.text("end.record_ask")).strip()
            except (EOFError, KeyboardInterrupt):
                return
            folder = Path(told).expanduser() if told else None
        if folder is None:
            return
        try:
            self.screen.say("end.record", path=str(write_record(self.match, folder)))
        except OSError as error:
            reason = error.strerror or str(error)
            self._complain("save.failed", path=str(folder), reason=reason)


def _numbers(view: View) -> dict[int, int]:
    """Each choice's number, by its action."""
    return {choice["action"]: index + 1 for index, choice in enumerate(view["choices"])}
