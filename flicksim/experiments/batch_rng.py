"""Random samples of many shots at once: for each shot those of its own stream, bit for bit.

Every shot has its own stream (`RandomStreams.spawn("shot", index)`), so results do not depend on worker or order.
Constructing a generator costs more than a coin's shot; so numpy's SeedSequence is computed for all at once, and one
generator draws from the state that each begins with.
"""

import ctypes
import hashlib
from collections.abc import Iterator, Sequence
from math import inf, nan

import numpy as np
import numpy.typing as npt

from flicksim.core.arrays import Floats
from flicksim.core.random_streams import RandomStreams
from flicksim.engine.jit import njit, numba_njit
from flicksim.experiments.parameter_spec import ParameterSpec

Words = npt.NDArray[np.uint64]
HalfWords = npt.NDArray[np.uint32]

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
        _draw_rows(_initial_states(_stream_seeds(streams.spawn(name), first, last)), rng, state, table, samples)
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
def _draw_rows(states: Words, rng: np.random.Generator, state: Words, distributions: Floats, output: Floats) -> None:
    """Fill the rows with samples of streams that begin in these states; `rng` is set to each, by its own `state`."""
    for row in range(output.shape[0]):
        state[:] = states[row]
        rng.random()  # the last step of the seeding
        _draw_row(rng, distributions, output[row])


def _initial_states(seeds: Words) -> Words:
    """States of `PCG64(seed)` one step before the first, lower halves first: state, then increment. [S, 4]"""
    constants = _constants(0x43B0D7E5, 0x931E8875)
    words = [seeds.astype(np.uint32), (seeds >> np.uint64(32)).astype(np.uint32), *np.zeros((2, len(seeds)), np.uint32)]
    pool = [_hash(word, constants) for word in words]
    for source in range(4):
        for k in range(4):
            if k != source:
                word = np.uint32(0xCA01F9DD) * pool[k] - np.uint32(0x4973F715) * _hash(pool[source], constants)
                pool[k] = word ^ word >> np.uint32(16)
    constants = _constants(0x8B51F9DD, 0x58F38DED)
    halves = [_hash(pool[k % 4], constants).astype(np.uint64) for k in range(8)]
    # of a sequence: upper and lower half of the seed of the state, and of the increment, which is made odd
    seed_high, seed_low, high, low = (halves[k] | halves[k + 1] << np.uint64(32) for k in range(0, 8, 2))
    high, low = high << np.uint64(1) | low >> np.uint64(63), low << np.uint64(1) | np.uint64(1)
    state_low = low + seed_low
    return np.stack([state_low, high + seed_high + (state_low < low), low, high], axis=1)


def _constants(first: int, factor: int) -> Iterator[tuple[np.uint32, np.uint32]]:
    """Pairs of constants of successive hashes: each the first times the factor once more."""
    while True:
        second = first * factor & 0xFFFFFFFF
        yield np.uint32(first), np.uint32(second)
        first = second


def _hash(words: HalfWords, constants: Iterator[tuple[np.uint32, np.uint32]]) -> HalfWords:
    """Hash words as SeedSequence does."""
    first, second = next(constants)
    words = (words ^ first) * second
    return words ^ words >> np.uint32(16)
