"""A track is read between its knots, up to its end, and no farther for what has gone."""

from typing import get_args

import numpy as np
import pytest

from flicksim.table.landing import Fell, Hit, Kept, LandingEvent, Launched, Lay, Track
from flicksim.table.launch import Launch

STILL = (1.0, 0.0, 0.0, 0.0)


def track(*, gone: bool) -> Track:
    middles = np.array([[0.0, 0.0, 0.1], [0.2, 0.0, 0.1], [0.2, 0.4, 0.0]])
    return Track(id="m", times=np.array([0.5, 1.0, 2.0]), middles=middles, turns=np.tile(STILL, (3, 1)), gone=gone)


@pytest.mark.parametrize(
    ("t", "place"),
    [
        (0.0, (0.0, 0.0, 0.1)), (0.5, (0.0, 0.0, 0.1)), (0.75, (0.1, 0.0, 0.1)), (1.0, (0.2, 0.0, 0.1)),
        (1.25, (0.2, 0.1, 0.075)), (2.0, (0.2, 0.4, 0.0)),
    ],
)  # fmt: skip
@pytest.mark.parametrize("gone", [False, True])
def test_a_track_is_even_between_its_knots(t: float, place: tuple[float, float, float], gone: bool) -> None:
    found = track(gone=gone).at(t)
    assert found is not None
    assert found[0] == pytest.approx(place)
    assert found[1] == STILL


def test_who_has_gone_is_nowhere_after_the_last_knot() -> None:
    assert track(gone=True).at(2.001) is None
    rests = track(gone=False).at(2.001)
    assert rests is not None
    assert rests[0] == (0.2, 0.4, 0.0)


def test_a_launch_is_straight_unless_it_is_told_otherwise() -> None:
    plain = Launch(piece="m", size="small", hold=(0.0, 0.0), azimuth=0.0, speed=1.0)
    assert (plain.askew, plain.twist, plain.aside) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("kind", get_args(LandingEvent))
def test_what_happened_is_told_by_name_and_never_changed(kind: type[Launched | Kept | Hit | Fell | Lay]) -> None:
    with pytest.raises(TypeError):
        kind(0.5, "m")  # type: ignore[misc, call-arg, arg-type]
    event = Kept(t=0.5, piece="m") if kind is Kept else kind(**dict.fromkeys(kind.__struct_fields__, 0.5))
    with pytest.raises(AttributeError):
        event.t = 0.6
