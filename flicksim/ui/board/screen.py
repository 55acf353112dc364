"""The table as it is played at: any game of the table wing that says what may be flicked and what may be decided."""

from __future__ import annotations

from collections.abc import Sequence
from math import dist, hypot

import pygame

from flicksim.base.geometry import Point
from flicksim.base.kinds import Action
from flicksim.drawing import Camera
from flicksim.play import FLICKS, Warming
from flicksim.table import Flick, Motion
from flicksim.ui.board import ways
from flicksim.ui.board.at_board import AtBoard
from flicksim.ui.frame.app import App
from flicksim.ui.frame.sitting import Sitting
from flicksim.ui.kit import palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.kit.widgets import Button, Widget
from flicksim.ui.match.course import Course
from flicksim.ui.table import shot_box, side_panel, standing
from flicksim.ui.table.deciding import under
from flicksim.ui.table.hinting import own
from flicksim.ui.table.painter import places, scene_of
from flicksim.ui.table.shooting import Shooter
from flicksim.ui.table.view import TableView

_ABOUT, _CLOSE = 0.16, 0.44
"""A shot so near to the white is worth a nearer look, which shows so much of the board [m]."""
_LEAD = 0.25
"""The view begins to turn so long before [s]."""


class PlayScreen(AtBoard):
    """A match of the table wing in the window (see `AtTable` for what it is handed)."""

    WAY = staticmethod(ways.way)

    def __init__(self, app: App, sitting: Sitting, warming: Warming = FLICKS) -> None:
        super().__init__(app, sitting)
        self.warming = warming
        match = self.match
        scene = scene_of(match.state)
        assert scene is not None, "this screen shows tables"
        starts = any(span.start for span in match.choices().flicks) if not match.over else False
        self._head = self._middle = self._past = pygame.Rect(0, 0, 0, 0)
        self.view = TableView(match.game.seat_names, scene.surface, "players' edge" if starts or scene.surface.lines
                              else "")  # fmt: skip
        self.shooter = Shooter(match, self.view)
        self.buttons["flick"] = Button("Flick", self.flick, key="Space", main=True)
        self.course = self.opened(Course(match, sitting.keeper, warming.asker()))
        warming.begin()
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

    def took_up(self) -> None:
        """The course has turned: the view follows again."""
        self.view.release()

    def ready(self) -> None:
        """Wait until bots can foresee what flicks do."""
        self.warming.wait()

    def take(self, action: Action) -> bool:
        """Aim as somebody else would."""
        if isinstance(action, Flick):
            self.shooter.take(action)
        return isinstance(action, Flick)

    def hold_ready(self, canvas: Canvas, shot: Action) -> None:
        """Show a piece that a flick brings in from the hand, where it is put first."""
        scene = scene_of(self.match.state)
        if isinstance(shot, Flick) and scene is not None and not scene.has(shot.piece):
            piece = ways.from_hand(self.match.game, self.match.state, shot)
            if piece is not None:
                self.view.painter.piece(canvas, self.view.camera, piece)

    @property
    def physics(self) -> Sequence[Warming]:
        """Flicks, many at once."""
        return (self.warming,)

    @property
    def warmed(self) -> Warming:
        """Work that makes flicks ready."""
        return self.warming

    # -- events ---------------------------------------------------------------------------------------------------

    @property
    def seen(self) -> TableView:
        """View of the board."""
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
        return ["Arrows aim and push", *more, "Q E nail", self.giving()]

    # -- time and picture -----------------------------------------------------------------------------------------

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """The board over all of the window; seats above it, the shot, what is due and what was below it."""
        w, h = size
        pad, gap, high = round(12 * scale), round(8 * scale), round(34 * scale)
        head, foot = round(58 * scale), round(196 * scale)
        self._head = pygame.Rect(pad, pad, w - 2 * pad, head)
        low = pygame.Rect(pad, h - pad - foot, w - 2 * pad, foot)
        wide = round(118 * scale)
        panes, x, room = list[pygame.Rect](), low.x, low.w - wide - 3 * gap
        for share in (0.29, 0.31, 0.4):
            panes.append(pygame.Rect(x, low.y, round(room * share), foot))
            x = panes[-1].right + gap
        self._left, self._middle, self._past = panes
        self.view.covers = [self._head, *panes, pygame.Rect(x, low.y, wide, foot)]
        top = self._head.bottom + gap
        under = h if self.folded else low.y - gap
        if self.folded:
            self.view.covers = [self._head]
        left = self.insight.room(scale)
        self.view.place(pygame.Rect(left, top, w - left, under - top), 16 * scale)
        self.shooter.sling.scale = scale
        step = (foot - high) / 4.0
        for k, name in enumerate(("undo", "hint", "help", "fold", "menu")):
            self.buttons[name].rect = pygame.Rect(x, low.y + round(k * step), low.right - x, high)
        if self.folded:
            self.buttons["fold"].rect = pygame.Rect(x, low.bottom - high, low.right - x, high)
        inner = self._left.inflate(-2 * pad, -2 * pad)
        for name in ("flick", "on"):
            self.buttons[name].rect = pygame.Rect(inner.x, inner.bottom - high, inner.w, high)
        half = (inner.w - gap) // 2
        for k, name in enumerate(("pause", "step", "slow", "skip")):
            at = (inner.x + (k % 2) * (half + gap), inner.bottom - (2 - k // 2) * (high + gap) + gap)
            self.buttons[name].rect = pygame.Rect(*at, half, high)
        self._lay_decisions()

    def _lay_decisions(self) -> None:
        """Put the list of decisions under what is due."""
        if not self.decisions:
            return
        scale = self.app.scale
        inner = self._middle.inflate(-round(24 * scale), -round(24 * scale))
        high, y = round(34 * scale), inner.y + round(68 * scale)
        self._list.rect = pygame.Rect(inner.x, y, inner.w, inner.bottom - high - round(6 * scale) - y)
        self.buttons["decide"].rect = pygame.Rect(inner.x, inner.bottom - high, inner.w, high)

    def update(self, dt: float) -> None:
        """Let time go on; the view closes in on the white when a shot comes near it, and goes back."""
        super().update(dt)
        course = self.course
        if course.stage in ("show", "hold") and course.playback is not None:
            t = course.playback.t if course.stage == "show" else course.playback.motion.duration
            points = self._near(course.playback.motion, t)
        else:
            points = []
        self.view.turn(points, _CLOSE, calm=self.app.preferences.calm)
        self.view.advance(dt)

    @staticmethod
    def _near(motion: Motion, t: float) -> list[Point]:
        """Points worth a nearer look at a time [s]: the white, and what comes to rest about it; nothing otherwise."""
        soon, last = places(motion, min(t + _LEAD, motion.duration)), places(motion, motion.duration)
        white = next((piece.id for piece in motion.before.pieces if piece.kind == "white"), "")
        flicked = motion.flick.piece
        if white == flicked or white not in soon or flicked not in soon:
            return []
        if white not in last or flicked not in last:
            return []
        if max(dist(then[white][:2], then[flicked][:2]) for then in (soon, last)) > _ABOUT:
            return []
        about = [place[:2] for place in last.values() if dist(place[:2], last[white][:2]) < _ABOUT]
        return [soon[white][:2], *about]

    def room(self, whole: pygame.Rect) -> pygame.Rect:
        """Over what is due: what goes along says it, and the rulings stay to be read."""
        del whole
        return self._middle

    def draw(self, canvas: Canvas) -> None:
        """Table, shot, game."""
        with canvas.clipped(self.view.area):
            self.view.draw(canvas)
            self.under(canvas)
            self._draw_table(canvas, self.view.camera)
        self._draw_head(canvas)
        if self.folded:
            fold = self.buttons["fold"].rect
            side_panel.chip(canvas, (self._head.x, fold.bottom), fold.x - 3 * self._head.x, self._says())
        else:
            self._draw_shot(canvas)
            self._draw_middle(canvas)
            self._draw_past(canvas)
        self.form.draw(canvas)

    def _draw_table(self, canvas: Canvas, camera: Camera) -> None:
        painter, course = self.view.painter, self.course
        if course.stage == "show" and course.playback is not None:
            painter.motion(canvas, camera, course.playback.motion, course.playback.t)
            return
        scene, moving = course.scene()
        if course.stage == "hold" and course.playback is not None:
            painter.ways(canvas, camera, course.playback.motion)
        if scene is not None:
            painter.pieces(canvas, camera, scene.pieces, moving, moving=self.view.gliding)
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
        elif (course.scoring or course.stage == "over") and scene is not None:
            painter.measures(canvas, camera, scene)

    def _inner(self, canvas: Canvas, pane: pygame.Rect) -> pygame.Rect:
        """Draw a pane. Returns the room in it [pixels]."""
        canvas.pane(pane)
        return pane.inflate(-2 * canvas.px(12), -2 * canvas.px(11))

    def _draw_head(self, canvas: Canvas) -> None:
        """Title, seats, points."""
        rect, course, match = self._head, self.course, self.match
        title = pygame.Rect(rect.x, rect.y, min(canvas.px(230), rect.w // 4), rect.h)
        canvas.pane(title)
        words = title.inflate(-2 * canvas.px(12), 0)
        more = standing.stretch(match.game, course.state)
        y = title.y + canvas.px(7) if more else title.centery - canvas.high(18) // 2
        canvas.text(match.game.title, (words.x, y), 18, bold=True, within=words.w)
        canvas.text(more, (words.x, title.bottom - canvas.px(8)), 14, palette.ACCENT, bold=True, anchor="bottomleft")
        cards = pygame.Rect(title.right + canvas.px(8), rect.y, rect.right - title.right - canvas.px(8), rect.h)
        shown, stood = course.shown, course.scores_at
        side_panel.seats(canvas, cards, match, course.state, course.scored, course.doing, shown, stood, across=True)

    def _draw_shot(self, canvas: Canvas) -> None:
        """The flick in hand, or the one that is shown."""
        rect, course, shooter = self._inner(canvas, self._left), self.course, self.shooter
        if course.stage == "choose" and shooter.aim is not None and shooter.piece is not None:
            scene = scene_of(self.match.state)
            assert scene is not None
            marks = [(line.name, abs(line.a[1] - shooter.aim.at[1])) for line in scene.surface.lines]
            marks += [("white", hypot(p.x - shooter.aim.at[0], p.y - shooter.aim.at[1])) for p in scene.pieces
                      if p.kind == "white"]  # fmt: skip
            rect.h -= canvas.px(42)
            shot_box.shot(
                canvas, rect, shooter.aim, shooter.piece, scene.surface, marks, shooter.free(), shooter.wrong,
                (self.steadiness, self.calm.words(own(self.steadiness))), numbers=self.view.rulers,
                gesture=self.calm.gesture,
            )  # fmt: skip
        elif self.decisions:
            shot_box.decide(canvas, rect)
        elif course.stage == "show" and course.playback is not None:
            shot_box.clock(canvas, rect, course.playback)
        elif self.insight.on and course.stage in ("think", "settle"):
            self.insight.tell(canvas, rect)

    def _draw_middle(self, canvas: Canvas) -> None:
        """Draw what is due."""
        rect = self._inner(canvas, self._middle)
        if self.beside is None:
            side_panel.now(canvas, rect, *self._says())
            return
        says, note, wrong = self._says()
        rect.h = max(0, self.beside.rect.y - rect.y)
        if rect.h >= canvas.high(14):
            words = wrong or says or note
            canvas.paragraph(standing.said(words), rect, 14, palette.BAD if wrong else palette.TEXT)

    def _draw_past(self, canvas: Canvas) -> None:
        """The last ruling, and the turns before."""
        rect, course, match = self._inner(canvas, self._past), self.course, self.match
        y = side_panel.told(canvas, rect, self.told)
        share = (rect.bottom - y) * (3 if course.stage in ("hold", "over") else 2) // 3
        y = side_panel.ruling(canvas, pygame.Rect(rect.x, y, rect.w, share), match, course.last)
        turns = match.turns[:-1] if course.stage == "show" else match.turns
        side_panel.recent(canvas, pygame.Rect(rect.x, y, rect.w, rect.bottom - y), match, turns)

    def _says(self) -> tuple[str, str, str]:
        """The lines at the side: what is due, a note, and what is wrong."""
        course, note, wrong = self.course, self.warming.says, self.course.unkept
        if self.folded and course.stage in ("show", "hold", "think"):
            note = self.told or note
        elif course.stage == "choose":
            note, wrong = self._notice or note, self.wrong or wrong
            if self.asked is not None:
                note = "A club player is asked ..."
            elif self.cloud is not None:
                note = f"{note} {self.cloud.says}"
            elif not note and self._list.index < len(self.decisions):
                note = self.decisions[self._list.index].says
        return course.says, note, course.wrong if course.stage == "stuck" else wrong
