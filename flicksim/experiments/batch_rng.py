"""Random samples of many shots at once: for each shot those of its own stream, bit for bit.

Every shot has its own stream (`RandomStreams.spawn("shot", index)`), so results do not depend on worker or order.
Constructing a generator costs more than a coin's shot; so numpy's SeedSequence and the initial state of PCG64 are
computed in a kernel, and numpy draws from that state.
"""

import ctypes
import hashlib
from collections.abc import Sequence
from math import inf, nan

import numpy as np
import numpy.typing as npt

from flicksim.core.arrays import Floats
from flicksim.core.random_streams import RandomStreams
from flicksim.engine.jit import njit, njit_no_refcount, numba_njit
from flicksim.experiments.parameter_spec import ParameterSpec

Word = np.uint64
Words = npt.NDArray[np.uint64]


STANDARD_NORMAL = ParameterSpec(normal=(0.0, 1.0))


def draw_batch(streams: RandomStreams, name: str, first: int, last: int, specs: Sequence[ParameterSpec]) -> Floats:
    """Samples of these distributions, in this order, from the streams of these indices. [last - first, D]"""
    table = np.array(
        [
            (0.0, *spec.uniform, nan, nan)
            if spec.uniform is not None
            else (1.0, *(spec.normal or ()), *(spec.truncate or (-inf, inf)))
            for spec in specs
        ]
    ).reshape(-1, 5)
    samples = np.empty((last - first, len(table)))
    rng = np.random.Generator(np.random.PCG64(0))
    state = _state_array(rng)
    if numba_njit is not None and state is not None:
        _draw_rows(_stream_seeds(streams.spawn(name), first, last), rng, state, table, samples)
        return samples
    for index in range(first, last):
        _draw_row(streams.spawn(name, index).generator(), table, samples[index - first])
    return samples


def _stream_seeds(streams: RandomStreams, first: int, last: int) -> Words:
    """Seeds of the streams of these indices (see `RandomStreams.derived_seed`). [last - first]"""
    parent = hashlib.sha256(f"{streams.stream_key()}/".encode())
    digests = bytearray()
    for index in range(first, last):
        child = parent.copy()
        child.update(b"%d" % index)
        digests += child.digest()[:8]
    return np.frombuffer(digests, ">u8").astype(np.uint64)


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
def _draw_rows(seeds: Words, rng: np.random.Generator, state: Words, distributions: Floats, output: Floats) -> None:
    """Fill the rows with samples of the streams of these seeds; `rng` is seeded anew for each."""
    for row in range(output.shape[0]):
        _seed_pcg64(seeds[row], state)
        _draw_row(rng, distributions, output[row])


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
