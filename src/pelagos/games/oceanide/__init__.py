"""Océanide: sisters collect objects from wrecks, by sets, forced trades and theft."""

from pelagos.engine.game import FirstSeat, Game, TableOption

GAME = Game(
    id="oceanide",
    package=__name__,
    titles={"en": "Océanide", "fr": "Océanide"},
    authors=("François Bachelart",),
    published="Nostromo 2025",
    players=range(2, 6),  # OCD-5
    minutes="20–30",
    about={
        "en": "Collect treasures from wrecks in threes: trade with your sisters, steal from them, "
        "and beware of the King.",
        "fr": "Rassemblez par trois les trésors des épaves : échangez avec vos sœurs, volez-les, "
        "et gare au Roi.",
    },
    actions=239,
    outcome=2,
    lines=("sets", "showcase", "hand", "thieves"),
    table_options=(
        TableOption(
            "closed",
            True,
            {
                "en": "Closed collections, as in the rulebook: what was put away isn't shown "
                "again. Without: open collections",
                "fr": "Collections fermées, comme dans la règle : ce qui a été mis à l'abri n'est "
                "plus montré. Sans : collections ouvertes",
            },
        ),
    ),
    first=FirstSeat(
        name="start",
        title={"en": "Begins among equals", "fr": "Commence en cas d'égalité"},
        about={
            "en": "The fullest showcase begins. If several are as full, this seat, if it is one "
            "of them; in the book: who was in a boat last.",
            "fr": "La vitrine la plus garnie commence. À égalité, cette place si elle en est ; "
            "dans la règle : qui est monté le plus récemment dans une embarcation.",
        },
        players=range(2, 6),
    ),
    orders=True,
)
