"""Doors for learners: the games as other libraries want them, and no code for any single game.

`zoo` is PettingZoo's door, `gym` Gymnasium's, `spiel` OpenSpiel's; `table` is what they stand on.
Each needs its library, an extra of the package. `docs/research.md` shows them all.
"""
