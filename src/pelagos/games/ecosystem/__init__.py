"""Ecosystem (Écosystème: Océan): draft sea creatures and lay a reef of four rows by five."""

from pelagos.engine.game import Game, Option

GAME = Game(
    id="ecosystem",
    package=__name__,
    titles={"en": "Ecosystem: Coral Reef", "fr": "Écosystème\u202f: Océan"},
    authors=("Matt Simpson", "Steve Schlepphorst"),
    published="Genius Games 2022, Origames 2023",
    players=range(1, 7),
    minutes="15–20",
    about={
        "en": "Draft twenty creatures, lay them side by side, and keep the food chain in balance.",
        "fr": "Choisissez vingt créatures, posez-les côte à côte, gardez la chaîne en équilibre.",
    },
    actions=251,
    outcome=1,
    lines=(
        "coral",
        "krill",
        "plankton",
        "grouper",
        "clownfish",
        "crab",
        "moray",
        "shark",
        "whale",
        "bonus",
        "turtle",
        "octopus",
    ),
    follow={"take": "place"},
    options=(
        Option(
            name="goal",
            default=55,
            about={
                "en": "Your goal: so many points ahead of Tim.",
                "fr": "Votre but : tant de points d'avance sur Tim.",
            },
            values=(55, 70, 80),
            players=range(1, 2),
            hint={
                "en": "55 is an easy win, 70 a normal one, 80 a hard one.",
                "fr": "55 est une victoire facile, 70 normale, 80 difficile.",
            },
            is_goal=True,
        ),
        Option(
            name="turned_whales",
            default=False,
            about={
                "en": "Whales that were turned face down by another whale still turn a card.",
                "fr": "Une baleine retournée par une autre retourne tout de même une carte.",
            },
            ruling="ECO-19",
        ),
    ),
    simultaneous=True,
)
