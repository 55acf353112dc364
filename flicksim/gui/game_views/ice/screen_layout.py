"""Drawing of the parts of the pyramid screen from its view model."""

from __future__ import annotations

import msgspec
import pygame

from flicksim.core.units import mm
from flicksim.gui.game_view_kit.side_view import draw_predicted_arc
from flicksim.gui.game_views.ice import launch_sequence, side_view
from flicksim.gui.game_views.ice import panel as seat_panel
from flicksim.gui.game_views.ice.panel import SeatCard
from flicksim.gui.game_views.ice.view_model import IceViewModel
from flicksim.gui.match.match_controller import BOT_AIM_TIME
from flicksim.gui.table_view import effects, match_text, shot_painter, shot_panel, side_panel, slingshot
from flicksim.gui.table_view.gesture_noise import ShotSpread, shot_spread
from flicksim.gui.table_view.side_plane import SidePlane, ground_colour
from flicksim.gui.toolkit import palette
from flicksim.gui.toolkit.canvas import Canvas
from flicksim.render import Camera
from flicksim.scene import Launch, Pyramid

_SINGLE_HELP = (
    "Pull back anywhere on the table, like a slingshot, and let go: so far, so strong, the other way. Or turn with the "
    "arrows and flick with Space. Steeper flicks fly higher; a nail lower on the base leaves more backspin."
)
_SHARED_HELP = (
    "Each has keys of their own; they stand on the cards. Hold the launch key until it is strong enough, then let go. "
    "The mouse and these numbers are for the lit seat; click on a card to take another."
)


# -- the table --------------------------------------------------------------------------------------------------------


def draw_table(canvas: Canvas, view_model: IceViewModel) -> None:
    """Draw the table from above, and the close-up beside it where it fits."""
    view, pieces = view_model.view, view_model.pieces
    with canvas.clipped(view.area):
        view.draw(canvas)
        _draw_pieces(canvas, view.camera, view_model, pieces)
        _draw_impacts(canvas, view.camera, view_model)
        _draw_bot_aim(canvas, view.camera, view_model)
        slingshot.draw_pull(canvas, view_model.launcher_control.pull)
    magnifier = view.magnifier({})
    if magnifier is not None:
        with view.magnified(canvas, magnifier):
            _draw_pieces(canvas, magnifier.camera, view_model, pieces)
    _draw_hover_label(canvas, view_model, pieces)


def _draw_pieces(canvas: Canvas, camera: Camera, view_model: IceViewModel, pieces: tuple[Pyramid, ...]) -> None:
    painter, controller = view_model.view.painter, view_model.controller
    replay = controller.launch_replay
    if replay is not None:
        painter.draw_path(canvas, camera, replay.trajectory, replay.time)
        painter.draw_pyramids(canvas, camera, pieces)
        return
    for flight in controller.flights:
        if flight.start <= controller.time:
            painter.draw_path(canvas, camera, flight.visible_trajectory, controller.time - flight.start)
    if view_model.outcome_scatter is not None:
        view_model.outcome_scatter.draw(canvas, camera)
    launchers: list[Pyramid] = []
    if controller.phase == "choose":
        for seat in range(len(view_model.match.players)):
            launchers += _draw_launcher(canvas, camera, view_model, seat)
    painter.draw_pyramids(canvas, camera, [*pieces, *launchers])
    unmoved = {piece.id: piece for piece in pieces}
    for piece, points in controller.counted_pieces:
        if points and unmoved.get(piece.id) == piece:
            doubled = points > piece.shape.pips
            painter.draw_outline(canvas, camera, piece, palette.HIGHLIGHT if doubled else palette.TABLE_TEXT)


def _draw_impacts(canvas: Canvas, camera: Camera, view_model: IceViewModel) -> None:
    """Draw sparks and dust of collisions; none with reduced motion or a stopped clock."""
    controller = view_model.controller
    if controller.reduced_motion or controller.phase == "over":
        return
    if (replay := controller.launch_replay) is not None:
        trajectories = [(replay.trajectory, replay.time)]
    else:
        trajectories = [(one.trajectory, controller.time - one.start) for one in controller.flights if one.trajectory]
    for trajectory, t in trajectories:
        effects.draw_impacts(canvas, camera, launch_sequence.recent_impacts(trajectory, t))


def _draw_bot_aim(canvas: Canvas, camera: Camera, view_model: IceViewModel) -> None:
    """Draw the aim of bots just before they launch."""
    controller, match, control = view_model.controller, view_model.match, view_model.launcher_control
    for flight in controller.flights if controller.launch_replay is None else ():
        waiting_time, intended, seat = flight.start - controller.time, flight.intended, flight.launch.owner
        if intended is None or seat is None or seat in control.people or not 0.0 < waiting_time <= BOT_AIM_TIME:
            continue
        noise = match.noise[seat]
        loose, usual = noise.free_launcher_factor, shot_spread(noise)
        spread = usual and ShotSpread(loose * usual.azimuth, loose * usual.speed, usual.noise_scale)
        prediction = view_model.flight_predictor.predict_now(intended) or flight.bare_trajectory
        tint = palette.seat_colour(palette.seat_key(seat, match.game.seat_names))
        share = 1.0 if controller.reduced_motion else min(1.0, (BOT_AIM_TIME - waiting_time) / (0.6 * BOT_AIM_TIME))
        ends = intended.hold, side_view.landing_point(prediction, intended)
        effects.draw_bot_aim(canvas, camera, ends, spread, tint, share)


def _draw_launcher(canvas: Canvas, camera: Camera, view_model: IceViewModel, seat: int) -> list[Pyramid]:
    """Draw the launcher of a seat with its missile, and the aim of people."""
    controller, control = view_model.controller, view_model.launcher_control
    is_person, state = seat in control.people, controller.rules_state
    if not state.hands[seat] and not controller.is_in_flight(seat):
        return []
    intended = control.intended_launch(seat) if is_person else None
    if intended is None:
        flown = (flight.launch for flight in reversed(controller.flights) if flight.launch.owner == seat)
        intended = next(flown, None) or control.poses[seat].make_launch(f"seat {seat}")
    launcher, missile = side_view.launcher_pieces(state.scene, intended)
    name, has_missile = f"held {seat}", controller.has_missile(seat)
    if is_person and has_missile:
        _draw_aim(canvas, camera, view_model, seat, intended)
    launchers = [msgspec.structs.replace(launcher, id=name)]
    if has_missile and (is_person or state.started or state.loaded[seat] is not None):
        launchers.append(msgspec.structs.replace(missile, id=f"{name} missile"))
    return launchers


def _draw_aim(canvas: Canvas, camera: Camera, view_model: IceViewModel, seat: int, intended: Launch) -> None:
    """Draw the predicted flight of an aimed launch on a bare table."""
    control, intended = view_model.launcher_control, view_model.with_charge(seat, intended)
    prediction = view_model.flight_predictor.prediction(intended)
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
        shot_painter.draw_noise_ring(canvas, a, canvas.px(10), spread)
        return
    canvas.dashed_line(a, b, colour, canvas.px(2 if chosen else 1.4), canvas.px(5))
    canvas.circle(b, canvas.px(5), colour, canvas.px(2))


def _draw_hover_label(canvas: Canvas, view_model: IceViewModel, pieces: tuple[Pyramid, ...]) -> None:
    """Draw the name of the piece under the mouse."""
    at = pygame.mouse.get_pos()
    if view_model.launcher_control.is_busy or not view_model.view.is_on_table(at):
        return
    piece = view_model.view.piece_at(at, pieces)
    if piece is None:
        return
    text = view_model.piece_text(piece)
    width, height = canvas.text_width(text, 13), canvas.line_height(13)
    box = pygame.Rect(at[0] + canvas.px(12), at[1] + canvas.px(10), width + canvas.px(14), height + canvas.px(6))
    box.clamp_ip(view_model.view.area)
    canvas.box(box, palette.OVERLAY_SHADE, 5)
    canvas.text(text, box.center, 13, palette.LIGHT_TEXT, anchor="center")


# -- from the side ----------------------------------------------------------------------------------------------------


def draw_side_view(canvas: Canvas, view_model: IceViewModel) -> None:
    """Draw the side view: of a replayed launch, one in flight, or the aimed one."""
    controller, control, surface = view_model.controller, view_model.launcher_control, view_model.surface
    rect, seats = view_model.view.side_rect, view_model.match.game.seat_names
    if (replay := controller.launch_replay) is not None:
        t = min(replay.time, replay.trajectory.duration)
        side_view.draw_launch(canvas, rect, replay.trajectory, t, seats, surface, starts_close=True)
        return
    if (watched := view_model.watched_flight()) is not None:
        t = controller.time - watched.start
        side_view.draw_launch(canvas, rect, watched.visible_trajectory, t, seats, surface)
        return
    intended = control.intended_launch(control.seat) if control.is_aiming else None
    launch = view_model.with_charge(control.seat, intended) if intended is not None else None
    prediction = view_model.flight_predictor.prediction(launch) if launch is not None else None
    if launch is None or prediction is None:
        side_view.draw_empty(canvas, rect, control.pose.make_launch("none"), "no launch under way")
        return
    flight = side_view.flight_points(prediction, prediction.first_contact_time)
    plane = side_view.whole_plane(rect, launch, [*flight, (mm(300.0), mm(200.0))], canvas.scale)
    is_too_weak = side_view.never_left(prediction)
    caption = "too weak: the missile stays on the launcher" if is_too_weak else f"{seats[control.seat]} aims"
    ground, start_line = side_view.table_interval(prediction), side_view.start_line_distance(surface, launch)
    side_view.draw_frame(canvas, rect, plane, ground, caption, start_line)
    with canvas.clipped(rect.inflate(-4, -4)):
        side_view.draw_pieces(canvas, plane, view_model.pieces, seats)
        draw_predicted_arc(canvas, plane, flight)
        launcher, missile = side_view.launcher_pieces(controller.rules_state.scene, launch)
        side_view.draw_hand(canvas, plane, launcher, seats, missile)


# -- the launcher -----------------------------------------------------------------------------------------------------


def draw_launcher(canvas: Canvas, view_model: IceViewModel) -> None:
    """Draw a close-up of the launcher and the striking nail; sizes and numbers below are widgets."""
    controller, control, seats = view_model.controller, view_model.launcher_control, view_model.match.game.seat_names
    box, seat, pose = view_model.layout_rects.left, control.seat, control.pose
    if (replay := controller.launch_replay) is not None:
        y = side_panel.draw_caption(canvas, box, "Shown again")
        y = canvas.paragraph(replay.text, pygame.Rect(box.x, y, box.w, canvas.px(60)), 14, bold=True)
        bar = pygame.Rect(box.x, y + canvas.px(4), box.w, box.h)
        shot_panel.draw_time_bar(canvas, bar, replay, replay.trajectory.duration)
        return
    if not control.is_aiming:
        seat_panel.draw_legend(canvas, box)
        return
    y = side_panel.draw_caption(canvas, box, f"In {match_text.seat_text(view_model.match, seat)}'s hands")
    foot = view_model.layout_rects.size_buttons_top - canvas.px(8)
    rect = pygame.Rect(box.x, y, box.w, max(canvas.px(60), min(foot - y, round(box.w * 0.92))))
    canvas.box(rect, ground_colour(), 6, palette.BORDER)
    piece, charge = control.next_missile(seat), control.charge_level(seat)
    launch = pose.make_launch(piece or "none")
    launcher, missile = side_view.launcher_pieces(controller.rules_state.scene, launch)
    zoom = min(rect.w / mm(112.0), rect.h / mm(104.0))
    plane = SidePlane(launch.hold, launch.azimuth, zoom, rect.centerx - mm(2.0) * zoom,
                  rect.bottom - mm(28.0) * zoom + launch.lift * zoom)  # fmt: skip
    with canvas.clipped(rect.inflate(-4, -4)):
        loaded = missile if piece is not None and controller.has_missile(seat) else None
        side_view.draw_hand(canvas, plane, launcher, seats, loaded)
        strength = pose.strength if charge is None else charge
        side_view.draw_nail(canvas, plane, launcher, pose.height, pose.slant, strength)
    free_rect = pygame.Rect(box.x, rect.bottom + canvas.px(10), box.w, foot - rect.bottom - canvas.px(10))
    if free_rect.h >= 4 * canvas.line_height(13):
        canvas.paragraph(_SHARED_HELP if control.clusters else _SINGLE_HELP, free_rect, 13, palette.MUTED_TEXT)


# -- the seats --------------------------------------------------------------------------------------------------------


def draw_panel(canvas: Canvas, view_model: IceViewModel) -> None:
    """Draw seats, prompt, the last ruling and the latest outcomes."""
    places, controller, match = view_model.layout_rects, view_model.controller, view_model.match
    canvas.box(places.right, palette.PANEL)
    rect, log_lines = places.inner, controller.launch_log
    clock = f"{max(controller.time, 0.0):.0f} s" if controller.rules_state.started else ""
    side_panel.draw_heading(canvas, rect, match.game.title, clock)
    draw_cards(canvas, view_model)

    def below(y: int) -> pygame.Rect:
        return pygame.Rect(rect.x, y, rect.w, places.footer_top - y)

    y = places.cards_bottom
    if len(match.players) == 1:
        y = seat_panel.draw_practice_summary(canvas, below(y), log_lines, controller.counted_pieces)
    prompt = "Paused: P goes on" if controller.is_paused else controller.prompt
    error = controller.error or controller.recording_error
    y = side_panel.draw_prompt(canvas, below(y), prompt, view_model.note, error)
    y = side_panel.draw_shot_feedback(canvas, below(y), view_model.gesture_text)
    if log_lines:
        y = seat_panel.draw_ruling(canvas, below(y), match, log_lines[0])
    seat_panel.draw_recent_launches(canvas, below(y), match, log_lines)


def draw_cards(canvas: Canvas, view_model: IceViewModel) -> None:
    """Draw a card for each seat."""
    controller, match = view_model.controller, view_model.match
    cards = [_seat_card(view_model, seat) for seat in range(len(match.players))]
    seat_panel.draw_seats(
        canvas, view_model.layout_rects.cards, match, controller.rules_state, controller.counted_pieces, cards
    )


def _seat_card(view_model: IceViewModel, seat: int) -> SeatCard:
    controller, state, control = view_model.controller, view_model.controller.rules_state, view_model.launcher_control
    is_person, charge = seat in control.people, control.charge_level(seat)
    flights = (one for one in controller.flights if one.launch.owner == seat and controller.time < one.rest_time)
    flight = next(flights, None)
    if not state.started:
        activity = "loaded, ready" if controller.is_loaded(seat) else "choose a missile" if is_person else "loads"
    elif flight is not None and flight.start <= controller.time:
        activity = "in the air" if controller.time < flight.landing_time else "lands"
    elif not state.hands[seat] and flight is None:
        activity = "has launched all"
    elif controller.time < 0.0:
        activity = "loaded"
    elif is_person:
        activity = f"{control.poses[seat].size} loaded" if charge is None else "charging"
    else:
        activity = "takes aim"
    cluster = control.clusters.get(seat)
    keys = "{} aim   {} size   {} launch".format(*cluster.labels) if cluster is not None else ""
    chosen = is_person and len(control.people) > 1 and seat == control.seat
    return SeatCard(activity, keys, charge, chosen, is_person and controller.can_act(seat))
