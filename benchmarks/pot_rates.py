"""Pot rates by grade of execution noise and distance: a check of the physics against human players.

`python -m benchmarks.pot_rates [--shots N] [--base MM]` takes, for every grade and distance, the best of some
elevations and backspins, and counts fresh shots of it. World class from 3 ft should be about 57 % (12 in 21, Kahn
1978), a beginner there under 15 %, a club player from 10 cm above 80 %.
"""

from collections.abc import Sequence
from math import pi, radians

import numpy as np

from benchmarks import command_line, csv_results
from flicksim.ai import GRADES, ExecutionNoise
from flicksim.engine import simulate_batch
from flicksim.games.tiddlywinks import candidate_shots
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.equipment import Options
from flicksim.match.series import wilson_interval
from flicksim.scene.ballistics import launch_speed_to_reach
from flicksim.scene.flick import Squidge
from flicksim.scene.scene import Scene

DISTANCES = (0.10, 0.20, 0.30, 0.457, 0.60, 0.914)
"""From a wink's middle to the pot's [m]; 0.457 is 18 in, 0.914 is 3 ft."""
_CANDIDATE_SHOTS = 60


def shot(options: Options, wink: str, distance: float, elevation: float, tumble: float) -> tuple[Scene, Squidge]:
    """A wink so far from the pot, and the squidge that is to bring it in."""
    piece = kit.wink(options, wink, (distance, 0.0))
    scene = Scene(surface=kit.mat_surface(options), pieces=(piece,))
    steep = candidate_shots.clearing_elevation(distance, kit.POT_HEIGHT, elevation)
    speed = launch_speed_to_reach(piece, distance, kit.POT_HEIGHT, steep, tumble)
    return scene, Squidge(piece=wink, speed=speed, azimuth=pi, elevation=steep, tumble=tumble)


def count_potted(scene: Scene, meant: Squidge, hand: ExecutionNoise, shots: int, seed: int) -> int:
    """Number of pots in so many shots of a hand."""
    rng = np.random.default_rng(seed)
    squidges = [hand.execute(meant, rng) for _ in range(shots)]
    return int(simulate_batch(scene, squidges, until="decided").potted.sum())


def best_shot(options: Options, wink: str, distance: float, hand: ExecutionNoise) -> tuple[float, float]:
    """Elevation and backspin that pot most of a few trial shots."""
    steep = (45, 50, 55, 60) if distance > 0.25 else (55, 60, 65, 70)
    launches = [(radians(e), spin) for e in steep for spin in (0.0, 60.0)]
    return max(
        launches, key=lambda launch: count_potted(*shot(options, wink, distance, *launch), hand, _CANDIDATE_SHOTS, 1)
    )


def main(argv: Sequence[str] | None = None) -> None:
    """Count, print, and write a CSV."""
    base = Options().pot_base_diameter_mm
    parser = command_line.parser(
        "pot_rates", __doc__, shots=400, base=base, wink="blue-3", results=command_line.RESULTS
    )
    parser.add_argument("--distance", type=float, action="append", help="from the pot's middle [m]")
    args = parser.parse_args(argv)
    options = Options(pot_base_diameter_mm=args.base)
    kind = kit.kind_of(args.wink)
    rows, shown = [], []
    for distance in args.distance or DISTANCES:
        cells = []
        for name, hand in GRADES.items():
            elevation, spin = best_shot(options, args.wink, distance, hand)
            count = count_potted(*shot(options, args.wink, distance, elevation, spin), hand, args.shots, 2)
            rate = count / args.shots
            low, high = wilson_interval(rate, args.shots)
            degrees = round(elevation * 180.0 / pi)
            cells.append(f"{rate:.2f} ({low:.2f} to {high:.2f}) at {degrees}°, {spin:g} rad/s")
            rows.append((kind, args.base, distance, name, degrees, spin, args.shots, count, rate, low, high))
        shown.append((f"{distance:.3f} m", *cells))
    title = f"potted, {kind} wink, pot's base {args.base:g} mm, {args.shots} shots"
    command_line.show_table(("distance", *GRADES), shown, title, 160)
    names = ("wink", "base_mm", "distance_m", "grade", "elevation_deg", "backspin_rad_s", "shots", "potted",
             "rate", "low", "high")  # fmt: skip
    csv_results.write_lines(args.results / f"pots-{kind}-{args.base:g}.csv", names, rows)


if __name__ == "__main__":
    main()
