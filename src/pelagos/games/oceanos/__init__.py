"""Oceanos: three dives, a submarine to improve, and the Kraken's eyes upon you."""

from pelagos.engine.game import Game, Option

GAME = Game(
    id="oceanos",
    package=__name__,
    titles={"en": "Oceanos", "fr": "Océanos"},
    authors=("Antoine Bauza",),
    published="IELLO 2016",
    players=range(2, 6),
    minutes="30",
    about={
        "en": "Explore the ocean in three dives, improve your submarine, and beware of the Kraken.",
        "fr": "Explorez l'océan en trois plongées, améliorez votre sous-marin, et gare au Kraken.",
    },
    actions=158,
    outcome=50,
    lines=(
        "animals1",
        "animals2",
        "animals3",
        "propeller1",
        "propeller2",
        "propeller3",
        "kraken1",
        "kraken2",
        "kraken3",
        "reef",
        "treasure",
    ),
    follow={"keep": "keep"},  # a second card of the hand shows what both bring
    options=(
        Option(
            name="troubled",
            default=False,
            about={
                "en": "Troubled Waters: the captain takes one card at random from each player.",
                "fr": "Eaux troubles : le capitaine prend une carte au hasard à chaque joueur.",
            },
        ),
    ),
)
