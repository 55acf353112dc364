"""Random samples of many shots at once: for each shot those of its own stream, bit for bit.

Every shot has its own stream (`RandomStreams.spawn("shot", index)`), so results do not depend on worker or order.
Constructing a generator costs more than a coin's shot; so SHA-256 of the stream key, numpy's SeedSequence and the
initial state of PCG64 are computed in a kernel, and numpy draws from that state.
"""

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, nan
from typing import Final

import numpy as np
import numpy.typing as npt

from flicksim.core.random_streams import RandomStreams
from flicksim.engine.jit import njit, njit_no_refcount, numba_njit

Floats = npt.NDArray[np.float64]
Word = np.uint64
Words = npt.NDArray[np.uint64]

_BLOCK_BYTES: Final = 55
"""Longest text that fits into one block of SHA-256."""


@dataclass(frozen=True, slots=True)
class Uniform:
    """Uniform distribution."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Normal:
    """Normal distribution, truncated to low and high by rejection."""

    mean: float = 0.0
    deviation: float = 1.0
    low: float = -inf
    high: float = inf


def draw_batch(
    streams: RandomStreams, name: str, first: int, last: int, distributions: Sequence[Uniform | Normal]
) -> Floats:
    """Samples of these distributions, in this order, from the streams of these indices. [last - first, D]"""
    table = np.array(
        [
            (0.0, distribution.low, distribution.high, nan, nan)
            if isinstance(distribution, Uniform)
            else (1.0, distribution.mean, distribution.deviation, distribution.low, distribution.high)
            for distribution in distributions
        ]
    ).reshape(-1, 5)
    samples = np.empty((last - first, len(table)))
    prefix = streams.spawn(name).stream_key() + "/"
    rng = np.random.Generator(np.random.PCG64(0))
    state = _state_array(rng)
    if (
        numba_njit is not None
        and state is not None
        and prefix.isascii()
        and len(prefix) + len(str(last)) <= _BLOCK_BYTES
    ):
        _draw_rows(np.frombuffer(prefix.encode(), np.uint8), first, rng, state, table, samples)
        return samples
    for index in range(first, last):
        _draw_row(streams.spawn(name, index).generator(), table, samples[index - first])
    return samples


def _state_array(rng: np.random.Generator) -> Words | None:
    """View of the memory of a generator's state, lower half first: state, then increment. [4]

    None if the memory layout of this numpy is another.
    """
    try:
        address = ctypes.cast(rng.bit_generator.ctypes.state_address, ctypes.POINTER(ctypes.c_void_p))[0]
        if address is None:
            return None
        reported = rng.bit_generator.state["state"]
        state = np.ctypeslib.as_array((ctypes.c_uint64 * 4).from_address(address))
    except (AttributeError, KeyError, TypeError):
        return None
    mask = (1 << 64) - 1
    expected = [reported["state"] & mask, reported["state"] >> 64, reported["inc"] & mask, reported["inc"] >> 64]
    return state if [int(word) for word in state] == expected else None


@njit
def _draw_row(rng: np.random.Generator, distributions: Floats, row: Floats) -> None:
    """Fill a row with samples."""
    for k in range(distributions.shape[0]):
        if distributions[k, 0] == 0.0:
            row[k] = rng.uniform(distributions[k, 1], distributions[k, 2])
            continue
        row[k] = rng.normal(distributions[k, 1], distributions[k, 2])
        while not distributions[k, 3] <= row[k] <= distributions[k, 4]:
            row[k] = rng.normal(distributions[k, 1], distributions[k, 2])


@njit
def _draw_rows(
    prefix: npt.NDArray[np.uint8],
    first: int,
    rng: np.random.Generator,
    state: Words,
    distributions: Floats,
    output: Floats,
) -> None:
    """Fill the rows with samples of the streams from the first index on; `rng` is seeded anew for each."""
    text = np.zeros(_BLOCK_BYTES, np.uint8)
    text[: len(prefix)] = prefix
    for row in range(output.shape[0]):
        index, digits = first + row, 1
        while index >= 10**digits:
            digits += 1
        for k in range(digits):
            text[len(prefix) + digits - 1 - k] = 48 + index % 10
            index //= 10
        _seed_pcg64(_sha256_first8(text, len(prefix) + digits), state)
        _draw_row(rng, distributions, output[row])


def _prime_root_fractions(count: int, root: int) -> Words:
    """First 32 bits of the fractional parts of the roots of the first primes: the constants of SHA-256."""
    primes = [n for n in range(2, 400) if all(n % k for k in range(2, n))][:count]
    fractions = []
    for prime in primes:
        low, high = 0, prime << 32
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if middle**root <= prime << (32 * root) else (low, middle)
        fractions.append(low & 0xFFFFFFFF)
    return np.array(fractions, np.uint64)


_SHA256_INIT: Final = tuple(_prime_root_fractions(8, 2))
_SHA256_CONSTANTS: Final = _prime_root_fractions(64, 3)


@njit
def _sha256_first8(text: npt.NDArray[np.uint8], length: int) -> Word:
    """First eight bytes of the SHA-256 of a text of one block, as an integer (FIPS 180-4)."""
    mask = np.uint64(0xFFFFFFFF)
    w = np.zeros(64, np.uint64)
    for k in range(length):
        w[k // 4] |= np.uint64(text[k]) << np.uint64(24 - 8 * (k % 4))
    w[length // 4] |= np.uint64(0x80) << np.uint64(24 - 8 * (length % 4))
    w[15] = np.uint64(8 * length)
    for k in range(16, 64):
        early, late = w[k - 15], w[k - 2]
        s0 = _rotate_right(early, 7) ^ _rotate_right(early, 18) ^ (early >> np.uint64(3))
        s1 = _rotate_right(late, 17) ^ _rotate_right(late, 19) ^ (late >> np.uint64(10))
        w[k] = (w[k - 16] + s0 + w[k - 7] + s1) & mask
    a, b, c, d, e, f, g, h = _SHA256_INIT
    for k in range(64):
        s1 = _rotate_right(e, 6) ^ _rotate_right(e, 11) ^ _rotate_right(e, 25)
        temp1 = h + s1 + ((e & f) ^ (~e & g)) + _SHA256_CONSTANTS[k] + w[k]
        s0 = _rotate_right(a, 2) ^ _rotate_right(a, 13) ^ _rotate_right(a, 22)
        temp2 = s0 + ((a & b) ^ (a & c) ^ (b & c))
        h, g, f, e, d, c, b, a = g, f, e, (d + temp1) & mask, c, b, a, (temp1 + temp2) & mask
    high, low = (a + _SHA256_INIT[0]) & mask, (b + _SHA256_INIT[1]) & mask
    return (high << np.uint64(32)) | low


@njit_no_refcount
def _rotate_right(word: Word, bits: int) -> Word:
    """Rotate a 32-bit word right."""
    return ((word >> np.uint64(bits)) | (word << np.uint64(32 - bits))) & np.uint64(0xFFFFFFFF)


@njit
def _seed_pcg64(seed: Word, state: Words) -> None:
    """Write the initial state of `PCG64(seed)`: four words of SeedSequence, then two steps."""
    mask = np.uint64(0xFFFFFFFF)
    shift = np.uint64(16)
    pool = np.zeros(4, np.uint64)
    multiplier = np.uint64(0x43B0D7E5)
    for k in range(4):
        word = np.uint64(0)
        if k == 0:
            word = seed & mask
        elif k == 1:
            word = seed >> np.uint64(32)
        word = word ^ multiplier
        multiplier = (multiplier * np.uint64(0x931E8875)) & mask
        word = (word * multiplier) & mask
        pool[k] = word ^ (word >> shift)
    for source in range(4):
        for k in range(4):
            if k == source:
                continue
            word = pool[source] ^ multiplier
            multiplier = (multiplier * np.uint64(0x931E8875)) & mask
            word = (word * multiplier) & mask
            word = word ^ (word >> shift)
            mixed = (np.uint64(0xCA01F9DD) * pool[k] - np.uint64(0x4973F715) * word) & mask
            pool[k] = mixed ^ (mixed >> shift)
    multiplier = np.uint64(0x8B51F9DD)
    words = np.zeros(8, np.uint64)
    for k in range(8):
        word = pool[k % 4] ^ multiplier
        multiplier = (multiplier * np.uint64(0x58F38DED)) & mask
        word = (word * multiplier) & mask
        words[k] = word ^ (word >> shift)
    seed_words = np.zeros(4, np.uint64)
    for k in range(4):
        seed_words[k] = words[2 * k] | (words[2 * k + 1] << np.uint64(32))
    # the increment is odd; the state is stepped, the seed added, and stepped again
    state[3] = (seed_words[2] << np.uint64(1)) | (seed_words[3] >> np.uint64(63))
    state[2] = (seed_words[3] << np.uint64(1)) | np.uint64(1)
    low = state[2] + seed_words[1]
    carry = np.uint64(1) if low < seed_words[1] else np.uint64(0)
    high = state[3] + seed_words[0] + carry
    # times the multiplier of PCG64, plus the increment, in two halves
    m_high, m_low = np.uint64(0x2360ED051FC65DA4), np.uint64(0x4385DF649FCCF645)
    product_high, product_low = _mul_64(low, m_low)
    product_high = product_high + high * m_low + low * m_high
    state[0] = product_low + state[2]
    carry = np.uint64(1) if state[0] < state[2] else np.uint64(0)
    state[1] = product_high + state[3] + carry


@njit_no_refcount
def _mul_64(a: Word, b: Word) -> tuple[Word, Word]:
    """Upper and lower half of the 128-bit product of two 64-bit words."""
    mask, half = np.uint64(0xFFFFFFFF), np.uint64(32)
    a0, a1, b0, b1 = a & mask, a >> half, b & mask, b >> half
    low = a0 * b0
    middle = a1 * b0 + (low >> half)
    cross = a0 * b1 + (middle & mask)
    return a1 * b1 + (middle >> half) + (cross >> half), a * b
