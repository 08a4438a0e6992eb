"""First games: a lesson is a table with a scripted deal, and steps that say one idea at a time.

A game's lesson is data in its folder, `lesson.toml` (see `docs/lessons.md`). It is played through
the same match, table and page as any other game: here is only what it says, and when.
"""

from __future__ import annotations

from pelagos.tables.lessons.script import LEARNER, Lesson, Step, has_lesson, lesson_of
from pelagos.tables.lessons.walk import ALONG, CLOSED, END, Walk, scripted_move, walk_of

__all__ = [
    "ALONG",
    "CLOSED",
    "END",
    "LEARNER",
    "Lesson",
    "Step",
    "Walk",
    "has_lesson",
    "lesson_of",
    "scripted_move",
    "walk_of",
]
