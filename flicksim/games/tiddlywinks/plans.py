"""Shots worth a thought, each with a rough guess of what it brings; the search in the physics has the last word.

Players' words: bring in, pot, squop, desquop (free what lies below), boondock (send what lies below far away), break up
(drive into a pile), protect (go out of reach).
"""

from __future__ import annotations

from collections.abc import Iterator
from math import atan2, cos, exp, hypot, pi, sin
from typing import NamedTuple

from flicksim.base.errors import IllegalAction
from flicksim.base.geometry import Point, half_turn
from flicksim.base.units import degrees, mm
from flicksim.games.tiddlywinks import aim
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.allowed import check
from flicksim.games.tiddlywinks.squops import Squops
from flicksim.games.tiddlywinks.state import State
from flicksim.games.tiddlywinks.style import Style
from flicksim.games.tiddlywinks.worth import reach
from flicksim.table import MAX_SPEED, Piece, Squidge

NEAR, POT, OTHER = "near", "pot", ""


class Plan(NamedTuple):
    """A shot worth a thought.

    Args:
        guess: of what it may bring [points]. shot: as meant.
        aim: `POT`, `NEAR` it, the wink to be covered, or `OTHER`, where no table tells how often it comes off.
    """

    guess: float
    shot: Squidge
    aim: str = OTHER


_WAITING = mm(110.0)
"""Distance from the pot to which winks are brought [m]: easily potted, and near what there is to squop."""


def plans(state: State, style: Style) -> list[Plan]:
    """Everything thought of, best guess first."""
    seat = state.book.to_play
    assert seat is not None
    squops = Squops(state.scene, state.book)
    found: list[Plan] = []
    kinds = set()
    for wink in squops.playable(seat):
        if wink in state.book.behind:
            if kit.kind_of(wink) in kinds:
                continue
            kinds.add(kit.kind_of(wink))
        found += _of(state, squops, style, wink)
    return sorted(found, key=lambda plan: -plan.guess)


def _of(state: State, squops: Squops, style: Style, wink: str) -> Iterator[Plan]:
    piece = state.scene.piece(wink)
    start = None
    if wink in state.book.behind:
        start = _start(state, wink)
        if start is None:
            return
    shooter = _Shooter(state, squops, style, piece, start)
    yield from shooter.pots()
    if state.book.phase == "squidge_off":
        yield from shooter.lags()
        return
    yield from shooter.approaches()
    if style.squops and not state.book.potted_out:
        yield from shooter.squops_on_enemies()
        yield from shooter.break_ups()
    yield from shooter.from_the_pile()
    yield from shooter.retreats()


def _start(state: State, wink: str) -> Point | None:
    """A free spot to bring a wink in from."""
    x, y = spot = kit.start_spot(state.options, kit.seat_of(wink), kit.kind_of(wink))
    for side in (0.0, 0.03, -0.03, 0.06, -0.06):
        apart = hypot(*spot)
        # along the base line, which stands across the diagonal
        at = (round(x - side * y / apart, 9), round(y + side * x / apart, 9))
        shot = Squidge(piece=wink, speed=1.0, azimuth=0.0, start=at)
        try:
            check(state, shot)
        except IllegalAction:
            continue
        return at
    return None


class _Shooter:
    """One wink, and what may be done with it."""

    def __init__(self, state: State, squops: Squops, style: Style, piece: Piece, start: Point | None) -> None:
        self._state, self._squops, self._style, self._piece, self._start = state, squops, style, piece, start
        self._at = piece.at if start is None else start
        self._pair = kit.pair_of(kit.seat_of(piece.id))
        under = [] if start is not None else squops.under(piece.id)
        self._friends = [name for name in under if kit.pair_of(kit.seat_of(name)) == self._pair]
        self._enemies = [name for name in under if name not in self._friends]
        # a wink that goes away frees what it lay on
        self._leaving = 0.6 * len(self._friends) - (0.3 + style.cover) * len(self._enemies)

    def pots(self) -> Iterator[Plan]:
        """Into the pot."""
        way = hypot(*self._at)
        gain = (self._style.potted - 1.0) * exp(-((way / 0.55) ** 2)) + 0.05 + self._leaving
        for k, elevation in enumerate(aim.pots(way)):
            yield Plan(gain - 0.3 * k, self._lob((0.0, 0.0), kit.POT_HEIGHT, elevation), POT)

    def lags(self) -> Iterator[Plan]:
        """As near the pot as may be."""
        for short, gain in ((mm(60.0), 0.5), (mm(90.0), 0.4), (mm(130.0), 0.2)):
            yield Plan(gain, self._skim(_towards((0.0, 0.0), self._at, short)))

    def approaches(self) -> Iterator[Plan]:
        """Towards the pot, in front of it and to either side; or up to an enemy wink that could be squopped next."""
        far = hypot(*self._at)
        if far < 1.6 * _WAITING:
            return
        bring = 0.8 if self._start is not None else 0.5 * (1.0 - reach(self._piece))
        for turn, gain in ((0.0, 0.0), (0.5, -0.1), (-0.5, -0.1)):
            bearing = atan2(self._at[1], self._at[0]) + turn
            shot = self._skim((_WAITING * cos(bearing), _WAITING * sin(bearing)))
            yield Plan(bring + gain + self._leaving, shot, NEAR)
        if self._style.squops:
            for enemy in self._open_enemies()[:2]:
                yield Plan(bring - 0.15 + self._leaving, self._skim(_towards(enemy.at, self._at, mm(45.0))))

    def _open_enemies(self) -> list[Piece]:
        """Enemy winks in play that nothing covers, nearest first."""
        book = self._state.book
        found = [
            piece
            for piece in self._state.scene.pieces
            if book.in_play(piece.id) and kit.pair_of(kit.seat_of(piece.id)) != self._pair
            if not self._squops.squopped(piece.id) and piece.id not in self._enemies
        ]
        return sorted(found, key=lambda piece: _apart(piece.at, self._at))

    def squops_on_enemies(self) -> Iterator[Plan]:
        """On to an enemy wink; one that squops a friend of ours is worth more, and is freed from above so."""
        for enemy in self._open_enemies()[:4]:
            way = _apart(enemy.at, self._at)
            if way > 0.6:
                break
            holds = sum(kit.pair_of(kit.seat_of(name)) == self._pair for name in self._squops.under(enemy.id))
            gain = exp(-((way / 0.11) ** 1.2)) * (0.7 + self._style.cover + reach(enemy) + 0.5 * holds) + self._leaving
            short = aim.short_of(way)
            for k, elevation in enumerate(aim.SQUOPS):
                shot = self._lob(_towards(enemy.at, self._at, short), aim.LANDS, elevation)
                yield Plan(gain - 0.1 * k, shot, enemy.id)

    def break_ups(self) -> Iterator[Plan]:
        """Hard and low into a pile in which an enemy holds a friend of ours."""
        for enemy in self._open_enemies():
            held = [n for n in self._squops.under(enemy.id) if kit.pair_of(kit.seat_of(n)) == self._pair]
            way = _apart(enemy.at, self._at)
            if not held or way > 0.5:
                continue
            for speed, gain in ((3.5, 0.0), (2.0, -0.05)):
                azimuth = atan2(enemy.y - self._at[1], enemy.x - self._at[0])
                guess = (0.5 * len(held)) * exp(-way / 0.3) + gain + self._leaving
                yield Plan(guess, self._shot(azimuth, speed, degrees(12.0)))

    def from_the_pile(self) -> Iterator[Plan]:
        """Off a pile: gently on to free a friend below, or drawn through so that what lies below goes far away."""
        if not (self._friends or self._enemies):
            return
        outward = atan2(self._at[1], self._at[0])
        if self._friends:
            for turn in (0.0, pi / 2.0, -pi / 2.0, pi):
                yield Plan(0.2 + self._leaving, self._shot(outward + turn, 0.7, degrees(45.0)))
        if self._enemies:
            # boondock: the wink played goes up and comes down near, those below are drawn away from the pot
            for speed, rising in ((2.5, 80.0), (1.6, 75.0)):
                guess = 0.15 + 0.5 * self._leaving
                shot = self._shot(outward, speed, degrees(rising), press=1.0, drag=mm(20.0))
                yield Plan(guess, shot)
        for turn in (0.4, -0.4):
            shot = self._shot(outward + turn, 1.2, degrees(60.0), press=0.6, drag=mm(15.0))
            yield Plan(0.1 + self._leaving, shot)

    def retreats(self) -> Iterator[Plan]:
        """Out of reach of an enemy wink nearby, or nearer to the pot from it."""
        if self._start is not None or self._friends or self._enemies:
            return
        for enemy in self._open_enemies()[:1]:
            way = _apart(enemy.at, self._at)
            if way > mm(90.0):
                return
            azimuth = atan2(self._at[1] - enemy.y, self._at[0] - enemy.x)
            for far, gain in ((mm(120.0), 0.25), (mm(200.0), 0.15)):
                to = (self._at[0] + far * cos(azimuth), self._at[1] + far * sin(azimuth))
                yield Plan(gain, self._skim(to))

    def _lob(self, to: Point, height: float, elevation: float) -> Squidge:
        elevation, speed = aim.lob_to(self._piece, _apart(to, self._at), height, elevation)
        return self._shot(atan2(to[1] - self._at[1], to[0] - self._at[0]), speed, elevation)

    def _skim(self, to: Point) -> Squidge:
        speed = aim.skim_to(self._piece, _apart(to, self._at))
        return self._shot(atan2(to[1] - self._at[1], to[0] - self._at[0]), speed, aim.SKIM)

    def _shot(
        self, azimuth: float, speed: float, elevation: float, *, press: float = 0.0, drag: float = 0.0
    ) -> Squidge:
        return Squidge(
            piece=self._piece.id,
            speed=min(speed, MAX_SPEED),
            azimuth=half_turn(azimuth),
            elevation=elevation,
            squidger=mm(self._state.options.squidger_diameter_mm),
            press=press,
            drag=drag,
            start=self._start,
        )


def _apart(a: Point, b: Point) -> float:
    return hypot(a[0] - b[0], a[1] - b[1])


def _towards(to: Point, source: Point, short: float) -> Point:
    """The point that lies short of another by so much, seen from a third."""
    apart = max(_apart(to, source), 1e-6)
    share = min(0.9, short / apart)
    return (to[0] + (source[0] - to[0]) * share, to[1] + (source[1] - to[1]) * share)
