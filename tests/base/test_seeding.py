"""Named streams from one seed: the same names give the same numbers, other names other numbers."""

from __future__ import annotations

import random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from flicksim.base.codec import from_json, to_json
from flicksim.base.seeding import Seeds


@given(st.integers(0, 2**63), st.text(max_size=6))
def test_the_same_name_gives_the_same_numbers(seed: int, name: str) -> None:
    """X-4: one seed, the same transcript."""
    one, other = (Seeds(seed=seed).child(name, 3).generator() for _ in range(2))
    assert np.array_equal(one.integers(2**60, size=5), other.integers(2**60, size=5))


def test_streams_do_not_depend_on_the_order_of_asking() -> None:
    root = Seeds(seed=4)
    deal = root.child("deal").number()
    root.child("toss").generator().integers(9, size=100)
    assert root.child("deal").number() == deal


def test_other_names_seeds_and_depths_are_other_streams() -> None:
    places = [
        Seeds(seed=1), Seeds(seed=2), Seeds(seed=1).child("a"), Seeds(seed=1).child("b"), Seeds(seed=1).child("a", "b"),
        Seeds(seed=1).child("ab"), Seeds(seed=1).child("a", 1), Seeds(seed=11), Seeds(seed=-1),
    ]  # fmt: skip
    assert len({place.number() for place in places}) == len(places)


def test_one_name_with_a_slash_is_not_two_names() -> None:
    assert Seeds(seed=1).child("a/b").number() != Seeds(seed=1).child("a", "b").number()


def test_nothing_reads_or_moves_a_global_generator() -> None:
    random.seed(1)
    before = random.getstate()
    np.random.seed(1)  # noqa: NPY002  the point is that it has no effect
    first = Seeds(seed=9).generator().integers(2**60)
    np.random.seed(2)  # noqa: NPY002
    assert Seeds(seed=9).generator().integers(2**60) == first
    assert random.getstate() == before


def test_a_place_in_the_tree_has_a_notation() -> None:
    place = Seeds(seed=7).child("player", 1)
    assert from_json(to_json(place), Seeds) == place
