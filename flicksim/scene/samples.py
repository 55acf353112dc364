"""Named sample scenes shared by tests, benchmarks, documentation and the window."""

from collections.abc import Callable
from math import cos, isqrt, pi, sin

import msgspec

from flicksim.core.errors import NameNotFound
from flicksim.core.geometry import rectangle
from flicksim.core.paths import assets_dir
from flicksim.core.serialization import from_json, read_document
from flicksim.core.units import grams, mm
from flicksim.scene.flick import Flick, Squidge
from flicksim.scene.launch import Launch
from flicksim.scene.piece import Piece
from flicksim.scene.pyramid import SIZES, Pyramid
from flicksim.scene.pyramid_scene import PyramidScene, PyramidSet
from flicksim.scene.scene import Scene
from flicksim.scene.surface import Line, Surface

BOARD = Surface(
    material="polished",
    outline=rectangle(mm(300), mm(800)),
    lines=(
        Line(name="5 cm", a=(0.0, mm(50)), b=(mm(300), mm(50))),
        Line(name="45 cm", a=(0.0, mm(450)), b=(mm(300), mm(450))),
    ),
)
_TABLE_TOP = Surface(material="wood", outline=rectangle(mm(900), mm(900)))
FLOOR = Surface(material="polished", outline=rectangle(40.0, 40.0, -20.0, -20.0))


def penny(name: str, x: float, y: float, *, owner: int | None = None, kind: str = "penny", ring: float = 0.9) -> Piece:
    """A bronze UK 1p at (x, y) [m]."""
    return Piece(
        id=name, kind=kind, x=x, y=y, radius=mm(10.15), thickness=mm(1.52), mass=grams(3.56),
        material="bronze", ring=ring, owner=owner,
    )  # fmt: skip


def _rack(n: int, x: float, y: float) -> tuple[Piece, ...]:
    """Arrange n pennies in a loose hexagonal rack, half a millimetre apart."""
    step, placed = mm(20.8), [(x, y)]
    ring = 1
    while len(placed) < n:
        corners = [(x + ring * step * cos(k * pi / 3), y + ring * step * sin(k * pi / 3)) for k in range(6)]
        for k in range(6):
            (ax, ay), (bx, by) = corners[k], corners[(k + 1) % 6]
            placed += [(ax + (bx - ax) * j / ring, ay + (by - ay) * j / ring) for j in range(ring)]
        ring += 1
    return tuple(penny(f"p{i}", px, py) for i, (px, py) in enumerate(placed[:n]))


def _scattered_pennies(n: int) -> tuple[Piece, ...]:
    """Arrange n pennies singly, as in a late end."""
    return tuple(penny(f"p{i}", 0.03 + 0.06 * (i % 5), 0.42 + 0.06 * (i // 5)) for i in range(n))


def _on_board(others: tuple[Piece, ...], speed: float, azimuth: float = pi / 2) -> tuple[Scene, Flick]:
    """A penny on the board before others, and its flick."""
    scene = Scene(surface=BOARD, pieces=(penny("a", 0.15, 0.0395), *others))
    return scene, Flick(piece="a", speed=speed, azimuth=azimuth)


def launch_sample() -> tuple[PyramidScene, Launch]:
    """A small pyramid launched at a large one that lies on its side, beside a medium one that stands."""
    kit = PyramidSet()
    prop = Pyramid(
        id="prop", size="large", shape=kit.large, x=mm(450), y=mm(420), tilt=kit.large.lying_tilt, heading=pi / 2
    )
    lying = msgspec.structs.replace(prop, z=round(-prop.lowest, 9))
    post = Pyramid(id="post", size="medium", shape=kit.medium, x=mm(500), y=mm(500))
    scene = PyramidScene(surface=_TABLE_TOP, pieces=(lying, post), kit=kit)
    return scene, Launch(piece="missile", size="small", hold=(mm(450), mm(75)), azimuth=pi / 2, speed=2.6, height=mm(3))


def scattered_pyramids(count: int) -> PyramidScene:
    """Scene of many pyramids on a table: of all sizes, two in three on a side, the rest standing."""
    kit, rows = PyramidSet(), max(1, isqrt(max(0, count - 1)) + 1)
    step = mm(600) / rows
    pieces = []
    for k in range(count):
        size = SIZES[k % 3]
        shape = kit.shape(size)
        x, y = mm(150) + step * (k % rows + 0.5), mm(150) + step * (k // rows + 0.5)
        piece = Pyramid(
            id=f"p{k}", size=size, shape=shape, x=x, y=y, tilt=shape.lying_tilt if k % 7 % 3 else 0.0,
            heading=2.4 * k % (2.0 * pi),
        )  # fmt: skip
        pieces.append(msgspec.structs.replace(piece, z=round(-piece.lowest, 9)))
    return PyramidScene(surface=_TABLE_TOP, pieces=tuple(pieces), kit=kit)


def _squidge() -> tuple[Scene, Squidge]:
    """A mat with three winks, one of them squopped, and a squidge that pots the free one."""
    scene, squidge = (assets_dir() / folder / "squidge.json" for folder in ("scenes", "flicks"))
    return from_json(read_document(scene), Scene), from_json(read_document(squidge), Squidge)


_OTHER_SAMPLES: dict[str, Callable[[], tuple[Scene | PyramidScene, Flick | Squidge | Launch]]] = {
    "squidge": _squidge, "launch": launch_sample,
}  # fmt: skip
_SAMPLES: dict[str, tuple[str, Callable[[], tuple[Scene, Flick]]]] = {
    "slide": (
        "one penny on an endless board: friction alone",
        lambda: (Scene(surface=FLOOR, pieces=(penny("a", 0.0, 0.0),)), Flick(piece="a", speed=1.5, azimuth=0.0)),
    ),
    "draw": (
        "2 discs: a first penny rolled up to the white",
        lambda: _on_board((penny("white", 0.15, 0.575, kind="white"),), 1.46),
    ),
    "late-end": (
        "9 discs lying singly, of which four move: the search for what is hit next",
        lambda: _on_board(_scattered_pennies(8), 1.6, pi / 2 - 0.016),
    ),
    "crowd": (
        "26 discs lying singly, of which five move: the same search among many",
        lambda: _on_board(_scattered_pennies(25), 1.6, pi / 2 - 0.008),
    ),
    "break-up": (
        "26 discs, 25 in a rack: chains of impacts, all move",
        lambda: _on_board(_rack(25, 0.15, 0.5), 3.0, pi / 2 + 0.01),
    ),
}


def sample_names() -> tuple[str, ...]:
    """Names of the samples with discs."""
    return tuple(_SAMPLES)


def all_sample_names() -> tuple[str, ...]:
    """Names of all samples, with those of other tables: a mat with a squidge, pyramids with a launch."""
    return (*_SAMPLES, *_OTHER_SAMPLES)


def sample_shot(name: str) -> tuple[Scene | PyramidScene, Flick | Squidge | Launch]:
    """Sample of any kind of table: a scene and an action in it.

    Raises:
        NameNotFound: no such sample; lists them.
    """
    if name in _OTHER_SAMPLES:
        return _OTHER_SAMPLES[name]()
    if name not in _SAMPLES:
        raise NameNotFound(f"no sample {name!r}; there are {', '.join(all_sample_names())}")
    return _SAMPLES[name][1]()


def sample_description(name: str) -> str:
    """Description of a sample: the load it puts on the simulation."""
    return _find_sample(name)[0]


def sample(name: str) -> tuple[Scene, Flick]:
    """Sample scene of discs by name, and a flick to play in it.

    Raises:
        NameNotFound: no such sample; lists them.
    """
    return _find_sample(name)[1]()


def _find_sample(name: str) -> tuple[str, Callable[[], tuple[Scene, Flick]]]:
    if name not in _SAMPLES:
        raise NameNotFound(f"no sample {name!r}; there are {', '.join(_SAMPLES)}")
    return _SAMPLES[name]
