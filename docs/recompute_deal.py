"""Recompute an Ecosystem deck from its seed, without Pelagos: python recompute_deal.py SEED."""

import hashlib
import sys

CARDS = {"coral": 12, "krill": 20, "plankton": 20, "grouper": 10, "clownfish": 14, "crab": 12}
CARDS |= {"moray": 8, "shark": 8, "whale": 6, "turtle": 12, "octopus": 8}
MASK = 2**64 - 1


def turn(word, bits):
    """Rotate 64 bits to the left."""
    return (word << bits | word >> 64 - bits) & MASK


def words(seed):
    """The stream: SHA-256 of the seed starts xoshiro256**."""
    digest = hashlib.sha256(seed).digest()
    a, b, c, d = (int.from_bytes(digest[i : i + 8], "little") for i in (0, 8, 16, 24))
    while True:
        yield turn(b * 5 & MASK, 7) * 9 & MASK
        a, b, c, d = a ^ b ^ d, a ^ b ^ c, a ^ c ^ (b << 17 & MASK), turn(b ^ d, 45)


def below(stream, bound):
    """A number from 0 to bound - 1, each equally likely."""
    while True:
        product = (next(stream) >> 32) * bound
        if product % 2**32 >= 2**32 % bound:
            return product >> 32


def deck(seed):
    """All cards in drawing order."""
    stream = words(seed)
    cards = [species for species, count in CARDS.items() for _ in range(count)]
    for place in range(len(cards) - 1, 0, -1):
        other = below(stream, place + 1)
        cards[place], cards[other] = cards[other], cards[place]
    return cards


if __name__ == "__main__":
    print(*deck(bytes.fromhex(sys.argv[1])))
