"""Challenges of tiddlywinks: pots from near and far, a squop, the longest jump, all twenty-four."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from math import atan2, cos, hypot, pi, sin
from pathlib import Path
from typing import Literal

import numpy as np

from flicksim.core.geometry import Point
from flicksim.core.serialization import from_json, read_bytes
from flicksim.core.type_aliases import Unchecked
from flicksim.core.units import deg2rad, mm, to_mm
from flicksim.games.tiddlywinks import bot, scoring
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.equipment import Options
from flicksim.games.tiddlywinks.squops import Squops
from flicksim.games.tiddlywinks.state import Book, State
from flicksim.referee import AttemptStatus, Challenge, CompletedAction
from flicksim.referee import Puzzle as GenericPuzzle
from flicksim.scene import Landed, Scene, Squidge, Trajectory, launch_speed_to_reach

_Judge = Callable[[Sequence[CompletedAction]], AttemptStatus]
_OPTIONS = Options(stop_when_decided=False)
_SMALL, _LARGE, _TARGET = "blue-3", "blue-1", "green-1"
_ALL_SPOTS = (mm(110.0), mm(150.0))
"""Distances from the pot of the winks to be potted, alternating [m]."""
_ROW = (3, 5, 6)
"""Pots in a row that are required, and that earn two and three stars."""
_MAX_SHOTS = 96
"""Number of shots after which an attempt is over."""
_SQUOP_ELEVATION, _LANDING_FRACTION = deg2rad(56.0), 0.91
"""Elevation of a squop shot [rad], and its landing distance as a fraction of the distance to the target."""


def builtin() -> tuple[Challenge, ...]:
    """Return the challenges that come with the game, easiest first."""
    return (
        *(_pot_challenge(f"pot-{cm}", mm(cm * 10.0)) for cm in (10, 30, 90)),
        _squop_challenge("squop-10", mm(100.0)), _squop_challenge("squop-30", mm(300.0)),
        _six_challenge(), _jump_challenge(), _all_challenge(),
        *(puzzle_challenge(number, puzzle) for number, puzzle in enumerate(load_puzzles(), 1)),
    )  # fmt: skip


def generate(rng: np.random.Generator, name: str) -> Challenge:
    """Generate a challenge: a pot or a squop from a random place."""
    kind, distance_cm, turn = int(rng.integers(2)), int(rng.integers(8, 46)), int(rng.integers(360))
    if kind:
        return _squop_challenge(name, mm(10.0 * min(distance_cm, 35)))
    size: Literal["small", "large"] = "large" if rng.integers(2) else "small"
    return _pot_challenge(name, mm(10.0 * distance_cm), turn=deg2rad(float(turn)), size=size)


def _initial_state(positions: dict[str, Point]) -> State:
    """Initial state: Blue to shoot, with these winks on the mat [m]; Blue's other winks are potted, the rest are behind
    their lines."""
    options = _OPTIONS
    potted = tuple(wink for wink in kit.winks_of(0) if wink not in positions)
    behind = tuple(wink for wink in kit.WINKS if wink not in positions and wink not in potted)
    pieces = (kit.wink(options, name, positions.get(name)) for name in kit.WINKS if name not in potted)
    book = Book(phase="shot", to_play=0, turn=0, opener=0, behind=behind, potted=potted)
    scene = Scene(surface=kit.mat_surface(options), pieces=kit.in_order(tuple(pieces)))
    return State(options=options, scene=scene, book=book)


def _point_at_distance(distance: float, turn: float | None = None) -> Point:
    """Point at a distance from the pot, towards Blue's corner by default [m]."""
    a, b = _OPTIONS.mat_size_mm
    bearing = atan2(b, a) if turn is None else turn
    return (round(distance * cos(bearing), 6), round(distance * sin(bearing), 6))


def _shot_count(turns: Sequence[CompletedAction]) -> int:
    return sum(isinstance(turn.made, Squidge) for turn in turns)


def _challenge(
    name: str, title: str, group: str, goal: str, hint: str, positions: dict[str, Point], judge: _Judge,
    **more: Unchecked,
) -> Challenge:  # fmt: skip
    """Challenge with these winks on the mat [m]."""
    return Challenge(
        name=name, title=title, group=group, goal=goal, hint=hint, options=_OPTIONS, seats=4, judge=judge,
        initial_state=lambda: _initial_state(positions), **more,
    )  # fmt: skip


def _judge_one_shot(is_reached: Callable[[State], bool], solved: str, failed: str) -> _Judge:
    """Judge by the state after one shot, with the text of a solved and of a failed attempt."""

    def judge(turns: Sequence[CompletedAction]) -> AttemptStatus:
        if not _shot_count(turns):
            return AttemptStatus()
        is_solved = is_reached(turns[-1].after)
        return AttemptStatus(text=solved if is_solved else failed, is_solved=is_solved, is_over=True)

    return judge


def _pot_challenge(
    name: str, distance: float, turn: float | None = None, size: Literal["small", "large"] = "small"
) -> Challenge:
    wink, cm = _SMALL if size == "small" else _LARGE, round(to_mm(distance) / 10.0)
    return _challenge(
        name, f"Pot from {cm} cm", "Potting", f"Pot a {size} wink that lies {cm} cm from the pot.",
        "Near the pot go steeply up; from far away half as steep, and hold still before you let go.",
        {wink: _point_at_distance(distance, turn)},
        _judge_one_shot(
            lambda after: wink in after.book.potted, "It is in the pot.", "It is not in the pot."
        ),
    )  # fmt: skip


def _squop_challenge(name: str, distance: float) -> Challenge:
    target = _point_at_distance(mm(120.0))
    own = _point_at_distance(mm(120.0) + distance)

    def policy(state: State, rng: np.random.Generator) -> Squidge:
        del rng
        speed = launch_speed_to_reach(
            state.scene.piece(_LARGE), _LANDING_FRACTION * distance, mm(2.0), _SQUOP_ELEVATION
        )
        azimuth = atan2(target[1] - own[1], target[0] - own[0])
        return Squidge(piece=_LARGE, speed=speed, azimuth=azimuth, elevation=_SQUOP_ELEVATION)

    cm = round(to_mm(distance) / 10.0)
    return _challenge(
        name, f"Squop from {cm} cm", "Squopping",
        f"Land your large wink on the green one, {cm} cm away, and stay there.",
        "Come down a little short of its middle; a wink that lands flat slides on.", {_LARGE: own, _TARGET: target},
        _judge_one_shot(
            lambda after: Squops(after.scene, after.book).is_squopped(_TARGET), "It covers the green wink.",
            "The green wink is free.",
        ),
        policy=policy, target=_TARGET,
    )  # fmt: skip


def _ring(winks: Sequence[str]) -> dict[str, Point]:
    """Places of winks round the pot, at alternating distances [m]."""
    return {
        name: _point_at_distance(_ALL_SPOTS[k % 2], 2.0 * pi * k / len(winks)) for k, name in enumerate(winks)
    }  # fmt: skip


def _potted_count(turns: Sequence[CompletedAction]) -> int:
    """Number of winks potted since the start of an attempt."""
    return len(turns[-1].after.book.potted) - len(turns[0].before.book.potted) if turns else 0


def _six_challenge() -> Challenge:
    def judge(turns: Sequence[CompletedAction]) -> AttemptStatus:
        if not _shot_count(turns):
            return AttemptStatus()
        potted, ended = _potted_count(turns), turns[-1].after.to_play != 0
        is_solved = ended and potted >= _ROW[0]
        return AttemptStatus(
            text=f"{potted} in a row.", is_solved=is_solved, is_over=ended, measure=float(potted) if ended else None
        )

    one, two, three = _ROW
    return _challenge(
        "six-in-a-row", "Pots in a row", "In a row",
        f"Six winks lie round the pot. Pot {one} or more without a miss: {two} for two stars, {three} for three.",
        "Whoever pots shoots again. The near ones need a steep shot.", _ring(kit.winks_of(0)), judge, unit="winks",
        objective="more", star_thresholds=(float(three), float(two)),
    )  # fmt: skip


def _all_challenge() -> Challenge:
    count = len(kit.WINKS)

    def judge(turns: Sequence[CompletedAction]) -> AttemptStatus:
        shots, potted = _shot_count(turns), _potted_count(turns)
        is_solved = turns[-1].after.to_play is None if turns else False
        text = f"{potted} of {count} potted with {shots} shot{'' if shots == 1 else 's'}." if shots else ""
        return AttemptStatus(
            text=text, is_solved=is_solved, is_over=is_solved or shots >= _MAX_SHOTS,
            measure=float(shots) if is_solved else None,
        )  # fmt: skip

    return _challenge(
        "twenty-four", "Twenty-four winks", "In a row",
        "Play all four colours until three of them are potted, in as few shots as you can; the clock runs.",
        "Whoever pots shoots again; do not cover what is still to be potted.", _ring(kit.WINKS), judge, unit="shots",
        star_thresholds=(32.0, 44.0),
    )  # fmt: skip


_JUMP_START = (-0.8, -0.36)
"""Start of the longest jump [m]: in a corner, so that the wink can cross the mat."""
_JUMP = (1.0, 1.2, 1.4)
"""Length required of the jump, and lengths that earn two and three stars [m]."""


def _jump_challenge() -> Challenge:
    def judge(turns: Sequence[CompletedAction]) -> AttemptStatus:
        if not _shot_count(turns):
            return AttemptStatus()
        trajectory = turns[-1].result
        assert isinstance(trajectory, Trajectory)
        landed = next((e for e in trajectory.events if isinstance(e, Landed) and e.piece == _SMALL), None)
        if landed is None or not trajectory.after.has(_SMALL):
            return AttemptStatus(text="It went off the mat.", is_over=True)
        distance = round(hypot(landed.point[0] - _JUMP_START[0], landed.point[1] - _JUMP_START[1]) * 100.0, 1)
        is_solved = distance >= 100.0 * _JUMP[0]
        return AttemptStatus(text=f"It jumped {distance:g} cm.", is_solved=is_solved, is_over=True, measure=distance)

    def policy(state: State, rng: np.random.Generator) -> Squidge:
        del rng
        piece, distance = state.scene.piece(_SMALL), _JUMP[1]
        elevation = deg2rad(45.0)
        azimuth = atan2(-_JUMP_START[1], -_JUMP_START[0]) - deg2rad(8.0)  # past the pot
        speed = launch_speed_to_reach(piece, distance, mm(2.0), elevation)
        return Squidge(piece=_SMALL, speed=speed, azimuth=azimuth, elevation=elevation)

    two, three = (round(100.0 * distance) for distance in _JUMP[1:])
    return _challenge(
        "longest-jump", "The longest jump", "Jumping",
        f"Jump a metre or more and stay on the mat: {two} cm for two stars, {three} cm for three.",
        "Half-way up goes farthest; past the pot there is most room.", {_SMALL: _JUMP_START}, judge, policy=policy,
        unit="cm", objective="more", star_thresholds=(float(three), float(two)),
    )  # fmt: skip


FILE = Path(__file__).with_name("puzzles.json")
Puzzle = GenericPuzzle[State, Squidge]
"""Position with its best squidge."""


@lru_cache(maxsize=1)
def load_puzzles() -> tuple[Puzzle, ...]:
    """Load the puzzles that come with the game, easiest first.

    They are positions of games whose time limit was set to their clock (`python -m benchmarks.puzzle_search
    tiddlywinks`), two of short games (`flicksim puzzles tiddlywinks -o time_limit_s=90 -o rounds=0`). The win
    probability of a solution is from 1,600 rollouts, that of the next best idea from 300 or more.
    """
    return from_json(read_bytes(FILE), tuple[Puzzle, ...])


def puzzle_challenge(number: int, puzzle: Puzzle) -> Challenge:
    """Convert a puzzle to a challenge, solved by winning the game."""
    pair, who = kit.pair_of(puzzle.seat), kit.SEATS[puzzle.seat]

    def judge(turns: Sequence[CompletedAction]) -> AttemptStatus:
        if not turns or turns[-1].after.to_play is not None:
            return AttemptStatus()
        points = scoring.pair_points(turns[-1].after.book.points)
        if points[0] == points[1]:
            return AttemptStatus(text="The pairs are level.", is_over=True)
        is_solved = (points[0] > points[1]) == (pair == 0)
        return AttemptStatus(
            text=f"{kit.PAIRS[pair if is_solved else 1 - pair]} win.", is_solved=is_solved, is_over=True
        )

    return puzzle.to_challenge(
        f"last-turn-{number}", f"{kit.SEATS[puzzle.seat]} to play at {':'.join(map(str, _points_before(puzzle)))}",
        f"{who} has the last turn of the game: find the shot that wins it.", 4, judge,
        continuation=lambda state, rng: bot.candidates(state, rng, 1)[0],  # a pot brings an extra shot (TW-7d)
        idea=" ".join((f"The idea: {puzzle.idea}.", *_effect(puzzle))),
    )  # fmt: skip


def _effect(puzzle: Puzzle) -> Iterator[str]:
    """Sentences that tell what the solution changes."""
    before, after = _points_before(puzzle), puzzle.points_after
    risen, fallen = dict[int, list[str]](), list[str]()
    for own, other in _overtaken(puzzle):
        is_level, names = after[own] == after[other], (kit.SEATS[own], kit.SEATS[other])
        if after[own] > before[own]:
            risen.setdefault(own, []).append(f"{'level with' if is_level else 'ahead of'} {names[1]}")
        else:
            fallen.append(f"{names[1]} falls to {after[other]}, {'level with' if is_level else 'behind'} {names[0]}.")
    for own, ranks in risen.items():
        yield f"{kit.SEATS[own]} comes to {after[own]}, {' and '.join(ranks)}."
    yield from fallen
    if after:
        yield f"{kit.PAIRS[kit.pair_of(puzzle.seat)]} win."


def _overtaken(puzzle: Puzzle) -> list[tuple[int, int]]:
    """Seats of the pair with the opposing seats against which their order improves, those of the seat to play first."""
    before, after, pair = _points_before(puzzle), puzzle.points_after, kit.pair_of(puzzle.seat)
    if not after:
        return []
    return [
        (own, other)
        for own in (puzzle.seat, (puzzle.seat + 2) % 4)
        for other in range(4)
        if kit.pair_of(other) != pair and _sign(after[own] - after[other]) > _sign(before[own] - before[other])
    ]


def _points_before(puzzle: Puzzle) -> tuple[int, int, int, int]:
    return scoring.time_limit_points(puzzle.state.options, puzzle.state.scene, puzzle.state.book)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
