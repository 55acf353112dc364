"""Flicks that come to mind in many ends of Penny White side by side, and where they lead by what is known so far."""

from __future__ import annotations

from collections.abc import Callable
from math import pi

import numpy as np
import numpy.typing as npt

from flicksim.base.units import degrees, mm
from flicksim.games.penny_white.ends import Ends, Play
from flicksim.games.penny_white.prospects import GAINS, MOST
from flicksim.table import MAX_SPEED

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]
Flicks = tuple[Floats, Floats, Floats]
"""Starts [m], speeds [m/s], azimuths [rad]; of every end as many as there are plans. [S, P, 2], [S, P], [S, P]"""
Known = Callable[[Ends], npt.NDArray[np.floating]]
"""Likelihood of each gain of whose penny is next, of ends under way. [S, gains]"""

_DRAWS, _PUSHES = 0.45, 0.1
"""Shares of flicks drawn that go up to the white, and that push it."""
_MIDDLE = 0.5
"""Share of them that start in the middle."""
_BESIDE = mm(20.0)
"""Distance of a start from that of the flick it was varied from [m]."""
_ROWS = 150_000
"""Flicks settled side by side."""


def drawn(play: Play, ends: Ends, plans: int, rng: np.random.Generator) -> Flicks:
    """So many flicks for every end: that of the rule of thumb, then draws, drives, promotions, pushes at random."""
    count = len(ends.turn)
    by_thumb = play.thumb(ends)
    margin = 3.0 * play.size
    across = rng.uniform(margin, play.across - margin, (count, plans))
    start = np.stack([across, np.full((count, plans), play.start[1])], axis=2)
    start[rng.random((count, plans)) < _MIDDLE] = play.start
    start = np.where(_taken(play, ends, start)[..., None], by_thumb[0][:, None], start)
    aims = [_aims(play, ends, rng) for _ in range(plans)]
    aim, past = (np.stack([one[part] for one in aims], axis=1) for part in (0, 1))
    line = aim - start
    far = np.maximum(np.hypot(line[..., 0], line[..., 1]) + past, 1e-3)
    azimuth = np.clip(np.arctan2(line[..., 1], line[..., 0]), degrees(5.0), pi - degrees(5.0))
    speed = np.minimum(np.sqrt(2.0 * play.pull * far), MAX_SPEED)
    start[:, 0], speed[:, 0], azimuth[:, 0] = by_thumb
    return start, speed, azimuth


def _aims(play: Play, ends: Ends, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """A point to flick at in every end, and the way to spare [m]."""
    count, size = len(ends.turn), play.size
    rows, white = np.arange(count), ends.places[:, -1]
    near = np.argsort(play.gaps(ends.places, ends.there), axis=1)
    one = near[rows, rng.integers(0, min(4, near.shape[1]), count)]
    kind = rng.random(count)
    draw = (kind < _DRAWS) | ~ends.there[rows, one]
    push = (kind > 1.0 - _PUSHES) & ~draw
    turned, off = rng.uniform(-pi, pi, count), np.abs(rng.normal(0.0, mm(22.0), count))
    around = np.stack([off * np.cos(turned), off * np.sin(turned)], axis=1)
    beside = np.stack([rng.normal(0.0, 0.6 * size, count), np.zeros(count)], axis=1)
    penny = ends.places[rows, one]
    aim = np.where(draw[:, None], white + around, np.where(push[:, None], white, penny) + beside)
    up_to = np.where(rng.random(count) < 0.6, -2.0 * size, 0.0)
    away, home = rng.uniform(mm(100.0), mm(250.0), count), np.hypot(*(penny - white).T)
    how = rng.random(count)
    drive = np.where(how < 0.4, away, np.where(how < 0.7, home, rng.uniform(0.0, mm(120.0), count)))
    return aim, np.where(draw, up_to, np.where(push, rng.uniform(mm(20.0), mm(200.0), count), drive))


def beside(play: Play, ends: Ends, flicks: Flicks, many: int, far: float, rng: np.random.Generator) -> Flicks:
    """So many flicks about each, half of them from another start.

    Args:
        far: how far they stray, over how far the hand errs.
    """
    start, speed, azimuth = (np.repeat(part, many, axis=1) for part in flicks)
    push, turn, aside = rng.standard_normal((3, *speed.shape))
    speed = np.minimum(MAX_SPEED, speed * np.maximum(0.5, 1.0 + far * max(play.hand.speed, 0.01) * push))
    azimuth = np.clip(azimuth + far * max(play.hand.azimuth, 0.01) * turn, degrees(5.0), pi - degrees(5.0))
    across = start[..., 0] + _BESIDE * aside * (rng.random(speed.shape) < 0.5)
    moved = np.stack([np.clip(across, play.size, play.across - play.size), start[..., 1]], axis=2)
    return np.where(_taken(play, ends, moved)[..., None], start, moved), speed, azimuth


def _taken(play: Play, ends: Ends, start: Floats) -> Bools:
    """Tell where a coin lies upon a start. [S, P]"""
    apart = np.hypot(*np.moveaxis(start[:, :, None] - ends.places[:, None], 3, 0))
    found: Bools = ((apart < 2.0 * play.size) & ends.there[:, None]).any(axis=2)
    return found


def tried(play: Play, ends: Ends, flicks: Flicks, tries: int, known: Known, rng: np.random.Generator) -> Floats:
    """The likelihood of each gain of whoever flicks, once each plan is made; tried so often by the same luck.
    [S, P, gains]"""
    count, plans = flicks[1].shape
    found = np.zeros((count, plans, len(GAINS)))
    each = max(1, _ROWS // (plans * tries))
    for first in range(0, count, each):
        rows = np.arange(first, min(count, first + each))
        luck = np.repeat(rng.standard_normal((len(rows), 1, tries, 3)), plans, axis=1).reshape(-1, 3)
        start, speed, azimuth = (np.repeat(part[rows].reshape(-1, *part.shape[2:]), tries, axis=0) for part in flicks)
        some = ends.some(np.repeat(rows, plans * tries))
        turn = some.turn.copy()
        play.flick(some, start, speed, azimuth, luck)
        found[rows] = came(some, turn, known).reshape(len(rows), plans, tries, -1).mean(axis=2)
    return found


def came(ends: Ends, flicked: Ints, known: Known) -> Floats:
    """The likelihood of each gain of who flicked last, of these ends, over or not. [S, gains]"""
    rows = np.arange(len(flicked))
    gained = np.clip(ends.gained[rows, flicked] - ends.gained[rows, 1 - flicked], -MOST, MOST)
    found = np.zeros((len(flicked), len(GAINS)))
    found[rows, gained + MOST] = 1.0
    live = np.flatnonzero(ends.live)
    if len(live):
        likely = known(ends.some(live))
        same = ends.turn[live] == flicked[live]
        found[live] = np.where(same[:, None], likely, likely[:, ::-1])
    return found


def taken(flicks: Flicks, which: Ints) -> Flicks:
    """These plans of every end. which: [S, k]"""
    start, speed, azimuth = flicks
    return (
        np.take_along_axis(start, which[..., None], 1), np.take_along_axis(speed, which, 1),
        np.take_along_axis(azimuth, which, 1),
    )  # fmt: skip
