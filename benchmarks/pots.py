"""Share of pots of a hand of each grade, by distance: the check of the physics against human scale.

`python -m benchmarks.pots [--shots N] [--base MM]` takes, for every grade and distance, the best of some elevations and
backspins, and counts fresh shots of it. World class from 3 ft should be about 57 % (12 in 21, Kahn 1978), a beginner
there under 15 %, a club player from 10 cm above 80 %.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from math import pi, radians
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks import sheet
from flicksim.games.tiddlywinks import aim
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.options import Options
from flicksim.physics import Settings
from flicksim.physics.flight import Until, fly
from flicksim.physics.squidge import cup_of, params_of, winks_of
from flicksim.physics.strike import squidged
from flicksim.play.series import wilson
from flicksim.players import GRADES, Hand
from flicksim.table.ballistics import speed_to
from flicksim.table.flick import Squidge
from flicksim.table.scene import Scene

DISTANCES = (0.10, 0.20, 0.30, 0.457, 0.60, 0.914)
"""From a wink's middle to the pot's [m]; 0.457 is 18 in, 0.914 is 3 ft."""
_TRIED = 60
_FLAT = (0.0, 0.0, 1.0)


def shot(options: Options, wink: str, distance: float, elevation: float, tumble: float) -> tuple[Scene, Squidge]:
    """A wink so far from the pot, and the squidge that is to bring it in."""
    piece = kit.wink(options, wink, (distance, 0.0))
    scene = Scene(surface=kit.mat(options), pieces=(piece,))
    steep = aim.steep_enough(distance, kit.POT_HEIGHT, elevation)
    speed = speed_to(piece, distance, kit.POT_HEIGHT, steep, tumble)
    return scene, Squidge(piece=wink, speed=speed, azimuth=pi, elevation=steep, tumble=tumble)


def potted(scene: Scene, meant: Squidge, hand: Hand, shots: int, seed: int) -> int:
    """Number of pots in so many shots of a hand."""
    rng, settings, piece = np.random.default_rng(seed), Settings(), scene.pieces[0]
    params, cup, edge = params_of(scene, settings), cup_of(scene.surface.pot), np.array(scene.surface.outline)
    lying = winks_of(scene)
    count = 0
    for _ in range(shots):
        motion = lying.moved(0, *squidged(piece, _FLAT, hand.make(meant, rng)))
        end = fly(motion, params, cup, shooter=0, edge=edge, t_max=settings.max_flight, until=Until.VERDICT)
        count += bool(end.potted)
    return count


def best(options: Options, wink: str, distance: float, hand: Hand) -> tuple[float, float]:
    """Elevation and backspin that pot most of a few trial shots."""
    steep = (45, 50, 55, 60) if distance > 0.25 else (55, 60, 65, 70)
    ways = [(radians(e), spin) for e in steep for spin in (0.0, 60.0)]
    return max(ways, key=lambda way: potted(*shot(options, wink, distance, *way), hand, _TRIED, 1))


def main(words: Sequence[str] | None = None) -> None:
    """Count, print, and write a CSV."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pots", description=__doc__)
    parser.add_argument("--shots", type=int, default=400)
    parser.add_argument("--base", type=float, default=Options().pot_base_diameter_mm, help="pot's base diameter [mm]")
    parser.add_argument("--wink", default="blue-3", help="blue-1 is large, blue-3 small")
    parser.add_argument("--distance", type=float, action="append", help="from the pot's middle [m]")
    parser.add_argument("--results", type=Path, default=Path(__file__).parent / "results")
    given = parser.parse_args(words)
    options = Options(pot_base_diameter_mm=given.base)
    kind = kit.kind_of(given.wink)
    table = Table("distance", *GRADES, title=f"potted, {kind} wink, pot's base {given.base:g} mm, {given.shots} shots")
    rows = []
    for distance in given.distance or DISTANCES:
        cells = []
        for name, hand in GRADES.items():
            elevation, spin = best(options, given.wink, distance, hand)
            count = potted(*shot(options, given.wink, distance, elevation, spin), hand, given.shots, 2)
            rate = count / given.shots
            low, high = wilson(rate, given.shots)
            degrees = round(elevation * 180.0 / pi)
            cells.append(f"{rate:.2f} ({low:.2f} to {high:.2f}) at {degrees}°, {spin:g} rad/s")
            rows.append((kind, given.base, distance, name, degrees, spin, given.shots, count, rate, low, high))
        table.add_row(f"{distance:.3f} m", *cells)
    Console(width=160).print(table)
    names = ("wink", "base_mm", "distance_m", "grade", "elevation_deg", "backspin_rad_s", "shots", "potted",
             "rate", "low", "high")  # fmt: skip
    sheet.write_lines(given.results / f"pots-{kind}-{given.base:g}.csv", names, rows)


if __name__ == "__main__":
    main()
