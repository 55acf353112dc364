"""Costs of a squidge among 24 winks: `python -m benchmarks.squidge_costs [--repeats N] [--results FOLDER]`.

Pot, squop and break-up shots settled to rest; the bare question whether a shot is potted; a club bot's choice;
each also against bare steps of a plane world of 24 discs, so that machines can be compared. Then the cost of the same
shots with 2 to 24 winks on the mat, of which as many move: `--lying` measures that alone. Only this process's time
counts.
"""

import time
from collections.abc import Callable, Sequence
from math import atan2, cos, hypot, inf, pi, radians, sin
from pathlib import Path
from typing import Any

import numpy as np
import pymunk

from benchmarks import command_line, csv_results
from flicksim.ai import GRADES, LookaheadPlayer
from flicksim.engine import Settings, simulate, simulate_batch
from flicksim.engine.squidge_motion import squidge_motion
from flicksim.engine.wink_scenes import cup_geometry, wink_params, wink_states
from flicksim.engine.winks import Until, simulate_winks
from flicksim.games import load
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks import legal_actions
from flicksim.games.tiddlywinks.equipment import Options
from flicksim.games.tiddlywinks.state import Book, State
from flicksim.match.game_model import GameModel, PhysicsSimulator
from flicksim.match.match_factory import lookahead_config_of
from flicksim.scene.ballistics import launch_speed_to_reach
from flicksim.scene.flick import Squidge
from flicksim.scene.piece import Piece
from flicksim.scene.scene import Scene
from flicksim.scene.wink_stacking import place_piece

_OPTIONS = Options()
BARE_STEPS = 20


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


def lob_shot(scene: Scene, name: str, to: tuple[float, float], height: float, elevation: float) -> Squidge:
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
        "pot": lob_shot(scene, "blue-3", (0.0, 0.0), kit.POT_HEIGHT, radians(60.0)),
        "squop": lob_shot(scene, "blue-3", neighbour.position, 0.002, radians(56.0)),
        "break-up": Squidge(piece="blue-3", speed=3.5, azimuth=azimuth, elevation=radians(12.0)),
    }


def time_once(what: Callable[[], object], repeats: int) -> tuple[float, float]:
    """Median and 95th percentile of this process's time [ms]."""
    what()
    spent = []
    for _ in range(repeats):
        begin = time.process_time_ns()
        what()
        spent.append((time.process_time_ns() - begin) / 1e6)
    return float(np.median(spent)), float(np.percentile(spent, 95))


def pymunk_steps(scene: Scene) -> Callable[[], object]:
    """Bare steps of a plane world of the same discs, one of them moving."""
    space = pymunk.Space()
    for k, piece in enumerate(scene.pieces):
        body = pymunk.Body(piece.mass, pymunk.moment_for_circle(piece.mass, 0.0, piece.radius))
        body.position = (0.05 * (k % 6), 0.05 * (k // 6))
        space.add(body, pymunk.Circle(body, piece.radius))
    return steps_of(space, 1e-3)


def steps_of(space: pymunk.Space, dt: float) -> Callable[[], object]:
    """`BARE_STEPS` steps of a world, one of whose bodies moves."""
    next(iter(space.bodies)).velocity = (0.01, 0.0)

    def steps() -> None:
        for _ in range(BARE_STEPS):
            space.step(dt)

    return steps


def noisy_shots(squidge: Squidge) -> Callable[[], Squidge]:
    """The shot as a club hand makes it, another each time."""
    rng = np.random.default_rng(1)
    return lambda: GRADES["club"].execute(squidge, rng)


def pot_outcome(scene: Scene, squidge: Callable[[], Squidge], settings: Settings) -> Callable[[], object]:
    """Potted or not, build included."""
    names = [p.id for p in scene.pieces]

    def ask() -> Any:
        flick = squidge()
        first = names.index(flick.piece)
        winks = wink_states(scene).with_motion(first, *squidge_motion(scene.pieces[first], (0.0, 0.0, 1.0), flick))
        return simulate_winks(
            winks, wink_params(scene, settings), cup_geometry(scene.surface.pot), shooter=first,
            outline=np.array(scene.surface.outline), t_max=settings.max_flight_time, until=Until.DECIDED,
        ).potted  # fmt: skip

    return ask


def bot_choice(scene: Scene) -> Callable[[], object]:
    """A club bot's choice with all 24 in play."""
    game = load("tiddlywinks")
    book = Book(phase="shot", to_play=0, turn=0, opener=0, behind=())
    state = State(options=_OPTIONS, scene=scene, book=book)
    player = LookaheadPlayer(GameModel(game, PhysicsSimulator()), 0, GRADES["club"], lookahead_config_of(game, "club"))
    choices, rng = legal_actions.legal_actions(state), np.random.default_rng(1)
    return lambda: player.choose(state, choices, rng)


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


def report_lying(repeats: int, results: Path) -> None:
    """Measure `lying_costs`, print them and write a CSV."""
    names = ("shot", "winks", "moved", "batch_us", "single_us", "batch_ratio", "single_ratio")
    rows = lying_costs(repeats)
    shown = ((what, count, *(f"{number:.4g}" for number in numbers)) for what, count, *numbers in rows)
    command_line.show_table(names, shown, "the same shots with more winks lying")
    csv_results.write_lines(results / "lying.csv", names, rows)


def main(argv: Sequence[str] | None = None) -> None:
    """Measure, print, and write a CSV."""
    args = command_line.parser(
        "squidge_costs", __doc__, repeats=100, lying=False, results=command_line.RESULTS
    ).parse_args(argv)
    report_lying(max(2, args.repeats // 10), args.results)
    if args.lying:
        return
    scene, settings = crowded_mat().validated(), Settings()
    step = time_once(pymunk_steps(scene), args.repeats)[0] / BARE_STEPS
    rows: list[tuple[str, float, float, float, float]] = []

    def add(what: str, call: Callable[[], object], repeats: int) -> None:
        median, p95 = time_once(call, repeats)
        rows.append((what, median, p95, 1000.0 / median, median / step))

    for name, squidge in shots(scene).items():
        make = noisy_shots(squidge)
        add(f"{name} to rest", lambda make=make: simulate(scene, make(), settings), args.repeats)  # type: ignore[misc]
    add("potted or not", pot_outcome(scene, noisy_shots(shots(scene)["pot"]), settings), args.repeats)
    distance = scene.with_piece_at("blue-3", (0.0, 0.44))
    add(
        "potted or not, 44 cm",
        pot_outcome(distance, noisy_shots(lob_shot(distance, "blue-3", (0.0, 0.0), kit.POT_HEIGHT, pi / 4)), settings),
        args.repeats,
    )
    add("a club bot's choice", bot_choice(scene), max(3, args.repeats // 20))
    headings = ("what", "median ms", "p95 ms", "a second", "bare steps")
    shown = ((w, f"{median:.3f}", f"{p95:.3f}", f"{rate:.0f}", f"{ratio:.0f}") for w, median, p95, rate, ratio in rows)
    command_line.show_table(headings, shown, "24 winks on the mat")
    print(f"a bare step of 24 discs: {step * 1000:.2f} us")
    names = ("what", "median_ms", "p95_ms", "per_second", "bare_steps")
    csv_results.write_lines(args.results / "winks.csv", names, rows)


if __name__ == "__main__":
    main()
