"""A small network as rules: it says how many points a seat will have, and the best of the others.

All of it is whole numbers, so that one position gives the same value on a CPU, interpreted, on a
GPU and in a browser: floats would be added in another order there, or two steps of them at once.
Weights are a record, like a pack: int16, with shifts that keep every sum within 32 bits for all
features that the layout allows (`fixed` makes them so).

The first layer is a sum of rows, one for each feature. Of a decision's many afterstates only the
rows of those features are added that differ from the position's own.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple, Protocol

import numpy as np

from pelagos.engine.arrays import readable
from pelagos.engine.fields import Fields, state_type
from pelagos.engine.layout import Layout
from pelagos.engine.rule import rule
from pelagos.engine.types import Array
from pelagos.engine.units import PERCENT, UNIT_BITS

HEADS = 2
"""What it says: the seat's own points at the end, and the best other's (alone: its goal)."""
LARGEST = (1 << 15) - 1
"""What an int16 can be, and the most that a unit passes on."""
WIDEST = (1 << 31) - 1
FINE = 10
"""How many bits behind the point a unit passes on: up to 32, in steps of a thousandth."""


class Network(Protocol):
    """The weights."""

    bias: Array
    first: Array
    second_bias: Array
    second: Array
    third_bias: Array
    third: Array
    shift: int
    """By so many bits a sum of the first layer is too fine for the second."""
    second_shift: int
    third_shift: int
    other_weight: int
    """How much a point of the best other is worth, in hundredths of an own one."""


class Floats(NamedTuple):
    """The same weights as they are learnt."""

    first: Array
    bias: Array
    second: Array
    second_bias: Array
    third: Array
    third_bias: Array


@cache
def network_type(rows: int, hidden: int, inner: int) -> Fields:
    """The fields of a network with so many features and so many units in its two layers."""
    return state_type(
        [
            ("bias", "int32", hidden),
            ("second_bias", "int32", inner),
            ("third_bias", "int64", HEADS),
            ("shift", "int32"),
            ("second_shift", "int32"),
            ("third_shift", "int32"),
            ("other_weight", "int32"),
            ("first", "int16", (rows, hidden)),
            ("second", "int16", (hidden, inner)),
            ("third", "int16", (inner, HEADS)),
        ]
    )


# --- rules ----------------------------------------------------------------------------------------


@rule
def sum_rows(network: Network, features: Array, total: Array) -> None:
    """The first layer's sums for these features."""
    for unit in range(total.shape[0]):
        total[unit] = network.bias[unit]
    for row in range(features.shape[0]):
        amount = int(features[row])
        if amount:
            add_row(network, row, amount, total)


@rule
def change_rows(
    network: Network, before: Array, after: Array, first: int, base: Array, total: Array
) -> None:
    """The sums once the features from `first` on have changed; `base` are those before it."""
    for unit in range(total.shape[0]):
        total[unit] = base[unit]
    for row in range(first, after.shape[0]):
        amount = int(after[row]) - int(before[row])
        if amount:
            add_row(network, row, amount, total)


@rule
def add_row(network: Network, row: int, amount: int, total: Array) -> None:
    """Add a feature's row so many times."""
    for unit in range(total.shape[0]):
        total[unit] += amount * int(network.first[row, unit])


@rule
def expected(network: Network, total: Array, layer: Array) -> tuple[int, int]:
    """What the first layer's sums come to: own points and the best other's, in UNITs."""
    shift, second_shift = int(network.shift), int(network.second_shift)
    for unit in range(layer.shape[0]):
        layer[unit] = network.second_bias[unit]
    for index in range(total.shape[0]):
        amount = min(max(int(total[index]), 0) >> shift, LARGEST)
        if amount:
            for unit in range(layer.shape[0]):
                layer[unit] += amount * int(network.second[index, unit])
    own, other = int(network.third_bias[0]), int(network.third_bias[1])
    for unit in range(layer.shape[0]):
        amount = min(max(int(layer[unit]), 0) >> second_shift, LARGEST)
        own += amount * int(network.third[unit, 0])
        other += amount * int(network.third[unit, 1])
    third_shift = int(network.third_shift)
    return own >> third_shift, other >> third_shift


@rule
def value_of(network: Network, own: int, other: int) -> int:
    """What these points are worth to the seat, in hundredths of a UNIT."""
    return PERCENT * own - int(network.other_weight) * other


# --- from floats ----------------------------------------------------------------------------------


def fixed(floats: Floats, layout: Layout, other_weight: int) -> Array:
    """The network as a record (an array of one): rounded to int16, so that no sum can overflow."""
    floats = Floats(*(np.asarray(weights, np.float64) for weights in floats))
    rows, hidden = floats.first.shape
    inner = floats.second.shape[1]
    network = np.zeros(1, network_type(rows, hidden, inner).dtype)
    most = np.maximum(np.abs(layout.low.astype(np.int64)), layout.high)
    reach = (most @ np.abs(floats.first) + np.abs(floats.bias)).max()
    bits = _bits(np.abs(floats.first).max(), reach)
    shift = max(0, bits - FINE)
    second_reach = np.abs(floats.second).sum(0).max() * LARGEST / 2.0 ** (bits - shift)
    second_reach += np.abs(floats.second_bias).max()
    second_bits = _bits(np.abs(floats.second).max(), second_reach, bits - shift)
    sums = bits - shift + second_bits
    second_shift = max(0, sums - FINE)
    passed = sums - second_shift
    third_bits = _bits(np.abs(floats.third).max(), 1.0)
    entry = network[0]
    entry["first"] = _rounded(floats.first, bits)
    entry["bias"] = _rounded(floats.bias, bits)
    entry["shift"] = shift
    entry["second"] = _rounded(floats.second, second_bits)
    entry["second_bias"] = _rounded(floats.second_bias, sums)
    entry["second_shift"] = second_shift
    entry["third"] = _rounded(floats.third, third_bits)
    entry["third_bias"] = _rounded(floats.third_bias, passed + third_bits)
    entry["third_shift"] = passed + third_bits - UNIT_BITS
    if int(entry["third_shift"]) < 0:
        raise ValueError("weights of the last layer are too large")
    entry["other_weight"] = other_weight
    return readable(network)


def _bits(largest: float, reach: float, already: int = 0) -> int:
    """How many bits behind the point leave the largest weight an int16, and sums 32 bits."""
    bits = 14
    while bits > 0 and (largest * 2.0**bits > LARGEST or reach * 2.0 ** (bits + already) > WIDEST):
        bits -= 1
    return bits


def _rounded(weights: Array, bits: int) -> Array:
    rounded: Array = np.rint(weights * 2.0**bits).astype(np.int64)
    return rounded


def check_sums(network: Any, layout: Layout) -> None:
    """Refuse weights whose sums could overflow: those of a file that somebody else wrote."""
    most = np.maximum(np.abs(layout.low.astype(np.int64)), layout.high)
    entry = network[0]
    sums = most @ np.abs(entry["first"].astype(np.int64)) + np.abs(entry["bias"].astype(np.int64))
    second = LARGEST * np.abs(entry["second"].astype(np.int64)).sum(0)
    second += np.abs(entry["second_bias"].astype(np.int64))
    if max(sums.max(), second.max()) > WIDEST:
        raise ValueError("sums of this network could overflow")
