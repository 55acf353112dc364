"""Pyramids: sizes, masses, centres of mass, seats, and stable orientations."""

from math import degrees, pi, radians, tan

import msgspec
import pytest

from flicksim.core.errors import InvalidScene, InvalidValue
from flicksim.core.geometry import rectangle
from flicksim.scene import samples
from flicksim.scene.launch import Launch
from flicksim.scene.pyramid import SIZES, Pyramid, PyramidShape, Size, SupportContact, standard_shape
from flicksim.scene.pyramid_penetration import penetration_depth
from flicksim.scene.pyramid_scene import PyramidScene
from flicksim.scene.surface import Surface

TOP = Surface(material="wood", outline=rectangle(0.9, 0.9))
ON_TABLE = SupportContact(on="surface", at=(0.9, 0.45, 0.0), normal=(0.0, 0.0, 1.0))
INCH = 0.0254


def make_pyramid(name: str, size: Size = "medium", x: float = 0.45, y: float = 0.45, **more: object) -> Pyramid:
    return msgspec.structs.replace(Pyramid(id=name, size=size, shape=standard_shape(size), x=x, y=y), **more)


@pytest.mark.parametrize(
    ("size", "base", "height", "half_apex"),
    [("small", 9 / 16, 1.0, 15.71), ("medium", 25 / 32, 11 / 8, 15.86), ("large", 1.0, 7 / 4, 15.95)],
)
def test_itw_1b_sizes_come_from_the_piece_formula(size: Size, base: float, height: float, half_apex: float) -> None:
    """ITW-1b: base (11 + 7n)/32 in, height (5 + 3n)/8 in; the half apex as listed beside them."""
    shape = standard_shape(size)
    assert shape.base == pytest.approx(base * INCH, abs=1e-12)
    assert shape.height == pytest.approx(height * INCH, abs=1e-12)
    assert degrees(shape.half_apex_angle) == pytest.approx(half_apex, abs=0.01)
    assert shape.pips == SIZES.index(size) + 1


def test_masses_and_heights_of_seats_are_those_measured() -> None:
    """Fifteen weigh 1.5 oz; a small one 1.26 to 1.28 g, a medium 2.66, a large 4.55 to 4.58. One of the same size sits
    t/sin(15.9 degrees) higher, 8.2 mm; a small one on a large about 25 mm."""
    small, medium, large = (standard_shape(size).mass for size in SIZES)
    assert 5 * (small + medium + large) == pytest.approx(0.0425, abs=0.0014)
    assert 1e3 * small == pytest.approx(1.27, abs=0.02)
    assert 1e3 * medium == pytest.approx(2.66, abs=0.01)
    assert 1e3 * large == pytest.approx(4.565, abs=0.02)
    small, medium, large = (standard_shape(size) for size in SIZES)
    for shape in (small, medium, large):
        assert 1e3 * shape.stacking_height(shape) == pytest.approx(8.2, abs=0.1)
    assert small.stacking_height(large) == pytest.approx(large.height * (1 - small.hollow_base / large.base), abs=1e-9)
    assert 24e-3 < small.stacking_height(large) < 30e-3


@pytest.mark.parametrize("size", SIZES)
def test_mass_middle_and_inertia_are_those_of_the_shell_summed_slice_by_slice(size: Size) -> None:
    shape, count = standard_shape(size), 20_000
    mass = moment = across = about = 0.0
    for i in range(count):
        z = shape.height * (i + 0.5) / count
        thick = shape.height / count
        for sign, base, height in ((1, shape.base, shape.height), (-1, shape.hollow_base, shape.hollow_height)):
            if z < height:
                side = base * (1.0 - z / height)
                part = sign * shape.density * side * side * thick
                mass, moment, about = mass + part, moment + part * z, about + part * side * side / 6.0
                across += part * (side * side / 12.0 + (z - shape.centroid) ** 2)
    assert shape.mass == pytest.approx(mass, rel=1e-6)
    assert shape.centroid == pytest.approx(moment / mass, rel=1e-6)
    assert shape.transverse_inertia == pytest.approx(across, rel=1e-6)
    assert shape.axial_inertia == pytest.approx(about, rel=1e-6)


@pytest.mark.parametrize(("size", "listed"), [("small", 7.6), ("medium", 10.8), ("large", 14.0)])
def test_thin_shells_have_the_middles_of_mass_that_are_listed(size: Size, listed: float) -> None:
    """7.6, 10.8, 14.0 mm for walls of 1.5 mm, and topple angles of 42 to 43 degrees."""
    shape = standard_shape(size, wall=0.0015)
    assert 1e3 * shape.centroid == pytest.approx(listed, abs=0.15)
    assert 42.0 < degrees(shape.toppling_angle) < 43.7
    assert 42.5 < degrees(standard_shape(size).toppling_angle) < 44.6  # the usual make is thicker


@pytest.mark.parametrize("upper", SIZES)
@pytest.mark.parametrize("lower", SIZES)
def test_itw_3c_a_piece_seats_on_another_where_the_solids_first_touch(upper: Size, lower: Size) -> None:
    """ITW-3c: at its seat it is not in the one below; a hair lower it is."""
    under, over = make_pyramid("under", lower), make_pyramid("over", upper)
    seat = over.shape.stacking_height(under.shape)
    assert penetration_depth(under, msgspec.structs.replace(over, z=seat + 1e-6)) <= 1e-7
    if seat > 0.0:
        assert penetration_depth(under, msgspec.structs.replace(over, z=seat - 3e-4)) > 2e-5


def test_lying_is_on_a_side() -> None:
    shape = standard_shape("large")
    lying = make_pyramid("a", "large", tilt=shape.lying_tilt)
    heights = [z for _, _, z in (*lying.base_corners(), lying.tip)]
    assert sorted(heights)[2] == pytest.approx(min(heights), abs=1e-12)
    assert tan(shape.lying_tilt - pi / 2) == pytest.approx(shape.base / 2 / shape.height)


@pytest.mark.parametrize(
    ("pieces", "text"),
    [
        ((make_pyramid("a", tilt=radians(20)),), "'a' is sunk"),
        ((make_pyramid("a", z=0.01),), "'a' hangs 10.00 mm in the air with nothing under it"),
        ((make_pyramid("a", tilt=radians(20), z=0.01),), "cannot stay tilted by 20.00 degrees with nothing to lean on"),
        ((make_pyramid("a"), make_pyramid("b", x=0.455)), "'a' and 'b' are .* mm in one another; they may only touch"),
        ((make_pyramid("a"), make_pyramid("a", x=0.5)), "two pieces are called 'a'"),
        ((make_pyramid("a", x=0.95),), "'a' at .950, 450. mm has its middle off the table"),
        ((make_pyramid("a", x=0.95, bearings=(ON_TABLE,)),), "'a' at .950, 450. mm has its middle off the table"),
        ((make_pyramid("a", stands_on=("b",)),), "'a' is said to rest on 'b', which is not another piece"),
    ],
)
def test_invalid_pyramids_are_refused_in_a_sentence(pieces: tuple[Pyramid, ...], text: str) -> None:
    with pytest.raises(InvalidScene, match=text):
        PyramidScene(surface=TOP, pieces=pieces).validated()


@pytest.mark.parametrize(
    "parts",
    [{"pips": 0}, {"base": 0.001}, {"height": 0.5}, {"wall": 0.02}, {"wall": 0.0}, {"density": 1.0}],
)
def test_impossible_shapes_are_refused(parts: dict[str, float]) -> None:
    whole: dict[str, float] = {"pips": 2, "base": 0.02, "height": 0.035, **parts}
    with pytest.raises(
        ValueError, match=next(iter(parts)) if "pips" in parts or "wall" in parts else "pyramid|density"
    ):
        PyramidShape(**whole)  # type: ignore[arg-type]


@pytest.mark.parametrize(("wall", "may"), [(0.0063, True), (0.0066, False)])
def test_a_wall_leaves_a_hollow_more_than_a_millimetre_wide_and_high(wall: float, may: bool) -> None:
    """Of a slope so flat that the hollow loses its height first."""
    parts = {"pips": 1, "base": 0.04, "height": 0.008, "wall": wall}
    if may:
        assert PyramidShape(**parts).hollow_height > 0.001  # type: ignore[arg-type]
        return
    with pytest.raises(InvalidValue, match="leaves no hollow in a pyramid 40 mm wide; it must be thinner"):
        PyramidShape(**parts)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"azimuth": 6.5}, "azimuth 6.5 rad must lie within one turn, -6.2832 to 6.2832"),
        ({"askew": 0.5}, "askew 28.6479 degrees must lie in -20 to 20 degrees"),
        ({"twist": -1.0}, "twist -57.2958 degrees must lie in -45 to 45 degrees"),
        ({"aside": 0.01}, "aside 10 mm must lie in -6 to 6 mm"),
        ({"aside": float("nan")}, "aside nan mm must lie in -6 to 6 mm"),
    ],
)
def test_invalid_launcher_poses_are_refused_in_a_sentence(change: dict[str, float], text: str) -> None:
    with pytest.raises(InvalidValue, match=text):
        Launch(**{"piece": "m", "size": "small", "hold": (0.0, 0.0), "azimuth": 0.0, "speed": 3.0, **change})


def test_invalid_contacts_and_a_piece_far_from_its_support_are_refused_in_a_sentence() -> None:
    with pytest.raises(InvalidValue, match="must be of unit length"):
        SupportContact(on="b", at=(0.0, 0.0, 0.0), normal=(0.0, 0.0, 2.0))
    with pytest.raises(InvalidValue, match="must be finite and near"):
        SupportContact(on="b", at=(float("inf"), 0.0, 0.0), normal=(0.0, 0.0, 1.0))
    with pytest.raises(InvalidValue, match="must be finite and near"):
        make_pyramid("a", roll=float("nan"))
    under, contact = make_pyramid("b"), SupportContact(on="b", at=(0.45, 0.45, 0.05), normal=(0.0, 0.0, 1.0))
    far = make_pyramid("a", z=0.2, stands_on=("b",))
    near = make_pyramid("a", z=0.048, stands_on=("b",), bearings=(contact,))  # laid by hand it may drop a centimetre
    for high in (far, near):
        found = PyramidScene(surface=TOP, pieces=(under, high)).problems()
        assert any("'a' is said to rest on 'b', which is" in one for one in found)


def test_supports_are_listed_once() -> None:
    """Contacts with its base and its side are one prop it stands on; what only its side meets, it leans on."""
    up, aside = (0.0, 0.0, 1.0), (1.0, 0.0, 0.0)
    borne = make_pyramid("m").with_supports(
        (
            SupportContact(on="p", at=(0.45, 0.45, 0.02), normal=up),
            SupportContact(on="q", part="side", at=(0.44, 0.45, 0.03), normal=aside),
            SupportContact(on="p", at=(0.46, 0.45, 0.02), normal=up),
            SupportContact(on="p", part="side", at=(0.46, 0.45, 0.03), normal=aside),
            SupportContact(on="q", part="side", at=(0.44, 0.46, 0.03), normal=aside),
            ON_TABLE,
        )
    )
    assert borne.stands_on == ("p",)
    assert borne.leans_on == ("q",)
    assert borne.rests_on == ("p", "q")


def test_the_sample_launch_goes_at_the_tip_of_what_lies_there() -> None:
    scene, launch = samples.launch_sample()
    prop, post = scene.pieces
    assert prop.is_on_side
    assert prop.tip[0] == pytest.approx(launch.hold[0])
    assert prop.tip[1] > prop.y > launch.hold[1]
    assert post.is_upright
