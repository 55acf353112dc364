"""Cost of a squidge by the winks on the mat: `python -m benchmarks.squidge_costs [--repeats N] [--results FOLDER]`.

The same shots with 2 to 24 winks on the mat, of which as many move. Only this process's time counts.
"""

import time
from collections.abc import Sequence
from math import atan2, cos, hypot, inf, pi, radians, sin

import numpy as np

from benchmarks import command_line, csv_results
from flicksim.ai import GRADES
from flicksim.engine import simulate, simulate_batch
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.equipment import Options
from flicksim.scene.ballistics import launch_speed_to_reach
from flicksim.scene.flick import Squidge
from flicksim.scene.piece import Piece
from flicksim.scene.scene import Scene
from flicksim.scene.wink_stacking import place_piece

_OPTIONS = Options()


def crowded_mat() -> Scene:
    """24 winks in play about the pot: most lie singly, some in piles of two and three."""
    pieces: list[Piece] = []
    for k, name in enumerate(kit.WINKS):
        distance, azimuth = 0.09 + 0.011 * k, 2.4 * k
        at = (distance * cos(azimuth), distance * sin(azimuth))
        if k % 6 == 5:
            at = (pieces[-1].x + 0.009, pieces[-1].y)
        pieces.append(place_piece(pieces, kit.wink(_OPTIONS, name), at))
    return Scene(surface=kit.mat_surface(_OPTIONS), pieces=tuple(pieces))


def _lob_shot(scene: Scene, name: str, to: tuple[float, float], height: float, elevation: float) -> Squidge:
    """A shot that comes down there."""
    piece = scene.piece(name)
    way = hypot(to[0] - piece.x, to[1] - piece.y)
    azimuth = atan2(to[1] - piece.y, to[0] - piece.x)
    return Squidge(
        piece=name, speed=launch_speed_to_reach(piece, way, height, elevation), azimuth=azimuth, elevation=elevation
    )


def shots(scene: Scene) -> dict[str, Squidge]:
    """A pot, a squop of the nearest wink, and a break-up: hard and low into a pile."""
    shooter = scene.piece("blue-3")
    neighbour = min(
        (p for p in scene.pieces if p.id != shooter.id), key=lambda p: hypot(p.x - shooter.x, p.y - shooter.y)
    )
    pile = next(p for p in scene.pieces if p.lies_on)
    azimuth = atan2(pile.y - shooter.y, pile.x - shooter.x)
    return {
        "pot": _lob_shot(scene, "blue-3", (0.0, 0.0), kit.POT_HEIGHT, radians(60.0)),
        "squop": _lob_shot(scene, "blue-3", neighbour.position, 0.002, radians(56.0)),
        "break-up": Squidge(piece="blue-3", speed=3.5, azimuth=azimuth, elevation=radians(12.0)),
    }


COUNTS = (2, 6, 12, 24)
"""Winks on the mats of `lying_costs`."""
_BATCH, _SINGLE = 100, 20


def lying_mat(count: int) -> Scene:
    """A wink, another 6 cm beside it, and so many in all; the others lie singly, far from both."""
    pieces: list[Piece] = []
    for k, name in enumerate(kit.WINKS[:count]):
        at = (-0.3 - 0.06 * k, 0.0) if k < 2 else (0.15 + 0.06 * ((k - 2) % 6), 0.06 * ((k - 2) // 6) - 0.2)
        pieces.append(place_piece(pieces, kit.wink(_OPTIONS, name), at))
    return Scene(surface=kit.mat_surface(_OPTIONS), pieces=tuple(pieces)).validated()


def lying_shots(scene: Scene) -> dict[str, list[Squidge]]:
    """Shots of its first wink, by a club hand: one that touches no other, and one that knocks the second away."""
    name, rng = scene.pieces[0].id, np.random.default_rng(1)
    meant = {
        "alone": Squidge(piece=name, speed=0.8, azimuth=pi / 2.0, elevation=radians(50.0)),
        "into another": Squidge(piece=name, speed=1.5, azimuth=pi, elevation=radians(12.0)),
    }
    return {what: [GRADES["club"].execute(one, rng) for _ in range(_BATCH)] for what, one in meant.items()}


def lying_costs(repeats: int) -> list[tuple[str, int, float, float, float, float, float]]:
    """Cost of a shot by the number of winks on the mat: kind, winks, mean number that moved, microseconds in a batch
    and one by one, and both as multiples of those with the fewest winks.

    The least of the repeats, which go round the mats: they are compared with one another.
    """
    mats = {count: lying_mat(count) for count in COUNTS}
    rows: list[tuple[str, int, float, float, float, float, float]] = []
    for what in lying_shots(mats[COUNTS[0]]):
        flicks = {count: lying_shots(mat)[what] for count, mat in mats.items()}
        moved = {count: float(simulate_batch(mats[count], flicks[count]).moved.sum(axis=1).mean()) for count in COUNTS}
        batch, single = dict.fromkeys(COUNTS, inf), dict.fromkeys(COUNTS, inf)
        for _ in range(repeats):
            for count, mat in mats.items():
                begin = time.process_time()
                simulate_batch(mat, flicks[count])
                middle = time.process_time()
                for one in flicks[count][:_SINGLE]:
                    simulate(mat, one)
                batch[count] = min(batch[count], (middle - begin) / _BATCH * 1e6)
                single[count] = min(single[count], (time.process_time() - middle) / _SINGLE * 1e6)
        fewest = COUNTS[0]
        rows += [
            (what, n, moved[n], batch[n], single[n], batch[n] / batch[fewest], single[n] / single[fewest])
            for n in COUNTS
        ]
    return rows


def main(argv: Sequence[str] | None = None) -> None:
    """Measure, print, and write a CSV."""
    parser = command_line.parser("squidge_costs", __doc__, repeats=10, results=command_line.RESULTS)
    args = parser.parse_args(argv)
    names = ("shot", "winks", "moved", "batch_us", "single_us", "batch_ratio", "single_ratio")
    rows = lying_costs(args.repeats)
    shown = ((what, count, *(f"{number:.4g}" for number in numbers)) for what, count, *numbers in rows)
    command_line.show_table(names, shown, "the same shots with more winks lying")
    csv_results.write_lines(args.results / "lying.csv", names, rows)


if __name__ == "__main__":
    main()
