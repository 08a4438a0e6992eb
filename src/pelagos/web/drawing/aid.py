"""An explanation for one reader: what the aid's card says, and what it lights up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from pelagos.web.drawing import Drawing
from pelagos.web.drawing.ids import piece_id, shown, signed
from pelagos.web.examples import figures_about

MOST_ROWS = 4
"""Points that a card tells one by one."""


class AidCard:
    """One answer of `engine.aid`, in the words of a drawing's reader."""

    def __init__(self, drawing: Drawing, aid: Mapping[str, Any]) -> None:
        self._drawing = drawing
        self._aid = aid
        self.name = _capital(self._value(aid["name"]))
        self.kind = "" if aid["kind"] is None else self._value(aid["kind"])
        self.rule = "" if aid["rule"] is None else _capital(drawing.say(aid["rule"]))
        self.why = "" if aid["why"] is None else drawing.say(aid["why"])
        self.symbol = drawing.symbol(aid["face"]) if aid["face"] else ""
        sort, _, rest = aid["of"].partition(":")
        self._line = rest.partition(":")[0].partition("+")[0] if sort == "line" else ""
        if self._line and not self.symbol:
            self.symbol = drawing.symbol(self._line)
        kind = aid["kind"] or {}
        name = kind.get("noun") or kind.get("key", "").rpartition(".")[2]
        self.kind_symbol = drawing.symbol(name) if name else ""

    @property
    def parts(self) -> list[tuple[str, str]]:
        """The symbols that it carries, and their rules."""
        say, symbol = self._drawing.say, self._drawing.symbol
        return [(symbol(part["face"]), say(part["rule"])) for part in self._aid["parts"]]

    @property
    def examples(self) -> list[Markup]:
        """Rules at work that are about it."""
        about = (self._aid["face"], self._line)
        figures_by_name = (
            figures_about(self._drawing.game.id, name, self._drawing.reader.language)
            for name in about
            if name
        )
        return next((figures for figures in figures_by_name if figures), [])[:1]

    @property
    def now(self) -> list[dict[str, Any]]:
        """Its worth now: each row with points, symbols, words and what to light up."""
        worths = self._aid["now"]
        own = [worth for worth in worths if worth["own"]]
        rows = [self._own_row(worth) for worth in own[:MOST_ROWS]]
        if len(own) > MOST_ROWS:
            rest = own[MOST_ROWS:]
            rows.append(
                {
                    "points": shown(sum(worth["points"] for worth in rest)),
                    "symbols": [],
                    "words": self._drawing.tell("aid.others", count=len(rest)),
                    "marks": self._marks(key for worth in rest for key in worth["pieces"]),
                }
            )
        return rows + self._helped_rows([worth for worth in worths if not worth["own"]])

    def _own_row(self, worth: Mapping[str, Any]) -> dict[str, Any]:
        drawing, face = self._drawing, self._aid["face"]
        others = [drawing.pieces[key] for key in worth["pieces"] if key in drawing.pieces]
        faces = Counter(
            piece["face"]
            for piece in others
            if piece["face"] not in (None, face) and drawing.symbol(piece["face"])
        )
        if faces and not self._line:
            words = drawing.tell("aid.now_for", things=self._listed(faces))
        else:
            words = drawing.tell("aid.now_as", reason=drawing.say(worth["reason"]))
        return {
            "points": shown(worth["points"]),
            "symbols": self._symbols(faces),
            "words": words,
            "marks": self._marks(worth["pieces"]),
        }

    def _helped_rows(self, worths: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """What it helps others to: a row for each kind of piece that scores by it."""
        by_face: dict[str, list[Mapping[str, Any]]] = {}
        for worth in worths:
            scorer = self._drawing.pieces.get(worth["pieces"][0]) if worth["pieces"] else None
            if scorer is not None and scorer["face"]:
                by_face.setdefault(scorer["face"], []).append(worth)
        return [
            {
                "points": "",
                "symbols": self._symbols([face]),
                "words": self._drawing.tell(
                    "aid.helps",
                    name=self._drawing.noun(face, "the" if len(helped) == 1 else "name"),
                    count=len(helped),
                    points=sum(worth["points"] for worth in helped),
                ),
                "marks": self._marks(worth["pieces"][0] for worth in helped),
            }
            for face, helped in by_face.items()
        ]

    @property
    def more(self) -> list[dict[str, Any]]:
        """What would make it worth more, in rows of the same shape."""
        rows = []
        for improvement in self._aid["more"]:
            drawing = self._drawing
            words = drawing.say(improvement["reason"])
            if improvement["faces"]:
                names = drawing.tell("aid.or").join(
                    drawing.noun(face) for face in improvement["faces"]
                )
                words = drawing.tell("aid.more", things=names, reason=words)
            held = "" if not improvement["held"] else self._held(improvement["held"])
            cells = [f"cell:{cell}" for cell in improvement["cells"]]
            rows.append(
                {
                    "points": signed(improvement["points"]) if improvement["points"] else "",
                    "symbols": self._symbols(improvement["faces"]),
                    "words": words + (f"{drawing.tell('aid.and')}{held}" if held else ""),
                    "marks": " ".join([*cells, self._marks(improvement["pieces"])]).strip(),
                }
            )
        return rows

    def _held(self, faces: Sequence[str]) -> str:
        things = self._drawing.tell("aid.or").join(self._drawing.noun(face, "a") for face in faces)
        return self._drawing.tell("aid.hold", things=things)

    def _listed(self, faces: Mapping[str, int]) -> str:
        return ", ".join(
            self._drawing.noun(face, "the")
            if count == 1
            else f"{count} × {self._drawing.noun(face)}"
            for face, count in faces.items()
        )

    def _symbols(self, faces: Iterable[str]) -> list[str]:
        return [symbol for symbol in map(self._drawing.symbol, faces) if symbol]

    def _marks(self, keys: Iterable[str]) -> str:
        """Pieces as the script finds them: by the word of the aid, or by their ids."""
        return " ".join(dict.fromkeys(f"piece:{key}#{piece_id(key)}" for key in keys))

    def _value(self, named: Any) -> str:
        return self._drawing.said.value(named, names=self._drawing.names, you=self._drawing.you)


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def word_of(drawing: Drawing, asked: str) -> str:
    """What is asked about, as the engine names it: pages know pieces and places by ids, and cards
    that lie together by a number behind it.
    """
    sort, _, rest = asked.partition(":")
    if sort == "id":
        keys = {piece_id(key): key for key in drawing.pieces}
        return f"piece:{keys.get(rest) or keys.get(rest.rpartition('-')[0], '')}"
    if sort in ("spot", "bay"):
        place, _, spot = rest.partition(":")
        key = next((key for key in drawing.places if drawing.lid(key) == place), "")
        return f"{'cell' if sort == 'spot' else 'slot'}:{key}:{spot}"
    return asked
