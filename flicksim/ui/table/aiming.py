"""A hand at a table, whatever it aims: takes up what may be flicked, asks the rules, pulls back and lets go."""

from __future__ import annotations

from typing import Generic, Protocol, TypeVar

import pygame

from flicksim.base.errors import FlicksimError
from flicksim.base.geometry import Point
from flicksim.base.units import mm
from flicksim.play import Match
from flicksim.referee import FlickRange
from flicksim.table import Flick, Squidge
from flicksim.ui.kit.keys import Keys
from flicksim.ui.table.calm import Calm
from flicksim.ui.table.slingshot import Pulled, Slingshot
from flicksim.ui.table.view import TableView

SHIFT = mm(2.0)
"""Way by which one press of a key moves a start [m]; with Shift a tenth of it."""
WAYS = {pygame.K_LEFT: (-1.0, 0.0), pygame.K_RIGHT: (1.0, 0.0), pygame.K_UP: (0.0, 1.0), pygame.K_DOWN: (0.0, -1.0)}
"""Direction in which an arrow key moves a start."""

S = TypeVar("S", Flick, Squidge)


class Aimed(Pulled, Protocol):
    """An aim that a hand steers."""

    span: FlickRange

    @property
    def at(self) -> Point:
        """Point at which it is struck [m]."""

    def shift(self, dx: float, dy: float) -> None:
        """Move the start [m], as far as its region goes."""


A = TypeVar("A", bound=Aimed)


class AimingHand(Generic[A, S]):
    """Aims what is flicked in a match.

    Args:
        match: whose choices are aimed. view: where the table is seen.
    """

    keys: Keys
    """The keys of its table."""

    def __init__(self, match: Match, view: TableView) -> None:
        self._match, self._view = match, view
        self.spans: tuple[FlickRange, ...] = ()
        self.aim: A | None = None
        self.wrong = ""
        self.sling: Slingshot[S] = Slingshot(view, self.look, self._strength, self.made, self._pointed)
        self.sling.here = lambda: self.here

    # -- what each table says -------------------------------------------------------------------------------------

    def choose(self, span: FlickRange) -> None:
        """Take this piece, aimed as is usual."""
        raise NotImplementedError

    def _shot(self, aim: A) -> S:
        """The shot as it is aimed."""
        raise NotImplementedError

    def _first(self) -> FlickRange:
        """The piece that is aimed to begin with."""
        return self.spans[0]

    def _as(self, aim: A, shot: S) -> None:
        """Aim as in this shot, from the same piece."""
        raise NotImplementedError

    def _key(self, aim: A, event: pygame.event.Event, part: float) -> bool:
        """Take a key of this table alone; by a tenth where Shift is held."""
        raise NotImplementedError

    def _down(self, at: tuple[int, int]) -> None:
        """The left button goes down on the table."""
        raise NotImplementedError

    def _strength(self, hard: float) -> float:
        """Speed of a pull, 0 to 1 [m/s]."""
        raise NotImplementedError

    def _pointed(self, at: tuple[int, int]) -> None:
        """A click without a pull."""

    # -- the hand -------------------------------------------------------------------------------------------------

    def renew(self) -> None:
        """Take up what may be flicked now; nothing when nothing may."""
        self.leave()
        self.spans = self._match.choices().flicks if not self._match.over else ()
        self.sling.moving = False
        self.wrong = ""
        if self.spans:
            self.choose(self._first())

    def leave(self) -> None:
        """Nothing is aimed now."""
        self.spans, self.aim, self.sling.pull = (), None, None

    def look(self) -> None:
        """See whether the shot is allowed as it is aimed."""
        if self.aim is None:
            return
        try:
            self._match.rules.check(self._match.state, self._shot(self.aim))
            self.wrong = ""
        except (FlicksimError, ValueError) as wrong:
            self.wrong = str(wrong)

    @property
    def meant(self) -> S | None:
        """The shot as it is aimed now; None when nothing is."""
        return self._shot(self.aim) if self.aim is not None else None

    def made(self) -> S | None:
        """The shot to be made; None when nothing is aimed."""
        return self.meant

    def take(self, shot: S) -> None:
        """Aim as somebody else would (a hint)."""
        span = next((span for span in self.spans if span.piece == shot.piece), None)
        if span is None:
            return
        self.choose(span)
        assert self.aim is not None
        self._as(self.aim, shot)
        self.look()

    def key(self, event: pygame.event.Event) -> bool:
        """Take a key; true where it changed the aim."""
        aim = self.aim
        if aim is None:
            return False
        event = self._view.seated(event)
        part = 0.1 if event.mod & pygame.KMOD_SHIFT else 1.0
        if event.mod & pygame.KMOD_CTRL and event.key in WAYS:
            dx, dy = WAYS[event.key]
            aim.shift(dx * SHIFT * part, dy * SHIFT * part)
        elif self.keys.pressed(event)[0] == "next" and len(self.spans) > 1:
            step = -1 if event.mod & pygame.KMOD_SHIFT else 1
            self.choose(self.spans[(self.spans.index(aim.span) + step) % len(self.spans)])
        elif not self._key(aim, event, part):
            return False
        self.look()
        return True

    def mouse(self, event: pygame.event.Event) -> S | None:
        """Take the mouse; the shot, when a pull is let go."""
        if self.aim is None:
            return None
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            if self._view.holds(event.pos):
                self._down(event.pos)
            return None
        return self.sling.mouse(event, self.aim)

    @property
    def pulling(self) -> bool:
        """True while the mouse draws back."""
        return self.sling.pull is not None

    @property
    def here(self) -> Point | None:
        """Point at which the piece in hand is struck [m]; None without one."""
        return self.aim.at if self.aim is not None else None

    def held_by(self, calm: Calm, *, chosen: bool) -> None:
        """Give flicks by this hand; chosen: whether somebody has set the aim."""
        self.sling.calm, self.sling.chosen = calm, chosen

    def cancel(self) -> bool:
        """Stop pulling; true where one was."""
        return self.sling.cancel(self.aim)
