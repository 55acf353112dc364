"""Random boards of Penny White, random flicks on them, and invariants of the results."""

from collections.abc import Iterator
from math import cos, hypot, pi, sin
from typing import Any, Literal

import numpy as np

from flicksim.engine import Settings
from flicksim.engine.initial_motion import flick_velocity
from flicksim.engine.planar_world import PlanarWorld
from flicksim.games.penny_white import equipment as kit
from flicksim.scene import CameToRest, Flick, LeftSurface, Scene, Trajectory
from flicksim.scene.flick import MAX_SPEED

_BOARDS: tuple[Literal["polished", "wood", "chalked", "slate"], ...] = ("polished", "wood", "chalked", "slate")
_COINS: tuple[Literal["1p_bronze", "1p_steel", "old_penny", "us_cent", "2p"], ...] = (
    "1p_bronze", "1p_steel", "old_penny", "us_cent", "2p",
)  # fmt: skip
_OVERLAP_TOLERANCE = 2e-5
"""Pieces that glide by one another overlap in the account by less, between its knots [m]."""
_OVERLAP_CHECKS = 60
"""Moments of a motion at which pieces are held against one another."""


def position(rng: np.random.Generator) -> Scene:
    """A board of any make, a coin to be flicked, and others anywhere, many of them touching or at the edge."""
    options = kit.Options(
        board=_BOARDS[int(rng.integers(4))], coin=_COINS[int(rng.integers(5))],
        pennies=int(rng.integers(1, 13)),
    )  # fmt: skip
    size, (wide, long) = kit.radius(options), (side / 1000.0 for side in options.board_mm)
    places = [kit.start_spot(options)]
    for _ in range(int(rng.integers(1, 2 * options.pennies + 1))):
        x, y = float(rng.uniform(0.0, wide)), float(rng.uniform(0.0, long))
        how = rng.random()
        if how < 0.5 and len(places) > 1:  # touching another
            neighbour, azimuth = places[int(rng.integers(1, len(places)))], rng.uniform(0.0, 2.0 * pi)
            x, y = neighbour[0] + 2.0 * size * cos(azimuth), neighbour[1] + 2.0 * size * sin(azimuth)
        elif how < 0.6:  # about to fall
            x = float(rng.choice([1e-9, wide - 1e-9]))
        if 0.0 <= x <= wide and 0.0 <= y <= long and all(hypot(x - a, y - b) >= 2.0 * size for a, b in places):
            places.append((x, y))
    names = ("first", *(f"penny-{k}" for k in range(len(places))))
    coins = [kit.coin(options, name, None, at) for name, at in zip(names, places, strict=False)]
    return Scene(surface=kit.board(options), pieces=tuple(coins))


def flick(rng: np.random.Generator, scene: Scene) -> Flick:
    """Any flick a hand can make, mostly one that meets something."""
    pieces = scene.pieces
    piece = pieces[0] if rng.random() < 0.9 else pieces[int(rng.integers(len(pieces)))]
    aim = pieces[int(rng.integers(len(pieces)))]
    azimuth = float(rng.uniform(-pi, pi))
    if aim is not piece and rng.random() < 0.8:
        azimuth = float(np.arctan2(aim.y - piece.y, aim.x - piece.x) + rng.normal(0.0, 0.03))
    hard = rng.uniform(0.05, 3.0) if rng.random() < 0.7 else MAX_SPEED ** rng.uniform(0.3, 1.0)
    return Flick(piece=piece.id, speed=float(hard), azimuth=azimuth, offset=float(rng.uniform(-0.95, 0.95)))


class _CheckedWorld(PlanarWorld):
    """A world that notes the largest rise of its energy, as a share of what there was."""

    gain = 0.0
    _had = float("inf")

    def step_to_next_event(self) -> None:
        """Go on, and look at the energy."""
        super().step_to_next_event()
        now = self.energy()
        if now > 0.0:
            self.gain = max(self.gain, now / self._had - 1.0)
        self._had = now if now > 0.0 else float("inf")


def simulate_checked(scene: Scene, shot: Any) -> tuple[Trajectory, Iterator[str]]:
    """Make the shot; return the motion and what is wrong with it."""
    world = _CheckedWorld(scene.validated(), Settings())
    index = next(i for i, piece in enumerate(scene.pieces) if piece.id == shot.piece)
    world.set_velocity(index, *flick_velocity(scene.pieces[index], shot, world.settings.nail_friction))
    world.run()
    motion = world.to_trajectory(shot)
    return motion, _problems(motion, world.gain)


def _problems(motion: Trajectory, gain: float) -> Iterator[str]:
    if gain > 1e-12:
        yield f"energy rose by {gain:.3g} of itself"
    yield from unexplained_events(motion)
    states = motion.tracks.states
    if not np.isfinite(states[0]).all() or np.isinf(states).any():
        yield "a track is not finite"
    yield from motion.after.problems()
    radii = np.array([piece.radius for piece in motion.before.pieces])
    reach = radii[:, None] + radii[None, :]
    np.fill_diagonal(reach, -np.inf)
    for t in np.linspace(0.0, motion.duration, _OVERLAP_CHECKS):
        at = motion.tracks.poses_at(float(t))[:, :2]
        deep = np.nan_to_num(reach - np.linalg.norm(at[:, None] - at[None, :], axis=-1), nan=-1.0).max(initial=-1.0)
        if deep > _OVERLAP_TOLERANCE:
            yield f"two pieces overlap by {deep * 1e6:.1f} um at {t:.4f} s"
            return


def unexplained_events(motion: Trajectory) -> Iterator[str]:
    """Pieces that are nowhere, events out of order, and pieces that lie where they did not come to rest."""
    if not motion.settled:
        yield "it is said not to have settled"
    times = [event.t for event in motion.events]
    if times != sorted(times) or not all(0.0 <= t <= motion.duration for t in times):
        yield "its events are not in order, or not within its duration"
    gone = {event.piece for event in motion.events if isinstance(event, LeftSurface)}
    missing = {piece.id for piece in motion.before.pieces} - gone - {piece.id for piece in motion.after.pieces}
    if missing:
        yield f"{', '.join(sorted(missing))} neither left nor lies anywhere"
    at_rest = {event.piece: event.point for event in motion.events if isinstance(event, CameToRest)}
    for piece in motion.after.pieces:
        if piece.id in gone:
            yield f"{piece.id} left and lies there all the same"
        was = motion.before.piece(piece.id)
        x, y = at_rest.get(piece.id, was.position)
        if hypot(piece.x - x, piece.y - y) > 2e-6:
            yield f"{piece.id} is told to rest elsewhere than it lies"
