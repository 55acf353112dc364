"""The sight of the table of pyramids just now, and its places; drawn by `plan`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec
import pygame

from flicksim.base.geometry import Point
from flicksim.play import Match
from flicksim.table import SIZES, Launch, Pyramid, Surface
from flicksim.ui.faces.ice.course import IceCourse
from flicksim.ui.faces.ice.flight import Flight
from flicksim.ui.faces.ice.foresight import Foresight
from flicksim.ui.faces.ice.grip import SPEED
from flicksim.ui.faces.ice.hands import Hands
from flicksim.ui.faces.ice.log_lines import how
from flicksim.ui.faces.ice.view import IceView
from flicksim.ui.kit.knob import Knob
from flicksim.ui.kit.widgets import Button
from flicksim.ui.table.hinting import Cloud

_LINGER = 1.2
"""Time that a launch is still seen from the side when all lies still [s]."""


@dataclass(frozen=True, slots=True)
class Places:
    """Places on the screen [pixels].

    Args:
        left: the launch in hand. right: the game. inner: the game without its margin. cards: of the seats, in it.
        under: where the cards end. foot: where the buttons under the game begin. sizes: where the buttons for the sizes
            of missiles begin.
    """

    left: pygame.Rect
    right: pygame.Rect
    inner: pygame.Rect
    cards: Sequence[pygame.Rect]
    under: int
    foot: int
    sizes: int


def bare(named: Mapping[str, Button], view: IceView, seats: int, size: tuple[int, int], scale: float) -> Places:
    """The table alone, under a card for each seat; see `arrange`."""
    (w, h), pad, nothing = size, round(8 * scale), pygame.Rect(0, 0, 0, 0)
    wide, tall = min((w - pad) // seats - pad, round(300 * scale)), round(60 * scale)
    first = (w - seats * (wide + pad) + pad) // 2
    cards = [pygame.Rect(first + k * (wide + pad), pad, wide, tall) for k in range(seats)]
    high = round(34 * scale)
    named["fold"].rect = pygame.Rect(w - pad - 3 * high, h - pad - high, 3 * high, high)
    view.alone = True
    view.place(pygame.Rect(0, tall + pad, w, named["fold"].rect.y - tall - pad), 46 * scale)
    return Places(nothing, nothing, nothing, cards, tall, tall, 0)


def arrange(
    named: Mapping[str, Button], knobs: Sequence[Knob], view: IceView, seats: int, size: tuple[int, int], scale: float
) -> Places:
    """Put buttons, knobs and the view in their places.

    Args:
        seats: how many. size: of the window [pixels]. scale: pixels per unit.
    """
    w, h = size
    pad, gap = round(12 * scale), round(5 * scale)
    right, left = round(300 * scale), round(252 * scale)
    box = pygame.Rect(pad, pad, left - 2 * pad, h - 2 * pad)
    view.alone = False
    view.place(pygame.Rect(left, 0, w - right - left, h), 46 * scale)
    high, row = round(34 * scale), round(24 * scale)
    y = box.bottom - high
    named["launch"].rect = pygame.Rect(box.x, y, box.w, high)
    y -= row + gap * 2
    named["hand"].rect = pygame.Rect(box.x, y, box.w, row)
    y -= len(knobs) * (row + gap) + gap
    for k, knob in enumerate(knobs):
        knob.rect = pygame.Rect(box.x, y + k * (row + gap), box.w, row)
    y -= 3 * (row + gap) + gap * 2
    for k, one in enumerate(SIZES):
        named[one].rect = pygame.Rect(box.x, y + k * (row + gap), box.w, row + gap // 2)
    for k, name in enumerate(("on", "pause", "back", "step", "slow")):
        named[name].rect = pygame.Rect(box.x, box.y + round(150 * scale) + k * (high + gap), box.w, high)
    panel = pygame.Rect(w - right, 0, right, h)
    inner = panel.inflate(-2 * pad, -2 * pad)
    wide = (inner.w - gap) // 2
    foot = inner.bottom - 4 * (high + gap) + gap
    named["best"].rect = pygame.Rect(inner.x, foot, inner.w, high)
    for k, name in enumerate(("follow", "undo", "hint", "fold", "help", "menu"), 2):
        named[name].rect = pygame.Rect(inner.x + (k % 2) * (wide + gap), foot + (k // 2) * (high + gap), wide, high)
    ends = foot - round(8 * scale)
    top = inner.y + round(32 * scale)  # under the heading
    tall = round(min(64.0, max(48.0, (ends - top - round(170 * scale)) / seats / scale - 5.0)) * scale)
    cards = [pygame.Rect(inner.x, top + k * (tall + gap), inner.w, tall) for k in range(seats)]
    return Places(box, panel, inner, cards, top + seats * (tall + gap) + round(3 * scale), ends, named["small"].rect.y)


@dataclass(frozen=True, slots=True)
class Sight:
    """The things to be seen; they are only read.

    Args:
        match, course, hands, view: of the screen. surface: with every start line.
        places: where things stand. foresight: how launches would fly. note: what there is to tell.
        given: how one's last launch went.
        turned: when the launch in hand was changed last [s]. cloud: where it would come to rest, once asked for.
    """

    match: Match
    course: IceCourse
    hands: Hands
    view: IceView
    surface: Surface
    places: Places
    foresight: Foresight
    note: str
    given: str
    turned: float
    cloud: Cloud | None

    @property
    def pieces(self) -> tuple[Pyramid, ...]:
        """Every piece as it is shown just now."""
        course = self.course
        if course.stage == "show" and course.reel is not None:
            return course.reel.landing.pieces_at(min(course.reel.t, course.reel.landing.duration))
        return course.pieces()

    def watched(self) -> Flight | None:
        """The flight to look at from the side: one's own first, then the last to be flicked."""
        course = self.course
        begun = [one for one in course.flights if one.start <= course.now <= one.end + _LINGER]
        if self.hands.charging or self.hands.busy:
            begun = [one for one in begun if course.now <= one.end]
        begun = [one for one in begun if one.end > self.turned]
        own = [one for one in begun if one.launch.owner == self.hands.seat and self.hands.people]
        if own:
            return own[-1]
        if self.hands.aiming and course.free(self.hands.seat) and len(self.hands.people) == 1 and not begun:
            return None
        return max(begun, key=lambda one: one.start, default=None)

    def look(self) -> Point:
        """Middle of the nearer look: what flies or has just landed, else the launcher in hand."""
        course = self.course
        if course.reel is not None:
            name = course.reel.landing.launch.piece
        else:
            watched = self.watched()
            name = watched.launch.piece if watched is not None else ""
        found = next((piece for piece in self.pieces if piece.id == name), None)
        if found is not None:
            x, y, _ = found.centre
            return (x, y)
        return self.hands.grip.hold if self.hands.aiming else self.view.camera.centre

    def charged(self, seat: int, meant: Launch) -> Launch:
        """A launch as strong as the key that is held makes it by now; in steps, that few have to be foreseen."""
        gathered, (low, high) = self.hands.gathered(seat), SPEED
        if gathered is None:
            return meant
        return msgspec.structs.replace(meant, speed=low + (high - low) * round(gathered * 24.0) / 24.0)

    def told(self, piece: Pyramid) -> str:
        """A piece in words: whose, how large, how it lies, what it counts."""
        names = self.match.game.seat_names
        whose = names[piece.owner] if piece.owner is not None else "nobody's"
        points = next((count for one, count in self.course.counting if one.id == piece.id), None)
        counts = "" if points is None else f": counts {points}" if points else ": counts nothing"
        return f"{whose} {piece.size} {how(piece)}{counts}"
