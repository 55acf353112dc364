"""Random boards with coins and random flicks, to compare batches with single simulations."""

from math import atan2, cos, sin, sqrt

import numpy as np

from flicksim.core.geometry import Point, rectangle
from flicksim.engine import Settings, simulate
from flicksim.engine.batch import AT_REST, OFF_TABLE, DiscBatchResult
from flicksim.scene import Flick, Line, Piece, Scene, Surface, Trajectory

METALS, BOARDS = ("bronze", "steel", "zinc"), ("polished", "wood", "chalked", "slate")


def coin(name: str, at: Point, radius: float = 0.0102, mass: float = 0.0035, ring: float = 0.9, of: str = "") -> Piece:
    return Piece(id=name, kind="penny", x=at[0], y=at[1], radius=radius, mass=mass, ring=ring, material=of or "bronze")


def random_shot(rng: np.random.Generator) -> tuple[Scene, Flick, Settings]:
    """Coins scattered or in a touching rack, on a straight or a slanted board, of all materials and rings."""
    wide, long = rng.uniform(0.2, 0.5), rng.uniform(0.5, 1.0)
    slanted = ((0.0, 0.0), (wide, 0.1 * long), (1.1 * wide, long), (0.1 * wide, 0.9 * long))
    lines = (
        Line(name="across", a=(0.0, 0.4 * long), b=(wide, 0.4 * long)),
        Line(name="along", a=(0.5 * wide, 0.0), b=(0.5 * wide, long)),
    )
    surface = Surface(
        material=str(rng.choice(BOARDS)), lines=lines,
        outline=rectangle(wide, long) if rng.random() < 0.7 else slanted,
    )  # fmt: skip
    strewn = rack(rng, (0.5 * wide, 0.6 * long)) if rng.random() < 0.5 else scatter(rng, wide, long)
    shooter = coin("shooter", (0.5 * wide, 0.1 * long), of=str(rng.choice(METALS)))
    kept = [shooter]
    for one in strewn:
        if not Scene(surface=surface, pieces=(*kept, one)).problems():
            kept.append(one)
    target = kept[-1] if len(kept) > 1 else coin("nobody", (0.5 * wide, long))
    azimuth = atan2(target.y - shooter.y, target.x - shooter.x) + 0.01 * rng.standard_normal()
    flick = Flick(piece="shooter", speed=rng.uniform(0.3, 4.0), azimuth=azimuth, offset=rng.uniform(-0.8, 0.8))
    settings = Settings(gravity=rng.uniform(5.0, 15.0), nail_friction=rng.uniform(0.1, 0.6))
    return Scene(surface=surface, pieces=(*kept[1:], shooter)), flick, settings


def rack(rng: np.random.Generator, at: Point) -> list[Piece]:
    """Coins that touch, as nearly as numbers allow."""
    turn, many = rng.uniform(0.0, 6.0), int(rng.integers(2, 16))
    cells = [(i + 0.5 * (j % 2), j * sqrt(3.0) / 2.0) for i in range(4) for j in range(4)][:many]
    apart = 0.0204 * (1.0 + 1e-9)
    return [
        coin(
            f"rack-{k}",
            (at[0] + apart * (cos(turn) * a - sin(turn) * b), at[1] + apart * (sin(turn) * a + cos(turn) * b)),
        )
        for k, (a, b) in enumerate(cells)
    ]


def scatter(rng: np.random.Generator, wide: float, long: float) -> list[Piece]:
    """Coins of all sizes, masses, rings and metals."""
    return [
        coin(
            f"coin-{k}",
            (rng.uniform(0.0, wide), rng.uniform(0.2 * long, long)),
            radius=rng.uniform(0.008, 0.02),
            mass=rng.uniform(0.002, 0.01),
            ring=float(rng.choice([0.0, 0.5, 0.9, 1.0])),
            of=str(rng.choice(METALS)),
        )
        for k in range(int(rng.integers(2, 16)))
    ]


def max_difference(found: DiscBatchResult, shot: int, motion: Trajectory) -> float:
    """Greatest distance of a position from that of `simulate` [m]; inf where outcomes differ."""
    far = 0.0
    for column, name in enumerate(found.ids):
        if not motion.before.has(name):
            continue
        if motion.after.has(name) != (found.outcome[shot, column] == AT_REST):
            return float("inf")
        if found.outcome[shot, column] != OFF_TABLE:
            piece = motion.after.piece(name)
            x, y, _ = found.positions[shot, column]
            far = max(far, float(np.hypot(piece.x - x, piece.y - y)))
    return far


def is_chaotic(scene: Scene, flick: Flick, settings: Settings) -> bool:
    """True if a perturbation of a picometre moves a rest position by more than 10 nm."""
    piece = scene.piece(flick.piece)
    one = simulate(scene, flick, settings).after
    other = simulate(scene.with_piece_at(flick.piece, (piece.x + 1e-12, piece.y)), flick, settings).after
    if {p.id for p in one.pieces} != {p.id for p in other.pieces}:
        return True
    return any(np.hypot(p.x - other.piece(p.id).x, p.y - other.piece(p.id).y) > 1e-8 for p in one.pieces)
