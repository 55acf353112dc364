"""Candidate flicks for batches of Penny White ends: random generation, variation and evaluation by a value function."""

from collections.abc import Callable
from math import pi

import numpy as np
import numpy.typing as npt

from flicksim.core.arrays import Bools, Floats, Ints
from flicksim.core.units import deg2rad, mm
from flicksim.games.penny_white.batch_ends import EndBatch, EndSimulator
from flicksim.games.penny_white.value_table import GAINS, MAX_POINTS
from flicksim.scene import MAX_SPEED

Flicks = tuple[Floats, Floats, Floats]
"""Starts [m], speeds [m/s] and azimuths [rad] of the candidates of every end. [S, P, 2], [S, P], [S, P]"""
ValueFunction = Callable[[EndBatch], npt.NDArray[np.floating]]
"""Probability of each gain of the player to flick, for unfinished ends. [S, gains]"""

_DRAW_SHARE, _PUSH_SHARE = 0.45, 0.1
"""Shares of candidates that draw to the white, and that push it."""
_CENTRE_SHARE = 0.5
"""Share of candidates that start in the middle."""
_NEIGHBOUR_OFFSETS = mm(20.0)
"""Spread of the start of a variation [m]."""
_BATCH_SHOTS = 150_000
"""Shots simulated in one batch."""


def draw_candidates(simulator: EndSimulator, ends: EndBatch, count: int, rng: np.random.Generator) -> Flicks:
    """Candidates for every end: the heuristic flick, then random draws, drives, promotions and pushes."""
    end_count = len(ends.to_play)
    heuristic = simulator.heuristic_flick(ends)
    margin = 3.0 * simulator.radius
    across = rng.uniform(margin, simulator.board_width - margin, (end_count, count))
    start = np.stack([across, np.full((end_count, count), simulator.start[1])], axis=2)
    start[rng.random((end_count, count)) < _CENTRE_SHARE] = simulator.start
    start = np.where(_is_start_blocked(simulator, ends, start)[..., None], heuristic[0][:, None], start)
    aims = [_random_aims(simulator, ends, rng) for _ in range(count)]
    aim, overshoot = (np.stack([pair[part] for pair in aims], axis=1) for part in (0, 1))
    line = aim - start
    distance = np.maximum(np.hypot(line[..., 0], line[..., 1]) + overshoot, 1e-3)
    azimuth = np.clip(np.arctan2(line[..., 1], line[..., 0]), deg2rad(5.0), pi - deg2rad(5.0))
    speed = np.minimum(np.sqrt(2.0 * simulator.friction_deceleration * distance), MAX_SPEED)
    start[:, 0], speed[:, 0], azimuth[:, 0] = heuristic
    return start, speed, azimuth


def _random_aims(simulator: EndSimulator, ends: EndBatch, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """A point to aim at in every end, and the overshoot beyond it [m]."""
    count, size = len(ends.to_play), simulator.radius
    rows, white = np.arange(count), ends.positions[:, -1]
    nearest = np.argsort(simulator.distances_to_white(ends.positions, ends.on_board), axis=1)
    target = nearest[rows, rng.integers(0, min(4, nearest.shape[1]), count)]
    kind = rng.random(count)
    draw = (kind < _DRAW_SHARE) | ~ends.on_board[rows, target]
    push = (kind > 1.0 - _PUSH_SHARE) & ~draw
    angle, radius = rng.uniform(-pi, pi, count), np.abs(rng.normal(0.0, mm(22.0), count))
    around = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
    offset = np.stack([rng.normal(0.0, 0.6 * size, count), np.zeros(count)], axis=1)
    penny = ends.positions[rows, target]
    aim = np.where(draw[:, None], white + around, np.where(push[:, None], white, penny) + offset)
    draw_overshoot = np.where(rng.random(count) < 0.6, -2.0 * size, 0.0)
    past_white, to_white = rng.uniform(mm(100.0), mm(250.0), count), np.hypot(*(penny - white).T)
    kind_of_drive = rng.random(count)
    drive_overshoot = np.where(
        kind_of_drive < 0.4, past_white, np.where(kind_of_drive < 0.7, to_white, rng.uniform(0.0, mm(120.0), count))
    )
    return aim, np.where(draw, draw_overshoot, np.where(push, rng.uniform(mm(20.0), mm(200.0), count), drive_overshoot))


def neighbours(
    simulator: EndSimulator, ends: EndBatch, flicks: Flicks, count: int, spread: float, rng: np.random.Generator
) -> Flicks:
    """Random variations of every flick, half of them from another start.

    Args:
        count: of each flick. spread: of the variations, in units of the execution noise.
    """
    start, speed, azimuth = (np.repeat(part, count, axis=1) for part in flicks)
    speed_noise, azimuth_noise, start_noise = rng.standard_normal((3, *speed.shape))
    speed = np.minimum(
        MAX_SPEED, speed * np.maximum(0.5, 1.0 + spread * max(simulator.noise.speed, 0.01) * speed_noise)
    )
    azimuth = np.clip(
        azimuth + spread * max(simulator.noise.azimuth, 0.01) * azimuth_noise, deg2rad(5.0), pi - deg2rad(5.0)
    )
    across = start[..., 0] + _NEIGHBOUR_OFFSETS * start_noise * (rng.random(speed.shape) < 0.5)
    moved = np.stack(
        [np.clip(across, simulator.radius, simulator.board_width - simulator.radius), start[..., 1]], axis=2
    )
    return np.where(_is_start_blocked(simulator, ends, moved)[..., None], start, moved), speed, azimuth


def _is_start_blocked(simulator: EndSimulator, ends: EndBatch, start: Floats) -> Bools:
    """True where a coin covers a start. [S, P]"""
    distance = np.hypot(*np.moveaxis(start[:, :, None] - ends.positions[:, None], 3, 0))
    blocked: Bools = ((distance < 2.0 * simulator.radius) & ends.on_board[:, None]).any(axis=2)
    return blocked


def evaluate_candidates(
    simulator: EndSimulator,
    ends: EndBatch,
    flicks: Flicks,
    tries: int,
    value_function: ValueFunction,
    rng: np.random.Generator,
) -> Floats:
    """Probability of each gain of the player who flicks, for every candidate; with common random numbers.
    [S, P, gains]"""
    count, candidates = flicks[1].shape
    values = np.zeros((count, candidates, len(GAINS)))
    batch = max(1, _BATCH_SHOTS // (candidates * tries))
    for first in range(0, count, batch):
        rows = np.arange(first, min(count, first + batch))
        normals = np.repeat(rng.standard_normal((len(rows), 1, tries, 3)), candidates, axis=1).reshape(-1, 3)
        start, speed, azimuth = (np.repeat(part[rows].reshape(-1, *part.shape[2:]), tries, axis=0) for part in flicks)
        selected = ends.select(np.repeat(rows, candidates * tries))
        flicked = selected.to_play.copy()
        simulator.flick(selected, start, speed, azimuth, normals)
        results = previous_player_values(selected, flicked, value_function)
        values[rows] = results.reshape(len(rows), candidates, tries, -1).mean(axis=2)
    return values


def previous_player_values(ends: EndBatch, flicked: Ints, value_function: ValueFunction) -> Floats:
    """Probability of each gain of the player who flicked last, for finished and unfinished ends. [S, gains]"""
    rows = np.arange(len(flicked))
    gained = np.clip(ends.points[rows, flicked] - ends.points[rows, 1 - flicked], -MAX_POINTS, MAX_POINTS)
    values = np.zeros((len(flicked), len(GAINS)))
    values[rows, gained + MAX_POINTS] = 1.0
    live = np.flatnonzero(ends.running)
    if len(live):
        probabilities = value_function(ends.select(live))
        same = ends.to_play[live] == flicked[live]
        values[live] = np.where(same[:, None], probabilities, probabilities[:, ::-1])
    return values


def select_candidates(flicks: Flicks, which: Ints) -> Flicks:
    """Candidates of every end by index. which: [S, k]"""
    start, speed, azimuth = flicks
    return (
        np.take_along_axis(start, which[..., None], 1), np.take_along_axis(speed, which, 1),
        np.take_along_axis(azimuth, which, 1),
    )  # fmt: skip
