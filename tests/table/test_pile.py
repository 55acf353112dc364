"""Winks laid down by hand lie on what lies there, at heights that can be."""

from __future__ import annotations

from math import pi

import pytest

from flicksim.base.units import mm
from flicksim.table.piece import Piece
from flicksim.table.pile import lay


def wink(name: str, x: float, *, z: float | None = None, tilt: float = 0.0) -> Piece:
    size = {"radius": mm(7.9375), "thickness": mm(1.5875)}
    return Piece(id=name, kind="small", x=x, y=0.0, mass=0.0005, material="wink", owner=0, z=z, tilt=tilt, **size)


@pytest.mark.parametrize("tilt", [1.45, pi / 2.0 - 1e-7, pi / 2.0])
def test_on_a_wink_that_stands_on_its_edge_another_lies_no_higher_than_both_are_wide(tilt: float) -> None:
    standing = wink("red-1", 0.0, z=mm(8.0), tilt=tilt)
    for aside in (0.0, 0.0004, 0.004):
        laid = lay([standing], wink("blue-1", 0.1), (aside, 0.0))
        assert laid.z is not None
        assert mm(0.7) < laid.z < mm(35.0)
        if laid.lies_on:
            assert (laid.tilt, laid.lies_on) == (0.0, ("red-1",))
