"""Named random streams: the same names give the same numbers, other names others."""

import random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from flicksim.core.random_streams import RandomStreams
from flicksim.core.serialization import from_json, to_json


@given(st.integers(0, 2**63), st.text(max_size=6))
def test_the_same_name_gives_the_same_numbers(seed: int, name: str) -> None:
    """X-4: one seed, the same transcript."""
    one, other = (RandomStreams(seed=seed).spawn(name, 3).generator() for _ in range(2))
    assert np.array_equal(one.integers(2**60, size=5), other.integers(2**60, size=5))


def test_streams_depend_on_their_keys_not_on_the_order_of_asking() -> None:
    root = RandomStreams(seed=4)
    deal = root.spawn("deal").derived_seed()
    root.spawn("toss").generator().integers(9, size=100)
    assert root.spawn("deal").derived_seed() == deal
    place = RandomStreams(seed=7).spawn("player", 1)
    assert from_json(to_json(place), RandomStreams) == place


def test_other_names_seeds_and_depths_are_other_streams() -> None:
    places = [
        RandomStreams(seed=1),
        RandomStreams(seed=2),
        RandomStreams(seed=1).spawn("a"),
        RandomStreams(seed=1).spawn("b"),
        RandomStreams(seed=1).spawn("a", "b"),
        RandomStreams(seed=1).spawn("ab"),
        RandomStreams(seed=1).spawn("a/b"),
        RandomStreams(seed=1).spawn("a", 1),
        RandomStreams(seed=11),
        RandomStreams(seed=-1),
    ]
    assert len({place.derived_seed() for place in places}) == len(places)


def test_nothing_reads_or_moves_a_global_generator() -> None:
    random.seed(1)
    before = random.getstate()
    np.random.seed(1)  # noqa: NPY002  the point is that it has no effect
    first = RandomStreams(seed=9).generator().integers(2**60)
    np.random.seed(2)  # noqa: NPY002
    assert RandomStreams(seed=9).generator().integers(2**60) == first
    assert random.getstate() == before
