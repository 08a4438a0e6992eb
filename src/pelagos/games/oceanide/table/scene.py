"""The newest deed as a small scene: who did what with which cards to whom."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from pelagos.games.oceanide.state import GIFT, SET, TAKEN

if TYPE_CHECKING:
    from pelagos.web.drawing import Drawing

CARDS = {
    "steal": ("card",),
    "taken": (),
    "king": (),
    "complete": ("card",) * SET,
    "trade": ("card",) * GIFT,
    "take_one": ("card",),
    "take_two": ("card", "other"),
    "take_hand": ("back",) * TAKEN,
}
"""What is shown as a scene, with the cards that it is about."""


class Scene(NamedTuple):
    """A deed in pictures."""

    verb: str
    who: int
    actor: str
    """The picture of who acts for them: a thief, the King; or of what is carried off."""
    cards: list[str]
    whom: int | None
    sentence: str


def newest_scene(drawing: Drawing) -> Scene | None:
    """The scene of what was done last."""
    for event in reversed(drawing.view["events"]):
        verb = event["key"].partition(".")[2]
        if verb in CARDS:
            return _scene(drawing, verb, event)
    return None


def _scene(drawing: Drawing, verb: str, event: Mapping[str, Any]) -> Scene:
    params = event["params"]
    faces = {name: params[name]["noun"] for name in ("card", "other") if name in params}
    actors = {"steal": "thief", "king": "king", "taken": faces.get("card", "")}
    whom = params.get("player")
    return Scene(
        verb=verb,
        who=params["who"]["seat"],
        actor=actors.get(verb, ""),
        cards=[faces.get(name, name) for name in CARDS[verb]],
        whom=None if whom is None else whom["seat"],
        sentence=drawing.say(event),
    )
