"""A challenge tried on the table: its goal on a card, its judge asked after every shot, and what came of it."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence

from flicksim.base.units import to_degrees, to_mm
from flicksim.challenges import Posed, laid, stood
from flicksim.people import Best
from flicksim.play import Turn
from flicksim.referee import MOST_STARS, Came, Solution
from flicksim.table import Launch
from flicksim.ui.frame.app import App
from flicksim.ui.frame.beside import Beside, Plan
from flicksim.ui.frame.overlay import Overlay
from flicksim.ui.frame.sitting import Sitting
from flicksim.ui.kit import palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.kit.form import Form
from flicksim.ui.kit.stars import stars
from flicksim.ui.kit.widgets import Button
from flicksim.ui.match.at_table import AtTable, lying_under
from flicksim.ui.match.starting import alone
from flicksim.ui.table import standing

_LOOK = 0.9
"""Time that the table is left to be seen when a try has ended [s]."""
_DAILY = "The challenge of the day"
_UNEARNED = "No stars with the solution told; from the list it begins anew."


class Trying(Beside):
    """Tries at one challenge, one after another, until somebody goes away.

    Args:
        posed: which. back: shows the list again. following: begins the next one; None: there is none.
    """

    hints = False

    def __init__(
        self, app: App, posed: Posed, back: Callable[[], None], following: Callable[[], None] | None = None
    ) -> None:
        super().__init__()
        self.app, self.posed, self._back, self._following = app, posed, back, following
        self.tries = 1
        self._clock, self._ended, self._told = 0.0, 0.0, False
        self._count: Sequence[Turn] = ()
        self.came = Came()
        self.made = False
        """True where the solution is shown in this try."""
        self.shows = (0, 0)
        """Tries in which it was shown, and those of them that did it."""
        self.head = f"{_DAILY}: {posed.challenge.title}" if posed.day else posed.challenge.title
        self.says = posed.challenge.goal

    def begin(self) -> None:
        """Lay the table for the next try, with no screen of a try before it left open."""
        self._ended, self._told, self._count, self.came, self.done = 0.0, False, (), Came(), False
        self.made = False
        match, app = laid(self.posed, seed=secrets.randbelow(10**9)), self.app
        match.people = alone(match, app.player.name)
        if app.screens and app.top.beside is self:
            app.pop()
        app.push(app.routes.play(app, Sitting(match, None, self.again, beside=self)))

    @property
    def solution(self) -> Solution | None:
        """The solution of a puzzle; None of what is none."""
        return self.posed.challenge.solution

    def solve(self) -> None:
        """Tell the solution, over the table laid anew."""
        solution, onward = self.solution, self.posed.challenge.plan
        if solution is None or onward is None:
            return
        self.plan = Plan(solution.action, f"{solution.chance:.0%}", solution.hand, onward)
        self.head = f"The solution: {self.posed.challenge.title}"
        self.says = f"{told(solution)} {solution.says}"
        self.again()

    def show(self) -> None:
        """Lay the table once more, and have the solution seen on it."""
        self.again()
        if isinstance(self.app.top, AtTable):
            self.app.top.show_plan()

    def shown(self) -> None:
        """The solution is being shown."""
        self.made = True

    def again(self) -> None:
        """Another try: from the beginning once it was done."""
        self.tries = 1 if self.came.done else self.tries + 1
        self._clock = 0.0 if self.came.done else self._clock
        while self.app.top.beside is not self:
            self.app.pop()
        self.begin()

    def leave(self) -> None:
        """To the list."""
        while self.app.top.beside is not self:
            self.app.pop()
        self.app.pop()
        self._back()

    def next(self) -> None:
        """On to the next challenge."""
        self.leave()
        if self._following is not None:
            self._following()

    # -- as it goes on --------------------------------------------------------------------------------------------

    def seen(self, turns: Sequence[Turn], *, quiet: bool) -> None:
        """Ask the judge when there is something new; end the try when it is over."""
        if len(turns) != len(self._count):
            self._count = tuple(turns)
            self.came = stood(self.posed, self._count) if turns else Came()
        self.done = self.came.done
        if not (self.came.ended and quiet):
            self._ended = 0.0
        elif self._ended > _LOOK and not self._told:
            self._told = True
            self._over()

    def advance(self, dt: float) -> None:
        """The clock of the window runs while a try is on."""
        if self.came.ended:
            self._ended += dt
        else:
            self._clock += dt
        trying = f"Try {self.tries}   ·   {standing.clock(self._clock)}"
        if self.plan is not None:
            shows = "" if self._count else "V shows it, by such a hand. "
            self.note = self.came.says or f"{shows}{_UNEARNED}"
        else:
            self.note = f"{self.came.says or self.posed.challenge.trick}   ·   {trying}"

    def _over(self) -> None:
        had = self.app.player.best(self.posed.name)
        won = self.posed.challenge.stars(self.came, self.tries) if self.plan is None else 0
        if self.plan is None:
            self.app.player.tried(self.posed, self.came, self.tries, won)
        elif self.made:
            self.shows = self.shows[0] + 1, self.shows[1] + self.came.done
        self.app.sounds.play("chime" if self.came.done else "murmur")
        self.app.push(TriedScreen(self.app, self, won, had, standing.clock(self._clock), self._following is not None))


class TriedScreen(Overlay):
    """Screen at the end of a try: stars, the measure beside the best, and what next.

    Args:
        trying: the tries it belongs to. won: stars. had: the best before. time: in words. more: whether one follows.
    """

    def __init__(self, app: App, trying: Trying, won: int, had: Best | None, time: str, more: bool) -> None:
        super().__init__(app, 460, 330 if trying.solution is None else 372)
        self._trying, self._won, self._had, self._time = trying, won, had, time
        done = trying.came.done
        again = Button("Again" if done else "Try again", trying.again, key="R", main=not done)
        self._next = [Button("Next challenge", trying.next, key="N", main=done)] if more else []
        buttons = [*self._next, again] if done else [again, *self._next]
        if trying.plan is not None:
            buttons.insert(1, Button("Show the solution again", trying.show, key="V"))
        elif trying.solution is not None:
            buttons.append(Button("Solution", trying.solve, key="S", says="Told, it earns no more stars this time."))
        # whoever pressed Space a moment too late has not asked for another try
        self.form = Form([*buttons, Button("All challenges", trying.leave, key="Esc")], None)

    def can(self) -> str:
        """The line at the foot: what can be done now."""
        trying = self._trying
        more = ["N next"] * bool(self._next) + ["S solution"] * (trying.solution is not None and trying.plan is None)
        more += ["V shows it again"] * (trying.plan is not None)
        return "   ·   ".join(["R again", *more, "Tab, Up Down go about", "Esc all"])

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """The buttons at the foot."""
        super().layout(size, scale)
        self.stand_clear(lying_under(self))
        self.stack(260, 36, 42, 14)

    def draw(self, canvas: Canvas) -> None:
        """Draw stars, what came of it, the best before."""
        super().draw(canvas)
        came, x, y = self._trying.came, self.rect.centerx, self.rect.y + canvas.px(18)
        made, known = self._trying.made, self._trying.plan is not None
        title = "Done!" if came.done else "Not this time"
        if made:
            title = "Shown: it wins" if came.done else "Shown: not this time"
        colour = palette.GOOD if came.done else palette.TEXT
        y = canvas.text(title, (x, y), 26, colour, bold=True, anchor="midtop").bottom
        if not known:
            stars(canvas, (x, y + canvas.px(26)), canvas.px(15), self._won, MOST_STARS)
        y += canvas.px(10 if known else 52)
        for words, faint in ((came.says, False), *((words, True) for words in self._lines())):
            for line in canvas.wrapped(words, self.rect.w - canvas.px(40), 15) if words else ():
                colour = palette.FAINT if faint else palette.TEXT
                y = canvas.text(line, (x, y), 15, colour, anchor="midtop").bottom + canvas.px(2)

    def _lines(self) -> tuple[str, ...]:
        """Smaller lines: tries, time and the best before; of a puzzle that was told, how it went when shown."""
        trying = self._trying
        if trying.plan is None:
            tries = "1 try" if trying.tries == 1 else f"{trying.tries} tries"
            return f"{tries}, {self._time}", self.record
        shown, did = trying.shows
        assert trying.solution is not None
        return f"Shown so far: {did} of {shown} won." if shown else "", trying.solution.says, _UNEARNED

    @property
    def record(self) -> str:
        """The best before, or that this is a new one."""
        came, challenge = self._trying.came, self._trying.posed.challenge
        if came.measure is None:
            return ""
        had = self._had.measure if self._had is not None else None
        if challenge.better(came.measure, had):
            return "Your best so far!" if came.done else "Better than before." if had is not None else ""
        return f"Your best: {self._had.words()}" if self._had is not None else ""


def told(solution: Solution) -> str:
    """The flick of a puzzle in words, of a launch with all its numbers."""
    made = solution.action
    if not isinstance(made, Launch):
        return f"{standing.action(made)}."
    return (
        f"{standing.action(made)}. {to_degrees(made.slant):.0f}° up, nail {to_mm(made.height):.1f} mm up the base, "
        f"held {to_mm(made.lift):.0f} mm high."
    )
