"""Letters as readers count them: an emoji made of several signs, a letter with its accents, is one.

A short form of Unicode's grapheme clusters (UAX 29), enough to bound what people type.
"""

from __future__ import annotations

import unicodedata

JOINER = "\u200d"
JOINS = {JOINER, "\u200c"}
"""What joins signs, or keeps letters of some scripts apart."""
LONGEST_CLUSTER = 8
"""Signs that a letter may have on average: a bound for what is stacked or joined."""
FILLERS = {"\u115f", "\u1160", "\u2800", "\u3164", "\uffa0"}
"""Letters that nobody sees."""


def count_letters(text: str) -> int:
    """How many letters a reader sees."""
    letters = flags = 0
    joined = False
    for sign in text:
        is_flag = "\U0001f1e6" <= sign <= "\U0001f1ff"
        flags = flags + 1 if is_flag else 0
        if not (joined or _continues(sign) or (flags and flags % 2 == 0)):
            letters += 1
        joined = sign == JOINER
    return letters


def _continues(sign: str) -> bool:
    """Does the sign belong to the letter before it: an accent, a skin's tone, a flag's tag?"""
    return (
        sign in JOINS
        or unicodedata.category(sign) in ("Mn", "Me", "Mc")
        or "\U0001f3fb" <= sign <= "\U0001f3ff"
        or _is_tag(sign)
    )


def _is_tag(sign: str) -> bool:
    return "\U000e0020" <= sign <= "\U000e007f"


def can_be_shown(text: str) -> bool:
    """Is it text on one line with something to see in it, without signs that steer the rest?"""
    if not all(sign.isprintable() or _is_joining(sign) or _is_new_emoji(sign) for sign in text):
        return False
    return any(not (_continues(sign) or sign.isspace() or sign in FILLERS) for sign in text)


def _is_joining(sign: str) -> bool:
    return sign in JOINS or _is_tag(sign)


def _is_new_emoji(sign: str) -> bool:
    """Signs where emoji stand, of which Python may not know the newest."""
    return "\U0001f000" <= sign <= "\U0001faff"


def fits(text: str, most: int) -> bool:
    """Can it be shown, and has it at most so many letters?"""
    return (
        len(text) <= LONGEST_CLUSTER * most
        and 1 <= count_letters(text) <= most
        and can_be_shown(text)
    )
