"""The mat as it is played at: winks taken, aimed and squidged, shots shown from above and from the side."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from flicksim.base.kinds import Action
from flicksim.drawing import Camera
from flicksim.play import SQUIDGES, WINKS, Warming, asker
from flicksim.table import Squidge
from flicksim.ui.board.at_board import AtBoard
from flicksim.ui.faces.tiddlywinks import extent, piles, plan, saying, score, stroke, ways
from flicksim.ui.faces.tiddlywinks.final import FinalScreen
from flicksim.ui.faces.tiddlywinks.keys import KEYS
from flicksim.ui.faces.tiddlywinks.knobs import DIALS, PILED
from flicksim.ui.faces.tiddlywinks.looking import Looking
from flicksim.ui.faces.tiddlywinks.pose import Pose
from flicksim.ui.faces.tiddlywinks.shooter import WinkShooter
from flicksim.ui.faces.tiddlywinks.view import WinkView
from flicksim.ui.frame.app import App
from flicksim.ui.frame.sitting import Sitting
from flicksim.ui.kit import palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.kit.keys import Keys
from flicksim.ui.kit.knob import Knob
from flicksim.ui.kit.widgets import Button, Widget
from flicksim.ui.match.course import Course
from flicksim.ui.table import shot_box, side_panel, slingshot
from flicksim.ui.table.hinting import own
from flicksim.ui.table.painter import scene_of


class WinkScreen(AtBoard):
    """A match of tiddlywinks in the window (see `AtTable`).

    Args:
        warming: of the physics.
    """

    SHOWING = ("pause", "back", "step", "slow", "skip")
    DOES = "squidge"
    ALWAYS = ("follow", *AtBoard.ALWAYS)
    WAY = staticmethod(ways.way)

    def __init__(self, app: App, sitting: Sitting, warming: Warming = WINKS) -> None:
        super().__init__(app, sitting)
        match = self.match
        self.warming = warming
        match.settled_by(warming.stage(match.stage))
        warming.begin()
        SQUIDGES.begin()
        scene = scene_of(match.state)
        assert scene is not None, "this screen shows mats"
        self.view = WinkView(match.game.seat_names, scene.surface)
        self.shooter = WinkShooter(match, self.view)
        self.looking = Looking(self.view)
        self._shown: object = None
        self._fresh = True
        """True until the view has been placed for the first time."""
        self._beside = 0
        """Width of what stands beside the mat [pixels]."""
        self._table = self._frame = self._cards = pygame.Rect(0, 0, 0, 0)
        self.knobs = [Knob(dial, lambda: self.shooter.aim, self.shooter.look) for dial in DIALS]
        self.buttons |= {
            "squidge": Button("Squidge", self.flick, key="Space", main=True),
            "next": Button("Wink", lambda: self._press(pygame.K_n), key="N"),
            "pot": Button("Pot", lambda: self._press(pygame.K_o), key="O"),
            "target": Button("Target", lambda: self._press(pygame.K_t), key="T"),
            "follow": Button("Whole mat", self.view.toggle, key="Z"),
        }
        self.course = self.opened(Course(match, sitting.keeper, asker(match, warming)))
        self.course.changed = self._changed
        self._changed()

    # -- what is due ----------------------------------------------------------------------------------------------

    @property
    def aimed(self) -> WinkShooter:
        """Keys and mouse become a squidge."""
        return self.shooter

    def lines(self) -> list[str]:
        """The decisions as the rules say them."""
        return [decision.says for decision in self.decisions]

    def took_up(self) -> None:
        """The course has turned: mark what may not be played, and let the view follow again."""
        choosing = self.course.stage == "choose"
        self.wrong = self.course.wrong if choosing else ""
        plan.bar(self.view.painter, self.course.state, choosing=choosing)
        self.looking.forget()
        self.view.release()

    def aiming(self) -> list[Widget]:
        """Buttons and knobs of a squidge; those of piles only where one is played."""
        named, aim = self.buttons, self.shooter.aim
        named["next"].enabled = len(self.shooter.spans) > 1
        knobs = [knob for knob in self.knobs if (aim is not None and aim.piled) or knob.label not in PILED]
        return [*(named[k] for k in ("squidge", "next", "pot", "target", "hand")), *knobs]

    # -- doing ----------------------------------------------------------------------------------------------------

    def flick(self) -> None:
        """Make the squidge that is aimed."""
        made = self.shooter.made()
        if made is not None:
            self._act(made)

    def _press(self, key: int) -> None:
        """A button that is a key."""
        event = pygame.event.Event(pygame.KEYDOWN, key=key, mod=0, unicode="")
        if self.shooter.key(event):
            self._aimed()

    def _aimed(self) -> None:
        """The aim has changed by hand."""
        self._notice, self.wrong = self.shooter.notice, ""
        self.shooter.notice, self._taken = "", True
        self._compose()

    def ready(self) -> None:
        """Wait until a club player can be asked."""
        self.warming.wait()
        if self.thoughts is not None:
            self.thoughts.wait()

    @property
    def physics(self) -> Sequence[Warming]:
        """Squidges one by one, and many at once."""
        return (self.warming, SQUIDGES)

    def take(self, action: Action) -> bool:
        """Aim as somebody else would."""
        if isinstance(action, Squidge):
            self.shooter.take(action)
            self._aimed()
        return isinstance(action, Squidge)

    @property
    def warmed(self) -> Warming:
        """Work that makes squidges ready."""
        return self.warming

    # -- events ---------------------------------------------------------------------------------------------------

    @property
    def seen(self) -> WinkView:
        """View of the mat."""
        return self.view

    def mouse(self, event: pygame.event.Event) -> None:
        """Look at a wink, go on, aim and squidge, move the view."""
        if event.type == pygame.MOUSEMOTION:
            self.looking.hover(event.pos, self.poses(), self.app.scale)
        if self._went_on(event) or (self.course.stage == "choose" and self._shoot(event)):
            return
        self.view.handle(event)

    def _shoot(self, event: pygame.event.Event) -> bool:
        """Take the mouse; true where it was for the aim."""
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 3 and self.shooter.cancel():
            return True
        if event.type in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP) and event.button != 1:
            return False
        before = self.shooter.aim
        squidge = self.shooter.mouse(event)
        if squidge is not None:
            self._act(squidge)
        elif event.type in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
            self._notice, self.wrong, self.shooter.notice = self.shooter.notice, self.shooter.wrong, ""
            if self.shooter.aim is not before:
                self._compose()
        return squidge is not None or self.shooter.sling.pull is not None

    def let_go(self) -> bool:
        """Look at no wink any more."""
        looked = self.looking.wink is not None
        if looked:
            self.looking.forget()
        return looked

    def own_key(self, event: pygame.event.Event) -> bool:
        """G looks at one wink after another."""
        if KEYS.pressed(event)[0] != "look":
            return False
        self.looking.step(self.course.state, -1 if event.mod & pygame.KMOD_SHIFT else 1)
        self._turn_to(self.looking.wink)
        return True

    def turned(self) -> None:
        """Bring what is aimed into sight."""
        if self.looking.by_key:
            self.looking.forget()
            self._shown = None
        self._aimed()

    def _turn_to(self, wink: str | None) -> None:
        """Show the wink that is looked at and its pile; or what is due, when none is."""
        if wink is None:
            self._shown = None
            return
        pile = piles.pile_of(self.course.state, wink)
        self.view.turn_to([corner for piece in pile for corner in extent.corners(piece)])

    def own_keys(self) -> tuple[Keys, ...]:
        """The keys of the mat."""
        return (KEYS,)

    def may(self) -> list[str]:
        """Aim and squidge, or decide."""
        if self.shooter.aim is None:
            return ["Up Down choose", "Enter decides"]
        return [
            "Arrows aim and push",
            "W S rise",
            "N next wink",
            "O pot",
            self.giving(),
        ]

    # -- time and picture -----------------------------------------------------------------------------------------

    def update(self, dt: float) -> None:
        """Let time go on; the view follows."""
        super().update(dt)
        self.buttons["hand"].label = f"Hand: {self.steadiness}"
        self.buttons["follow"].label = "Whole mat" if self.view.follow else "Follow"
        self._follow(dt)

    def result(self) -> FinalScreen:
        """The points of each seat, and the winner."""
        return FinalScreen(self.app, self.match, self._again, self.undo, self._own_up_there)

    def _follow(self, dt: float) -> None:
        """Let the view follow what happens; anew only when something else is shown."""
        if self._tracked(dt):
            self._shown = None
            return
        points, key = plan.action(self.course, self.shooter, calm=self.app.preferences.calm)
        key = (key, self.view.follow, self.view.clear.size)
        if key != self._shown and self.shooter.sling.pull is None:
            self.view.show(points, at_once=self._fresh or self.app.preferences.calm)
            self._fresh = False
            self._shown = key
        self.view.advance(dt)

    def _tracked(self, dt: float) -> bool:
        """Keep to the wink in flight where its whole way would be seen from too far; True where that is done."""
        playback = self.course.playback
        if self.course.stage != "show" or playback is None or self.app.preferences.calm:
            return False
        motion, t = playback.motion, playback.t
        at = extent.ahead(motion, t)
        if at is None or extent.by_the_pot(motion, t):
            return False
        piece = motion.before.piece(motion.flick.piece)
        return self.view.track(at, piece.radius, extent.moving(motion), dt)

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """The mat over the squidge, the side view and the look at the pot; the game on the right."""
        if self.folded:
            self._bare(size, scale)
            return
        w, h = size
        pad, right = round(14 * scale), round(324 * scale)
        edge = round(8 * scale)
        self._right = pygame.Rect(w - right, edge, right - edge, h - 2 * edge)
        self.view.reserve = round(262 * scale)
        strip = saying.position_high(Canvas(self.app.surface, scale), self.match, w - right)
        table = pygame.Rect(0, strip, w, h - strip)
        left = self.insight.room(scale)
        if table != self._table or left != self._beside or self.view.clear.h <= 100:
            self._table, self._beside = table, left
            self.view.place(table, 46 * scale, pygame.Rect(left, strip, w - right - left, h - strip))
            self._shown, self._fresh = None, True
        self.shooter.sling.scale = scale
        top = self.view.clear.bottom + round(10 * scale)
        self._left = pygame.Rect(pad, top, round(248 * scale), h - top - pad)
        self._frame = self._left.inflate(pad, pad)
        self.view.covers = [*self.view.covers[:2], self._right, self._frame]
        knobs = [knob for knob in self.knobs if knob in self.form.widgets]
        inner = self._right.inflate(-2 * pad, -2 * pad)
        self.knobs_foot = plan.arranged(self.buttons, knobs, self._left, inner, scale)
        self._lay_decisions()

    def _bare(self, size: tuple[int, int], scale: float) -> None:
        """The mat alone, under a card for each seat."""
        (w, h), pad = size, round(8 * scale)
        self._cards = pygame.Rect(pad, pad, w - 2 * pad, round(44 * scale))
        strip = saying.position_high(Canvas(self.app.surface, scale), self.match, w)
        table = pygame.Rect(0, self._cards.bottom + pad + strip, w, h - self._cards.bottom - pad - strip)
        if table != self._table:
            self._table = table
            self.view.bare(table, 46 * scale)
            self._shown, self._fresh = None, True
        self.shooter.sling.scale = scale
        high = round(34 * scale)
        self.buttons["fold"].rect = pygame.Rect(w - pad - 3 * high, h - pad - high, 3 * high, high)

    def poses(self) -> list[Pose]:
        """Every wink as it is shown just now."""
        return plan.poses(self.course)

    def draw(self, canvas: Canvas) -> None:
        """Mat, squidge, side view, game."""
        with canvas.clipped(self.view.area):
            self.view.draw(canvas)
            self.under(canvas)
            self._draw_mat(canvas, self.view.camera)
        if self.folded:
            fold = self.buttons["fold"].rect
            score.across(canvas, self._cards, self.match, self.course.state, self.course.doing, self.course.scores_at)
            side_panel.chip(canvas, (self._cards.x, fold.bottom), fold.x - 4 * self._cards.x, self.says())
            self.form.draw(canvas)
            self.looking.draw(canvas, self.course.state, self.poses())
            return
        self.view.shelf(canvas)
        lens = self.view.lens({})
        if lens is not None:
            with self.view.through(canvas, lens):
                self._draw_mat(canvas, lens.camera)
        self._draw_hand(canvas)
        saying.draw_position(canvas, self.match, self._table)
        plan.side(canvas, self.view, self.course, self.shooter)
        canvas.pane(self._frame)
        self._draw_left(canvas)
        canvas.pane(self._right)
        rect, y = self.inner(canvas), self.below(canvas, self.head(canvas))
        plan.past(canvas, pygame.Rect(rect.x, y, rect.w, rect.bottom - y), self.course, self.told)
        self.form.draw(canvas)
        self.looking.draw(canvas, self.course.state, self.poses())

    def _draw_hand(self, canvas: Canvas) -> None:
        """A glass over the wink that is aimed, where all of a long shot is seen and the wink is small."""
        aim = self.shooter.aim if self.course.stage == "choose" else None
        if aim is None or self.shooter.sling.pull is not None:
            return
        lens = self.view.hand_lens(aim.at, aim.piece.radius, stroke.landing(aim, self.shooter.pot))
        if lens is None:
            return
        canvas.line(self.view.camera.to_screen(aim.at), lens.rect.center, palette.EDGE, canvas.px(1.5))
        with self.view.through(canvas, lens):
            self._draw_mat(canvas, lens.camera)

    def head(self, canvas: Canvas) -> int:
        """Write title, seats, clock and what is due. Returns where it ends [pixels]."""
        return plan.present(canvas, self.inner(canvas), self.course, self.says())

    def _draw_mat(self, canvas: Canvas, camera: Camera) -> None:
        aim = self.shooter.aim if self.course.stage == "choose" else None
        in_hand = aim.piece.id if aim is not None and aim.start is not None else None
        plan.mat(canvas, camera, self.view.painter, self.course, in_hand)
        if self.course.stage != "choose":
            return
        self._marked(canvas, camera)
        if self.shooter.aim is not None:
            pot = self.shooter.pot
            plan.playable(canvas, camera, self.shooter, words=camera is self.view.camera)
            stroke.draw(canvas, camera, self.view.painter, self.shooter.aim, pot, wrong=bool(self.shooter.wrong),
                        spread=self.spread)  # fmt: skip
            if camera is self.view.camera:
                slingshot.draw(canvas, self.shooter.sling.pull)
            if self.cloud is not None:
                self.cloud.draw(canvas, camera)

    def _marked(self, canvas: Canvas, camera: Camera) -> None:
        """The winks a decision is about."""
        for k, decision in enumerate(self.decisions):
            plan.decision(canvas, camera, self.view.painter, self.match, decision, chosen=k == self._list.index)

    def _draw_left(self, canvas: Canvas) -> None:
        course, aim = self.course, self.shooter.aim
        if course.stage == "choose" and aim is not None:
            plan.stroke_words(
                canvas, self._left, aim, self.shooter.pot, self.knobs_foot, self.calm.words(own(self.steadiness))
            )
        elif course.stage == "show" and course.playback is not None:
            shot_box.clock(canvas, self._left, course.playback)
        elif self.insight.on and course.stage in ("think", "settle"):
            self.insight.tell(canvas, self._left)
        elif course.stage != "choose" or self.deciding:
            plan.waiting_words(canvas, self._left, course, self.says()[0])

    knobs_foot = 0
    """Height at which the knobs end [pixels]."""

    def says(self) -> tuple[str, str, str]:
        """The lines at the side: what is due, a note, and what is wrong."""
        note = "A club player is asked ..." if self.asked is not None else self._notice
        if self.cloud is not None:
            note = f"{note} {self.cloud.says}"
        if not note and self.decisions and self._list.index < len(self.decisions):
            note = self.decisions[self._list.index].says
        return saying.now(
            self.course, self.warming, note, self.wrong or self.shooter.wrong, self.told if self.folded else ""
        )
