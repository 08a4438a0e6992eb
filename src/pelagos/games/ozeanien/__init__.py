"""Ozeanien: one or two explorers uncover an archipelago, tile by tile."""

from pelagos.engine.game import FirstSeat, Game, Option

GAME = Game(
    id="ozeanien",
    package=__name__,
    titles={"en": "Oceania (Ozeanien)", "fr": "Ozeanien"},
    authors=("Klaus Teuber",),
    published="2004",
    players=range(1, 3),
    minutes="10",
    about={
        "en": "Sail out, uncover the archipelago tile by tile, and hold the islands you complete.",
        "fr": "Prenez la mer, découvrez l’archipel tuile par tuile et tenez les îles complètes.",
    },
    actions=238,
    outcome=0,
    lines=("islands", "discards"),
    first=FirstSeat(
        name="start",
        title={"en": "Begins", "fr": "Commence"},
        about={
            "en": "In the book: the youngest. After that, whoever lost the last game begins.",
            "fr": "Dans la règle : le plus jeune. Ensuite, le perdant de la dernière partie.",
        },
        players=range(2, 3),
        loser=True,  # OZE-36
    ),
    fixed_colours=True,
    secrets=False,
    options=(
        Option(
            name="play_on",
            default=False,
            about={
                "en": "Two players: after the last draw play on with discards, for as long as "
                "somebody can lay one and wants to.",
                "fr": "À deux : après la dernière tuile piochée, continuez avec les tuiles "
                "défaussées, tant que l'un de vous peut et veut en poser une.",
            },
            ruling="OZE-29",
            players=range(2, 3),
        ),
    ),
)
