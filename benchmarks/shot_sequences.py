"""Trials in which a shot begins with what the one before it left: coins along slanted edges, winks about pots of any
shape.

`python -m benchmarks.shot_sequences [--shots N] [--seed S] [--jobs J] [--only NUMBER]`. Each try is a table of its own,
played on for a few shots; whatever they leave must be a scene that can lie so, word for word as it is written down.
"""

from collections.abc import Sequence
from math import atan2, cos, pi, sin

import numpy as np

from benchmarks import command_line
from benchmarks.trial_report import TrialReport
from flicksim.core.geometry import Point
from flicksim.core.random_streams import RandomStreams
from flicksim.core.serialization import from_json, to_json
from flicksim.engine import simulate
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.equipment import Options
from flicksim.scene import Flick, Piece, Pot, Scene, Squidge, Surface
from flicksim.scene.wink_stacking import place_flat

_SHOTS_PER_TABLE = 4
"""Shots of a table, one after another."""
Shot = Flick | Squidge


def board(rng: np.random.Generator) -> Scene:
    """A board of any shape, with a coin whose centre is on its edge."""
    corners, turn = int(rng.integers(3, 8)), float(rng.uniform(0.0, 2.0 * pi))
    outline = regular_polygon(0.3, corners, turn)
    a, b = outline[-1], outline[0]
    part = float(rng.uniform(0.2, 0.8))
    surface = Surface(material="polished", outline=outline)
    x, y = surface.round_inside((a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1])))
    coin = Piece(id="coin", kind="penny", x=x, y=y, radius=0.01, mass=0.003, material="bronze", ring=0.9)
    return Scene(surface=surface, pieces=(coin,))


def shots_along_edge(rng: np.random.Generator, scene: Scene) -> Shot:
    """A flick along the edge the coin is on."""
    a, b = scene.surface.outline[-1], scene.surface.outline[0]
    azimuth = atan2(b[1] - a[1], b[0] - a[0])
    return Flick(
        piece="coin", speed=float(rng.uniform(0.05, 0.3)), azimuth=azimuth if rng.random() < 0.5 else _back(azimuth)
    )


def mat(rng: np.random.Generator) -> Scene:
    """A mat with a pot of any shape and a few winks about it."""
    top, base = (float(one) for one in rng.uniform(0.012, 0.05, 2))
    height = float(rng.uniform(0.003, 0.08))
    floor = float(rng.uniform(0.0, 0.8)) * height if rng.random() < 0.5 else min(0.0015, height / 2.0)
    wall = float(rng.uniform(0.0005, 0.006))
    pot = Pot(height=height, top_radius=top, base_radius=base, wall=wall, material="pot", floor=floor)
    edge = regular_polygon(0.4, int(rng.integers(3, 8)), float(rng.uniform(0.0, 2.0 * pi)))
    scene, options = Scene(surface=Surface(material="felt", outline=edge, pot=pot)), Options()
    for name in kit.WINKS[: int(rng.integers(1, 5))]:
        wink, azimuth = kit.wink(options, name, (0.0, 0.0)), float(rng.uniform(-pi, pi))
        distance = max(top, base) + wink.radius + float(rng.uniform(0.0005, 0.08))
        more = scene.with_piece(place_flat(wink, (distance * cos(azimuth), distance * sin(azimuth))))
        scene = scene if more.problems() else more
    return scene


def shots_at_pot(rng: np.random.Generator, scene: Scene) -> Shot:
    """A squidge at the pot, of a wink that is not in it, if there is one."""
    free = [piece for piece in scene.pieces if piece.support != "pot"] or list(scene.pieces)
    piece = free[int(rng.integers(len(free)))]
    azimuth = float(np.clip(atan2(-piece.y, -piece.x) + rng.normal(0.0, 0.15), -pi, pi))
    return Squidge(
        piece=piece.id, speed=float(rng.uniform(0.3, 2.0)), azimuth=azimuth, elevation=float(rng.uniform(0.3, 1.4)),
        tumble=float(rng.uniform(0.0, 80.0)),
    )  # fmt: skip


TRIAL_KINDS = {"coins along an edge": (board, shots_along_edge), "winks and any pot": (mat, shots_at_pot)}


def regular_polygon(radius: float, corners: int, turn: float) -> tuple[Point, ...]:
    azimuths = [turn + 2.0 * pi * k / corners for k in range(corners)]
    return tuple((radius * cos(azimuth), radius * sin(azimuth)) for azimuth in azimuths)


def _back(azimuth: float) -> float:
    return azimuth - pi if azimuth > 0.0 else azimuth + pi


def run_trials(seed: int, numbers: Sequence[int]) -> TrialReport:
    """The tables of these numbers."""
    found = TrialReport()
    for number in numbers:
        rng = RandomStreams(seed=seed).spawn("again", number).generator()
        row = list(TRIAL_KINDS)[number % len(TRIAL_KINDS)]
        placed, shot = TRIAL_KINDS[row]
        scene = placed(rng)
        found.count(row, "tables")
        for _ in range(_SHOTS_PER_TABLE):
            if not scene.pieces:
                break
            scene = from_json(to_json(simulate(scene, shot(rng, scene)).after), Scene)
            found.count(row, "shots")
            if wrong := scene.problems():
                found.find(row, wrong[0], f"python -m benchmarks.shot_sequences --seed {seed} --only {number}")
                break
    return found


def main(argv: Sequence[str] | None = None) -> int:
    """The command."""
    return command_line.run_trials("shot_sequences", __doc__, argv, "Shot upon shot", run_trials, shots=1000)


if __name__ == "__main__":
    raise SystemExit(main())
