"""The common part of all tables in the window: undo and redo, the menu, the help, pausing, the line at the foot."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pygame

from flicksim.base.geometry import Point
from flicksim.base.kinds import Action, State
from flicksim.play import Background, Warming, awaited, thoughts_of
from flicksim.players import GRADES, Hand
from flicksim.referee import Game
from flicksim.ui.frame.app import App, Screen
from flicksim.ui.frame.beside import Plan
from flicksim.ui.frame.face import Way
from flicksim.ui.frame.help import HelpScreen
from flicksim.ui.frame.sitting import Sitting
from flicksim.ui.kit import keys, language, palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.kit.form import Form
from flicksim.ui.kit.widgets import PRESS, Button
from flicksim.ui.match.course import Course
from flicksim.ui.match.insight import Insight
from flicksim.ui.match.overlays import AskScreen, EndScreen, PauseScreen
from flicksim.ui.match.own_up import OwnUpScreen
from flicksim.ui.match.starting import ALSO, YOU
from flicksim.ui.match.worths import COLUMN, Arrow, arrows, kept
from flicksim.ui.table import standing
from flicksim.ui.table.effects import Effects
from flicksim.ui.table.hinting import Cloud, hands, lend
from flicksim.ui.table.view import TableView

SHOWINGS = ("true speed", "slow", "very slow")
"""The setting for each of the speeds a playback has, see `playback.RATES`."""


_TRIES = "club"
"""The hand for what is to be done with a hand, of somebody who else plays without one."""
_NARROW = 200.0
"""A card finds no room in less [units]."""
_UNFAIR = (
    "What the position is worth is told where bots play among themselves, of a game that is over, and at the study "
    "board."
)
_LONGEST, _LOOK = 15.0, 1.5
"""Time that bots wait for the map of a position, at most, and then until it has been looked at [s]."""
_STAYS = "Here it stays as it is: begin again instead."
_UNAIDED = "A challenge is done without hints."


class AtTable(Screen):
    """A match on the table.

    Args:
        sitting: all that it is handed.
    """

    course: Course
    WAY: Way | None = None
    """From where to where flicks go; None: maps and best flicks are not shown here."""

    def __init__(self, app: App, sitting: Sitting) -> None:
        super().__init__(app)
        self.sitting, self.match, self._again = sitting, sitting.match, sitting.again
        self.beside = sitting.beside
        language.spare(name for name in self.match.people.values() if name != YOU and not name.startswith(ALSO))
        self._notice = ""
        self._asked = False
        usual: str = app.preferences.hand
        if self.beside is not None and usual == "steady":
            usual = _TRIES
        self.handicaps = standing.handicaps(self.match)
        self.grades = dict.fromkeys(range(len(self.match.players)), usual) | self.handicaps
        """The hands that people have here, by seat."""
        if self.match.game.flicked:
            self._lend()
        self.cloud: Cloud | None = None
        self.asked: Background[Action] | None = None
        self._owns = False
        """True if somebody is to be asked what happened, as soon as the course allows it."""
        self.buttons = {
            "hand": Button("", self.hand, key="Y", says="How steady your hand is."),
            "pause": Button("Pause", self.pause, key="P"),
            "back": Button("Back", lambda: self._step(-1), key=","),
            "step": Button("Step", lambda: self._step(1), key="."),
            "slow": Button("Slower", self._slow, key="S"),
            "skip": Button("Skip", self._skip, key="F"),
            "undo": Button("Undo", self.undo, key="U"),
            "hint": Button("Hint", self._wish_hint, key="H"),
            "help": Button("Help", self.help, key="?"),
            "fold": Button("Fold", self.fold, key="F6", says="Panels away, so that the table fills the window."),
            "menu": Button("Menu", self.menu, key="Esc"),
        }
        """By name; each table has some of these, and its own."""
        if self.beside is not None:
            self.buttons["menu"].label = "Back"
            self.buttons["hand"].enabled = False
        self.plan = self.beside.plan if self.beside is not None else None
        if self.plan is not None:
            self.buttons["hint"] = Button("Show me", self.show_plan, key="V", says="It is made by such a hand.")
        self.follows = False
        """True while the plan is being made, to the end of the try."""
        self._folds = False
        """True where the player likes the panels away."""
        self.effects = Effects()
        self.thoughts = thoughts_of(self.match.game)
        self.insight = Insight(self.match.game, self.WAY, lambda: self._compiler[0](), lambda: self._compiler[1]())
        self._lingered = self._looked = 0.0
        """Time since a bot has taken aim, and since the map of the position is there [s]."""
        self.announced: object = None
        self.form = Form([], None, arrows=False)
        self._ownable: tuple[object, bool] = (None, False)

    def opened(self, course: Course) -> Course:
        """A course set up as the player likes it."""
        preferences, course.serious = self.app.preferences, self.sitting.serious
        course.at_once = preferences.motion == "at once"
        course.rate = SHOWINGS.index(preferences.motion) if preferences.motion in SHOWINGS else 0
        course.sound, course.calm = self.app.sounds.play, preferences.calm
        return course

    def own_keys(self) -> tuple[keys.Keys, ...]:
        """The keys that only this table has."""
        return (keys.BOARD,)

    # -- doing ----------------------------------------------------------------------------------------------------

    def common(self, event: pygame.event.Event) -> bool:
        """Take a key; true where it means the same at every table."""
        match keys.meant(event):
            case "undo":
                self.undo()
            case "redo":
                self.redo()
            case "hint":
                self._wish_hint()
            case "hand" if self.match.game.flicked:
                self.hand()
            case "pause":
                self.pause()
            case "fold" if self.match.game.flicked:
                self.fold()
            case "own up":
                self.own_up()
            case "worth" | "map" as what if self.match.game.flicked:
                self.analyse(what)
            case "next flick" if self.fair and self.insight.on and self.WAY is not None:
                self.insight.choose()
            case "help":
                self.help()
            case "show plan" if self.plan is not None:
                self.show_plan()
            case "step" if self.course.stage == "show":
                self._step(1)
            case "step back" if self.course.stage == "show":
                self._step(-1)
            case "slow" if self.course.stage == "show":
                self._slow()
            case "skip" if self.course.stage == "show":
                self._skip()
            case _ if event.key in PRESS and self.course.stage == "over" and self.match.game.flicked:
                self._asked = False  # the result is shown again
            case _:
                return False
        return True

    @property
    def folded(self) -> bool:
        """True while the panels are away: they come back when they are needed."""
        return self._folds and self.beside is None and self.course.stage not in ("stuck", "over")

    def fold(self) -> None:
        """Put the panels away, or bring them back."""
        self._folds = not self._folds
        self.buttons["fold"].label = "Panels" if self._folds else "Fold"
        self.composed()

    @property
    def fair(self) -> bool:
        """True where nobody who plays could learn from the analyst: only bots sit here."""
        return self.beside is None and not self.course.humans

    def analyse(self, what: str) -> None:
        """Show what the position is worth, or the map with the best flicks; or no longer."""
        if not self.fair:
            self.app.say(_UNFAIR)
            return
        insight = self.insight
        if what == "worth":
            insight.bar = not insight.bar
        elif self.WAY is None:
            self.app.say("No map is shown while all launch at once.")
        else:
            insight.map = not insight.map
        self.app.lay(self)

    @property
    def weighed(self) -> State:
        """The state that the analyst tells of."""
        return self.course.state

    def composed(self) -> None:
        """Put together anew what there is to be seen."""

    def _wish_hint(self) -> None:
        """Ask for a hint, where there are any."""
        if self.beside is not None and not self.beside.hints:
            self._notice = _UNAIDED
            return
        self.ask_hint()

    def ask_hint(self) -> None:
        """Ask what to do."""

    def show_plan(self) -> None:
        """Have the plan made by the hand it is told of, to the end of the try."""
        if self.beside is not None and self.plan is not None and self.planned and self.course.stage == "choose":
            self.follows = self.make(self.plan.action, GRADES[self.plan.hand])
            if self.follows:
                self.beside.shown()

    @property
    def planned(self) -> bool:
        """True where there is a plan, and the table still lies as it was made for."""
        return self.plan is not None and not self.match.turns and not self.follows

    @property
    def idle(self) -> bool:
        """True where the seat to play may do something and nothing is under way."""
        return self.course.stage == "choose" and self.course.quiet

    def _go_along(self, plan: Plan) -> None:
        """Make what comes after a plan, where its flick did not end the try."""
        match = self.match
        dice = match.seeds.child("plan", len(match.turns)).generator()
        self.follows = self.make(plan.onward(match.state, dice), GRADES[plan.hand])

    def make(self, action: Action, hand: Hand) -> bool:
        """Have a flick made by a hand; False, with the reason told, where it is refused."""
        return self.course.act(action, hand)

    def way(self, shot: Action) -> tuple[Point, Point] | None:
        """From where to where a shot is aimed [m]; None for what is none."""
        return None if self.WAY is None else self.WAY(self.match.game, self.match.state, shot)

    def draw_plan(self, canvas: Canvas) -> None:
        """Draw the plan as an arrow, until somebody flicks."""
        view, plan = self.seen, self.plan
        way = self.way(plan.action) if plan is not None and self.planned else None
        if view is None or plan is None or way is None:
            return
        begin, end = map(view.camera.to_screen, kept(way, self.match.state.scene.surface.outline))
        with canvas.clipped(view.area):
            arrows(canvas, [Arrow(begin, end, palette.GLOW, plan.label)])

    def hear_hint(self) -> None:
        """Take the answer to what was asked, when it has come."""
        if self.asked is not None and self.asked.done:
            job, self.asked = self.asked, None
            self._hinted(job.result())

    def _hinted(self, action: Action) -> None:
        """A club player would do this."""

    def end(self) -> None:
        """Tell what goes along of what has been seen; else show the result, once, when the game is over."""
        if self.beside is not None:
            if self.follows and self.plan is not None and self.idle:
                self._go_along(self.plan)
            self.beside.seen(self.course.seen, quiet=self.course.quiet)
        elif self.course.stage == "over" and not self._asked:
            self._asked = True
            self.app.push(self.result())

    def result(self) -> Screen:
        """The screen of the result."""
        return EndScreen(self.app, self.match, self._again, self.undo, self._own_up_there)

    def forget_hint(self) -> None:
        """Wait for no answer any more."""
        if self.asked is not None:
            self.asked.leave()
        self.asked = None

    def hand(self) -> None:
        """The next hand for the people at the window."""
        if self.beside is not None:
            self._notice = _STAYS
            return
        names, now = tuple(GRADES), self.steadiness
        then = names[(names.index(now) + 1) % len(names)] if now in names else names[0]
        self.grades |= dict.fromkeys([self.acting] if self.handicaps else self.grades, then)
        self._lend()
        self._notice = f"Your hand is now that of {hands(then)}."

    def _lend(self) -> None:
        for seat, name in self.grades.items():
            lend(self.match, name, seat)

    @property
    def acting(self) -> int:
        """The seat whose hand is meant: the person's to play, or the first."""
        people, seat = [k for k, player in enumerate(self.match.players) if player is None], self.match.to_play
        return seat if seat in people else people[0] if people else 0

    @property
    def steadiness(self) -> str:
        """The grade of the hand that flicks."""
        return self.grades[self.acting]

    def show_cloud(self, action: Action) -> None:
        """Show where a shot would come to rest, made by one's own hand."""
        self.forget_cloud()
        own = self.steadiness if self.steadiness != "steady" else self.app.preferences.hand
        self.cloud = Cloud(self.match, action, own, self.many_ready)

    def many_ready(self) -> None:
        """Wait until many shots can be made at once; called beside the window."""
        for one in self.physics:
            one.wait()

    @property
    def physics(self) -> Sequence[Warming]:
        """Work that makes many shots ready."""
        return ()

    @property
    def _compiler(self) -> tuple[Callable[[], None], Callable[[], str]]:
        """Ways to wait until positions can be weighed, and to say that one waits."""
        return awaited(*self.physics, self.thoughts)

    def forget_cloud(self) -> None:
        """Show no shots that might be."""
        if self.cloud is not None:
            self.cloud.leave()
        self.cloud = None

    def pause(self) -> None:
        """Hold the shot that is shown, or else the whole course; a game that is over has nothing to hold."""
        course = self.course
        if course.clock is not None and course.stage == "show":
            course.clock.paused = not course.clock.paused
        elif course.stage not in ("over", "stuck"):
            course.paused = not course.paused

    def _step(self, by: int) -> None:
        if self.course.clock is not None:
            self.course.clock.step(by)

    def _slow(self) -> None:
        if self.course.clock is not None:
            self.course.clock.slower()

    def _skip(self) -> None:
        self.course.skip()

    @property
    def moves(self) -> bool:
        """True while anything is seen to move: on the table, over it, or the view itself."""
        view = self.seen
        return (
            not self.match.game.flicked
            or self.course.moving
            or self.effects.busy
            or (view is not None and view.gliding)
        )

    # -- what comes and goes --------------------------------------------------------------------------------------

    turns = True
    """True if one seat after another plays, so that a turn is handed over."""

    @property
    def area(self) -> pygame.Rect:
        """Rectangle of the table [pixels]."""
        return self.seen.clear if self.seen is not None else self.app.surface.get_rect()

    def update(self, dt: float) -> None:
        """Let time go on for what comes and goes over the table."""
        self.effects.calm = self.course.calm = self.app.preferences.calm
        self.effects.update(dt, waiting=bool(self.awaited))
        if self.insight.on:
            self.insight.look(self.weighed, dt)
        self._linger(dt)
        if self.turns and self.course.stage in ("choose", "think"):
            self.hand_over()

    def _linger(self, dt: float) -> None:
        """Let bots wait with their flick for the map of the position, and then for a look at it; not for ever."""
        course, insight = self.course, self.insight
        if not (insight.map and self.fair and course.stage == "think"):
            self._lingered, self._looked, course.lingers = 0.0, 0.0, False
            return
        if not course.paused:
            self._lingered += dt if course.aimed is not None else 0.0
            self._looked += dt if insight.seen else 0.0
        course.lingers = self._lingered < _LONGEST and self._looked < _LOOK

    def hand_over(self) -> None:
        """Say once whose turn it is."""
        match, seat = self.match, self.match.to_play
        part = standing.stretch(match.game, match.state)
        if seat is None or self.announced == (seat, part):
            return
        self.announced = (seat, part)
        if not (match.game.flicked or self.app.preferences.wait) and match.players[seat] is not None:
            return  # the others play at once
        key = palette.seat_key(seat, match.game.seat_names)
        name, person = standing.name(match, seat), match.players[seat] is None
        alone = self.beside is not None or sum(player is None for player in match.players) == 1
        more = [] if person and not alone else [name if person else standing.who(match, seat)]
        more += [part] if part else []
        words = ("Your turn" if alone else f"{name}: your turn") if person else name
        self.effects.hand_over(words, "  ·  ".join(more), key)

    @property
    def awaited(self) -> str:
        """Thing that is waited for just now, in a few words; empty when nothing is."""
        match, seat = self.match, self.match.to_play
        if self.asked is not None:
            return "A club player is asked"
        if self.course.paused or self.course.aimed is not None:
            return ""
        if self.course.stage == "think" and self.bots_wait:
            return self.bots_wait
        if self.course.stage == "think" and seat is not None:
            return f"{standing.name(match, seat)} is thinking"
        return "The shot is worked out" if self.course.stage == "settle" else ""

    @property
    def bots_wait(self) -> str:
        """Sentence that the bot whose turn it is waits for the compiler; empty when it does not."""
        thoughts = self.thoughts
        return thoughts.brief if thoughts is not None and thoughts.awaits(self.match) else ""

    def over(self, canvas: Canvas) -> None:
        """Draw what the position is worth, whose turn it is, what was won and what is waited for."""
        if self.insight.bar:
            wide, area = round(COLUMN * self.app.scale), self.area
            self.insight.draw_bar(canvas, pygame.Rect(max(0, area.x - wide), area.y, wide, area.h))
        self.draw_plan(canvas)
        self.effects.draw(canvas, self.area, self.awaited)

    # -- owning up ------------------------------------------------------------------------------------------------

    @property
    def ownable(self) -> bool:
        """True where there is anything people may own up to just now."""
        state = self.match.state
        if self.beside is not None:
            return False
        if self._ownable[0] is not state:
            self._ownable = (state, bool(self.match.own_up))
        return self._ownable[1]

    def own_up(self) -> None:
        """Let somebody say what the referee did not see; once what is shown or settled is over."""
        self._owns = self.course.held = self.ownable
        if not self._owns:
            self._notice = "There is nothing to own up to now."

    @property
    def seen(self) -> TableView | None:
        """View of the table, if pieces on it can be pointed at."""
        return None

    @property
    def lying(self) -> list[tuple[float, float]]:
        """Points of the window at which pieces lie now [pixels]."""
        view, scene = self.seen, self.course.state.scene
        if view is None:
            return []
        return [view.camera.to_screen(piece.at) for piece in scene.pieces if view.area.collidepoint(
            view.camera.to_screen(piece.at))]  # fmt: skip

    def asked_to_own_up(self) -> None:
        """Ask what happened, if somebody wants to say and nothing is under way."""
        view = self.seen
        if not self._owns or view is None or not self.course.may_own_up or self.app.top is not self:
            return
        self._owns = self.course.held = False
        if self.ownable:
            self._asked = False  # the end of the game may be another, or is shown again
            self.course.see_all()
            self.app.push(OwnUpScreen(self.app, self.course, view))

    # -- taking back ----------------------------------------------------------------------------------------------

    def undo(self) -> None:
        """Take back to the last decision of somebody at the window; in a serious game, if the other seat agrees."""
        left = self.course.undo_to()
        if self.beside is not None:
            self._notice = _STAYS
        elif left is None:
            self._notice = "There is nothing of yours to take back."
        elif not self.course.serious:
            self._taken_back(left)
        else:
            self._ask_other(left)

    def _taken_back(self, left: int) -> None:
        if self.course.undo(left):
            self._asked = False
            self.after_undo()

    def after_undo(self) -> None:
        """Turns were taken back or done again."""

    def _ask_other(self, left: int) -> None:
        """Ask the seat after the one that wants its turn back."""
        match = self.match
        seat = match.turns[left].seat
        other = (seat + 1) % len(match.players)
        names = standing.name(match, seat), standing.name(match, other)
        if match.players[other] is None:
            question = f"{names[1]}: may {names[0]} take turn {left + 1} back?"
            self.app.push(AskScreen(self.app, question, lambda: self._taken_back(left)))
        elif reason := self.course.refusal(left):
            self._notice = f"{names[1]} does not let you take it back: {reason}."
        else:
            self._taken_back(left)
            self._notice = f"{names[1]} lets you take it back."

    def redo(self) -> None:
        """Do again what was taken back."""
        if self.course.redo():
            self.after_undo()
        else:
            self._notice = "There is nothing to do again."

    def back_to(self, left: int) -> None:
        """Take back until so many turns are left (chosen among the turns looked through)."""
        while self.app.top is not self and self.app.screens:
            self.app.pop()
        if left > len(self.match.turns):
            while len(self.match.turns) < left and self.course.redo():
                pass
        else:
            self._taken_back(left)

    # -- other screens --------------------------------------------------------------------------------------------

    def help(self) -> None:
        """Keys, rules, words."""
        lines = keys.listed(self.own_keys(), table=self.match.game.flicked)
        self.app.push(HelpScreen(self.app, lines, self.match.game))

    def menu(self) -> None:
        """Open what one may do besides playing; what goes along knows what Esc means there."""
        if self.beside is not None:
            self.beside.leave()
            return
        back = None if self.course.serious else self.back_to
        self.app.push(PauseScreen(self.app, self.match, self._again, back, self._own_up_there))

    @property
    def _own_up_there(self) -> Callable[[], None] | None:
        """To own up from the screens over the table; None where there is nothing to own up to."""
        return self.own_up if self.ownable else None

    def close(self) -> None:
        """Done with this match."""
        self.forget_cloud()
        self.forget_hint()
        self.insight.leave()
        self.course.leave()
        if self.sitting.own and self.sitting.keeper is not None:
            self.sitting.keeper.close()

    # -- the line at the foot -------------------------------------------------------------------------------------

    def room(self, whole: pygame.Rect) -> pygame.Rect:
        """Over the buttons that are always there: what is told in that place can be read another time."""
        left, right = self.buttons["undo"].rect.x, self.buttons["menu"].rect.right
        beside = [widget.rect for widget in self.form.widgets if widget.rect.w and widget.rect.x >= left]
        if not beside or right - left < _NARROW * self.app.scale:
            return whole
        return pygame.Rect(left, whole.y, right - left, min(rect.y for rect in beside) - whole.y)

    def about(self) -> Game | None:
        """The game whose words are used."""
        return self.match.game

    def can(self) -> str:
        """The line at the foot: what can be done now."""
        course = self.course
        ways: list[str] = []
        if course.paused:
            ways = ["Paused: P goes on"]
        elif course.stage == "choose":
            ways = [*self.may(), *(["H hint"] if self.hintable else []), *(["V shows it"] if self.planned else [])]
        elif course.stage == "show":
            held = course.clock is not None and course.clock.paused
            ways = ["P goes on" if held else "P pauses", "S slower", ". , step", "F to the end"]
        elif course.waits:
            ways = ["Space goes on"]
        elif course.stage == "over" and self.match.game.flicked and self.beside is None:
            ways = ["Space: the result"]
        elif course.stage == "hold":
            ways = ["P pauses"]
        elif course.stage in ("think", "settle"):
            ways = ["Wait a moment"]
        if self.takes_back:
            ways.append("U undo" if not course.serious else "U asks to take back")
        if course.undone:
            ways.append("Shift + U redo")
        if self.ownable and not course.paused:
            ways.append("F3 own up")
        if self.match.game.flicked and self.fair and course.stage not in ("stuck", "over"):
            ways += self.insight.ways
            ways += ["N next flick"] if self.insight.on and self.WAY is not None else []
        return "   ·   ".join([*ways, "? help", "Esc menu" if self.beside is None else "Esc back"])

    @property
    def hintable(self) -> bool:
        """True where a hint may be asked for, when something is to be chosen."""
        return self.course.humans and (self.beside is None or self.beside.hints)

    @property
    def helps(self) -> bool:
        """True where the table helps whoever chooses: by a hint, or by a flick that is shown."""
        return self.hintable if self.plan is None else self.planned

    @property
    def takes_back(self) -> bool:
        """True where there is a decision that may be taken back: a challenge and a lesson have none."""
        return self.beside is None and self.course.undo_to() is not None

    def may(self) -> list[str]:
        """The choices of the seat to act, a few words each."""
        return []


def lying_under(over: Screen) -> list[tuple[float, float]]:
    """Points of the window at which pieces lie under a screen over a table [pixels]."""
    screens = over.app.screens
    below = screens[screens.index(over) - 1] if over in screens[1:] else None
    return below.lying if isinstance(below, AtTable) and below.match.game.flicked else []
