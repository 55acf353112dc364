"""Layout of the pyramid screen, and drawing of its parts."""

from collections.abc import Mapping, Sequence

import msgspec
import pygame

from flicksim.core.geometry import Point
from flicksim.core.units import mm
from flicksim.gui.game_views.ice import panel as seat_panel
from flicksim.gui.game_views.ice import side_view
from flicksim.gui.game_views.ice.camera_view import IceView
from flicksim.gui.game_views.ice.flight import Flight, FlightPredictor
from flicksim.gui.game_views.ice.ice_controller import IceMatchController
from flicksim.gui.game_views.ice.launch_log import orientation_text
from flicksim.gui.game_views.ice.launcher_control import LauncherControl
from flicksim.gui.game_views.ice.launcher_pose import speed_of
from flicksim.gui.match.match_controller import BOT_AIM_TIME
from flicksim.gui.table_view import effects, gestures, hints, match_text, shot_painter, side_panel, side_plane
from flicksim.gui.table_view.side_plane import SidePlane, draw_predicted_arc, ground_colour
from flicksim.gui.toolkit import Button, Canvas, NumericSlider, palette, place_in_grid
from flicksim.render import Camera
from flicksim.scene import SIZES, Launch, Pyramid

_LINGER_TIME = 1.2
"""Time for which a launch at rest is still shown from the side [s]."""
_AIMING_TIME = 3.0
"""Time after a change of the aim for which the side view stays with it, whoever else launches [s]."""
_SINGLE_HELP = (
    "Pull back anywhere on the table, like a slingshot, and let go: the farther, the stronger. Or turn with the "
    "arrows and flick with Space. Steeper flicks fly higher; a nail lower on the base leaves more backspin."
)
_SHARED_HELP = (
    "Each has keys of their own; they stand on the cards. Hold the launch key until it is strong enough, then let go. "
    "The mouse and these numbers are for the lit seat; click on a card to take another."
)


class IceDrawing:
    """Drawing of the parts of the pyramid screen.

    Args:
        controller, control, view: of the screen. predictor: of the flights of aimed launches.
    """

    left = right = inner = pygame.Rect(0, 0, 0, 0)
    """Panels of the launch and of the game, and the latter without its margin [pixels]."""
    cards: Sequence[pygame.Rect] = ()
    """Cards of the seats."""
    cards_bottom = footer_top = size_buttons_top = 0
    """Lower end of the cards, and upper ends of the buttons under the game and for the sizes of missiles [pixels]."""
    outcome_scatter: hints.OutcomeScatter | None = None
    """Predicted landing points, once requested."""
    aim_change_time = 0.0
    """Time of the last change of the aimed launch, at first the begin [s]; earlier landings are no longer shown."""

    def __init__(
        self, controller: IceMatchController, control: LauncherControl, view: IceView, predictor: FlightPredictor
    ) -> None:
        self._controller, self._control, self._view, self._predictor = controller, control, view, predictor
        self._match, self._seats = controller.match, controller.match.game.seat_names

    # -- layout ---------------------------------------------------------------------------------------------------

    def layout_table_only(self, buttons: Mapping[str, Button], size: tuple[int, int], scale: float) -> None:
        """Place the table alone, under a card for each seat (see `layout`)."""
        (w, h), pad, seats = size, round(8 * scale), len(self._match.players)
        wide, tall = min((w - pad) // seats - pad, round(300 * scale)), round(60 * scale)
        first = (w - seats * (wide + pad) + pad) // 2
        self.cards = [pygame.Rect(first + k * (wide + pad), pad, wide, tall) for k in range(seats)]
        high = round(34 * scale)
        buttons["fold"].rect = pygame.Rect(w - pad - 3 * high, h - pad - high, 3 * high, high)
        self._view.is_table_only = True
        self._view.set_area(pygame.Rect(0, tall + pad, w, buttons["fold"].rect.y - tall - pad), 46 * scale)
        self.left = self.right = self.inner = pygame.Rect(0, 0, 0, 0)
        self.cards_bottom = self.footer_top = tall

    def layout(
        self, buttons: Mapping[str, Button], sliders: Sequence[NumericSlider], size: tuple[int, int], scale: float
    ) -> None:
        """Place buttons, sliders and the view in a window of a size [pixels]; `scale`: pixels per unit."""
        (w, h), seats = size, len(self._match.players)
        pad, gap = round(12 * scale), round(5 * scale)
        right, left = round(300 * scale), round(252 * scale)
        self.left = box = pygame.Rect(pad, pad, left - 2 * pad, h - 2 * pad)
        self._view.is_table_only = False
        self._view.set_area(pygame.Rect(left, 0, w - right - left, h), 46 * scale)
        high, row = round(34 * scale), round(24 * scale)
        hand_y = box.bottom - high - row - 2 * gap
        sliders_y = hand_y - len(sliders) * (row + gap) - gap
        self.size_buttons_top = sliders_y - 3 * (row + gap) - 2 * gap
        buttons["launch"].rect = pygame.Rect(box.x, box.bottom - high, box.w, high)
        buttons["hand"].rect = pygame.Rect(box.x, hand_y, box.w, row)
        place_in_grid(sliders, pygame.Rect(box.x, sliders_y, box.w, 0), row, gap)
        half_gap, sizes_area = gap // 2, pygame.Rect(box.x, self.size_buttons_top, box.w, 0)
        place_in_grid([buttons[size] for size in SIZES], sizes_area, row + half_gap, gap - half_gap)
        shown_again = pygame.Rect(box.x, box.y + round(150 * scale), box.w, 0)
        place_in_grid([buttons[name] for name in ("on", "pause", "back", "step", "slow")], shown_again, high, gap)
        self.right = pygame.Rect(w - right, 0, right, h)
        self.inner = inner = self.right.inflate(-2 * pad, -2 * pad)
        foot = inner.bottom - 4 * (high + gap) + gap
        buttons["best"].rect = pygame.Rect(inner.x, foot, inner.w, high)
        footer = [buttons[name] for name in ("follow", "undo", "hint", "fold", "help", "menu")]
        place_in_grid(footer, inner, high, gap, 2, at_bottom=True)
        self.footer_top = foot - round(8 * scale)
        top = inner.y + round(32 * scale)  # under the heading
        tall = round(min(64.0, max(54.0, (self.footer_top - top - round(170 * scale)) / seats / scale - 5.0)) * scale)
        self.cards = [pygame.Rect(inner.x, top + k * (tall + gap), inner.w, tall) for k in range(seats)]
        self.cards_bottom = top + seats * (tall + gap) + round(3 * scale)

    # -- what is shown --------------------------------------------------------------------------------------------

    @property
    def pieces(self) -> tuple[Pyramid, ...]:
        """Every piece in its visible position."""
        replay = self._controller.launch_replay
        if self._controller.phase == "show" and replay is not None:
            return replay.trajectory.pieces_at(min(replay.time, replay.trajectory.duration))
        return self._controller.visible.pieces_at(self._controller.time)

    def _watched_flight(self) -> Flight | None:
        """Flight to be shown from the side: one's own first, then the latest."""
        control, now = self._control, self._controller.time
        linger = 0.0 if control.charge_times or control.is_busy else _LINGER_TIME
        watched = [one for one in self._controller.visible.flights
                   if one.start <= now <= one.rest_time + linger and one.rest_time > self.aim_change_time]  # fmt: skip
        own = [one for one in watched if one.launch.owner == control.seat and control.people]
        if not own and control.is_aiming and now < self.aim_change_time + _AIMING_TIME:
            return None
        return own[-1] if own else max(watched, key=lambda one: one.start, default=None)

    def close_up_center(self) -> Point:
        """Centre of the close-up: a flight or recent landing, else the aimed launcher."""
        replay, watched = self._controller.launch_replay, self._watched_flight()
        launch = replay.trajectory.launch if replay is not None else watched.launch if watched is not None else None
        inspected = next((piece for piece in self.pieces if launch is not None and piece.id == launch.piece), None)
        if inspected is not None:
            return inspected.centre_of_mass[:2]
        return self._control.pose.position if self._control.is_aiming else self._view.camera.centre

    def _with_charge(self, seat: int, intended: Launch) -> Launch:
        """Launch with the strength charged so far, quantized so that few predictions are needed."""
        charge = self._control.charge_level(seat)
        if charge is None:
            return intended
        return msgspec.structs.replace(intended, speed=speed_of(round(charge * 24.0) / 24.0))

    # -- the table ------------------------------------------------------------------------------------------------

    def draw_table(self, canvas: Canvas) -> None:
        """Draw the table from above, and the close-up beside it where it fits."""
        view, pieces = self._view, self.pieces
        with canvas.clipped(view.area):
            view.draw(canvas)
            self._draw_bot_aim(canvas, view.camera)
            self._draw_pieces(canvas, view.camera, pieces)
            self._draw_impacts(canvas, view.camera)
            self._control.slingshot.draw(canvas)
        magnifier = view.magnifier()
        if magnifier is not None:
            with view.magnified(canvas, magnifier):
                self._draw_pieces(canvas, magnifier.camera, pieces)
        self._draw_hover_label(canvas, pieces)

    def _draw_pieces(self, canvas: Canvas, camera: Camera, pieces: tuple[Pyramid, ...]) -> None:
        painter, controller = self._view.painter, self._controller
        if (replay := controller.launch_replay) is not None:
            painter.draw_path(canvas, camera, replay.trajectory, replay.time)
            painter.draw_pyramids(canvas, camera, pieces)
            return
        for flight in controller.visible.flights:
            if flight.start <= controller.time:
                painter.draw_path(canvas, camera, flight.visible_trajectory, controller.time - flight.start)
        if self.outcome_scatter is not None:
            self.outcome_scatter.draw(canvas, camera)
        launchers: list[Pyramid] = []
        if controller.phase == "choose":
            for seat in range(len(self._match.players)):
                launchers += self._draw_launcher(canvas, camera, seat)
        painter.draw_pyramids(canvas, camera, [*pieces, *launchers])
        unmoved = {piece.id: piece for piece in pieces}
        for piece, points in controller.visible.counted_pieces:
            if points and unmoved.get(piece.id) == piece:
                doubled = points > piece.shape.pips
                painter.draw_outline(canvas, camera, piece, palette.HIGHLIGHT if doubled else palette.TABLE_TEXT)

    def _draw_impacts(self, canvas: Canvas, camera: Camera) -> None:
        """Draw sparks and dust of collisions; none with reduced motion or a stopped clock."""
        controller = self._controller
        if controller.reduced_motion or controller.phase == "over":
            return
        if (replay := controller.launch_replay) is not None:
            trajectories = [(replay.trajectory, replay.time)]
        else:
            trajectories = [
                (one.trajectory, controller.time - one.start) for one in controller.visible.flights if one.trajectory
            ]
        for trajectory, t in trajectories:
            effects.draw_impacts(canvas, camera, trajectory.events, t)

    def _draw_bot_aim(self, canvas: Canvas, camera: Camera) -> None:
        """Draw the aim of bots just before they launch."""
        controller = self._controller
        for flight in controller.visible.flights if controller.launch_replay is None else ():
            waiting_time, intended, seat = flight.start - controller.time, flight.intended, flight.launch.owner
            if intended is None or seat is None or seat in self._control.people:
                continue
            if 0.0 < waiting_time <= BOT_AIM_TIME:
                prediction = self._predictor.predict_now(intended) or flight.bare_trajectory
                share = min(1.0, (BOT_AIM_TIME - waiting_time) / (0.6 * BOT_AIM_TIME))
                effects.draw_bot_aim(
                    canvas, camera, (intended.hold, side_view.landing_point(prediction, intended)),
                    gestures.shot_spread(self._match.noise[seat], meant=intended),
                    palette.seat_colour(palette.seat_key(seat, self._seats)),
                    1.0 if controller.reduced_motion else share,
                )  # fmt: skip

    def _draw_launcher(self, canvas: Canvas, camera: Camera, seat: int) -> list[Pyramid]:
        """Draw the aim of a person. Return the launcher of the seat, and its missile."""
        controller, control = self._controller, self._control
        is_person, state = seat in control.people, controller.rules_state
        if controller.has_launched_all(seat):
            return []
        intended = control.intended_launch(seat) if is_person else None
        if intended is None:
            flown = [flight.launch for flight in controller.visible.flights_of(seat)]
            intended = flown[-1] if flown else control.poses[seat].make_launch(f"seat {seat}")
        launcher, missile = state.scene.launcher_and_missile(intended)
        name, has_missile = f"held {seat}", controller.has_missile(seat)
        if is_person and has_missile:
            self._draw_aim(canvas, camera, seat, intended)
        launchers = [msgspec.structs.replace(launcher, id=name)]
        if has_missile and (is_person or state.started or state.loaded[seat] is not None):
            launchers.append(msgspec.structs.replace(missile, id=f"{name} missile"))
        return launchers

    def _draw_aim(self, canvas: Canvas, camera: Camera, seat: int, intended: Launch) -> None:
        """Draw the predicted flight of an aimed launch on a bare table."""
        control, intended = self._control, self._with_charge(seat, intended)
        prediction = self._predictor.prediction(intended)
        if prediction is None:
            return
        end = side_view.landing_point(prediction, intended)
        a, b = camera.to_screen(intended.hold), camera.to_screen(end)
        chosen = seat == control.seat
        lit = chosen or seat in control.charge_times
        colour = palette.HIGHLIGHT if lit else palette.TABLE_MUTED_TEXT
        spread = control.shot_spread(seat) if lit else None
        if spread is not None:
            shot_painter.draw_spread(canvas, camera, intended.hold, end, spread, colour)
            shot_painter.draw_distance_beyond(canvas, camera, intended.hold, end)
            shot_painter.draw_noise_ring(canvas, a, canvas.px(10), spread)
            return
        canvas.dashed_line(a, b, colour, canvas.px(2 if chosen else 1.4), canvas.px(5))
        canvas.circle(b, canvas.px(5), colour, canvas.px(2))

    def _draw_hover_label(self, canvas: Canvas, pieces: tuple[Pyramid, ...]) -> None:
        """Draw owner, size, orientation and points of the piece under the mouse."""
        at = pygame.mouse.get_pos()
        if self._control.is_busy or not self._view.is_on_table(at):
            return
        piece = self._view.piece_at(at, pieces)
        if piece is None:
            return
        owner = self._seats[piece.owner] if piece.owner is not None else "nobody's"
        points = next((count for one, count in self._controller.visible.counted_pieces if one.id == piece.id), None)
        counts = "" if points is None else f": counts {points}" if points else ": counts nothing"
        text = f"{owner} {piece.size} {orientation_text(piece)}{counts}"
        width, height = canvas.text_width(text, 13), canvas.line_height(13)
        box = pygame.Rect(at[0] + canvas.px(12), at[1] + canvas.px(10), width + canvas.px(14), height + canvas.px(6))
        box.clamp_ip(self._view.area)
        canvas.box(box, palette.OVERLAY_SHADE, 5)
        canvas.text(text, box.center, 13, palette.LIGHT_TEXT, anchor="center")

    # -- from the side --------------------------------------------------------------------------------------------

    def draw_side_view(self, canvas: Canvas) -> None:
        """Draw the side view: of a replayed launch, one in flight, or the aimed one."""
        controller, control, surface = self._controller, self._control, self._view.surface
        rect, seats = self._view.side_rect, self._seats
        if (replay := controller.launch_replay) is not None:
            t = min(replay.time, replay.trajectory.duration)
            side_view.draw_launch(canvas, rect, replay.trajectory, t, seats, surface, starts_close=True)
            return
        if (watched := self._watched_flight()) is not None:
            t = controller.time - watched.start
            side_view.draw_launch(canvas, rect, watched.visible_trajectory, t, seats, surface)
            return
        intended = control.intended_launch(control.seat) if control.is_aiming else None
        launch = self._with_charge(control.seat, intended) if intended is not None else None
        prediction = self._predictor.prediction(launch) if launch is not None else None
        if launch is None or prediction is None:
            plane = side_view.whole_plane(rect, control.pose.make_launch("none"), [(0.6, 0.3)], canvas.scale)
            side_view.draw_frame(canvas, rect, plane, None, "no launch under way")
            return
        flight = side_view.flight_points(prediction, prediction.first_contact_time)
        plane = side_view.whole_plane(rect, launch, [*flight, (mm(300.0), mm(200.0))], canvas.scale)
        is_too_weak = side_view.never_left(prediction)
        aimed = f"{seats[control.seat]} aims, without bounces"
        caption = "too weak: the missile stays on the launcher" if is_too_weak else aimed
        side_view.draw_frame(canvas, rect, plane, surface, caption, launch.owner or 0, flight[-1] if flight else None)
        with canvas.clipped(rect.inflate(-4, -4)):
            side_view.draw_pieces(canvas, plane, self.pieces, seats)
            draw_predicted_arc(canvas, plane, flight)
            launcher, missile = controller.rules_state.scene.launcher_and_missile(launch)
            with canvas.clipped(side_plane.plot_rect(canvas, rect, plane)):
                side_view.draw_hand(canvas, plane, launcher, seats, missile)

    # -- the launcher ---------------------------------------------------------------------------------------------

    def draw_launcher(self, canvas: Canvas) -> None:
        """Draw a close-up of the launcher and the striking nail; sizes and numbers below are widgets."""
        controller, control = self._controller, self._control
        box, seat, pose = self.left, control.seat, control.pose
        if (replay := controller.launch_replay) is not None:
            y = side_panel.draw_caption(canvas, box, "Shown again")
            y = canvas.paragraph(replay.text, pygame.Rect(box.x, y, box.w, canvas.px(60)), 14, bold=True)
            bar = pygame.Rect(box.x, y + canvas.px(4), box.w, box.h)
            side_panel.draw_time_bar(canvas, bar, replay)
            return
        if not control.is_aiming or controller.has_launched_all(seat):
            seat_panel.draw_legend(canvas, box)
            return
        y = side_panel.draw_caption(canvas, box, f"In {match_text.seat_text(self._match, seat)}'s hands")
        foot = self.size_buttons_top - canvas.px(8)
        rect = pygame.Rect(box.x, y, box.w, max(canvas.px(60), min(foot - y, round(box.w * 0.92))))
        canvas.box(rect, ground_colour(), 6, palette.BORDER)
        piece, charge = control.next_missile(seat), control.charge_level(seat)
        launch = pose.make_launch(piece or "none")
        launcher, missile = controller.rules_state.scene.launcher_and_missile(launch)
        zoom = min(rect.w / mm(112.0), rect.h / mm(104.0))
        ground = rect.bottom - mm(28.0) * zoom + launch.lift * zoom
        plane = SidePlane(launch.hold, launch.azimuth, zoom, rect.centerx - mm(2.0) * zoom, ground)
        with canvas.clipped(rect.inflate(-4, -4)):
            loaded = missile if piece is not None and controller.has_missile(seat) else None
            side_view.draw_hand(canvas, plane, launcher, self._seats, loaded)
            strength = pose.strength if charge is None else charge
            side_view.draw_nail(canvas, plane, launcher, pose.height, pose.slant, strength)
        free_rect = pygame.Rect(box.x, rect.bottom + canvas.px(10), box.w, foot - rect.bottom - canvas.px(10))
        if free_rect.h >= 4 * canvas.line_height(13):
            canvas.paragraph(_SHARED_HELP if control.clusters else _SINGLE_HELP, free_rect, 13, palette.MUTED_TEXT)

    # -- the seats ------------------------------------------------------------------------------------------------

    def draw_panel(self, canvas: Canvas, note: str, feedback: str, foot: int) -> None:
        """Draw seats, prompt, the last ruling and the latest outcomes.

        Args:
            canvas: where to draw. note: under the prompt. feedback: on a person's last launch. foot: lower end
                [pixels].
        """
        controller, match = self._controller, self._match
        canvas.box(self.right, palette.PANEL)
        rect, log_lines = self.inner, controller.launch_log
        clock = f"{max(controller.time, 0.0):.0f} s" if controller.rules_state.started else ""
        side_panel.draw_heading(canvas, rect, match.game.title, clock)
        self.draw_cards(canvas)

        def below(y: int) -> pygame.Rect:
            return pygame.Rect(rect.x, y, rect.w, foot - y)

        y = self.cards_bottom
        prompt = "Paused: P goes on" if controller.is_paused else controller.prompt
        error = controller.error or controller.history.recording_error
        y = side_panel.draw_prompt(canvas, below(y), prompt, note, error)
        y = side_panel.draw_shot_feedback(canvas, below(y), feedback, "launch")
        if log_lines:
            y = seat_panel.draw_ruling(canvas, below(y), match, log_lines[0], len(log_lines))
        if len(match.players) == 1:
            y = seat_panel.draw_practice_summary(canvas, below(y), log_lines, controller.visible.counted_pieces)
        seat_panel.draw_recent_launches(canvas, below(y), match, log_lines)

    def draw_cards(self, canvas: Canvas) -> None:
        """Draw a card for each seat."""
        for seat, box in enumerate(self.cards):
            seat_panel.draw_card(canvas, box, self._controller, self._control, seat)
