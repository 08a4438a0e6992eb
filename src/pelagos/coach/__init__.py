"""The coach: what every decision of a game cost, what its result is made of, and why.

`analyse` gives better and better analyses of a match as plain data, which pages, the terminal and
files show; `docs/coach.md` says what stands in them.
"""

from pelagos.coach.analysis import (
    ROUNDS,
    Document,
    Sums,
    analyse,
    check,
    kind_of,
    made,
    share,
    sums,
)
from pelagos.coach.report import decisions_csv, positions_csv, report
from pelagos.coach.study import BadSums, Job

__all__ = [
    "ROUNDS",
    "BadSums",
    "Document",
    "Job",
    "Sums",
    "analyse",
    "check",
    "decisions_csv",
    "kind_of",
    "made",
    "positions_csv",
    "report",
    "share",
    "sums",
]
