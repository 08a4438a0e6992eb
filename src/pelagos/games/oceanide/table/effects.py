"""What each choice would bring, line by line, each line with a picture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from pelagos.games.oceanide.state import SET, THIEF_POINTS

if TYPE_CHECKING:
    from pelagos.web.drawing import Drawing

Choice = Mapping[str, Any]

LONGEST_NAME = 16
"""Letters of a name in a prompt or receipt."""


class Effect(NamedTuple):
    """A line of what something would bring."""

    of: str
    """An action; one of two objects that may be taken; or `pair`, for any two."""
    art: str
    sentence: str


class Effects:
    """The effects of all choices that a viewer has."""

    def __init__(
        self,
        drawing: Drawing,
        worth: Mapping[str, int],
        named: Sequence[Mapping[str, Any]],
        picks: Sequence[str],
    ) -> None:
        self._drawing = drawing
        self._worth = worth
        self._named = [piece["face"] for piece in named]
        self._picks = [key.partition(".")[2] for key in picks]

    def __iter__(self) -> Iterator[Effect]:
        pairs = []
        for choice in self._drawing.view["choices"]:
            if choice["label"]["key"] == "label.take_two":
                pairs.append(choice)
            else:
                for art, sentence in self._of(choice):
                    yield Effect(str(choice["action"]), art, sentence)
        for kind in self._picks:
            yield Effect(kind, *self._one_more(kind))
        if pairs:
            for art, sentence in self._asks(pairs[0]):
                yield Effect("pair", art, sentence)

    def _of(self, choice: Choice) -> Iterator[tuple[str, str]]:
        """What a choice brings, and what it asks next."""
        verb = choice["label"]["key"].partition(".")[2]
        params = choice["label"]["params"]
        kind = params.get("card", {}).get("noun", "")
        player = params.get("player") or self._drawing.view["prompt"]["params"].get("player")
        if verb == "complete":
            yield kind, self._say("safe", value=self._worth[kind])
            left = self._owned(kind) - SET
            if left:
                yield kind, self._say("left", count=left)
        elif verb == "trade":
            yield kind, self._say("gives", player=player, value=self._worth[kind])
        elif verb == "steal":
            yield self._one_more(kind)
            yield "thief", self._say("pay", player=player, points=THIEF_POINTS)
        elif verb == "take_one":
            yield self._one_more(kind)
        elif verb == "take_hand":
            count = sum(
                piece["count"] for piece in self._drawing.pieces_in(f"hand{player['seat']}")
            )
            yield "back", self._say("unseen", count=count)
        elif verb == "take_none":
            yield "i-swap", self._say("given")
        elif verb == "end":
            yield "back", self._say("next", player={"seat": self._drawing.own_first[1]})
        elif verb == "king":
            yield from self._king(player)
        elif verb == "allow":
            yield from self._allow()
        yield from self._asks(choice)

    def _king(self, player: Mapping[str, int]) -> Iterator[tuple[str, str]]:
        """What the King saves, and what it costs."""
        faces = [{"noun": face} for face in self._named]
        keep = "keep_two" if len(faces) > 1 else "keep"
        yield self._named[0], self._say(keep, card=faces[0], other=faces[-1])
        discards = "king_thief" if self._is_theft else "king_trade"
        yield "king", self._say(discards, player=player)

    def _allow(self) -> Iterator[tuple[str, str]]:
        """What is lost, and what is had for it."""
        for face in self._named:
            yield face, self._say("lose", card={"noun": face}, count=self._owned(face) - 1)
        if self._is_theft:
            yield "thief", self._say("paid", points=THIEF_POINTS)

    def _one_more(self, kind: str) -> tuple[str, str]:
        """How many copies of an object the viewer would own."""
        count = self._owned(kind) + 1
        key = "have_set" if count >= SET else "have"
        return kind, self._say(key, card={"noun": kind}, count=count, value=self._worth[kind])

    def _asks(self, choice: Choice) -> Iterator[tuple[str, str]]:
        """What a choice asks next, as a sentence."""
        for ask in choice["asks"]:
            words = short_words(self._drawing, ask["key"], **ask["params"])
            art = "king" if ask["key"] == "ask.king" else "i-swap"
            yield art, f"{words[:1].upper()}{words[1:]}."

    @property
    def _is_theft(self) -> bool:
        return "played" in self._drawing.pieces

    def _owned(self, kind: str) -> int:
        return owned_copies(self._drawing, self._drawing.me or 0, kind)

    def _say(self, key: str, **params: Any) -> str:
        return short_words(self._drawing, f"table.effect.{key}", **params)


def short_words(drawing: Drawing, key: str, **params: Any) -> str:
    """The game's words, with long names cut short: what is to be decided keeps its room."""
    names = [
        name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1].rstrip()}…"
        for name in drawing.names
    ]
    words: str = drawing.said.text(key, params, names, drawing.you)
    return words


def owned_copies(drawing: Drawing, seat: int, kind: str) -> int:
    """Copies that a seat has outside its collection, as far as the viewer knows."""
    held = drawing.pieces.get(f"hand{seat}.{kind}")
    return int(f"showcase{seat}.{kind}" in drawing.pieces) + (int(held["count"]) if held else 0)
