"""Minnows: bid for a fish in secret, rob a neighbour, hide in the reeds. Eight rounds.

Each holds three cards, and a fish lies open. All bid a card at once; the highest bid takes the
fish, equal highest bids let it go, and all bids are discarded. Who took a fish may rob a seat that
has caught one: its best fish goes over, unless the victim hides, discarding a reed. Then hands are
filled up and the next fish is turned up; when the deck runs out, the discards are shuffled.
"""

from pelagos.engine.game import Game, Option, TableOption

GAME = Game(
    id="minnows",
    package=__name__,
    titles={"en": "Minnows", "fr": "Vairons"},
    authors=("The Pelagos team",),
    published="with Pelagos' tests",
    players=range(2, 5),
    minutes="5",
    about={
        "en": "Bid for fish in secret, and keep them if you can.",
        "fr": "Misez en secret pour des poissons, et gardez-les si vous pouvez.",
    },
    actions=13,
    outcome=40,
    lines=("fish", "kinds", "reeds"),
    options=(
        Option(
            name="calm",
            default=False,
            about={"en": "Calm waters: nobody robs.", "fr": "Eaux calmes : personne ne vole."},
        ),
    ),
    table_options=(
        TableOption(
            name="murky",
            default=False,
            about={
                "en": "Murky water: discards lie face down.",
                "fr": "Eau trouble : la défausse est face cachée.",
            },
        ),
    ),
    simultaneous=True,
)
