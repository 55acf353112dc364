"""Challenges of tiddlywinks: pots from near and far, a squop, the longest jump, all twenty-four."""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, cos, hypot, pi, sin
from typing import Literal

import numpy as np

from flicksim.core.geometry import Point
from flicksim.core.units import degrees, mm, to_mm
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.options import Options
from flicksim.games.tiddlywinks.puzzles import load_puzzles, puzzle_challenge
from flicksim.games.tiddlywinks.squops import Squops
from flicksim.games.tiddlywinks.state import Book, State
from flicksim.referee import AttemptStatus, Challenge, CompletedAction
from flicksim.scene import Landed, Scene, Squidge, Trajectory, launch_speed_to_reach

_OPTIONS = Options(stop_when_decided=False)
_SMALL, _LARGE, _TARGET = "blue-3", "blue-1", "green-1"
_ALL_SPOTS = (mm(110.0), mm(150.0))
"""Distances from the pot of winks that are all to be potted, in turns [m]."""
_ROW = (3, 5, 6)
"""Pots in a row that are asked, and that earn two and three stars."""
_MAX_SHOTS = 96
"""So many shots, and the try is over."""
_SQUOPS, _SHORT = degrees(56.0), 0.91
"""Elevation of a wink that is to stay on another, and the share of the way it goes before it lands."""


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
    kind, far, turn = int(rng.integers(2)), int(rng.integers(8, 46)), int(rng.integers(360))
    if kind:
        return _squop_challenge(name, mm(10.0 * min(far, 35)))
    size: Literal["small", "large"] = "large" if rng.integers(2) else "small"
    return _pot_challenge(name, mm(10.0 * far), turn=degrees(float(turn)), size=size)


def _initial_state(positions: dict[str, Point]) -> State:
    """A shot of Blue with these winks on the mat [m]; his others are out of it, those of others wait behind their
    lines."""
    options = _OPTIONS
    gone = tuple(wink for wink in kit.winks_of(0) if wink not in positions)
    waiting = tuple(wink for wink in kit.WINKS if wink not in positions and wink not in gone)
    there = (kit.wink(options, name, positions.get(name)) for name in kit.WINKS if name not in gone)
    book = Book(phase="shot", to_play=0, turn=0, opener=0, behind=waiting, potted=gone)
    scene = Scene(surface=kit.mat_surface(options), pieces=kit.in_order(tuple(there)))
    return State(options=options, scene=scene, book=book)


def _point_at_distance(distance: float, turn: float | None = None) -> Point:
    """Point at a distance from the pot, towards Blue's corner by default [m]."""
    a, b = _OPTIONS.mat_size_mm
    way = atan2(b, a) if turn is None else turn
    return (round(distance * cos(way), 6), round(distance * sin(way), 6))


def _shot_count(turns: Sequence[CompletedAction]) -> int:
    return sum(isinstance(turn.made, Squidge) for turn in turns)


def _pot_challenge(
    name: str, distance: float, turn: float | None = None, size: Literal["small", "large"] = "small"
) -> Challenge:
    wink = _SMALL if size == "small" else _LARGE

    def judge(turns: Sequence[CompletedAction]) -> AttemptStatus:
        if not _shot_count(turns):
            return AttemptStatus()
        done = wink in turns[-1].after.book.potted
        return AttemptStatus(
            text="It is in the pot." if done else "It is not in the pot.", is_solved=done, is_over=True
        )

    cm = round(to_mm(distance) / 10.0)
    return Challenge(
        name=name,
        title=f"Pot from {cm} cm",
        group="Potting",
        goal=f"Pot a {size} wink that lies {cm} cm from the pot.",
        hint="Near the pot go steeply up; from far away half as steep, and hold still before you let go.",
        options=_OPTIONS,
        seats=4,
        initial_state=lambda: _initial_state({wink: _point_at_distance(distance, turn)}),
        judge=judge,
    )


def _squop_challenge(name: str, distance: float) -> Challenge:
    prey = _point_at_distance(mm(120.0))
    own = _point_at_distance(mm(120.0) + distance)

    def judge(turns: Sequence[CompletedAction]) -> AttemptStatus:
        if not _shot_count(turns):
            return AttemptStatus()
        after = turns[-1].after
        done = Squops(after.scene, after.book).is_squopped(_TARGET)
        return AttemptStatus(
            text="It covers the green wink." if done else "The green wink is free.", is_solved=done, is_over=True
        )

    def plan(state: State, rng: np.random.Generator) -> Squidge:
        del rng
        speed = launch_speed_to_reach(state.scene.piece(_LARGE), _SHORT * distance, mm(2.0), _SQUOPS)
        azimuth = atan2(prey[1] - own[1], prey[0] - own[0])
        return Squidge(piece=_LARGE, speed=speed, azimuth=azimuth, elevation=_SQUOPS)

    cm = round(to_mm(distance) / 10.0)
    return Challenge(
        name=name,
        title=f"Squop from {cm} cm",
        group="Squopping",
        goal=f"Land your large wink on the green one, {cm} cm away, and stay there.",
        hint="Come down a little short of its middle; a wink that lands flat slides on.",
        options=_OPTIONS,
        seats=4,
        initial_state=lambda: _initial_state({_LARGE: own, _TARGET: prey}),
        judge=judge,
        policy=plan,
    )


def _potted_count(turns: Sequence[CompletedAction]) -> int:
    """Number of winks potted since the start of an attempt."""
    return len(turns[-1].after.book.potted) - len(turns[0].before.book.potted) if turns else 0


def _six_challenge() -> Challenge:
    names = kit.winks_of(0)
    places = {name: _point_at_distance(_ALL_SPOTS[k % 2], 2.0 * pi * k / len(names)) for k, name in enumerate(names)}

    def judge(turns: Sequence[CompletedAction]) -> AttemptStatus:
        if not _shot_count(turns):
            return AttemptStatus()
        potted, ended = _potted_count(turns), turns[-1].after.to_play != 0
        done = ended and potted >= _ROW[0]
        return AttemptStatus(
            text=f"{potted} in a row.", is_solved=done, is_over=ended, measure=float(potted) if ended else None
        )

    one, two, three = _ROW
    return Challenge(
        name="six-in-a-row",
        title="Pots in a row",
        group="In a row",
        goal=f"Six winks lie round the pot. Pot {one} or more without a miss: {two} for two stars, {three} for three.",
        hint="Whoever pots shoots again. The near ones need a steep shot.",
        options=_OPTIONS,
        seats=4,
        unit="winks",
        objective="more",
        star_thresholds=(float(three), float(two)),
        initial_state=lambda: _initial_state(places),
        judge=judge,
    )


def _all_challenge() -> Challenge:
    many = len(kit.WINKS)
    places = {name: _point_at_distance(_ALL_SPOTS[k % 2], 2.0 * pi * k / many) for k, name in enumerate(kit.WINKS)}

    def judge(turns: Sequence[CompletedAction]) -> AttemptStatus:
        shots, potted = _shot_count(turns), _potted_count(turns)
        done = turns[-1].after.to_play is None if turns else False
        says = f"{potted} of {many} potted with {shots} shot{'' if shots == 1 else 's'}." if shots else ""
        return AttemptStatus(
            text=says, is_solved=done, is_over=done or shots >= _MAX_SHOTS, measure=float(shots) if done else None
        )

    return Challenge(
        name="twenty-four", title="Twenty-four winks", group="In a row",
        goal="Play all four colours until three of them are potted, in as few shots as you can; the clock runs.",
        hint="Whoever pots shoots again; do not cover what is still to be potted.", options=_OPTIONS, seats=4,
        unit="shots", star_thresholds=(32.0, 44.0), initial_state=lambda: _initial_state(places), judge=judge,
    )  # fmt: skip


_JUMP_START = (-0.8, -0.36)
"""Start of the longest jump [m]: in a corner, so that it may go across the mat."""
_JUMP = (1.0, 1.2, 1.4)
"""Length asked of the jump, and those that earn two and three stars [m]."""


def _jump_challenge() -> Challenge:
    def judge(turns: Sequence[CompletedAction]) -> AttemptStatus:
        if not _shot_count(turns):
            return AttemptStatus()
        motion = turns[-1].result
        assert isinstance(motion, Trajectory)
        landed = next((e for e in motion.events if isinstance(e, Landed) and e.piece == _SMALL), None)
        if landed is None or not motion.after.has(_SMALL):
            return AttemptStatus(text="It went off the mat.", is_over=True)
        far = round(hypot(landed.point[0] - _JUMP_START[0], landed.point[1] - _JUMP_START[1]) * 100.0, 1)
        done = far >= 100.0 * _JUMP[0]
        return AttemptStatus(text=f"It jumped {far:g} cm.", is_solved=done, is_over=True, measure=far)

    def plan(state: State, rng: np.random.Generator) -> Squidge:
        del rng
        piece, far = state.scene.piece(_SMALL), _JUMP[1]
        rising = degrees(45.0)
        azimuth = atan2(-_JUMP_START[1], -_JUMP_START[0]) - degrees(8.0)  # past the pot
        speed = launch_speed_to_reach(piece, far, mm(2.0), rising)
        return Squidge(piece=_SMALL, speed=speed, azimuth=azimuth, elevation=rising)

    two, three = (round(100.0 * far) for far in _JUMP[1:])
    return Challenge(
        name="longest-jump",
        title="The longest jump",
        group="Jumping",
        goal=f"Jump a metre or more and stay on the mat: {two} cm for two stars, {three} cm for three.",
        hint="Half-way up goes farthest; past the pot there is most room.",
        options=_OPTIONS,
        seats=4,
        unit="cm",
        objective="more",
        star_thresholds=(float(three), float(two)),
        initial_state=lambda: _initial_state({_SMALL: _JUMP_START}),
        judge=judge,
        policy=plan,
    )
