"""The analyst beside a table: what the position shown is worth, the best flicks, and the map of one of them.

It works in a process of its own (`Apart`), for the position that is shown; a new one calls the old one off. What is to
be shown is made in another, so that the weighing goes on.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import zip_longest

import pygame

from flicksim.base.geometry import Point
from flicksim.base.kinds import Account, Action, State
from flicksim.drawing import Camera
from flicksim.play import Appraisal, appraising, charting, expected, showing, usual_shots
from flicksim.players import Chart, Weighed
from flicksim.referee import Game
from flicksim.table import Flick, Landings, Launch, Motion, Squidge
from flicksim.ui.frame.face import Way
from flicksim.ui.kit import palette
from flicksim.ui.kit.apart import Apart
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.match import worths
from flicksim.ui.table import standing

HAND = "club"
"""Grade of the hand that positions are weighed with, so that all are told alike."""
_SEED = 1
BACK = "Esc or a click goes back"
"""Words for the way back from a flick that is shown to the position."""
_CALM = 0.25
"""Time that a position must stay before it is asked about: what is dragged counts where it is let go [s]."""


def caption_shown(canvas: Canvas, rect: pygame.Rect, number: int = 0) -> None:
    """Write over a table on which one of the best flicks is shown which it is, from 0, and how one goes back."""
    at = (rect.centerx, rect.y + canvas.px(12))
    says = f"Flick {number + 1}, as it is meant" if number else "The best flick, as it is meant"
    y = canvas.text(says, at, 16, palette.GLOW, bold=True, anchor="midtop").bottom
    canvas.text(BACK, (rect.centerx, y), 13, palette.CHALK, anchor="midtop")


def waiting(compiler: str) -> str:
    """The sentences that say that nothing is weighed yet.

    Args:
        compiler: what it still works on, in a sentence; empty where it is done.
    """
    return f"The analyst waits for the compiler. {compiler}" if compiler else "The analyst is starting ..."


class Insight:
    """The analyst's view of a position.

    Args:
        game: whose. way: from where to where its flicks go; None: arrows and maps are not shown.
        ready: called beside the window before the first question; may wait. waits: says for what, in a sentence.
    """

    def __init__(
        self, game: Game, way: Way | None = None, ready: Callable[[], None] = lambda: None,
        waits: Callable[[], str] = lambda: "",
    ) -> None:  # fmt: skip
        self.game, self.way, self._waits = game, way, waits
        self.bar = self.map = False
        """True if the bar, the map with the best flicks, is to be seen."""
        self.chosen = 0
        self._state: State = None
        self._new = 0.0
        self._asked: State = None
        self._work = Apart[Appraisal | Chart](ready)
        self._maker = Apart[Motion | Landings](ready)
        self._appraisal: Appraisal | None = None
        self._last: tuple[Appraisal, State] | None = None
        """The last word about any position, and which: the bar keeps it until there is a newer one."""
        self._budget = (0, 0)
        """Shots that are settled for what was asked last: soonest, and at most."""
        self._weighed = self._mapped = False
        """True once nothing is better than the best flick beyond luck."""
        self._spreads: dict[Action, worths.Spread | None] = {}
        """Maps that were asked for; None as long as there is none."""

    @property
    def on(self) -> bool:
        """True while anything of it is to be seen."""
        return self.bar or self.map

    @property
    def ways(self) -> list[str]:
        """The keys that show or hide it, for the line at the foot."""
        mapped = [] if self.way is None else ["F8 map off" if self.map else "F8 map"]
        return ["F7 worth off" if self.bar else "F7 worth", *mapped]

    def look(self, state: State, dt: float) -> None:
        """Tell of this state from now on; nothing of None. To be called once a frame."""
        if state is not self._state:
            self._state, self._asked, self._new = state, None, 0.0
            self._work.drop()
            self.call_off()
            self._work.told, self._work.wrong, self._maker.wrong = [], "", ""
            self._appraisal, self._spreads, self.chosen, self._weighed = None, {}, 0, False
            self._last = None if state is None else self._last
        self._new += dt
        if self.on and state is not None and self._asked is not state and self._new >= _CALM:
            self._asked = state
            mapped = self._mapped = self.map and self.way is not None
            self._budget = expected(self.game, mapped=mapped)
            self._work.ask(appraising, self.game.name, state, HAND, _SEED, mapped)
        self._work.update()
        self._maker.update()
        if self._asked is not state:
            return
        self._weighed = self._weighed or (self._work.done and self._mapped and not self._work.wrong)
        for one in self._work.told:
            if isinstance(one, Appraisal):
                self._appraisal, self._last = one, (one, state)
            else:
                way = self.way(self.game, state, one.action) if self.way is not None else None
                edge = state.scene.surface.outline
                self._spreads[one.action] = worths.Spread(one, way, edge) if way is not None else None
        self._work.told = []
        for weighed in self.best:
            spread = self._spreads.get(weighed.action)
            if spread is not None:
                spread.hold_against(weighed.worth.chance)
        self._ask_maps()

    def hold(self) -> None:
        """The position is being changed: nothing is weighed until it stays again. To be called once a frame."""
        if self._asked is not None:
            self._work.drop()
            self.call_off()
            self._work.told, self._work.wrong, self._spreads, self.chosen = [], "", {}, 0
            self._asked, self._appraisal, self._weighed = None, None, False
        self._new = 0.0

    def _from(self, action: Action) -> tuple[Point, Point] | None:
        """From where to where a flick goes, no farther than to the table's edge [m]."""
        way = self.way(self.game, self._asked, action) if self.way is not None else None
        return None if way is None else worths.kept(way, self._asked.scene.surface.outline)

    def _ask_maps(self) -> None:
        """Ask for the maps of the best flicks, once these are told with as many shots as will be settled."""
        flicks = [one.action for one in self.best if isinstance(one.action, Flick | Squidge | Launch)]
        missing = tuple(flick for flick in flicks if flick not in self._spreads)
        if self.map and self.way is not None and self._work.done and missing:
            self._spreads |= dict.fromkeys(missing)
            self._budget = (usual_shots(self.game) * len(missing),) * 2
            self._work.ask(charting, self.game.name, self._asked, HAND, _SEED, missing)

    # -- what is told ---------------------------------------------------------------------------------------------

    @property
    def appraisal(self) -> Appraisal | None:
        """The last word about the position shown; None as long as there is none."""
        return self._appraisal if self._asked is self._state else None

    @property
    def best(self) -> tuple[Weighed, ...]:
        """The best plans, the best first."""
        return self.appraisal.weighing.best if self.appraisal is not None else ()

    @property
    def busy(self) -> bool:
        """True while more is being worked out."""
        return self.on and self._state is not None and (self._asked is not self._state or not self._work.done)

    @property
    def seen(self) -> bool:
        """True once the best flick of the position shown has its map, or nothing of it can be told."""
        return self._asked is self._state and bool(self._work.wrong or self._spread is not None
                                                   or (self.best and self._work.done))  # fmt: skip

    @property
    def measure(self) -> tuple[int, int] | None:
        """Shots settled for what is being worked out, and of how many; None while nothing is."""
        if not self.busy or self._asked is not self._state or self._work.wrong or self._begins:
            return None
        soonest, most = self._budget
        return min(self._work.settled, most), soonest if self._work.settled < soonest else most

    @property
    def _begins(self) -> bool:
        """True until it has settled the first shots: before, it loads what is compiled."""
        return self._work.waits or (self._appraisal is None and self._work.settled == 0)

    @property
    def says(self) -> str:
        """A sentence about how far it is, or why there is nothing to tell; empty once all is told."""
        wrong = self._work.wrong or self._maker.wrong
        if wrong and self._asked is self._state:
            return f"{wrong[:1].upper()}{wrong[1:]}."
        if self.appraisal is None:
            return waiting(self._waits()) if self._begins else "The position is being weighed ..."
        if not self._maker.done:
            return "The shot is worked out ..."
        if self.map and self._spreads and self._spread is None:
            return "The map is being drawn ..."
        if self.appraisal.rough:
            return "That is a first estimate; more shots follow ..."
        return "It is weighed with more shots ..." if self.busy else ""

    def shares(self) -> tuple[worths.Share, ...]:
        """The chance of the first side and of the other, for the bar: the last that was told; none before."""
        if self._last is None:
            return ()
        told, state = self._last
        names, seats = self.game.seat_names, len(self.game.rules.scores(state))
        sides = self.game.sides(seats)
        first, other = sides[0], sides[-1]
        if len(sides) != 2:
            first = (told.weighing.seat,)
            other = next((side for side in sides if told.weighing.seat not in side), first)
        keys = (palette.seat_key(side[0], names) for side in (first, other))
        return tuple(worths.Share(*share, key) for share, key in zip(told.shares(sides), keys, strict=True))

    @property
    def _spread(self) -> worths.Spread | None:
        """The map of the chosen plan; None as long as there is none."""
        return self._spreads.get(self.best[self.chosen].action) if self.best else None

    def choose(self, by: int = 1) -> None:
        """Look at the next of the best plans."""
        if self.best:
            self.chosen = (self.chosen + by) % len(self.best)

    # -- show me --------------------------------------------------------------------------------------------------

    def show(self) -> bool:
        """Have the chosen plan made just as it is meant; false where there is none."""
        if not self.best or not self.game.flicked:
            return False
        self._maker.ask(showing, self.game.name, self._asked, self.best[self.chosen].action)
        return True

    @property
    def making(self) -> bool:
        """True while a plan to be shown is still worked out."""
        return not self._maker.done

    def call_off(self) -> None:
        """Nothing is to be shown any more."""
        self._maker.drop()
        self._maker.told = []

    def motion(self) -> Account:
        """The motion that was asked for, once; None as long as there is none."""
        return self._maker.told.pop() if self._maker.told else None

    def leave(self) -> None:
        """Nobody looks at it any more."""
        self._work.leave()
        self._maker.leave()

    # -- seen -----------------------------------------------------------------------------------------------------

    def room(self, scale: float) -> int:
        """Width that the bar needs at the table's left edge [pixels]."""
        return round(worths.COLUMN * scale) if self.bar else 0

    def draw_bar(self, canvas: Canvas, column: pygame.Rect) -> None:
        """Show the bar, if it is to be seen."""
        if self.bar:
            worths.bar(canvas, column, self.shares(), old=self._last is not None and self._last[1] is not self._asked)

    def draw_under(self, canvas: Canvas, camera: Camera) -> None:
        """Lay the map over the table: before the pieces, so that they are seen as they are."""
        if self.map and self._asked is self._state and self._spread is not None:
            self._spread.draw(canvas, camera)

    def draw_over(self, canvas: Canvas, camera: Camera) -> None:
        """Draw the best plans as arrows with their chances, the chosen one uppermost."""
        if not self.map or self._asked is not self._state:
            return
        drawn = list[tuple[bool, worths.Arrow]]()
        for k, one in reversed(list(enumerate(self.best))):
            spread = self._spreads.get(one.action)
            way = spread.way if spread is not None else self._from(one.action)
            if way is not None:
                colour = palette.GLOW if k == self.chosen else palette.CHALK
                label = f"{k + 1}: {one.worth.chance:.0%}"
                begin, end = map(camera.to_screen, way)
                drawn.append((k == self.chosen, worths.Arrow(begin, end, colour, label)))
        labels = worths.arrows(canvas, [one for _, one in sorted(drawn, key=lambda pair: pair[0])])
        spread = self._spread
        if spread is not None and spread.small(canvas, camera):
            told = [corner for one in labels for corner in (one.topleft, one.topright, one.bottomleft, one.bottomright)]
            spread.inset(canvas, camera, [*told, *(camera.to_screen(one.at) for one in self._asked.scene.pieces)])

    def tell(self, canvas: Canvas, rect: pygame.Rect) -> int:
        """Write the best plans, the legend of the map and how far it is. Returns where it ends [pixels]."""
        y, told = rect.y, self.appraisal
        if self.says:
            y = self._tell_progress(canvas, rect) + canvas.px(6)
        for k, (one, purpose) in enumerate(zip_longest(self.best, told.purposes if told is not None else ())):
            if y + canvas.high(14) > rect.bottom:
                return y
            colour = palette.ACCENT if k == self.chosen and len(self.best) > 1 else palette.TEXT
            head = canvas.text(f"{k + 1}: {one.worth.chance:.0%}", (rect.x, y), 14, colour, bold=True)
            x = max(head.right, rect.x + canvas.px(54)) + canvas.px(8)
            lines = [(standing.action(one.action), 13, palette.TEXT)]
            if purpose is not None:
                lines = [(purpose.says, 14, colour), (standing.action(one.action), 12, palette.FAINT)]
            for says, size, tint in lines:
                high = min(2 * canvas.high(size), rect.bottom - y)
                if high >= canvas.high(size):
                    y = canvas.paragraph(says, pygame.Rect(x, y, rect.right - x, high), size, tint)
            y += canvas.px(2)
        if self.map and self._spread is not None and y + 4 * canvas.high(12) < rect.bottom:
            under = pygame.Rect(rect.x, y + canvas.px(4), rect.w, 0)
            y = self._spread.legend(canvas, under, luck=self.chosen == 0 and self._weighed)
        for says in (_HANDS, _GUESSED if told is not None and told.guessed else ""):
            room = rect.bottom - y
            if told is not None and says and room >= canvas.high(13):
                y = canvas.paragraph(says, pygame.Rect(rect.x, y + canvas.px(2), rect.w, room), 13, palette.FAINT)
        return y

    def _tell_progress(self, canvas: Canvas, rect: pygame.Rect) -> int:
        """Write how far it is, over a thin bar with its shots. Returns where it ends [pixels]."""
        y = canvas.paragraph(self.says, pygame.Rect(rect.x, rect.y, rect.w, 3 * canvas.high(13)), 13, palette.FAINT)
        if self.measure is None:
            return y
        done, of = self.measure
        bar = pygame.Rect(rect.x, y + canvas.px(2), rect.w, canvas.px(5))
        canvas.gauge(bar, done / max(1, of))
        words = f"{done:,} of {of:,} shots"
        return canvas.text(words, (bar.x, bar.bottom + canvas.px(1)), 12, palette.FAINT, within=rect.w).bottom


_HANDS = "Everybody is taken to have a club player's hand."
_GUESSED = "This game is not played out to its end: the chance is judged by how the table looks after the flick."
