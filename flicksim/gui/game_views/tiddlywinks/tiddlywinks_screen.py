"""Match screen of tiddlywinks: winks are selected, aimed and squidged, shots shown from above and from the side."""

import pygame

from flicksim.core.type_aliases import Action
from flicksim.games.tiddlywinks.turn_order import must_free
from flicksim.gui.app import App, MatchSession
from flicksim.gui.board_view.board_screen_base import BoardScreenBase
from flicksim.gui.game_views.tiddlywinks import KEY_MAP, camera_view, score_panel, screen_layout, squidge_aim
from flicksim.gui.game_views.tiddlywinks.camera_view import WinkView
from flicksim.gui.game_views.tiddlywinks.end_screen import TiddlywinksEndScreen
from flicksim.gui.game_views.tiddlywinks.inspection import WinkInspector, pile_of
from flicksim.gui.game_views.tiddlywinks.squidge_aim import PILE_SLIDERS, SLIDERS
from flicksim.gui.game_views.tiddlywinks.squidge_controller import SquidgeController
from flicksim.gui.game_views.tiddlywinks.state_cache import cached
from flicksim.gui.table_view import Magnifier, match_text, side_panel
from flicksim.gui.table_view.hints import Hint
from flicksim.gui.toolkit import Button, Canvas, KeyMap, NumericSlider, Widget, palette
from flicksim.match import WINK_WARMUP
from flicksim.render import Camera, stacking_order, winks_at
from flicksim.scene import Piece, Squidge

_POT_IN_PLACE_OF_FREEING_TEXT = (
    "The pot frees nobody, so a squopping wink is moved aside; but it counts 3 points and earns another shot."
)


class TiddlywinksScreen(BoardScreenBase):
    """Match of tiddlywinks in the window (see `MatchScreen`).

    Args:
        app: the application. session: the match and its surroundings.
    """

    view: WinkView
    aim_controller: SquidgeController
    PLAYBACK_BUTTONS = ("pause", "back", "step", "slow", "skip")
    ACTION_VERB = "squidge"
    PERMANENT_BUTTONS = ("follow", *BoardScreenBase.PERMANENT_BUTTONS)
    SHOT_PATH = staticmethod(squidge_aim.shot_path)
    warmup_task = WINK_WARMUP

    def __init__(self, app: App, session: MatchSession) -> None:
        super().__init__(app, session)
        match = self.match
        match.simulator = self.warmup_task.with_fallback(match.simulator)
        self.view = WinkView(match.game.seat_names, match.state.scene.surface)
        target = "" if self.activity_card is None else self.activity_card.target
        self.aim_controller = SquidgeController(match, self.view, self.gesture_noise, target)
        self.inspector = WinkInspector(self.view)
        self._followed: object = None
        self._is_fresh = True
        """True until the view has been placed for the first time."""
        self._side_card = 0
        """Width of the panel beside the mat [pixels]."""
        self._table = self._side_rect = self._seat_rects = pygame.Rect(0, 0, 0, 0)
        self.sliders = [
            NumericSlider(spec, lambda: self.aim_controller.aim, self.aim_controller.check_legality)
            for spec in (*SLIDERS, *PILE_SLIDERS)
        ]
        self.buttons |= {
            "squidge": Button("Squidge", self.take_shot, key="Space", is_primary=True),
            "next": Button("Wink", lambda: self._key_button(pygame.K_n), key="N"),
            "pot": Button("Pot", lambda: self._key_button(pygame.K_o), key="O"),
            "target": Button("Target", lambda: self._key_button(pygame.K_t), key="T"),
            "follow": Button("Whole mat", self.view.toggle_follow, key="Z"),
        }
        self.begin()

    # -- widgets and turns ----------------------------------------------------------------------------------------

    def decision_lines(self) -> list[str]:
        return [decision.text for decision in self.decisions]

    def on_state_changed(self) -> None:
        """Mark unplayable winks, too."""
        choosing = self.controller.phase == "choose"
        self.error = self.controller.error if choosing else ""
        screen_layout.mark_unplayable(self.view.painter, self.controller.visible_state, is_choosing=choosing)
        self.inspector.clear()
        super().on_state_changed()

    def aim_widgets(self) -> list[Widget]:
        """Buttons and sliders of a squidge; those of piles only where one is played."""
        named, aim = self.buttons, self.aim_controller.aim
        named["next"].enabled = len(self.aim_controller.flick_ranges) > 1
        sliders = self.sliders[: None if aim is not None and aim.is_on_pile else len(SLIDERS)]
        return [*(named[k] for k in ("squidge", "next", "pot", "target", "hand")), *sliders]

    # -- actions --------------------------------------------------------------------------------------------------

    def _key_button(self, key: int) -> None:
        """Button that sends a key."""
        event = pygame.event.Event(pygame.KEYDOWN, key=key, mod=0, unicode="")
        if self.aim_controller.handle_key(event):
            self._on_aim_changed()

    def _on_aim_changed(self) -> None:
        """React to a change of the aim by the player."""
        self._notice, self.error = self.aim_controller.notice, ""
        self.aim_controller.notice, self.aim_controller.slingshot.is_aim_set = "", True
        self.build_form()

    def set_shot(self, action: Action) -> bool:
        if is_shot := super().set_shot(action):
            self._on_aim_changed()
        return is_shot

    def _on_hint(self, hint: Hint) -> None:
        super()._on_hint(hint)
        state, action = self.match.state, hint.action
        is_pot = isinstance(action, Squidge) and hint.purpose is not None and hint.purpose.kind == "pot"
        if is_pot and must_free(state.book.episode, state.book.to_play) and not state.scene.piece(action.piece).lies_on:
            self._notice = f"{self._notice} {_POT_IN_PLACE_OF_FREEING_TEXT}"

    # -- events ---------------------------------------------------------------------------------------------------

    def handle_mouse(self, event: pygame.event.Event) -> None:
        """Handle a mouse event: inspect, continue, aim and squidge, move the view."""
        if event.type == pygame.MOUSEMOTION:
            self.inspector.hover(event.pos, self.visible_winks(), self.app.scale)
        if self._handle_continue_click(event) or (self.controller.phase == "choose" and self._handle_aim_mouse(event)):
            return
        self.view.handle(event)

    def _handle_aim_mouse(self, event: pygame.event.Event) -> bool:
        """Handle a mouse event of the aim; return True if it was used."""
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 3 and self.aim_controller.cancel():
            return True
        if event.type in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP) and event.button != 1:
            return False
        before = self.aim_controller.aim
        squidge = self.aim_controller.handle_mouse(event)
        if squidge is not None:
            self._perform(squidge)
        elif event.type in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
            self._notice, self.error = self.aim_controller.notice, self.aim_controller.error
            self.aim_controller.notice = ""
            if self.aim_controller.aim is not before:
                self.build_form()
        return squidge is not None or self.aim_controller.slingshot.pull is not None

    def cancel_own(self) -> bool:
        looked = self.inspector.wink is not None
        if looked:
            self.inspector.clear()
        return looked

    def handle_own_key(self, event: pygame.event.Event) -> bool:
        """Handle G, which inspects one wink after another and shows it with its pile."""
        if KEY_MAP.match(event)[0] != "look":
            return False
        state = self.controller.visible_state
        self.inspector.step(state, -1 if event.mod & pygame.KMOD_SHIFT else 1)
        if self.inspector.wink is None:
            self._followed = None  # back to the action
        else:
            pile = pile_of(state, self.inspector.wink)
            self.view.look_at([corner for piece in pile for corner in camera_view.piece_corners(piece)])
        return True

    def on_aim_changed(self) -> None:
        """Move the view to the aim."""
        if self.inspector.is_by_key:
            self.inspector.clear()
            self._followed = None
        self._on_aim_changed()

    def extra_keys(self) -> tuple[KeyMap, ...]:
        return (KEY_MAP,)

    def available_choices(self) -> list[str]:
        if self.aim_controller.aim is None:
            return ["Up Down choose", "Enter decides"]
        return ["Arrows aim and push", "W S rise", "N next wink", "O pot", self.gesture_text()]

    # -- time and picture -----------------------------------------------------------------------------------------

    def update(self, dt: float) -> None:
        super().update(dt)
        self.buttons["hand"].label = f"Hand: {self.noise_grade}"
        self.buttons["follow"].label = "Whole mat" if self.view.is_following else "Follow"
        self._follow_action(dt)

    def result_screen(self) -> TiddlywinksEndScreen:
        return TiddlywinksEndScreen(self.app, self.match, self._restart, self.undo, self._self_report_action)

    def _follow_action(self, dt: float) -> None:
        """Let the view follow the action; the target is computed anew only when something else is shown."""
        if self._track_wink(dt):
            self._followed = None
            return
        is_calm = self.app.preferences.reduced_motion
        points, key = screen_layout.focus_points(self.controller, self.aim_controller, reduced_motion=is_calm)
        key = (key, self.view.is_following, self.view.unobstructed.size)
        if key != self._followed and self.aim_controller.slingshot.pull is None:
            self.view.follow_points(points, is_immediate=self._is_fresh or is_calm)
            self._is_fresh = False
            self._followed = key
        self.view.update(dt)

    def _track_wink(self, dt: float) -> bool:
        """Track a wink in flight whose whole path would look too small; return True if it is tracked."""
        playback = self.controller.playback
        if self.controller.phase != "show" or playback is None or self.app.preferences.reduced_motion:
            return False
        trajectory, t = playback.trajectory, playback.time
        at = camera_view.squidged_at(trajectory, t + camera_view.LOOK_AHEAD)
        if at is None or camera_view.pot_corners(trajectory, t):
            return False
        piece = trajectory.before.piece(trajectory.flick.piece)
        return self.view.track_wink(at, piece.radius, camera_view.moving_corners(trajectory), dt)

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """Place the mat over aim, side view and close-up, and the game panel on the right."""
        if self.is_folded:
            self._layout_table_only(size, scale)
            return
        w, h = size
        pad, right = round(14 * scale), round(324 * scale)
        edge = round(8 * scale)
        self._right_panel = pygame.Rect(w - right, edge, right - edge, h - 2 * edge)
        self.view.reserved_width = round(262 * scale)
        strip = score_panel.position_height(Canvas(self.app.surface, scale), self.match, w - right)
        table = pygame.Rect(0, strip, w, h - strip)
        left = self.analysis.bar_width(scale)
        if table != self._table or left != self._side_card or self.view.unobstructed.h <= 100:
            self._table, self._side_card = table, left
            self.view.set_area(table, 46 * scale, pygame.Rect(left, strip, w - right - left, h - strip))
            self._followed, self._is_fresh = None, True
        top = self.view.unobstructed.bottom + round(10 * scale)
        self._left_panel = pygame.Rect(pad, top, round(248 * scale), h - top - pad)
        self._side_rect = self._left_panel.inflate(pad, pad)
        self.view.obstructions = [*self.view.obstructions[:2], self._right_panel, self._side_rect]
        sliders = [slider for slider in self.sliders if slider in self.form.widgets]
        inner = self._right_panel.inflate(-2 * pad, -2 * pad)
        columns = 2 if self.activity_card is None else 3  # a lesson's text needs the room more than the buttons' keys
        self.sliders_bottom = screen_layout.layout(self.buttons, sliders, self._left_panel, inner, scale, columns)
        self.notice_area = pygame.Rect(self._right_panel.topleft, (right - edge, self.buttons["undo"].rect.y - edge))
        self._layout_decisions()

    def _layout_table_only(self, size: tuple[int, int], scale: float) -> None:
        """Place the mat alone, under a card for each seat."""
        self.notice_area = None
        (w, h), pad = size, round(8 * scale)
        self._seat_rects = pygame.Rect(pad, pad, w - 2 * pad, round(44 * scale))
        strip = score_panel.position_height(Canvas(self.app.surface, scale), self.match, w)
        table = pygame.Rect(0, self._seat_rects.bottom + pad + strip, w, h - self._seat_rects.bottom - pad - strip)
        if table != self._table:
            self._table = table
            self.view.set_bare_area(table, 46 * scale)
            self._followed, self._is_fresh = None, True
        high = round(34 * scale)
        self.buttons["fold"].rect = pygame.Rect(w - pad - 3 * high, h - pad - high, 3 * high, high)

    def visible_winks(self) -> list[Piece]:
        """All winks as they are seen, from the lowest up."""
        playback = self.controller.playback
        if self.controller.phase == "show" and playback is not None:
            return winks_at(playback.trajectory, playback.time)
        scene = self.controller.visible_scene()
        return stacking_order(scene.pieces) if scene is not None else []

    def draw_underlay(self, canvas: Canvas) -> None:
        with self.view.painter.pot_preserved(canvas, self.view.camera):
            super().draw_underlay(canvas)

    def draw(self, canvas: Canvas) -> None:
        with canvas.clipped(self.view.area):
            self.view.draw(canvas)
            self.draw_underlay(canvas)
            self._draw_mat(canvas, self.view.camera)
        if self.is_folded:
            fold = self.buttons["fold"].rect
            score_panel.draw_compact_seats(canvas, self._seat_rects, self.controller)
            left = self._seat_rects.x
            side_panel.draw_chip(canvas, (left, fold.bottom), fold.x - 4 * left, self.prompt_lines())
            self.form.draw(canvas)
            self.inspector.draw(canvas, self.controller.visible_state, self.visible_winks())
            return
        self.view.draw_shelf(canvas, lambda camera: self._draw_mat(canvas, camera))
        self._draw_magnified_wink(canvas)
        score_panel.draw_position(canvas, self.match, self._table, self._right_panel.x)
        screen_layout.draw_side_view(canvas, self.view, self.controller, self.aim_controller)
        canvas.panel(self._side_rect)
        self._draw_left(canvas)
        canvas.panel(self._right_panel)
        rect, y = self.panel_area(canvas), self.draw_head(canvas)
        y = self._decision_list.rect.bottom + canvas.px(50) if self.decisions else y
        history = pygame.Rect(rect.x, y, rect.w, rect.bottom - y)
        screen_layout.draw_history(
            canvas, history, self.controller, self.shot_feedback, has_ruling=not self._is_ruling_left
        )
        self.form.draw(canvas)
        self.inspector.draw(canvas, self.controller.visible_state, self.visible_winks())

    @property
    def aimed_magnifier(self) -> Magnifier | None:
        """Magnifier of the aimed wink; None where it looks large enough, or while it is pulled."""
        aim = self.aim_controller.aim if self.controller.phase == "choose" else None
        if aim is None or self.aim_controller.slingshot.pull is not None:
            return None
        others = [piece.position for piece in self.aim_controller.scene.pieces if piece.id != aim.piece.id]
        return self.view.aimed_magnifier(aim.contact_point, aim.piece.radius, aim.landing_point, others)

    def _draw_magnified_wink(self, canvas: Canvas) -> None:
        """Draw a magnifier over the aimed wink where it looks too small."""
        aim, magnifier = self.aim_controller.aim, self.aimed_magnifier
        if aim is None or magnifier is None:
            return
        start = self.view.camera.to_screen(aim.contact_point)
        canvas.line(start, magnifier.rect.center, palette.BORDER, canvas.px(1.5))
        with self.view.magnified(canvas, magnifier):
            self._draw_mat(canvas, magnifier.camera)

    def panel_area(self, canvas: Canvas) -> pygame.Rect:
        """Area of the game panel without its margin, down to the buttons or an activity card [pixels]."""
        pad = canvas.px(14)
        rect = self._right_panel.inflate(-2 * pad, -2 * pad)
        rect.h = self.above_card(self.buttons["undo"].rect.y - canvas.px(10)) - rect.y
        return rect

    def _layout_decisions(self) -> None:
        """Place the list of decisions under the prompt, however many lines that takes."""
        if not self.decisions:
            return
        canvas = Canvas.measuring(self.app.scale)
        rect, y = self.panel_area(canvas), self.draw_head(canvas)
        height = min(canvas.px(26) * len(self.decisions) + 4, max(canvas.px(60), (rect.bottom - y) // 3))
        self._decision_list.rect = pygame.Rect(rect.x, y, rect.w, height)
        self.buttons["decide"].rect = pygame.Rect(rect.x, y + height + canvas.px(6), rect.w, canvas.px(34))

    def draw_head(self, canvas: Canvas) -> int:
        """Draw the head of the game panel, down to the prompt. Return its lower end [pixels]."""
        return screen_layout.draw_status(canvas, self.panel_area(canvas), self.controller, self.prompt_lines())

    def _draw_mat(self, canvas: Canvas, camera: Camera) -> None:
        painter, is_choosing = self.view.painter, self.controller.phase == "choose"
        aim = self.aim_controller.aim if is_choosing else None
        in_hand = aim.piece.id if aim is not None and aim.start is not None else None
        if aim is not None:
            self.aim_controller.draw_spread(canvas, camera, painter, self.shot_spread)
        self.draw_pieces(canvas, camera, in_hand)
        scene = self.aim_controller.scene
        for k, decision in enumerate(self.decisions if is_choosing else ()):
            is_selected = k == self._decision_list.index
            screen_layout.draw_decision(canvas, camera, painter, scene, decision, selected=is_selected)
        if aim is not None:
            glass = self.aimed_magnifier
            screen_layout.draw_playable(
                canvas, camera, self.aim_controller, has_labels=camera is self.view.camera,
                magnifier_rect=glass.rect if glass is not None else None,
                banner_rect=self.effects.banner_rect(canvas, self.table_area),
            )  # fmt: skip
            self.aim_controller.draw(canvas, camera, painter, self.shot_spread)
            if self.hints.scatter is not None:
                self.hints.scatter.draw(canvas, camera)

    def _draw_left(self, canvas: Canvas) -> None:
        controller, aim = self.controller, self.aim_controller.aim
        if controller.phase == "choose" and aim is not None:
            noise_text = self.gesture_noise.spread_text(self.execution_noise, self.aim_controller.intended_shot)
            screen_layout.draw_stroke_text(canvas, self._left_panel, aim, self.sliders_bottom, noise_text)
        elif controller.phase == "show" and controller.playback is not None:
            side_panel.draw_playback(canvas, self._left_panel, controller.playback)
        elif self.analysis.is_visible and controller.phase in ("think", "settle"):
            self.analysis.draw_text(canvas, self._left_panel)
        elif self._is_ruling_left:
            screen_layout.draw_ruling(canvas, self._left_panel, controller)
        elif controller.phase != "choose":
            screen_layout.draw_waiting_text(canvas, self._left_panel, controller, self.prompt_lines()[0])

    @property
    def _is_ruling_left(self) -> bool:
        """True if the ruling is on the left, as a decision leaves it no room on the right."""
        return self.controller.phase == "choose" and self.is_deciding

    sliders_bottom = 0
    """Lower end of the sliders [pixels]."""

    def prompt_lines(self) -> tuple[str, str, str]:
        """Lines of the side panel: the prompt, a note, an error."""
        note = "A club player is asked ..." if self.hints.is_requested else self._notice
        if self.hints.scatter is not None:
            note = f"{note} {self.hints.scatter.text}"
        if not note and self.decisions and self._decision_list.index < len(self.decisions):
            note = self.decisions[self._decision_list.index].text
        if not self.warmup_task.is_ready and not note:
            note = self.warmup_task.message
        controller, match = self.controller, self.match
        error, feedback = self.error or self.aim_controller.error, self.shot_feedback if self.is_folded else ""
        error = error or controller.history.recording_error
        if controller.is_paused:
            return controller.prompt, note, error
        match controller.phase:
            case "think" if match.to_play is not None:
                return controller.prompt, feedback or note, error
            case "settle":
                return "The wink flies ...", note, error
            case "show" if controller.turn is not None:
                return f"{match_text.seat_text(match, controller.turn.seat)} has squidged.", feedback, error
            case "hold" if controller.is_waiting:
                return "Look at the mat, then go on: Space, or a click on the mat.", feedback, error
            case "stuck":
                return controller.prompt, "", controller.error
        if match.is_over:
            return controller.prompt, "", error
        prompt = cached(match.rules.legal_actions)(match.state).prompt
        return prompt, note if controller.phase == "choose" else "", error
