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

from pelagos.bots import ADVISER, Budget, Player, advise, decide, warm_up
from pelagos.engine.errors import IllegalMove, PelagosError
from pelagos.engine.match import Match
from pelagos.engine.rule import watch_compiling
from pelagos.engine.series import Series, written
from pelagos.engine.view import View
from pelagos.terminal.hint import draw_hint
from pelagos.terminal.reader import QUIET, Reader
from pelagos.terminal.saves import begin_series, save, write_record
from pelagos.terminal.screen import Screen
from pelagos.terminal.seating import bot_name
from pelagos.terminal.talk import Notes

NUMBER_TYPED = re.compile(r"[+-]?[0-9]+")
COMMANDS = ("?", "s", "u", "h", "l", "f", "t", "q")


class LeaveError(Exception):
    """The person has had enough for now."""


class Table:
    """One match in one terminal."""

    def __init__(
        self,
        match: Match,
        console: Console,
        language: str,
        path: Path,
        budget: Budget | None = None,
        series: Series | None = None,
        table_options: Mapping[str, bool] | None = None,
        hints: bool | None = None,
    ) -> None:
        """`hints`: may people ask for them? None: if one plays against bots."""
        self.match = match
        self.series = series or begin_series(match)
        self._before = self.series.standing
        """How the series stood before this game."""
        self._table_options = table_options or {}
        self.screen = Screen(console, Reader(match.pack, language, match.names))
        self.path = path
        self.budget = budget
        """For hints, if not the adviser's own."""
        self._words = self.screen.reader.own
        self._adviser = bot_name(ADVISER.id, language)
        self._console = console
        self._bots = {
            seat: Player(str(chair["bot"]))
            for seat, chair in enumerate(match.seats)
            if "bot" in chair
        }
        self._people = [seat for seat in range(match.players) if seat not in self._bots]
        self._allows_hints = len(self._people) == 1 if hints is None else hints
        self._notes = Notes(self._people, language)
        self._events_seen: dict[int, int] = {}
        self._note = ""
        """A sentence to say below the table."""
        self._hinted = (-1, -1)
        """The seat and decision of the newest hint."""
        self._at_keyboard: int | None = self._people[0] if len(self._people) == 1 else None

    def play(self) -> bool:
        """Play to the end, or until someone leaves: then False, and the match is saved."""
        try:
            with self._status("table.loading"):
                warm_up(self.match.game, [player.bot for player in self._bots.values()])
            while not self.match.over:
                self._next_decision()
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

    def _next_decision(self) -> None:
        """People first, so that bots that choose at the same time don't let them wait."""
        pending = self.match.pending
        people = [seat for seat in pending if seat in self._people]
        if people:
            self._ask(people[0])
        else:
            self._let_bot(pending[0])

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
        with self._console.status(self._words.text(key, params)) as status:
            compiling = self._words.text("table.compiling")
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
        self.screen.reader.you = seat
        since = min(self._events_seen.get(seat, 0), len(self.match.events(seat)))
        return self.match.view(seat, since, options=self._table_options)

    def _draw(self, view: View) -> None:
        self.screen.clear()
        self.screen.draw(view)
        self._tell_series()
        for seat, said in self._notes.for_seat(self.screen.reader.you):
            self.screen.say("talk.line", "bold", name=self.match.names[seat], said=said)
        if self._note:
            self.screen.say(self._note, "green")
            self._note = ""

    def _question(self, view: View) -> str:
        count = len(view["choices"])
        key = "table.ask" if count > 1 else "table.ask_one"
        return f"[{self._words.text(key, {'first': 1, 'last': count})}] > "

    def _hand_over(self, seat: int) -> None:
        """Clear the screen, so that nobody sees another's hand."""
        name = self.match.names[seat]
        self.screen.clear()
        self.screen.say("pass.title", "bold", name=name)
        self._read(self._words.text("pass.ready", {"name": name}))
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
        self._events_seen[seat] = view["seen"]
        self._notes.forget(seat)
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
            self.screen.facts(view)
        elif command == "t":
            self._talk(seat, rest)
        return command == "u" and self._undo(seat)

    def _help(self, view: View) -> None:
        words = self._words
        example = view["choices"][0]["notation"]
        lines = [
            (words.text("help.numbers"), words.text("help.number")),
            (words.text("help.words"), words.text("help.move", {"example": example})),
            ("s", words.text("help.sheet")),
            ("u", words.text("help.undo")),
            ("h", words.text("help.hint", {"bot": self._adviser})),
            ("l", words.text("help.log")),
            ("f", words.text("help.facts")),
            ("t", words.text("help.talk")),
            (words.text("help.enter"), words.text("help.table")),
            ("q", words.text("help.quit")),
        ]
        self.screen.say("help.title", "bold")
        self.screen.pairs(lines)
        self.screen.legend(view)

    def _sheet(self, seat: int, view: View, rest: str) -> None:
        if rest and rest not in map(str, range(1, view["players"] + 1)):
            self._complain("error.no_sheet", number=rest[:20], last=view["players"])
            return
        self.screen.evidence(view, int(rest) - 1 if rest else seat)
        self.screen.sheets(view)

    def _talk(self, seat: int, typed: str) -> None:
        """Say something to the others at this keyboard, or show what can be said in one word."""
        if len(self._people) == 1:
            self._complain("talk.nobody")
        elif not typed:
            self.screen.say("talk.title", "bold")
            self.screen.pairs(list(self._notes.ready.items()))
        else:
            try:
                self._notes.say(seat, typed)
            except PelagosError as error:
                self._complain("talk.refused", reason=error.say(self._words.language))
            else:
                self.screen.say("talk.left", "green")

    def _undo(self, seat: int) -> bool:
        """Take back the last move that was a choice, and what was made for the player since."""
        before = self.match.copy()
        while True:
            reason = before.why_no_undo(seat)
            if reason is not None:
                self._complain(reason["key"], **reason["params"])
                return False
            before.undo(seat)
            if not before.view(seat, previews=False)["forced"]:
                break
        self.match = before
        self._save()
        self._note = "undo.done"
        return True

    def _hint(self, seat: int, view: View) -> None:
        if not self._allows_hints:
            self._complain("hint.off")
            return
        if len(view["choices"]) == 1:
            self.screen.say("hint.only")
            return
        try:
            with self._status("table.thinking", name=self._adviser):
                warm_up(self.match.game, [ADVISER.bot])
                thoughts = advise(self.match, seat, ADVISER.bot, self.budget or ADVISER.budget)
        except Exception as error:  # whatever a bot raises, the game goes on
            self._complain("error.hint", reason=str(error)[:100])
            return
        draw_hint(self.screen, view, self._adviser, thoughts)
        self._count_hint(seat)

    def _count_hint(self, seat: int) -> None:
        """Once a decision; the record tells how many."""
        asked = (seat, self.match.decisions(seat))
        if asked != self._hinted:
            self._hinted = asked
            chair = self.match.seats[seat]
            chair["hints"] = int(chair.get("hints", 0)) + 1

    # --- saving and the end ------------------------------------------------------------------

    def _save(self) -> None:
        try:
            self.series.matches[-1] = self.match
            save(self.series, self.path)
        except OSError as error:
            self._cannot_save(self.path, error)

    def _cannot_save(self, path: Path, error: OSError) -> None:
        self._complain("save.failed", path=str(path), reason=error.strerror or str(error))

    def _end(self) -> None:
        viewer = self._people[0] if len(self._people) == 1 else None
        self.screen.reader.you = viewer
        view = self.match.view(viewer, self._events_seen.get(viewer or 0, 0))
        self.screen.clear()
        self.screen.draw(view)
        if not self.screen.is_roomy:
            self.screen.sheets(view)
        self._console.print(Text(self._outcome(view), style="bold green"))
        if "tie_break" in view:
            self._console.print(Text(self.screen.reader.say(view["tie_break"])))
        if view["players"] == 1 and not view["winners"]:
            self.screen.say("end.missed")
        self._tell_hints()
        self.series.matches[-1] = self.match
        self._tell_series()
        self.path.unlink(missing_ok=True)

    def _tell_hints(self) -> None:
        """Who asked for how many hints, if anybody did."""
        for chair in self.match.seats:
            if "hints" in chair:
                self.screen.say("hint.count", QUIET, who=chair["name"], count=chair["hints"])

    def _tell_series(self) -> None:
        """How the series stands, if this is one."""
        now = self.series.standing
        if now.length == 1:
            return
        order = sorted(range(self.match.players), key=lambda seat: -now.points[seat])
        points = ", ".join(
            f"{self.screen.reader.called(seat)} {written(now.points[seat])}" for seat in order
        )
        params = {"games": now.length, "number": self._before.played + 1, "points": points}
        key = "line"
        if now.over:
            key = "won" if len(now.winners) == 1 else "shared"
            params["who"] = self._who(now.winners)
        self.screen.say(f"series.{key}", "bold" if now.over else "", **params)

    def _outcome(self, view: View) -> str:
        if view["players"] == 1:
            return self._words.text("end.alone", {"points": view["sheets"][0]["total"]})
        key = "table.winner" if len(view["winners"]) == 1 else "table.shared"
        reader = self.screen.reader
        who = {"who": self._who(view["winners"])}
        return self._words.text(key, who, reader.names, reader.you)

    def _who(self, seats: Sequence[int]) -> Any:
        """One seat, for a sentence about it, or the names of several."""
        if len(seats) == 1:
            return {"seat": seats[0]}
        return self._and([self.screen.reader.called(seat) for seat in seats])

    def _and(self, names: Sequence[str]) -> str:
        if len(names) == 1:
            return names[0]
        return ", ".join(names[:-1]) + self._words.text("table.and") + names[-1]

    def keep_record(self, folder: Path | None) -> None:
        """Write the record, into the folder or where a person at the terminal says."""
        if folder is None and sys.stdin.isatty() and self._console.is_terminal:
            try:
                typed = input(self._words.text("end.record_ask")).strip()
            except (EOFError, KeyboardInterrupt):
                return
            folder = Path(typed).expanduser() if typed else None
        if folder is None:
            return
        try:
            self.screen.say("end.record", path=str(self._write_record(folder)))
        except OSError as error:
            self._cannot_save(folder, error)

    def _write_record(self, folder: Path) -> Path:
        before = self._before if self.series.length > 1 else None
        return write_record(self.match, folder, before)
