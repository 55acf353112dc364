"""Estimate probabilities of tiddlywinks shots by distance and execution noise, and the positions after misses.

`python -m benchmarks.shot_probabilities` writes the table that bots play their games out by, in their heads, into the
game's folder, with its seed and the hash of its rows. The shots are aimed as bots aim them.
"""

from collections.abc import Sequence
from math import hypot, pi

import numpy as np

from benchmarks import command_line
from flicksim.ai import GRADES, ExecutionNoise
from flicksim.core.arrays import Bools, Floats
from flicksim.core.atomic_files import write_atomic
from flicksim.core.random_streams import RandomStreams
from flicksim.core.serialization import fingerprint, to_json
from flicksim.engine import Settings, Squidges, WinkBatchResult
from flicksim.engine.batch import AT_REST, simulate_mats
from flicksim.games.tiddlywinks import candidate_shots, shot_chances
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.equipment import Options
from flicksim.games.tiddlywinks.shot_chances import MISSES_PER_CELL, ShotChances
from flicksim.scene import Scene

POTS = (0.032, 0.036, 0.04, 0.044, 0.048, 0.054, 0.065, 0.085, 0.11, 0.15, 0.2, 0.27, 0.36, 0.48, 0.64, 0.93)
SQUOPS = (0.02, 0.03, 0.045, 0.065, 0.095, 0.14, 0.2, 0.3, 0.45)
SKIMS = (0.03, 0.06, 0.12, 0.25, 0.5, 0.85)
"""Ways of pots, squops and skims [m]."""
_KINDS = (("red-1", "green-1"), ("red-3", "green-3"))
"""A wink of either size to play, and one to be covered: large ones, then small ones."""
_THERE = (0.3, 0.0)
"""The place of the wink to be covered, and the end of skims [m]."""


def count_outcomes(
    scene: Scene,
    shot: tuple[float, float],
    hand: ExecutionNoise,
    shots: int,
    rng: np.random.Generator,
    tumble: float = 0.0,
) -> tuple[WinkBatchResult, int]:
    """So many shots of a hand at the first wink of a mat, meant along the x axis inwards, with a backspin [rad/s]; and
    its column."""
    elevation, speed = shot
    meant = [np.full(shots, value) for value in (speed, pi, elevation, tumble)]
    executed = hand.execute_squidges(rng.standard_normal((shots, 4)), *meant)
    columns = dict(zip(("speed", "azimuth", "elevation", "tumble"), executed, strict=True))
    made = Squidges(piece=scene.pieces[0].id, **columns)
    settled = simulate_mats([scene], made, [Settings(max_flight_time=1.5)], on_error="mark", checked=True)
    return settled, settled.column(scene.pieces[0].id)


def row(settled: WinkBatchResult, column: int, good: Bools, to: tuple[float, float]) -> tuple[float, Floats]:
    """The share that did what was meant, and of the others some, evenly over how far they lie: x back along the shot
    and y aside of the aim; far away where they left the mat."""
    at = settled.positions[:, column, :2] - to
    fair = settled.error == ""
    at[(settled.outcome[:, column] != AT_REST) | ~np.isfinite(at).all(axis=1)] = shot_chances.OFF_MAT
    missed = at[fair & ~good]
    if not len(missed):
        missed = np.zeros((1, 2))
    missed = missed[np.argsort(np.hypot(missed[:, 0], missed[:, 1]), kind="stable")]
    kept = missed[((np.arange(MISSES_PER_CELL) + 0.5) / MISSES_PER_CELL * len(missed)).astype(int)]
    return float(good[fair].mean()), kept


def table(shots: int, seed: int) -> ShotChances:
    """All of it."""
    options = Options()
    hands, seeds = list(GRADES.values()), RandomStreams(seed=seed)
    pot_p, pot_miss = np.zeros((4, 2, len(POTS))), np.zeros((4, 2, len(POTS), MISSES_PER_CELL, 2))
    squop_p, squop_miss = np.zeros((4, 2, 2, len(SQUOPS))), np.zeros((4, 2, 2, len(SQUOPS), MISSES_PER_CELL, 2))
    skim_rest = np.zeros((4, 2, len(SKIMS), MISSES_PER_CELL, 2))
    for k, hand in enumerate(hands):
        for size, (own, _) in enumerate(_KINDS):
            for d, way in enumerate(POTS):
                rng = seeds.spawn("pot", k, size, d).generator()
                scene = Scene(surface=kit.mat_surface(options), pieces=(kit.wink(options, own, (way, 0.0)),))
                elevation, _ = candidate_shots.pot_elevations(way)
                shot = candidate_shots.lob_elevation_and_speed(
                    scene.pieces[0], way, kit.POT_HEIGHT, elevation, candidate_shots.BACKSPIN
                )
                settled, column = count_outcomes(scene, shot, hand, shots, rng, candidate_shots.BACKSPIN)
                pot_p[k, size, d], pot_miss[k, size, d] = row(settled, column, settled.potted, (0.0, 0.0))
            for d, way in enumerate(SKIMS):
                rng = seeds.spawn("skim", k, size, d).generator()
                scene = Scene(
                    surface=kit.mat_surface(options), pieces=(kit.wink(options, own, (_THERE[0] + way, _THERE[1])),)
                )
                shot = (candidate_shots.SLIDE_ELEVATION, candidate_shots.slide_speed(scene.pieces[0], way))
                settled, column = count_outcomes(scene, shot, hand, shots, rng, candidate_shots.BACKSPIN)
                _, skim_rest[k, size, d] = row(settled, column, np.zeros(shots, np.bool_), _THERE)
            for other, (_, enemy) in enumerate(_KINDS):
                for d, way in enumerate(SQUOPS):
                    rng = seeds.spawn("squop", k, size, other, d).generator()
                    under = kit.wink(options, enemy, _THERE)
                    piece = kit.wink(options, own, (_THERE[0] + way, _THERE[1]))
                    if hypot(piece.x - under.x, piece.y - under.y) < piece.radius + under.radius + 1e-4:
                        squop_p[k, size, other, d] = np.nan
                        continue
                    scene = Scene(surface=kit.mat_surface(options), pieces=(piece, under))
                    short, tumble = candidate_shots.squop_aim_offset(way), candidate_shots.squop_tumble(way)
                    aim, elevation = max(way - short, 0.1 * way), candidate_shots.SQUOP_ELEVATIONS[0]
                    shot = candidate_shots.lob_elevation_and_speed(
                        piece, aim, candidate_shots.LANDING_HEIGHT, elevation, tumble
                    )
                    settled, column = count_outcomes(scene, shot, hand, shots, rng, tumble)
                    below = settled.column(enemy)
                    gap = settled.positions[:, column, :2] - settled.positions[:, below, :2]
                    covers = settled.lies_on[:, column, below] | (
                        (np.hypot(gap[:, 0], gap[:, 1]) < piece.radius + under.radius)
                        & (settled.positions[:, column, 2] > settled.positions[:, below, 2] + 2e-4)
                    )
                    squop_p[k, size, other, d], squop_miss[k, size, other, d] = row(settled, column, covers, _THERE)
    for k in range(4):  # too near to lie side by side: as from a little farther
        for size in range(2):
            for other in range(2):
                for d in range(len(SQUOPS) - 2, -1, -1):
                    if np.isnan(squop_p[k, size, other, d]):
                        squop_p[k, size, other, d] = squop_p[k, size, other, d + 1]
                        squop_miss[k, size, other, d] = squop_miss[k, size, other, d + 1]
    return ShotChances(
        seed=seed, shots=shots, hands=tuple(hand.speed for hand in hands), pots=POTS, squops=SQUOPS, skims=SKIMS,
        pot=plain(pot_p, 4), pot_miss=plain(pot_miss, 3), squop=plain(squop_p, 4), squop_miss=plain(squop_miss, 3),
        skim=plain(skim_rest, 3),
    )  # fmt: skip


def plain(numbers: Floats, digits: int) -> tuple[float, ...]:
    """Numbers one after another, rounded."""
    return tuple(np.round(numbers, digits).ravel().tolist())


def main(argv: Sequence[str] | None = None) -> int:
    """The command."""
    args = command_line.parser("shot_probabilities", __doc__, shots=600, seed=1, out=shot_chances.FILE).parse_args(argv)
    result = table(args.shots, args.seed)
    write_atomic(args.out, to_json(result))
    print(f"{fingerprint(result)}  {args.out.name}, {args.shots} shots a cell, seed {args.seed}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
