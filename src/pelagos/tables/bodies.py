"""What requests to the JSON API carry: checked before anything else sees it."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StrictBool, StrictInt, StrictStr

from pelagos.tables import acts
from pelagos.tables.acts.checks import CLIENT
from pelagos.tables.table import FREE, PACES
from pelagos.tables.talk import PHRASES, SIGNS

ADDED = (
    "32 random bytes of your own as 64 hexadecimal digits, mixed into the deal. Left out, you add "
    "nothing; if nobody does, the server's secret alone decides the cards."
)


def _whole(sent: object) -> object:
    """JSON has one kind of number: 3.0 is 3."""
    return int(sent) if isinstance(sent, float) and sent.is_integer() else sent


Whole = Annotated[StrictInt, BeforeValidator(_whole)]


class Body(BaseModel):
    """What is sent: nothing but what is asked for."""

    model_config = ConfigDict(extra="forbid")


class SeatWish(Body):
    """A seat of a new table."""

    kind: StrictStr = Field("open", max_length=10, description="open, person or bot.")
    bot: StrictStr = Field("", max_length=40, description="For a bot: its strength.")


class NewTable(Body):
    """A table to be laid."""

    game: StrictStr = Field(max_length=60)
    options: dict[str, StrictBool | Whole] = Field(default_factory=dict, max_length=20)
    seats: list[SeatWish] | None = Field(None, max_length=8)
    pack: dict[str, StrictStr] | None = Field(None, max_length=20)
    listed: StrictBool = False
    previews: StrictBool = True
    table_options: dict[str, StrictBool] = Field(default_factory=dict, max_length=20)
    free_talk: StrictBool | None = Field(
        None, description="May people say what they like? Left out: where several play."
    )
    hints: StrictBool | None = Field(
        None, description="May people ask for hints? Left out: where one plays against bots."
    )
    closed: StrictBool | None = Field(None, description="The same as the table option `closed`.")
    colours: list[Whole] = Field(
        default_factory=list,
        max_length=8,
        description="Each seat's, by the seat that usually has it; none: the usual ones.",
    )
    series: Whole = Field(1, description="How many games a series has: an odd number.")
    pace: StrictStr = Field(FREE, max_length=10, description=f"One of {', '.join(PACES)}.")
    client: StrictStr | None = Field(
        None,
        max_length=64,
        description="16 random letters or more, kept secret: asked again, one table is laid.",
    )


class SitDown(Body):
    """Somebody who sits down."""

    name: StrictStr = Field(max_length=400)
    client: StrictStr = Field(max_length=64, description="16 random letters or more, kept secret.")
    bytes: StrictStr = Field("", max_length=64, description=ADDED)


Client = Annotated[
    StrictStr,
    Field(
        max_length=64,
        description="8 to 64 letters, digits, - or _: asked again with the same, it is done once.",
        json_schema_extra={"pattern": f"^{CLIENT.pattern}$"},
    ),
]
Decision = Annotated[Whole, Field(ge=0, le=10**6)] | None
Action = Annotated[Whole, Field(ge=0, le=65535)] | Annotated[StrictStr, Field(max_length=120)]


class Move(Body):
    """One or more actions that belong together."""

    actions: list[Action] = Field(max_length=acts.MOST_ACTIONS)
    client: Client
    decision: Decision = None


class Ask(Body):
    """Something about the seat's last move."""

    client: Client
    decision: Decision = None


class AskHint(Ask):
    """What would the strongest bot do?"""

    more: StrictBool = Field(False, description="Think longer about the same decision.")


class Ahead(Body):
    """What is chosen beforehand; nothing: forget it."""

    actions: list[Action] = Field(max_length=acts.MOST_AHEAD)
    client: Client


class Order(Body):
    """A standing order."""

    order: StrictStr = Field(max_length=20)
    client: Client


class Say(Body):
    """Something to say: a sign, a phrase or a text."""

    sign: StrictStr = Field("", max_length=40, description=f"One of {', '.join(SIGNS)}.")
    phrase: StrictStr = Field("", max_length=40, description=f"One of {', '.join(PHRASES)}.")
    text: StrictStr = Field("", max_length=2000, description="Where `table.free_talk` is true.")
    client: Client


class SpectatorSay(Say):
    """The same, by somebody who has no seat."""

    name: StrictStr = Field("", max_length=400)


class Again(Body):
    """One more game."""

    client: Client
    bytes: StrictStr = Field("", max_length=64, description=ADDED)


class Arrangement(Body):
    """Who sits where: for each seat, the seat whose holder takes it."""

    order: list[Whole] = Field(max_length=8)


class BotWish(Body):
    """A bot for an empty seat."""

    bot: StrictStr = Field(max_length=40)
