"""Oceanos: three dives, a submarine to improve, and the Kraken's eyes upon you."""

from pelagos.engine.game import FirstSeat, Game, Option

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
            players=range(3, 6),
            hint={
                "en": "Recommended for experienced players, above all for five.",
                "fr": "Recommandé aux joueurs expérimentés, surtout à cinq.",
            },
        ),
        Option(
            name="all_dives",
            default=False,
            about={
                "en": "Animals of all dives: each round's end scores the species of every row "
                "laid so far, not of its own row alone.",
                "fr": "Animaux de toutes les plongées : chaque fin de manche compte les espèces "
                "de toutes les rangées posées, et non de la sienne seule.",
            },
            ruling="OCN-37",
        ),
        Option(
            name="third_level_first",
            default=False,
            about={
                "en": "Both crystals raise a part from level 2 to 3 if there is one; only "
                "otherwise one from 1 to 2.",
                "fr": "Les deux cristaux améliorent une pièce du niveau 2 au niveau 3 s'il y en a "
                "une, et seulement sinon une pièce du niveau 1 au niveau 2.",
            },
            ruling="OCN-26",
        ),
    ),
    first=FirstSeat(
        name="captain",
        title={"en": "First captain", "fr": "Premier capitaine"},
        about={
            "en": "In the book: who saw an aquarium last.",
            "fr": "Dans la règle : le dernier à avoir vu un aquarium.",
        },
        players=range(3, 6),
    ),
    simultaneous=True,
)
