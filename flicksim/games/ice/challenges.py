"""Challenges of Ice Tiddly Winks: make pyramids of each size stand, score with a few of them, win with the last one."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import msgspec
import numpy as np

from flicksim.core.random_streams import RandomStreams
from flicksim.core.serialization import from_json, read_bytes
from flicksim.core.units import deg2rad, mm, to_degrees, to_mm
from flicksim.games.ice import bot, rules
from flicksim.games.ice.aiming import KNOWN_LAUNCHES, carry_for
from flicksim.games.ice.purpose import TEMPLATES, describe
from flicksim.games.ice.scoring import TableCount
from flicksim.games.ice.state import State
from flicksim.games.ice.table_layout import SEATS, Options, missile_id, owner_of
from flicksim.referee import AttemptStatus, Challenge, CompletedAction
from flicksim.referee import Puzzle as GenericPuzzle
from flicksim.scene import SIZES, Launch, Size, VolleyTrajectory


def builtin() -> tuple[Challenge, ...]:
    """Return the challenges that come with the game, easiest first."""
    return (
        _standing_challenge("stand-small", {"small": 5}, 1), _standing_challenge("stand-medium", {"medium": 5}, 1),
        _standing_challenge("stand-large", {"large": 4}, 1), _standing_challenge("stand-two", {"small": 5}, 2),
        _points_challenge("five-points", {"small": 3, "medium": 3}, 5),
        *(puzzle_challenge(number, puzzle) for number, puzzle in enumerate(load_puzzles(), 1)),
    )  # fmt: skip


def generate(rng: np.random.Generator, name: str) -> Challenge:
    """Generate a challenge: score a number of points with a few missiles."""
    counts = {size: int(rng.integers(1, 4)) for size in SIZES}
    total_pips = sum(count * (k + 1) for k, count in enumerate(counts.values()))
    return _points_challenge(name, counts, max(2, (total_pips + 2) // 4))


def _initial_state(counts: dict[Size, int]) -> State:
    """Initial state: an empty table and one player with a number of missiles of each size."""
    opening = rules.initial_state(Options(), 1, RandomStreams(seed=0))
    hand = tuple(missile_id(0, size, n) for size in SIZES for n in range(1, counts.get(size, 0) + 1))
    return msgspec.structs.replace(opening, hands=(hand,), started=True)


def _attempt_status(turns: Sequence[CompletedAction], missiles: int, goal: int, *, points: bool) -> AttemptStatus:
    launches = sum(len(turn.result.trajectories) for turn in turns if isinstance(turn.result, VolleyTrajectory))
    if not launches:
        return AttemptStatus()
    table = TableCount(turns[-1].after)
    standing, counted = table.standing_count(0), table.seat_points(0)
    is_solved = (counted if points else standing) >= goal
    left = max(0, missiles - launches)
    count = f"{counted} point{'' if counted == 1 else 's'}" if points else f"{standing} standing"
    text = f"{count}, {left} to launch." if left else f"{count}."
    is_over = is_solved or not left or turns[-1].after.final is not None
    measure = float(launches) if is_solved else None
    return AttemptStatus(text=text, is_solved=is_solved, is_over=is_over, measure=measure)


_RETURNED_NOTE = "A missile that is handed back counts as launched."


def _launch_hint(size: Size) -> str:
    """Initial aim: a known launch of the highest grade."""
    known = KNOWN_LAUNCHES["world"][size][0]
    return (
        f"To begin with: {known.speed:.2f} m/s, {to_degrees(known.slant):.0f}° up, "
        f"nail at {to_mm(known.height):.0f} mm, lifted {to_mm(known.lift):.0f} mm. {_RETURNED_NOTE}"
    )


def _standing_challenge(name: str, counts: dict[Size, int], goal: int) -> Challenge:
    ((size, missiles),) = counts.items()
    pieces_text = f"{'one' if goal == 1 else 'two'} of {missiles} {size} pyramids"
    return Challenge(
        name=name, title=f"Stand {pieces_text.split(' of')[0]} {size}", group="Standing",
        goal=f"Make {pieces_text} stand upright on the table.", hint=_launch_hint(size), options=Options(), seats=1,
        unit="launches", star_thresholds=(float(goal), float(goal + 2)), initial_state=lambda: _initial_state(counts),
        judge=lambda turns: _attempt_status(turns, missiles, goal, points=False),
    )  # fmt: skip


def _points_challenge(name: str, counts: dict[Size, int], goal: int) -> Challenge:
    missiles = sum(counts.values())
    listed = ", ".join(f"{count} {size}" for size, count in counts.items())
    return Challenge(
        name=name,
        title=f"{goal} points",
        group="Points",
        goal=f"Make {goal} points with {missiles} missiles: {listed}. Small counts one, medium two, large three.",
        hint=f"Keep the larger ones for last: what is launched late has less to survive. {_RETURNED_NOTE}",
        options=Options(),
        seats=1,
        unit="launches",
        star_thresholds=(float(max(2, missiles // 2)), missiles - 1.0),
        initial_state=lambda: _initial_state(counts),
        judge=lambda turns: _attempt_status(turns, missiles, goal, points=True),
    )


FILE = Path(__file__).with_name("puzzles.json")

Puzzle = GenericPuzzle[State, Launch]
"""Position with its best launch."""


@lru_cache(maxsize=1)
def load_puzzles() -> tuple[Puzzle, ...]:
    """Load the puzzles that come with the game, easiest first.

    They are positions of games of which all other missiles have left (`python -m benchmarks.puzzle_search ice`), two of
    whole games (`flicksim puzzles ice`), with the execution noise of world class, but one of an expert and one of a
    club player. In some, standing is not enough: a double of the opponent must fall. The win probability of a
    solution is from 1,600 rollouts, in which a returned missile is launched again (ITW-5g), that of the next best idea
    from 300 or more.
    """
    return from_json(read_bytes(FILE), tuple[Puzzle, ...])


_SHORT, _LONG, _STEEP = mm(150.0), mm(260.0), deg2rad(70.0)
"""Longest carry of a short launch, and shortest of a long one [m]; smallest elevation of a steep one [rad]."""


def manner(launch: Launch) -> str:
    """Describe how a launch flies."""
    carry = carry_for(launch.size, launch.slant, launch.speed)
    far = "just over the line" if carry < _SHORT else "far out" if carry > _LONG else "half-way to the middle"
    return f"{'steeply up' if launch.slant > _STEEP else 'flat'}, {far}"


def puzzle_challenge(number: int, puzzle: Puzzle) -> Challenge:
    """Convert a puzzle to a challenge, solved by winning the game alone."""
    who, points = SEATS[puzzle.seat], rules.provisional_points(puzzle.state)
    best_opponent = max(opposing for seat, opposing in enumerate(points) if seat != puzzle.seat)

    def judge(turns: Sequence[CompletedAction]) -> AttemptStatus:
        if not turns:
            return AttemptStatus()
        after = turns[-1].after
        assert isinstance(after, State)
        if after.final is None:
            return AttemptStatus(text="It is handed back: launch it again." if after.hands[puzzle.seat] else "")
        counted = ", ".join(f"{SEATS[seat]}: {points}" for seat, points in enumerate(after.final))
        return AttemptStatus(text=f"{counted}.", is_solved=rules.leaders(after) == (puzzle.seat,), is_over=True)

    deficit, size, own = best_opponent - points[puzzle.seat], puzzle.solution.size, points[puzzle.seat]
    stays_off = " What is knocked off the table stays off." if puzzle.state.options.knock_off == "lost" else ""
    ideas = [f"The idea: {puzzle.idea}.", f"Launch it {manner(puzzle.solution)}."]
    if puzzle.idea == TEMPLATES["stand"]:
        ideas.append(f"{who} then has {own + 1 + SIZES.index(size)}, and wins.")
    count = TableCount(puzzle.state)
    for name in puzzle.state.committed:
        if puzzle.idea == describe("knock_over", (name,)):
            other = owner_of(name)
            ideas.append(f"Without it {SEATS[other]} has {points[other] - count.points(name)}, and {who} wins.")
    return puzzle.to_challenge(
        f"last-missile-{number}",
        f"{who}, {f'{deficit} behind' if deficit else 'level'} with a {size} one, {own} to {best_opponent}",
        f"{who} has the last missile and stands {own} to {best_opponent}: find the launch that wins. "
        f"Coming out level is not enough.{stays_off}", puzzle.state.seats, judge,
        continuation=lambda state, rng: bot.candidates(state, rng, 1)[0], idea=" ".join(ideas),
    )  # fmt: skip
