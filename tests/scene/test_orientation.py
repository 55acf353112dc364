"""Quaternions equal those of scipy, single and in arrays."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from flicksim.scene.orientation import axes_from_quaternion, cross, quaternions_from_axes, slerp


def random_rotations(count: int) -> Rotation:
    """Attitudes of all kinds, half turns about every axis among them."""
    half = [[np.pi, 0, 0], [0, np.pi, 0], [0, 0, np.pi], [0, 0, 0], [np.pi / 2**0.5, np.pi / 2**0.5, 0]]
    return Rotation.concatenate([Rotation.from_rotvec(half), Rotation.random(count, random_state=1)])


def test_cross_product_equals_numpy() -> None:
    rng = np.random.default_rng(1)
    for a, b in rng.normal(size=(20, 2, 3)):
        assert cross(tuple(a), tuple(b)) == pytest.approx(tuple(np.cross(a, b)))


def test_quaternions_rotate_side_and_axis_and_give_them_back() -> None:
    turned = random_rotations(200)
    sides, axes = turned.apply([1, 0, 0]), turned.apply([0, 0, 1])
    many = quaternions_from_axes(sides, axes)
    for (w, x, y, z), rotation in zip(many, turned, strict=True):
        assert (Rotation.from_quat([x, y, z, w]) * rotation.inv()).magnitude() < 1e-7
    for rotation in random_rotations(200):
        x, y, z, w = rotation.as_quat()
        side, axis = axes_from_quaternion((w, x, y, z))
        assert side == pytest.approx(tuple(rotation.apply([1, 0, 0])), abs=1e-12)
        assert axis == pytest.approx(tuple(rotation.apply([0, 0, 1])), abs=1e-12)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_slerp_takes_the_shorter_arc(sign: float) -> None:
    """A turn and its negative are the same."""
    first, last = Rotation.from_euler("xyz", [0.2, 0.1, -0.4]), Rotation.from_euler("xyz", [1.0, -0.6, 0.9])
    (a, b, c, d), (e, f, g, h) = first.as_quat(), sign * last.as_quat()
    w, x, y, z = slerp((d, a, b, c), (h, e, f, g), 0.3)
    way = (last * first.inv()).as_rotvec()
    assert (Rotation.from_quat([x, y, z, w]) * (Rotation.from_rotvec(0.3 * way) * first).inv()).magnitude() < 1e-9
