"""SHA-256 as a rule, so that games are seeded where they are played: in compiled loops, on a GPU.

Nothing is allocated and no scratch is needed: a block's sixteen words and the eight of the state
are local variables. A digest is four little-endian words of 64 bits, as a stream is, so that

    seed_game(series, number, seed)        is seed = seed_of("S", number), series being "S/"
    start_stream(seed, stream)             is stream = words_of(seed)
    start_players_stream(seed, stream)     is stream = players_stream(seed)
    start_bot_stream(seed, seat, decision, stream)      likewise for `bots.question.bot_stream`

where `series = series_bytes("S")` is made once a series. `seed` and `stream` may be the same array.

On a CPU, `seed_games(series, first, streams, players, scratch())` seeds an array of games, first,
first + 1 and so on, in an eighth of the time: sixteen at once, side by side in its wide registers.
"""

from __future__ import annotations

from math import isqrt
from typing import Any

from pelagos.engine.arrays import listed, numbers
from pelagos.engine.rule import constants, rule, uint32, uint64, wrapping_rule
from pelagos.engine.types import Array


def _first_primes(count: int) -> list[int]:
    return [n for n in range(2, 312) if all(n % p for p in range(2, isqrt(n) + 1))][:count]


def _cube_root(number: int) -> int:
    root: int = round(number ** (1 / 3))
    while root**3 > number:
        root -= 1
    while (root + 1) ** 3 <= number:
        root += 1
    return root


START = constants([isqrt(prime << 64) & 0xFFFFFFFF for prime in _first_primes(8)], "uint32")
H0, H1, H2, H3, H4, H5, H6, H7 = START
K = constants([_cube_root(prime << 96) & 0xFFFFFFFF for prime in _first_primes(64)], "uint32")
POWERS = constants([10**digits for digits in range(19)], "uint64")

_0 = uint64(0)
_8 = uint64(8)
_10 = uint64(10)
_16 = uint64(16)
_24 = uint64(24)
_32 = uint64(32)
_64 = uint64(64)
_LOW = uint64(0xFFFFFFFF)
_EVEN_BYTES = uint64(0x00FF00FF00FF00FF)
_EVEN_PAIRS = uint64(0x0000FFFF0000FFFF)
_END = uint64(0x80 << 56)
"""The bit that ends a message, at the front of a word."""
_SLASH = ord("/")
_ZERO = ord("0")
_PLAYERS = uint64(int.from_bytes(b"players\0"))
_BOT = uint64(int.from_bytes(b"bot/0/\0\0"))

_PLAY = uint32(int.from_bytes(b"play"))
_ERS = uint32(int.from_bytes(b"ers\0"))
_END_FIRST = uint32(0x80000000)
_END_LAST = uint32(0x80)
_8_OF_32 = uint32(8)
_24_OF_32 = uint32(24)

LANES = 16
"""How many digests are computed side by side."""


def scratch() -> Array:
    """Room for `seed_games`: the schedule, all that a and e are, a digest and a state."""
    return numbers(216 * LANES, "uint32")


def series_bytes(series: str) -> Array:
    """What comes before a game's number in the text that its seed is the hash of."""
    return listed(list(f"{series}/".encode()), "uint8")


# --- SHA-256 ----------------------------------------------------------------------------------


@wrapping_rule
def _turn(x: Any, by: int) -> Any:
    return uint32((x >> uint32(by)) | (x << uint32(32 - by)))


@wrapping_rule
def _round(a: Any, b: Any, c: Any, d: Any, e: Any, f: Any, g: Any, h: Any, kw: Any) -> Any:
    """The two words that change in a round: the new e, in the place of d, and a, in that of h."""
    first = uint32(h + (_turn(e, 6) ^ _turn(e, 11) ^ _turn(e, 25)) + (((f ^ g) & e) ^ g) + kw)
    second = uint32((_turn(a, 2) ^ _turn(a, 13) ^ _turn(a, 22)) + ((a & b) | ((a | b) & c)))
    return uint32(d + first), uint32(first + second)


@wrapping_rule
def _stretch(w0: Any, w1: Any, w9: Any, w14: Any) -> Any:
    """The word of the schedule sixteen after w0."""
    low = _turn(w1, 7) ^ _turn(w1, 18) ^ (w1 >> uint32(3))
    high = _turn(w14, 17) ^ _turn(w14, 19) ^ (w14 >> uint32(10))
    return uint32(w0 + low + w9 + high)


@rule
def _halves(word: Any) -> Any:
    return uint32(word >> _32), uint32(word & _LOW)


@wrapping_rule
def _compress(state: Any, block: Any) -> Any:
    """The state, eight words of 32 bits, after a block of eight words of 64 bits."""
    a, b, c, d, e, f, g, h = state
    w0, w1 = _halves(block[0])
    w2, w3 = _halves(block[1])
    w4, w5 = _halves(block[2])
    w6, w7 = _halves(block[3])
    w8, w9 = _halves(block[4])
    w10, w11 = _halves(block[5])
    w12, w13 = _halves(block[6])
    w14, w15 = _halves(block[7])
    for k in range(0, 64, 16):
        if k:
            w0 = _stretch(w0, w1, w9, w14)
            w1 = _stretch(w1, w2, w10, w15)
            w2 = _stretch(w2, w3, w11, w0)
            w3 = _stretch(w3, w4, w12, w1)
            w4 = _stretch(w4, w5, w13, w2)
            w5 = _stretch(w5, w6, w14, w3)
            w6 = _stretch(w6, w7, w15, w4)
            w7 = _stretch(w7, w8, w0, w5)
            w8 = _stretch(w8, w9, w1, w6)
            w9 = _stretch(w9, w10, w2, w7)
            w10 = _stretch(w10, w11, w3, w8)
            w11 = _stretch(w11, w12, w4, w9)
            w12 = _stretch(w12, w13, w5, w10)
            w13 = _stretch(w13, w14, w6, w11)
            w14 = _stretch(w14, w15, w7, w12)
            w15 = _stretch(w15, w0, w8, w13)
        d, h = _round(a, b, c, d, e, f, g, h, uint32(K[k] + w0))
        c, g = _round(h, a, b, c, d, e, f, g, uint32(K[k + 1] + w1))
        b, f = _round(g, h, a, b, c, d, e, f, uint32(K[k + 2] + w2))
        a, e = _round(f, g, h, a, b, c, d, e, uint32(K[k + 3] + w3))
        h, d = _round(e, f, g, h, a, b, c, d, uint32(K[k + 4] + w4))
        g, c = _round(d, e, f, g, h, a, b, c, uint32(K[k + 5] + w5))
        f, b = _round(c, d, e, f, g, h, a, b, uint32(K[k + 6] + w6))
        e, a = _round(b, c, d, e, f, g, h, a, uint32(K[k + 7] + w7))
        d, h = _round(a, b, c, d, e, f, g, h, uint32(K[k + 8] + w8))
        c, g = _round(h, a, b, c, d, e, f, g, uint32(K[k + 9] + w9))
        b, f = _round(g, h, a, b, c, d, e, f, uint32(K[k + 10] + w10))
        a, e = _round(f, g, h, a, b, c, d, e, uint32(K[k + 11] + w11))
        h, d = _round(e, f, g, h, a, b, c, d, uint32(K[k + 12] + w12))
        g, c = _round(d, e, f, g, h, a, b, c, uint32(K[k + 13] + w13))
        f, b = _round(c, d, e, f, g, h, a, b, uint32(K[k + 14] + w14))
        e, a = _round(b, c, d, e, f, g, h, a, uint32(K[k + 15] + w15))
    return (
        uint32(state[0] + a),
        uint32(state[1] + b),
        uint32(state[2] + c),
        uint32(state[3] + d),
        uint32(state[4] + e),
        uint32(state[5] + f),
        uint32(state[6] + g),
        uint32(state[7] + h),
    )


@rule
def _start() -> Any:
    return H0, H1, H2, H3, H4, H5, H6, H7


@wrapping_rule
def _reversed(x: Any) -> Any:
    """A word with its eight bytes in the other order."""
    x = ((x >> _8) & _EVEN_BYTES) | ((x & _EVEN_BYTES) << _8)
    x = ((x >> _16) & _EVEN_PAIRS) | ((x & _EVEN_PAIRS) << _16)
    return (x >> _32) | (x << _32)


@wrapping_rule
def _joined(high: Any, low: Any) -> Any:
    return _reversed((uint64(high) << _32) | uint64(low))


@rule
def _write(state: Any, out: Array) -> None:
    out[0] = _joined(state[0], state[1])
    out[1] = _joined(state[2], state[3])
    out[2] = _joined(state[4], state[5])
    out[3] = _joined(state[6], state[7])


# --- of a text with a number behind it --------------------------------------------------------


@rule
def _digits(number: int) -> int:
    """How many digits a number has; one below 0 isn't written at all."""
    if number < 0:
        return 0
    count = 1
    while number >= 10:
        number //= 10
        count += 1
    return count


@rule
def _byte(text: Array, number: int, length: int, place: int) -> int:
    """A byte of the message with its ending bit, and zeros behind it."""
    if place < text.shape[0]:
        return int(text[place])
    if place < length:
        return _ZERO + int(uint64(number) // POWERS[length - 1 - place] % _10)
    return 0x80 if place == length else 0


@rule
def _word(text: Array, number: int, length: int, place: int) -> Any:
    """Eight bytes of it."""
    word = _0
    if place <= length:
        for index in range(place, place + 8):
            word = (word << _8) | uint64(_byte(text, number, length, index))
    return word


@rule
def digest(text: Array, number: int, out: Array) -> None:
    """SHA-256 of a text's bytes and the number's digits; of the bytes alone if it is below 0."""
    length = text.shape[0] + _digits(number)
    state = _start()
    blocks = (length + 72) // 64
    for block in range(blocks):
        place = 64 * block
        last = _word(text, number, length, place + 56)
        state = _compress(
            state,
            (
                _word(text, number, length, place),
                _word(text, number, length, place + 8),
                _word(text, number, length, place + 16),
                _word(text, number, length, place + 24),
                _word(text, number, length, place + 32),
                _word(text, number, length, place + 40),
                _word(text, number, length, place + 48),
                uint64(8 * length) if block == blocks - 1 else last,
            ),
        )
    _write(state, out)


# --- of a seed with a short text before it ----------------------------------------------------


@wrapping_rule
def _across(before: Any, after: Any, shift: Any) -> Any:
    """The last `shift` bits of one word, then the first of the next."""
    return (before << (_64 - shift)) | (after >> shift) if shift else after


@rule
def _digest_seed(first: Any, second: Any, length: int, seed: Array, out: Array) -> None:
    """SHA-256 of a text of less than 16 bytes, given as two words, and the seed."""
    s0, s1 = _reversed(seed[0]), _reversed(seed[1])
    s2, s3 = _reversed(seed[2]), _reversed(seed[3])
    shift = uint64(8 * (length % 8))
    b0, b1 = _across(_0, s0, shift), _across(s0, s1, shift)
    b2, b3 = _across(s1, s2, shift), _across(s2, s3, shift)
    b4, b5 = _across(s3, _END, shift), _across(_END, _0, shift)
    bits = uint64(8 * (length + 32))
    if length < 8:
        block = (first | b0, b1, b2, b3, b4, b5, _0, bits)
    else:
        block = (first, second | b0, b1, b2, b3, b4, b5, bits)
    _write(_compress(_start(), block), out)


@rule
def seed_game(series: Array, number: int, seed: Array) -> None:
    """The seed of a game of the series."""
    digest(series, number, seed)


@rule
def start_stream(seed: Array, stream: Array) -> None:
    """The stream that the game draws from."""
    _digest_seed(_0, _0, 0, seed, stream)


@rule
def start_players_stream(seed: Array, stream: Array) -> None:
    """The stream that random players draw from."""
    _digest_seed(_PLAYERS, _0, 7, seed, stream)


@rule
def start_bot_stream(seed: Array, seat: int, decision: int, stream: Array) -> None:
    """The stream that a bot draws from for one of its seat's decisions (below 100,000,000)."""
    first = _BOT | (uint64(seat) << _24)
    second = _0
    length = 7 + _digits(decision)
    for place in range(length - 1, 5, -1):
        byte = _SLASH
        if place < length - 1:
            byte = _ZERO + decision % 10
            decision //= 10
        shifted = uint64(byte) << uint64(56 - 8 * (place % 8))
        if place < 8:
            first |= shifted
        else:
            second |= shifted
    _digest_seed(first, second, length, seed, stream)


# --- many at once -----------------------------------------------------------------------------


@rule
def _start_abreast(state: Array) -> None:
    for row in range(8):
        for lane in range(row * LANES, (row + 1) * LANES):
            state[lane] = START[row]


@wrapping_rule
def _compress_abreast(state: Array, w: Array, a: Array, e: Array) -> None:
    """Sixteen states after a block each, side by side."""
    for row in range(4):
        for lane in range(LANES):
            a[row * LANES + lane] = state[(3 - row) * LANES + lane]
            e[row * LANES + lane] = state[(7 - row) * LANES + lane]
    for place in range(16 * LANES, 64 * LANES, LANES):
        for lane in range(place, place + LANES):
            w[lane] = _stretch(
                w[lane - 16 * LANES], w[lane - 15 * LANES], w[lane - 7 * LANES], w[lane - 2 * LANES]
            )
    for turn in range(64):
        for lane in range(turn * LANES, (turn + 1) * LANES):
            e[lane + 4 * LANES], a[lane + 4 * LANES] = _round(
                a[lane + 3 * LANES],
                a[lane + 2 * LANES],
                a[lane + LANES],
                a[lane],
                e[lane + 3 * LANES],
                e[lane + 2 * LANES],
                e[lane + LANES],
                e[lane],
                uint32(K[turn] + w[lane]),
            )
    for row in range(4):
        for lane in range(LANES):
            state[row * LANES + lane] += a[(67 - row) * LANES + lane]
            state[(4 + row) * LANES + lane] += e[(67 - row) * LANES + lane]


@rule
def _seed_abreast(series: Array, number: int, state: Array, w: Array, a: Array, e: Array) -> None:
    """The seeds of sixteen games whose numbers have as many digits as the first."""
    length = series.shape[0] + _digits(number)
    blocks = (length + 72) // 64
    _start_abreast(state)
    for place in range(0, 64 * blocks, 8):
        for lane in range(LANES):
            word = _word(series, number + lane, length, place)
            if place == 64 * blocks - 8:
                word = uint64(8 * length)
            row = place % 64 // 4 * LANES + lane
            w[row], w[row + LANES] = _halves(word)
        if place % 64 == 56:
            _compress_abreast(state, w, a, e)


@rule
def _end_abreast(w: Array, row: int, ending: Any, length: int) -> None:
    """Pad messages of one block that end in this row."""
    for lane in range(LANES):
        w[row * LANES + lane] |= ending
        w[15 * LANES + lane] = uint32(8 * length)
    for place in range((row + 1) * LANES, 15 * LANES):
        w[place] = uint32(0)


@rule
def _write_abreast(state: Array, streams: Array, first: int, last: int) -> None:
    for lane in range(last - first):
        for index in range(4):
            place = 2 * index * LANES + lane
            streams[first + lane, index] = _joined(state[place], state[place + LANES])


@wrapping_rule
def seed_games(series: Array, first: int, streams: Array, players: Array, room: Array) -> None:
    """The games' streams and their random players', a row each; `room` is a `scratch()`."""
    w = room[: 64 * LANES]
    a = room[64 * LANES : 132 * LANES]
    e = room[132 * LANES : 200 * LANES]
    seeds = room[200 * LANES : 208 * LANES]
    state = room[208 * LANES :]
    index = 0
    while index < streams.shape[0]:
        number = first + index
        last = min(index + LANES, streams.shape[0])
        digits = _digits(number)
        if digits < POWERS.shape[0]:
            last = min(last, index + int(POWERS[digits]) - number)
        _seed_abreast(series, number, seeds, w, a, e)
        for place in range(8 * LANES):
            w[place] = seeds[place]
            w[place + LANES] = uint32(0)
        _end_abreast(w, 8, _END_FIRST, 32)
        _start_abreast(state)
        _compress_abreast(state, w, a, e)
        _write_abreast(state, streams, index, last)
        for place in range(LANES):
            w[place] = _PLAY
            w[place + LANES] = _ERS
        for place in range(8 * LANES):
            w[place + LANES] |= seeds[place] >> _24_OF_32
            w[place + 2 * LANES] = seeds[place] << _8_OF_32
        _end_abreast(w, 9, _END_LAST, 39)
        _start_abreast(state)
        _compress_abreast(state, w, a, e)
        _write_abreast(state, players, index, last)
        index = last
