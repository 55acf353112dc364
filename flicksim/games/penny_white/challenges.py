"""Challenges of Penny White: the white drawn to from near and far, an end won with the last penny."""

import tomllib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import cos, pi, sin
from pathlib import Path

import msgspec
import numpy as np

from flicksim.core.geometry import Point
from flicksim.core.random_streams import RandomStreams
from flicksim.core.serialization import from_json, read_bytes
from flicksim.core.units import mm, to_mm
from flicksim.games.penny_white import equipment as kit
from flicksim.games.penny_white import rules
from flicksim.games.penny_white.equipment import WHITE, Options
from flicksim.games.penny_white.purpose import TEMPLATES, describe_coin
from flicksim.games.penny_white.rollouts import resolve_removals
from flicksim.games.penny_white.state import SEATS, State, penny_id
from flicksim.referee import AttemptStatus, Challenge, CompletedAction, queries
from flicksim.referee import Puzzle as GenericPuzzle
from flicksim.scene import Flick, Piece, Scene

_HINT = "Hold your aim still for a second before you let go; a longer way needs only a little more strength."


def builtin() -> tuple[Challenge, ...]:
    """Return the challenges that come with the game, easiest first."""
    return (
        *(_draw_challenge(f"draw-{cm}", cm * 10, limit) for cm, limit in ((10, 5), (30, 15), (90, 40))),
        _nearest_of_challenge(5, within=5),
        _last_penny_challenge("last-penny", red=(150.0, 515.0), white=(150.0, 600.0)),
        _last_penny_challenge("round-the-guard", red=(165.0, 560.0), white=(180.0, 600.0)),
        _clear_challenge(),
        *(puzzle_challenge(number, puzzle) for number, puzzle in enumerate(load_puzzles(), 1)),
    )


def generate(rng: np.random.Generator, name: str) -> Challenge:
    """Generate a challenge: beat a red penny near a white at a random place."""
    x, y = int(rng.integers(90, 211)), int(rng.integers(450, 681))
    dx, dy = int(rng.integers(-45, 46)), int(rng.integers(35, 61))
    return _last_penny_challenge(name, red=(float(x + dx), float(y - dy)), white=(float(x), float(y)))


def _initial_state(options: Options, coins: dict[str, Point], left: tuple[int, int]) -> State:
    """Initial state: an end in progress, Blue to flick, from positions [mm] and pennies in hand by seat."""
    opening = rules.initial_state(options, 2, RandomStreams(seed=0))
    owners = {WHITE: None} | {penny_id(seat, n): seat for seat in range(2) for n in range(1, options.pennies + 1)}
    pieces = tuple(kit.coin(options, name, owners[name], (mm(x), mm(y))) for name, (x, y) in coins.items())
    return msgspec.structs.replace(
        opening, scene=Scene(surface=opening.scene.surface, pieces=pieces), starter=0, to_play=0, phase="penny",
        left=left,
    )  # fmt: skip


def _flick_count(turns: Sequence[CompletedAction]) -> int:
    return sum(isinstance(turn.made, Flick) for turn in turns)


def _nearest_blue_gap(scene: Scene) -> float | None:
    """Distance of the nearest blue penny from the white, edge to edge [mm]; None if either is off the board."""
    blue = [piece for piece in scene.pieces if piece.owner == 0]
    if not blue or not scene.has(WHITE):
        return None
    white = scene.piece(WHITE)
    gap = min(((piece.x - white.x) ** 2 + (piece.y - white.y) ** 2) ** 0.5 - 2.0 * piece.radius for piece in blue)
    return round(max(0.0, to_mm(gap)), 1)


def _draw_status(turns: Sequence[CompletedAction], within: float, flicks: int) -> AttemptStatus:
    """Status of a draw challenge, by the nearest penny."""
    if not turns:
        return AttemptStatus()
    scene = turns[-1].result.after if turns[-1].result is not None else turns[-1].after.scene
    gap, ended = _nearest_blue_gap(scene), _flick_count(turns) >= flicks
    if gap is None:
        return AttemptStatus(text="The white or your penny is off the board.", is_over=ended or not scene.has(WHITE))
    is_solved = gap <= within and (ended or flicks == 1)
    return AttemptStatus(text=f"{gap:g} mm from the white.", is_solved=is_solved, is_over=ended, measure=gap)


def _draw_challenge(name: str, distance: int, within: int) -> Challenge:
    """Challenge to draw one penny to a white at a distance [mm]."""
    options = Options(pennies=1, ends=1, board_mm=(300.0, max(800.0, distance + 350.0)))
    start = to_mm(kit.start_spot(options)[1])
    diameter = 2.0 * to_mm(kit.radius(options))
    return Challenge(
        name=name, title=f"Draw from {distance // 10} cm", group="Drawing",
        goal=f"Bring your penny to rest within {within} mm of the white, which lies {distance // 10} cm off.",
        hint=_HINT, options=options, seats=2, unit="mm",
        initial_state=lambda: _initial_state(options, {WHITE: (150.0, start + diameter + distance)}, (1, 0)),
        judge=lambda turns: _draw_status(turns, within, 1),
    )  # fmt: skip


def _nearest_of_challenge(pennies: int, within: int) -> Challenge:
    options = Options(pennies=pennies, ends=1)
    return Challenge(
        name=f"nearest-of-{pennies}", title=f"Nearest of {pennies}", group="Drawing",
        goal=f"Flick {pennies} pennies; the nearest must end within {within} mm of the white.",
        hint="Short ones are no loss: the next can push them on.", options=options, seats=2, unit="mm",
        initial_state=lambda: _initial_state(options, {WHITE: (150.0, 600.0)}, (pennies, 0)),
        judge=lambda turns: _draw_status(turns, within, pennies),
    )  # fmt: skip


def _last_penny_challenge(name: str, *, red: Point, white: Point) -> Challenge:
    """Challenge to win an end with the last penny against a red one near the white. Positions are in mm."""
    options = Options(pennies=1, ends=1)

    def judge(turns: Sequence[CompletedAction]) -> AttemptStatus:
        if not turns or not _flick_count(turns):
            return AttemptStatus()
        after = turns[-1].after
        ended = after.phase in ("over", "remove")
        blue, red = resolve_removals(after).scores
        if ended and blue == red:
            return AttemptStatus(text="Nobody takes the end.", is_over=True)
        return AttemptStatus(
            text="You take the end." if blue > red else "Red keeps the end.", is_solved=blue > red, is_over=ended
        )

    straight = abs(red[0] - white[0]) < 5.0
    return Challenge(
        name=name, title="The last penny" if straight else "Round the guard", group="Ends",
        goal="Red lies near the white and you have one penny: take the end.",
        hint="Draw past it or push it away. If it goes off, Red may take your penny off too; the white must stay on.",
        options=options, seats=2, judge=judge,
        initial_state=lambda: _initial_state(options, {WHITE: white, penny_id(1, 1): red}, (1, 0)),
    )  # fmt: skip


def _clear_challenge() -> Challenge:
    """Challenge to knock a red penny off the board."""
    options = Options(pennies=1, ends=1)
    red = penny_id(1, 1)

    def judge(turns: Sequence[CompletedAction]) -> AttemptStatus:
        if not _flick_count(turns):
            return AttemptStatus()
        scene = turns[-1].result.after if turns[-1].result is not None else turns[-1].after.scene
        is_solved = not scene.has(red) and scene.has(WHITE)
        text = (
            "Red is off, and the white is still there." if is_solved else "Red or the white is not where it should be."
        )
        return AttemptStatus(text=text, is_solved=is_solved, is_over=True)

    def policy(state: State, rng: np.random.Generator) -> Flick:
        del state, rng
        return Flick(piece=penny_id(0, 1), start=(mm(190.0), kit.start_spot(options)[1]), azimuth=pi / 2.0, speed=2.8)

    return Challenge(
        name="clear-the-board", title="Clear the board", group="Ends",
        goal="Knock the red penny off the board and leave the white on it.",
        hint="Aim at the side of the penny that looks away from the white, and flick hard.",
        options=options, seats=2, judge=judge, policy=policy,
        initial_state=lambda: _initial_state(options, {WHITE: (110.0, 620.0), red: (190.0, 700.0)}, (1, 0)),
    )  # fmt: skip


FILE = Path(__file__).with_name("puzzles.json")
_TITLES = tomllib.loads(FILE.with_name("puzzle_titles.toml").read_text(encoding="utf-8"))["titles"]
"""Titles of the puzzles."""

Puzzle = GenericPuzzle[State, Flick]
"""Position with its best flick."""


@lru_cache(maxsize=1)
def load_puzzles() -> tuple[Puzzle, ...]:
    """Load the puzzles that come with the game, easiest first.

    They are last pennies from games of one end (`flicksim puzzles penny-white -o ends=1`). Each was verified by four
    searches of 30,000 and 40,000 shots, which found no other idea within .08 of its win probability; both probabilities
    are from 4,800 rollouts.
    """
    return from_json(read_bytes(FILE), tuple[Puzzle, ...])


def puzzle_challenge(number: int, puzzle: Puzzle) -> Challenge:
    """Convert a puzzle to a challenge, solved by winning the end."""
    seat, who = puzzle.seat, SEATS[puzzle.seat]

    def judge(turns: Sequence[CompletedAction]) -> AttemptStatus:
        if not turns:
            return AttemptStatus()
        scores = resolve_removals(turns[-1].after).scores
        if scores[seat] == scores[1 - seat]:
            return AttemptStatus(text="Nobody takes the end.", is_over=True)
        winner = SEATS[seat if scores[seat] > scores[1 - seat] else 1 - seat]
        return AttemptStatus(text=f"{winner} takes the end.", is_solved=winner == who, is_over=True)

    return puzzle.to_challenge(
        f"puzzle-{number}",
        _TITLES[number - 1],
        f"{who} has the last penny: find the flick that takes the end.",
        2,
        judge,
        idea=" ".join((f"The idea: {puzzle.idea}.", *_way(puzzle))),
    )


_NEAR = 4.0
"""Distance of a coin from the way of another at which it is passed closely [radii]."""


def _way(puzzle: Puzzle) -> Iterator[str]:
    """Sentences about the way of a penny that is to lie near the white, and about the penny to be beaten."""
    flick, scene = puzzle.solution, puzzle.state.scene
    if puzzle.idea not in (TEMPLATES["draw"], TEMPLATES["near"]) or not scene.has(WHITE) or flick.start is None:
        return
    radius = kit.radius(puzzle.state.options)
    yield _path_description(scene, flick.start, flick.azimuth, radius)
    gaps = {coin.id: queries.centre_distance(scene, coin.id, WHITE) for coin in scene.pieces if coin.id != WHITE}
    nearest = min(gaps, key=lambda name: gaps[name], default="")
    if nearest and scene.piece(nearest).owner != puzzle.seat:
        gap = round(to_mm(gaps[nearest] - 2.0 * radius))
        yield f"{describe_coin(nearest)} is to be beaten, {gap} mm from the white."


def _path_description(scene: Scene, start: Point, azimuth: float, radius: float) -> str:
    """Describe what coins of this radius [m] a penny strikes or passes closely on its way to the white."""
    (x, y), (c, s) = start, (cos(azimuth), sin(azimuth))

    def along_and_aside(coin: Piece) -> tuple[float, float]:
        return (coin.x - x) * c + (coin.y - y) * s, (coin.y - y) * c - (coin.x - x) * s

    end, side = along_and_aside(scene.piece(WHITE))
    passed = [
        (along, aside, describe_coin(coin.id))
        for coin in scene.pieces
        if coin.id != WHITE
        for along, aside in (along_and_aside(coin),)
        if 0.0 < along < end and abs(aside) < _NEAR * radius
    ]
    struck = min((one for one in passed if abs(one[1]) < 2.0 * radius), default=None)
    left = min((one[1:] for one in passed if one[1] > 0.0), default=None)
    right = max((one[1:] for one in passed if one[1] < 0.0), default=None)
    if struck is not None:
        return f"It strikes {struck[2]} on its way."
    if left is not None and right is not None:
        return f"It runs between {left[1]} and {right[1]}."
    if (beside := left or right) is not None:
        return f"It runs close past {beside[1]}."
    if abs(side) < radius:
        return "Its way is free, straight at the white."
    return f"Its way is free, to the {'left' if side < 0.0 else 'right'} of the white."
