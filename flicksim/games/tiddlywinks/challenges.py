"""Challenges of tiddlywinks: pots from near and far, a squop, the longest jump, all twenty-four."""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, cos, hypot, pi, sin
from typing import Literal

import numpy as np

from flicksim.base.geometry import Point
from flicksim.base.units import degrees, mm, to_mm
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.options import Options
from flicksim.games.tiddlywinks.puzzles import kept, posed
from flicksim.games.tiddlywinks.squops import Squops
from flicksim.games.tiddlywinks.state import Book, State
from flicksim.referee import Came, Challenge, Done
from flicksim.table import Landed, Motion, Scene, Squidge, speed_to

_OPTIONS = Options(stop_when_decided=False)
_SMALL, _LARGE, _PREY = "blue-3", "blue-1", "green-1"
_ALL_AT = (mm(110.0), mm(150.0))
"""Distances from the pot of winks that are all to be potted, in turns [m]."""
_ROW = (3, 5, 6)
"""Pots in a row that are asked, and that earn two and three stars."""
_MOST = 96
"""So many shots, and the try is over."""
_SQUOPS, _SHORT = degrees(56.0), 0.91
"""Elevation of a wink that is to stay on another, and the share of the way it goes before it lands."""


def shipped() -> tuple[Challenge, ...]:
    """Those that come with the game, easiest first."""
    return (
        *(_pot(f"pot-{cm}", mm(cm * 10.0)) for cm in (10, 30, 90)),
        _squop("squop-10", mm(100.0)), _squop("squop-30", mm(300.0)),
        _six(), _jump(), _all(),
        *(posed(number, puzzle) for number, puzzle in enumerate(kept(), 1)),
    )  # fmt: skip


def drawn(dice: np.random.Generator, name: str) -> Challenge:
    """A pot or a squop, from somewhere."""
    kind, far, turn = int(dice.integers(2)), int(dice.integers(8, 46)), int(dice.integers(360))
    if kind:
        return _squop(name, mm(10.0 * min(far, 35)))
    size: Literal["small", "large"] = "large" if dice.integers(2) else "small"
    return _pot(name, mm(10.0 * far), turn=degrees(float(turn)), size=size)


def _laid(places: dict[str, Point]) -> State:
    """A shot of Blue with these winks on the mat [m]; his others are out of it, those of others wait behind their
    lines."""
    options = _OPTIONS
    gone = tuple(wink for wink in kit.winks_of(0) if wink not in places)
    waiting = tuple(wink for wink in kit.WINKS if wink not in places and wink not in gone)
    there = (kit.wink(options, name, places.get(name)) for name in kit.WINKS if name not in gone)
    book = Book(phase="shot", to_play=0, turn=0, opener=0, behind=waiting, potted=gone)
    scene = Scene(surface=kit.mat(options), pieces=kit.in_order(tuple(there)))
    return State(options=options, scene=scene, book=book)


def _way(far: float, turn: float | None = None) -> Point:
    """A place so far from the pot, on the way to Blue's corner unless told [m]."""
    a, b = _OPTIONS.mat_size_mm
    way = atan2(b, a) if turn is None else turn
    return (round(far * cos(way), 6), round(far * sin(way), 6))


def _shots(turns: Sequence[Done]) -> int:
    return sum(isinstance(turn.made, Squidge) for turn in turns)


def _pot(name: str, far: float, turn: float | None = None, size: Literal["small", "large"] = "small") -> Challenge:
    wink = _SMALL if size == "small" else _LARGE

    def judge(turns: Sequence[Done]) -> Came:
        if not _shots(turns):
            return Came()
        done = wink in turns[-1].after.book.potted
        return Came(says="It is in the pot." if done else "It is not in the pot.", done=done, ended=True)

    cm = round(to_mm(far) / 10.0)
    return Challenge(
        name=name, title=f"Pot from {cm} cm", ladder="Potting",
        goal=f"Pot a {size} wink that lies {cm} cm from the pot.",
        trick="Near the pot go steeply up; from far away half as steep, and hold still before you let go.",
        options=_OPTIONS, seats=4, begin=lambda: _laid({wink: _way(far, turn)}), judge=judge,
    )  # fmt: skip


def _squop(name: str, far: float) -> Challenge:
    prey = _way(mm(120.0))
    own = _way(mm(120.0) + far)

    def judge(turns: Sequence[Done]) -> Came:
        if not _shots(turns):
            return Came()
        after = turns[-1].after
        done = Squops(after.scene, after.book).squopped(_PREY)
        return Came(says="It covers the green wink." if done else "The green wink is free.", done=done, ended=True)

    def plan(state: State, dice: np.random.Generator) -> Squidge:
        del dice
        speed = speed_to(state.scene.piece(_LARGE), _SHORT * far, mm(2.0), _SQUOPS)
        azimuth = atan2(prey[1] - own[1], prey[0] - own[0])
        return Squidge(piece=_LARGE, speed=speed, azimuth=azimuth, elevation=_SQUOPS)

    cm = round(to_mm(far) / 10.0)
    return Challenge(
        name=name, title=f"Squop from {cm} cm", ladder="Squopping",
        goal=f"Land your large wink on the green one, {cm} cm away, and stay there.",
        trick="Come down a little short of its middle; a wink that lands flat slides on.",
        options=_OPTIONS, seats=4, begin=lambda: _laid({_LARGE: own, _PREY: prey}), judge=judge, plan=plan,
    )  # fmt: skip


def _potted(turns: Sequence[Done]) -> int:
    """Number of winks of a try in the pot that were not there at its beginning."""
    return len(turns[-1].after.book.potted) - len(turns[0].before.book.potted) if turns else 0


def _six() -> Challenge:
    names = kit.winks_of(0)
    places = {name: _way(_ALL_AT[k % 2], 2.0 * pi * k / len(names)) for k, name in enumerate(names)}

    def judge(turns: Sequence[Done]) -> Came:
        if not _shots(turns):
            return Came()
        potted, ended = _potted(turns), turns[-1].after.to_play != 0
        done = ended and potted >= _ROW[0]
        return Came(says=f"{potted} in a row.", done=done, ended=ended, measure=float(potted) if ended else None)

    one, two, three = _ROW
    return Challenge(
        name="six-in-a-row", title="Pots in a row", ladder="In a row",
        goal=f"Six winks lie round the pot. Pot {one} or more without a miss: {two} for two stars, {three} for three.",
        trick="Whoever pots shoots again. The near ones need a steep shot.", options=_OPTIONS, seats=4, unit="winks",
        best="more", par=(float(three), float(two)), begin=lambda: _laid(places), judge=judge,
    )  # fmt: skip


def _all() -> Challenge:
    many = len(kit.WINKS)
    places = {name: _way(_ALL_AT[k % 2], 2.0 * pi * k / many) for k, name in enumerate(kit.WINKS)}

    def judge(turns: Sequence[Done]) -> Came:
        shots, potted = _shots(turns), _potted(turns)
        done = turns[-1].after.to_play is None if turns else False
        says = f"{potted} of {many} potted with {shots} shot{'' if shots == 1 else 's'}." if shots else ""
        return Came(says=says, done=done, ended=done or shots >= _MOST, measure=float(shots) if done else None)

    return Challenge(
        name="twenty-four", title="Twenty-four winks", ladder="In a row",
        goal="Play all four colours until three of them are potted, in as few shots as you can; the clock runs.",
        trick="Whoever pots shoots again; do not cover what is still to be potted.", options=_OPTIONS, seats=4,
        unit="shots", par=(32.0, 44.0), begin=lambda: _laid(places), judge=judge,
    )  # fmt: skip


_FROM = (-0.8, -0.36)
"""Start of the longest jump [m]: in a corner, so that it may go across the mat."""
_JUMP = (1.0, 1.2, 1.4)
"""Length asked of the jump, and those that earn two and three stars [m]."""


def _jump() -> Challenge:
    def judge(turns: Sequence[Done]) -> Came:
        if not _shots(turns):
            return Came()
        motion = turns[-1].account
        assert isinstance(motion, Motion)
        landed = next((e for e in motion.events if isinstance(e, Landed) and e.piece == _SMALL), None)
        if landed is None or not motion.after.has(_SMALL):
            return Came(says="It went off the mat.", ended=True)
        far = round(hypot(landed.point[0] - _FROM[0], landed.point[1] - _FROM[1]) * 100.0, 1)
        done = far >= 100.0 * _JUMP[0]
        return Came(says=f"It jumped {far:g} cm.", done=done, ended=True, measure=far)

    def plan(state: State, dice: np.random.Generator) -> Squidge:
        del dice
        piece, far = state.scene.piece(_SMALL), _JUMP[1]
        rising = degrees(45.0)
        azimuth = atan2(-_FROM[1], -_FROM[0]) - degrees(8.0)  # past the pot
        speed = speed_to(piece, far, mm(2.0), rising)
        return Squidge(piece=_SMALL, speed=speed, azimuth=azimuth, elevation=rising)

    two, three = (round(100.0 * far) for far in _JUMP[1:])
    return Challenge(
        name="longest-jump", title="The longest jump", ladder="Jumping",
        goal=f"Jump a metre or more and stay on the mat: {two} cm for two stars, {three} cm for three.",
        trick="Half-way up goes farthest; past the pot there is most room.", options=_OPTIONS, seats=4, unit="cm",
        best="more", par=(float(three), float(two)), begin=lambda: _laid({_SMALL: _FROM}), judge=judge, plan=plan,
    )  # fmt: skip
