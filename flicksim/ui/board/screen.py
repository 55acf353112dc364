"""The table as it is played at: any game of the table wing that says what may be flicked and what may be decided."""

from __future__ import annotations

from math import cos, hypot, sin

import pygame

from flicksim.base.geometry import Point
from flicksim.base.kinds import Action
from flicksim.table import Flick, Piece, Scene
from flicksim.ui.board.at_board import AtBoard
from flicksim.ui.frame.app import App
from flicksim.ui.frame.sitting import Sitting
from flicksim.ui.kit import palette
from flicksim.ui.kit.camera import Camera
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.kit.warming import Warming
from flicksim.ui.kit.widgets import Button, Widget
from flicksim.ui.match.course import Course
from flicksim.ui.table import shot_box, side_panel, standing
from flicksim.ui.table.aim import pull
from flicksim.ui.table.deciding import under
from flicksim.ui.table.hinting import own
from flicksim.ui.table.painter import Place, places, scene_of
from flicksim.ui.table.shooting import Shooter
from flicksim.ui.table.view import TableView
from flicksim.ui.table.warm import FLICKS


class PlayScreen(AtBoard):
    """A match of the table wing in the window (see `AtTable` for what it is handed)."""

    def __init__(self, app: App, sitting: Sitting, warming: Warming = FLICKS) -> None:
        super().__init__(app, sitting)
        self.warming = warming
        warming.begin()
        match = self.match
        scene = scene_of(match.state)
        assert scene is not None, "this screen shows tables"
        starts = any(span.start for span in match.choices().flicks) if not match.over else False
        self.view = TableView(match.game.seat_names, scene.surface, "players' edge" if starts or scene.surface.lines
                              else "")  # fmt: skip
        self.shooter = Shooter(match, self.view)
        self.buttons["flick"] = Button("Flick", self.flick, key="Space", main=True)
        self.course = self.opened(Course(match, sitting.keeper, ready=warming.wait))
        self.course.changed = self._changed
        self._changed()

    # -- what is due ----------------------------------------------------------------------------------------------

    @property
    def aimed(self) -> Shooter:
        """Keys and mouse become a flick."""
        return self.shooter

    def aiming(self) -> list[Widget]:
        """The button that flicks."""
        return [self.buttons["flick"]]

    def _first(self) -> int:
        """Number of the decision that is chosen to begin with: of places, the one in the middle."""
        placing = any(decision.puts is not None for decision in self.decisions)
        return len(self.decisions) // 2 if placing else 0

    # -- doing ----------------------------------------------------------------------------------------------------

    def flick(self) -> None:
        """Make the flick that is aimed."""
        if self.shooter.aim is not None:
            self._act(self.shooter.aim.flick)

    def ready(self) -> None:
        """Wait until bots can foresee what flicks do."""
        self.warming.wait()

    many_ready = ready

    def take(self, action: Action) -> bool:
        """Aim as somebody else would."""
        if isinstance(action, Flick):
            self.shooter.take(action)
        return isinstance(action, Flick)

    def way(self, shot: Action) -> tuple[Point, Point] | None:
        """From where to where a flick is aimed on a free board [m]."""
        scene = scene_of(self.match.state)
        if not isinstance(shot, Flick) or scene is None:
            return None
        if not scene.has(shot.piece):  # it comes from the hand
            staged = self.match.rules.stage(self.match.state, shot)
            if staged is None or not isinstance(staged[0], Scene):
                return None
            scene = staged[0]
        piece = scene.piece(shot.piece)
        begin = shot.start or piece.at
        far = shot.speed**2 / (2.0 * pull(piece, scene.surface))
        return begin, (begin[0] + far * cos(shot.azimuth), begin[1] + far * sin(shot.azimuth))

    @property
    def warmed(self) -> Warming:
        """What makes flicks ready."""
        return self.warming

    # -- events ---------------------------------------------------------------------------------------------------

    @property
    def seen(self) -> TableView:
        """Where the board is seen."""
        return self.view

    def mouse(self, event: pygame.event.Event) -> None:
        """Look nearer, go on, flick, point at what a decision is about."""
        if self.view.handle(event) or self._went_on(event) or self.course.stage != "choose":
            return
        flick = self.shooter.mouse(event)
        if flick is not None:
            self._act(flick)
        else:
            self._pointed(event)

    def _pointed(self, event: pygame.event.Event) -> None:
        """The mouse over, or on, a piece or a place a decision is about."""
        if event.type not in (pygame.MOUSEMOTION, pygame.MOUSEBUTTONDOWN) or not self.decisions:
            return
        found = under(self.decisions, scene_of(self.match.state), self.view.camera, event.pos, self.app.scale * 6)
        if found is not None:
            self._list.go(found)
            if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
                self._picked(found)

    def may(self) -> list[str]:
        """Aim and flick, or decide."""
        if self.shooter.aim is None:
            return ["Up Down choose", "Enter decides"]
        more = ["A D place"] if self.shooter.aim.start is not None else ["N next piece"] if self.decisions else []
        return ["Arrows aim and push", *more, "Q E nail", "Space flicks, or pull back with the mouse"]

    # -- time and picture -----------------------------------------------------------------------------------------

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """Shot on the left, table in the middle, the game on the right."""
        w, h = size
        pad = round(14 * scale)
        right, left = round(330 * scale), round(186 * scale)
        self._right = pygame.Rect(w - right, 0, right, h)
        self._left = pygame.Rect(pad, pad, left - pad, h - 2 * pad)
        self.view.place(pygame.Rect(left, 0, w - right - left, h), 46 * scale)
        self.shooter.sling.scale = scale
        high, gap = round(36 * scale), round(6 * scale)
        inner = self._right.inflate(-2 * pad, -2 * pad)
        wide = (inner.w - gap) // 2
        for k, name in enumerate(("undo", "hint", "help", "menu")):
            self.buttons[name].rect = pygame.Rect(
                inner.x + (k % 2) * (wide + gap), inner.bottom - (2 - k // 2) * (high + gap) + gap, wide, high
            )
        foot = self._left.bottom - high
        self.buttons["flick"].rect = pygame.Rect(self._left.x, foot, self._left.w, high)
        self.buttons["on"].rect = pygame.Rect(self._left.x, foot, self._left.w, high)
        for k, name in enumerate(("pause", "step", "slow", "skip")):
            self.buttons[name].rect = pygame.Rect(
                self._left.x, self._left.y + round(120 * scale) + k * (high + gap), self._left.w, high
            )
        self._lay_decisions()

    def draw(self, canvas: Canvas) -> None:
        """Table, shot, game."""
        with canvas.clipped(self.view.area):
            self.view.draw(canvas)
            self._draw_table(canvas, self.view.camera)
        lens = self.view.lens(self._lying())
        if lens is not None:
            with self.view.through(canvas, lens):
                self._draw_table(canvas, lens.camera)
        self._draw_left(canvas)
        self._draw_right(canvas)
        self.form.draw(canvas)

    def _lying(self) -> dict[str, tuple[Piece, Place]]:
        """Every piece and where it is shown just now."""
        course = self.course
        if course.stage == "show" and course.playback is not None:
            before = course.playback.motion.before
            found = places(course.playback.motion, course.playback.t)
            return {name: (before.piece(name), place) for name, place in found.items()}
        scene, moving = course.scene()
        return {p.id: (p, moving.get(p.id, (p.x, p.y, p.angle))) for p in scene.pieces} if scene is not None else {}

    def _draw_table(self, canvas: Canvas, camera: Camera) -> None:
        painter, course = self.view.painter, self.course
        if course.stage == "show" and course.playback is not None:
            painter.motion(canvas, camera, course.playback.motion, course.playback.t)
            return
        scene, moving = course.scene()
        if course.stage == "hold" and course.playback is not None:
            painter.ways(canvas, camera, course.playback.motion)
        if scene is not None:
            painter.pieces(canvas, camera, scene.pieces, moving)
            for k, decision in enumerate(self.decisions):
                chosen = k == self._list.index
                if decision.about is not None:
                    painter.lit(canvas, camera, scene.piece(decision.about), palette.GLOW if chosen else palette.CHALK)
                elif decision.puts is not None and chosen:
                    painter.piece(canvas, camera, decision.puts)
                    painter.lit(canvas, camera, decision.puts)
                elif decision.puts is not None:
                    canvas.disc(camera.to_screen(decision.puts.at), canvas.px(2), palette.LINE)
        if course.stage == "choose":
            self.shooter.draw(canvas, camera, self.spread)
            if self.cloud is not None:
                self.cloud.draw(canvas, camera)
        elif course.waits and scene is not None:
            painter.measures(canvas, camera, scene)

    def _draw_left(self, canvas: Canvas) -> None:
        rect = self._left
        course, shooter = self.course, self.shooter
        if course.stage == "choose" and shooter.aim is not None and shooter.piece is not None:
            scene = scene_of(self.match.state)
            assert scene is not None
            marks = [(line.name, abs(line.a[1] - shooter.aim.at[1])) for line in scene.surface.lines]
            marks += [("the white", hypot(p.x - shooter.aim.at[0], p.y - shooter.aim.at[1])) for p in scene.pieces
                      if p.kind == "white"]  # fmt: skip
            room = pygame.Rect(rect.x, rect.y, rect.w, rect.h - canvas.px(46 + 168))
            shot_box.shot(
                canvas, room, shooter.aim, shooter.piece, scene.surface, marks, shooter.free(), shooter.wrong,
                (self.steadiness, self.calm.words(own(self.steadiness))),
            )  # fmt: skip
            shot_box.how(canvas, pygame.Rect(rect.x, room.bottom, rect.w, canvas.px(164)))
        elif self.decisions:
            shot_box.decide(canvas, rect)
        elif course.stage == "show" and course.playback is not None:
            shot_box.clock(canvas, rect, course.playback)

    def head(self, canvas: Canvas) -> int:
        """Write title, seats and what is due. Returns where it ends [pixels]."""
        rect, course, match = self.inner(canvas), self.course, self.match
        foot = rect.bottom
        y = side_panel.heading(canvas, rect, match.game.title, standing.stretch(match.game, course.state))
        y = side_panel.seats(
            canvas, pygame.Rect(rect.x, y, rect.w, foot - y), match, course.state, course.scored, course.doing,
            course.shown, course.scores_at,
        )  # fmt: skip
        says, note, wrong = self._says()
        return side_panel.now(canvas, pygame.Rect(rect.x, y + canvas.px(4), rect.w, foot - y), says, note, wrong)

    def _draw_right(self, canvas: Canvas) -> None:
        canvas.box(self._right, palette.PANEL)
        rect, course, match = self.inner(canvas), self.course, self.match
        foot, y = rect.bottom, self.below(canvas, self.head(canvas))
        share = max(canvas.px(60), (foot - y) * (3 if course.stage == "hold" else 2) // 4)
        y = side_panel.ruling(canvas, pygame.Rect(rect.x, y, rect.w, min(share, foot - y)), match, course.last)
        turns = match.turns[:-1] if course.stage == "show" else match.turns
        side_panel.recent(canvas, pygame.Rect(rect.x, y, rect.w, foot - y), match, turns)

    def _says(self) -> tuple[str, str, str]:
        """The lines at the side: what is due, a note, and what is wrong."""
        course, note, wrong = self.course, self.warming.says, self.course.unkept
        if course.stage == "choose":
            note, wrong = self._notice or note, self.wrong or wrong
            if self._hint is not None:
                note = "A club player is asked ..."
            elif self.cloud is not None:
                note = f"{note} {self.cloud.says}"
            elif not note and self._list.index < len(self.decisions):
                note = self.decisions[self._list.index].says
        return course.says, note, course.wrong if course.stage == "stuck" else wrong
