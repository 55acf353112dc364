"""Match screen of board games: flicks are aimed and decisions taken from a list, by the legal actions of the rules."""

from math import dist, inf

import pygame

from flicksim.core.geometry import Point
from flicksim.core.type_aliases import Action
from flicksim.core.units import format_azimuth, to_mm
from flicksim.gui.app import App, MatchSession
from flicksim.gui.board_view.board_screen_base import BoardScreenBase
from flicksim.gui.match.match_controller import MatchController
from flicksim.gui.table_view import TableView, match_text, shot_painter, side_panel
from flicksim.gui.table_view.aim import Aim, friction_deceleration
from flicksim.gui.table_view.decisions import decision_at
from flicksim.gui.table_view.flick_controller import FlickController
from flicksim.gui.toolkit import Button, Canvas, Gesture, Widget, palette, piece_sprites, place_in_grid
from flicksim.match import DISC_BATCH_WARMUP
from flicksim.render import Camera, pieces_at
from flicksim.scene import Flick, Trajectory, sliding_speed

_CLOSE_UP_DISTANCE, _CLOSE_UP_WIDTH = 0.16, 0.44
"""Distance of a shot from the white below which the view closes in, and the width of the board it then shows [m]."""
_LEAD_TIME = 0.25
"""Time by which the view runs ahead of the playback [s]."""
_AIM_HELP: dict[Gesture, str] = {
    "pull": "Pull back anywhere, like a slingshot, and let go. Drag the coin itself to place it.",
    "hold": "Pull back anywhere, and let go when the meter is at its top. Drag the coin itself to place it.",
    "flick": "Press beside the coin and strike through it: so fast, so hard. Drag the coin itself to place it.",
}


class BoardScreen(BoardScreenBase):
    """Match of a board game in the window (see `MatchScreen` for the arguments)."""

    aim_controller: FlickController
    SHOT_PATH = staticmethod(shot_painter.shot_path)
    warmup_task = DISC_BATCH_WARMUP

    def __init__(self, app: App, session: MatchSession) -> None:
        super().__init__(app, session)
        match, surface = self.match, self.match.state.scene.surface
        has_starts = not match.is_over and any(flick_range.start for flick_range in match.legal_actions().flicks)
        self._head_rect = self._middle_rect = self._history_rect = pygame.Rect(0, 0, 0, 0)
        near_edge = "players' edge" if has_starts or surface.lines else ""
        self.view = TableView(match.game.seat_names, surface, near_edge)
        self.aim_controller = FlickController(match, self.view, self.gesture_noise)
        self.buttons["flick"] = Button("Flick", self.take_shot, key="Space", is_primary=True)
        self.begin()

    # -- legal actions -------------------------------------------------------------------------------------------

    def aim_widgets(self) -> list[Widget]:
        return [self.buttons["flick"]]

    def _default_decision(self) -> int:
        """Index of the decision selected at first: of placements, the one in the middle."""
        is_placing = any(decision.placed_piece is not None for decision in self.decisions)
        return len(self.decisions) // 2 if is_placing else 0

    # -- actions --------------------------------------------------------------------------------------------------

    def draw_pending_piece(self, canvas: Canvas, shot: Action) -> None:
        if isinstance(shot, Flick) and not self.aim_controller.scene.has(shot.piece):
            piece = shot_painter.entering_piece(self.match.game, self.match.state, shot)
            if piece is not None:
                self.view.painter.draw_piece(canvas, self.view.camera, piece)

    # -- events ---------------------------------------------------------------------------------------------------

    def handle_mouse(self, event: pygame.event.Event) -> None:
        """Handle a mouse event: zoom, continue, flick, or point at a decision."""
        if self.view.handle(event) or self._handle_continue_click(event) or self.controller.phase != "choose":
            return
        flick = self.aim_controller.handle_mouse(event)
        if flick is not None:
            self._perform(flick)
        else:
            self._handle_pointing(event)

    def _handle_pointing(self, event: pygame.event.Event) -> None:
        """Select the decision whose piece or place is under the mouse; take it on a click."""
        if event.type not in (pygame.MOUSEMOTION, pygame.MOUSEBUTTONDOWN) or not self.decisions:
            return
        scene, camera = self.aim_controller.scene, self.view.camera
        index = decision_at(self.decisions, scene, camera, event.pos, self.app.scale * 6)
        if index is not None:
            self._decision_list.select(index)
            if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
                self._decide(index)

    def available_choices(self) -> list[str]:
        if self.aim_controller.aim is None:
            return ["Click what is lit, or Up Down choose", "Enter decides"]
        others = ["N next piece"] if self.decisions else []
        items = ["A D place"] if self.aim_controller.aim.start is not None else others
        return ["Arrows aim and push", *items, "Q E nail", self.gesture_text()]

    # -- time and drawing -----------------------------------------------------------------------------------------

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """Place the board over the whole window, the seats at the top, shot, prompt and history at the bottom."""
        w, h = size
        pad, gap, height = round(12 * scale), round(8 * scale), round(34 * scale)
        head_height, foot_height = round(58 * scale), round(196 * scale)
        self._head_rect = pygame.Rect(pad, pad, w - 2 * pad, head_height)
        bottom_row = pygame.Rect(pad, h - pad - foot_height, w - 2 * pad, foot_height)
        width = round(118 * scale)
        panels, x, panels_width = list[pygame.Rect](), bottom_row.x, bottom_row.w - width - 3 * gap
        wide = self.activity_card is not None  # the card lies over the prompt in the middle
        for fraction in (0.29, 0.4, 0.31) if wide else (0.29, 0.31, 0.4):
            panels.append(pygame.Rect(x, bottom_row.y, round(panels_width * fraction), foot_height))
            x = panels[-1].right + gap
        self._left_panel, self._middle_rect, self._history_rect = panels
        self.notice_area = None if self.is_folded else self._history_rect
        self.view.obstructions = [self._head_rect, *panels, pygame.Rect(x, bottom_row.y, width, foot_height)]
        top = self._head_rect.bottom + gap
        bottom = h if self.is_folded else bottom_row.y - gap
        if self.is_folded:
            self.view.obstructions = [self._head_rect]
        left = self.analysis.bar_width(scale)
        self.view.ruler_margin = 34 * scale
        self.view.set_area(pygame.Rect(left, top, w - left, bottom - top), 16 * scale)
        step = (foot_height - height) / 4.0
        for k, name in enumerate(("undo", "hint", "help", "fold", "menu")):
            self.buttons[name].rect = pygame.Rect(x, bottom_row.y + round(k * step), bottom_row.right - x, height)
        if self.is_folded:
            self.buttons["fold"].rect = pygame.Rect(x, bottom_row.bottom - height, bottom_row.right - x, height)
        inner = self._left_panel.inflate(-2 * pad, -2 * pad)
        for name in ("flick", "on"):
            place_in_grid([self.buttons[name]], inner, height, gap, at_bottom=True)
        playback = [self.buttons[name] for name in self.PLAYBACK_BUTTONS]
        place_in_grid(playback, inner, height, gap, 2, at_bottom=True)
        self._layout_decisions()

    def _layout_decisions(self) -> None:
        if not self.decisions:
            return
        canvas = Canvas.measuring(self.app.scale)
        inner = self._left_panel.inflate(-2 * canvas.px(12), -2 * canvas.px(12))
        height, y = canvas.px(34), side_panel.draw_caption(canvas, inner, "Decide")
        self._decision_list.rect = pygame.Rect(inner.x, y, inner.w, inner.bottom - height - canvas.px(6) - y)
        self.buttons["decide"].rect = pygame.Rect(inner.x, inner.bottom - height, inner.w, height)

    def update(self, dt: float) -> None:
        """Advance the screen; the view closes in on the white when a shot comes near it, and then returns."""
        super().update(dt)
        controller = self.controller
        if controller.phase in ("show", "hold") and controller.playback is not None:
            t = controller.playback.time if controller.phase == "show" else controller.playback.trajectory.duration
            points = self._close_up_points(controller.playback.trajectory, t)
        else:
            points = []
        self.view.follow(points, _CLOSE_UP_WIDTH, reduced_motion=self.app.preferences.reduced_motion)
        self.view.update(dt)

    @staticmethod
    def _close_up_points(trajectory: Trajectory, t: float) -> list[Point]:
        """Points to close in on at a time [s]: the white and the pieces that come to rest near it; may be empty."""
        soon, final = (pieces_at(trajectory, min(when, trajectory.duration)) for when in (t + _LEAD_TIME, inf))
        white = next((piece.id for piece in trajectory.before.pieces if piece.kind == "white"), "")
        flicked = trajectory.flick.piece
        if white == flicked or not all({white, flicked} <= places.keys() for places in (soon, final)):
            return []
        if max(dist(places[white].position, places[flicked].position) for places in (soon, final)) > _CLOSE_UP_DISTANCE:
            return []
        middle = final[white].position
        nearby = [one.position for one in final.values() if dist(one.position, middle) < _CLOSE_UP_DISTANCE]
        return [soon[white].position, *nearby]

    def card_area(self, area: pygame.Rect) -> pygame.Rect:
        """Area of the activity card: over the prompt, so that the rulings stay readable."""
        del area
        return self._middle_rect

    def draw(self, canvas: Canvas) -> None:
        with canvas.clipped(self.view.area):
            self.view.draw(canvas)
            self.draw_underlay(canvas)
            self._draw_table(canvas, self.view.camera)
        self._draw_head(canvas)
        if self.is_folded:
            fold = self.buttons["fold"].rect
            side_panel.draw_chip(
                canvas, (self._head_rect.x, fold.bottom), fold.x - 3 * self._head_rect.x, self._prompt_lines()
            )
        else:
            self._draw_shot(canvas)
            self._draw_prompt(canvas)
            self._draw_history(canvas)
        self.form.draw(canvas)

    def _draw_table(self, canvas: Canvas, camera: Camera) -> None:
        painter, controller = self.view.painter, self.controller
        if controller.phase == "choose":  # pieces in the spread keep their colours
            self.aim_controller.draw_spread(canvas, camera, self.shot_spread)
        if (scene := self.draw_pieces(canvas, camera)) is not None:
            for k, decision in enumerate(self.decisions):
                is_selected = k == self._decision_list.index
                if decision.piece_id is not None:
                    colour = palette.HIGHLIGHT if is_selected else palette.TABLE_TEXT
                    painter.draw_highlight(canvas, camera, scene.piece(decision.piece_id), colour)
                elif decision.placed_piece is not None and is_selected:
                    painter.draw_piece(canvas, camera, decision.placed_piece)
                    painter.draw_highlight(canvas, camera, decision.placed_piece)
                elif decision.placed_piece is not None:
                    canvas.disc(camera.to_screen(decision.placed_piece.position), canvas.px(2), palette.LINE)
        if controller.phase == "choose":
            self.aim_controller.draw(canvas, camera, self.shot_spread)
            if self.hints.scatter is not None:
                self.hints.scatter.draw(canvas, camera)
        elif (controller.is_showing_score or controller.phase == "over") and scene is not None:
            painter.draw_distances(canvas, camera, scene)

    def _draw_pane(self, canvas: Canvas, pane: pygame.Rect) -> pygame.Rect:
        """Draw a panel. Return the area inside it [pixels]."""
        canvas.panel(pane)
        return pane.inflate(-2 * canvas.px(12), -2 * canvas.px(11))

    def _draw_head(self, canvas: Canvas) -> None:
        """Draw title, seats and points."""
        rect, controller, match = self._head_rect, self.controller, self.match
        title = pygame.Rect(rect.x, rect.y, min(canvas.px(230), rect.w // 4), rect.h)
        canvas.panel(title)
        text_area = title.inflate(-2 * canvas.px(12), 0)
        stage = match_text.stage_text(match.game, controller.visible_state)
        y = title.y + canvas.px(7) if stage else title.centery - canvas.line_height(18) // 2
        canvas.text(match.game.title, (text_area.x, y), 18, bold=True, max_width=text_area.w)
        canvas.text(
            stage, (text_area.x, title.bottom - canvas.px(8)), 14, palette.ACCENT, bold=True, anchor="bottomleft"
        )
        cards = pygame.Rect(title.right + canvas.px(8), rect.y, rect.right - title.right - canvas.px(8), rect.h)
        draw_seats(canvas, cards, controller)

    def _draw_shot(self, canvas: Canvas) -> None:
        """Draw the flick being aimed, or the one being shown."""
        rect, controller, aim = self._draw_pane(canvas, self._left_panel), self.controller, self.aim_controller.aim
        if controller.phase == "choose" and aim is not None:
            self._draw_aim(canvas, rect, aim)
        elif self.decisions:
            side_panel.draw_caption(canvas, rect, "Decide")
        elif controller.phase == "show" and controller.playback is not None:
            side_panel.draw_playback(canvas, rect, controller.playback)
        elif self.analysis.is_visible and controller.phase in ("think", "settle"):
            self.analysis.draw_text(canvas, rect)

    def _draw_aim(self, canvas: Canvas, rect: pygame.Rect, aim: Aim) -> None:
        """Draw the aimed flick above the button: a power bar, and text beside it."""
        rect.h -= canvas.px(42)
        y = side_panel.draw_caption(canvas, rect, "Power")
        split_x = rect.x + max(round(rect.w * 0.44), canvas.px(78))  # in a small window, room for the labels
        bar = pygame.Rect(rect.x, y, canvas.px(26), rect.bottom - y)
        self._draw_gauge(canvas, bar, split_x - canvas.px(6), aim)
        area = pygame.Rect(split_x, rect.y, rect.right - split_x, rect.h)
        if self.aim_controller.error:
            y = canvas.paragraph(self.aim_controller.error, area, 13, palette.BAD)
        elif self.view.has_rulers:
            y = self._draw_numbers(canvas, area, aim)
        else:
            canvas.text(f"{aim.speed / aim.flick_range.speed[1]:.0%}", area.topleft, 24, palette.ACCENT, bold=True)
            y = area.y + canvas.line_height(24)
        for text in (f"hand: {self.noise_grade}", self.gesture_noise.spread_text(self.execution_noise)):
            if y + canvas.line_height(13) <= area.bottom:
                y = canvas.paragraph(text, pygame.Rect(area.x, y, area.w, area.bottom - y), 13)

    def _draw_numbers(self, canvas: Canvas, area: pygame.Rect, aim: Aim) -> int:
        """Draw the numbers of a flick. Return their lower end [pixels]."""
        rows = [f"{aim.speed:.3f} m/s", f"{format_azimuth(aim.azimuth, 2)}°"]
        if aim.offset:
            rows.append(f"nail {abs(aim.offset):.2f} r {'left' if aim.offset > 0 else 'right'}")
        if aim.start is not None:
            rows.append(f"from {to_mm(aim.start[0]):.1f}, {to_mm(aim.start[1]):.1f} mm")
        y = area.y
        for k, text in enumerate(rows):
            size = 13 if k else 17
            canvas.text(text, (area.x, y), size, palette.TEXT if k else palette.ACCENT, bold=not k, max_width=area.w)
            y += canvas.line_height(size)
        text, free = "", self.aim_controller.free_trajectory()
        if free is not None:
            end, falls = shot_painter.stop_position(free)
            travel = to_mm(dist(aim.contact_point, end))
            text = f"leaves the board after {travel:.0f} mm" if falls else f"slides about {travel:.0f} mm"
        return canvas.paragraph(text, pygame.Rect(area.x, y, area.w, canvas.line_height(13) * 2), 13)

    def _draw_gauge(self, canvas: Canvas, tube: pygame.Rect, right: int, aim: Aim) -> None:
        """Draw a bar filled by the strength of the flick, with ticks at the distances it would reach."""
        scene, max_speed = self.aim_controller.scene, aim.flick_range.speed[1]
        canvas.box(tube, palette.INSET_BACKGROUND, 6, palette.BORDER)
        inner = tube.inflate(-canvas.px(8), -canvas.px(8))
        share = min(aim.speed / max_speed, 1.0)
        fill = palette.mix(palette.GOOD, palette.BAD, max(0.0, share * 1.6 - 0.6))
        height = max(2, round(inner.h * share))
        canvas.box(pygame.Rect(inner.x, inner.bottom - height, inner.w, height), fill, 3)
        marks = [("white", dist(p.position, aim.contact_point)) for p in reversed(scene.pieces) if p.kind == "white"]
        marks += [(line.name, abs(line.a[1] - aim.contact_point[1])) for line in reversed(scene.surface.lines)]
        friction = friction_deceleration(aim.piece, scene.surface)
        ticks = [("full", max_speed), *((name, sliding_speed(max(way, 0.0), friction)) for name, way in marks)]
        x, labelled = tube.right + canvas.px(4), list[float]()
        for name, speed in ticks:  # by importance: a later tick is dropped where its label would overlap an earlier one
            y = inner.bottom - inner.h * speed / max_speed
            if speed <= max_speed and all(abs(y - label_y) >= canvas.px(13) for label_y in labelled):
                canvas.line((x, y), (x + canvas.px(6), y), palette.TEXT, 1.0)
                max_width = right - x - canvas.px(10)
                variants = [(text, size) for text in (name, name.removesuffix(" line")) for size in (12.0, 11.0, 10.0)]
                fitting = (label for label in variants if canvas.text_width(*label) <= max_width)
                text, size = next(fitting, (variants[-1][0], 9.0))
                canvas.text(
                    text, (x + canvas.px(10), y), size, palette.MUTED_TEXT, anchor="midleft", max_width=max_width
                )
                labelled.append(y)

    def _draw_prompt(self, canvas: Canvas) -> None:
        rect = self._draw_pane(canvas, self._middle_rect)
        if self.activity_card is None:
            side_panel.draw_prompt(canvas, rect, *self._prompt_lines())
            return
        prompt, note, error = self._prompt_lines()
        rect.h = max(0, self.above_card(rect.bottom) - rect.y)
        if rect.h >= canvas.line_height(14):
            text = error or prompt or note
            canvas.paragraph(match_text.with_card_symbols(text), rect, 14, palette.BAD if error else palette.TEXT)

    def _draw_history(self, canvas: Canvas) -> None:
        """Draw the last ruling and the turns before it."""
        rect, controller, match = self._draw_pane(canvas, self._history_rect), self.controller, self.match
        y = side_panel.draw_shot_feedback(canvas, rect, self.shot_feedback)
        area = pygame.Rect(rect.x, y, rect.w, rect.bottom - y)
        y = side_panel.draw_ruling(canvas, area, match, controller.last_turn)
        turns = match.turns[:-1] if controller.phase == "show" else match.turns
        side_panel.draw_recent_turns(canvas, pygame.Rect(rect.x, y, rect.w, rect.bottom - y), match, turns)

    def _prompt_lines(self) -> tuple[str, str, str]:
        """Lines of the side panel: the prompt, a note, an error."""
        controller, note, error = self.controller, self.warmup_task.message, self.controller.history.recording_error
        if self.is_folded and controller.phase in ("show", "hold", "think"):
            note = self.shot_feedback or note
        elif controller.phase == "choose":
            note, error = self._notice or note, self.error or error
            if self.hints.is_requested:
                note = "A club player is asked ..."
            elif self.hints.scatter is not None:
                note = f"{note} {self.hints.scatter.text}"
            elif not note and self._decision_list.index < len(self.decisions):
                note = self.decisions[self._decision_list.index].text
            elif not self._notice and self.aim_controller.aim is not None and not self.is_folded:
                note = f"{note} {_AIM_HELP[self.gesture_noise.gesture]}".lstrip()
        return controller.prompt, note, controller.error if controller.phase == "stuck" else error


def draw_seats(canvas: Canvas, rect: pygame.Rect, controller: MatchController) -> None:
    """Draw a card for each seat, side by side: mark, name, occupant, pieces in hand, score."""
    match, turn, state = controller.match, controller.shown_turn, controller.visible_state
    count, gap = len(match.players), canvas.px(8)
    width = (rect.w - (count - 1) * gap) // count
    scores, to_play = match.rules.scores(controller.scored_state), match.rules.to_play(state)
    left = match.game.progress(state).pieces_left
    for seat in range(count):
        card = pygame.Rect(rect.x + seat * (width + gap), rect.y, width, rect.h)
        is_acting = seat == to_play
        fill, edge = (palette.RAISED_PANEL, palette.ACCENT) if is_acting else (palette.PANEL, palette.BORDER)
        canvas.box(card, fill, 8, edge)
        key = palette.seat_key(seat, match.game.seat_names)
        piece_sprites.draw_seat_coin(canvas.surface, (card.x + canvas.px(26), card.centery), canvas.px(15), key)
        x = card.x + canvas.px(50)
        name = canvas.text(match_text.seat_text(match, seat), (x, card.y + canvas.px(8)), 17, bold=True)
        max_width = card.right - canvas.px(60) - name.right - canvas.px(8)
        texts = match_text.action_text(match, seat, controller.seat_activity if is_acting else "")
        canvas.text(canvas.first_fitting(texts, max_width, 13), (name.right + canvas.px(8), name.bottom - canvas.px(3)),
                    13, palette.ACCENT if is_acting else palette.MUTED_TEXT, anchor="bottomleft")  # fmt: skip
        remaining = None if left is None else left[seat]
        if turn is not None:  # its piece is no longer in hand
            remaining = match_text.pieces_in_hand_after(match.game, turn, seat)
        if remaining is not None:
            _draw_in_hand(canvas, (x, card.bottom - canvas.px(17)), key, remaining, card.right - canvas.px(60) - x)
        controller.score_positions[seat] = (card.right - canvas.px(22), card.centery)
        points = match_text.format_points(scores[seat])
        canvas.text(points, (card.right - canvas.px(14), card.centery), 28, bold=True, anchor="midright")


def _draw_in_hand(canvas: Canvas, position: tuple[int, int], key: str | None, count: int, width: int) -> None:
    """Draw the pieces not yet played as small coins; as a number when there are too many."""
    radius = canvas.px(7)
    step = 2 * radius + canvas.px(4)
    if count == 0:
        canvas.text("none left in hand", position, 12, palette.MUTED_TEXT, anchor="midleft")
        return
    visible = count if count * step <= width else 1
    for k in range(visible):
        piece_sprites.draw_seat_coin(canvas.surface, (position[0] + radius + k * step, position[1]), radius, key)
    if visible < count:
        start = (position[0] + step + canvas.px(4), position[1])
        canvas.text(f"× {count} in hand", start, 12, palette.MUTED_TEXT, anchor="midleft")
