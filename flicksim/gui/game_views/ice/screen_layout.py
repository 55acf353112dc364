"""Drawing of the parts of the pyramid screen from its view model."""

from __future__ import annotations

from math import cos, sin

import msgspec
import pygame

from flicksim.core.units import mm
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
    replay = controller.launch_replay
    if replay is not None:
        trajectories = [(replay.trajectory, replay.time)]
    else:
        trajectories = [
            (flight.trajectory, controller.time - flight.start)
            for flight in controller.flights
            if flight.trajectory is not None
        ]
    for trajectory, t in trajectories:
        effects.draw_impacts(canvas, camera, launch_sequence.recent_impacts(trajectory, t))


def _draw_bot_aim(canvas: Canvas, camera: Camera, view_model: IceViewModel) -> None:
    """Draw the aim of bots just before they launch."""
    controller, match = view_model.controller, view_model.match
    for flight in controller.flights if controller.launch_replay is None else ():
        waiting_time, intended, seat = flight.start - controller.time, flight.intended, flight.launch.owner
        if (
            intended is None
            or seat is None
            or seat in view_model.launcher_control.people
            or not 0.0 < waiting_time <= BOT_AIM_TIME
        ):
            continue
        noise = match.noise[seat]
        usual = shot_spread(noise)
        spread = usual and ShotSpread(
            noise.free_launcher_factor * usual.azimuth, noise.free_launcher_factor * usual.speed, usual.noise_scale
        )
        distance = side_view.carry_distance(view_model.flight_predictor.predict_now(intended) or flight.bare_trajectory)
        end = (intended.hold[0] + distance * cos(intended.azimuth), intended.hold[1] + distance * sin(intended.azimuth))
        tint = palette.seat_colour(palette.seat_key(seat, match.game.seat_names))
        share = 1.0 if controller.reduced_motion else min(1.0, (BOT_AIM_TIME - waiting_time) / (0.6 * BOT_AIM_TIME))
        effects.draw_bot_aim(canvas, camera, (intended.hold, end), spread, tint, share)


def _draw_launcher(canvas: Canvas, camera: Camera, view_model: IceViewModel, seat: int) -> list[Pyramid]:
    """Draw the launcher of a seat with its missile, and the aim of people."""
    controller, pose = view_model.controller, view_model.launcher_control.poses[seat]
    person = seat in view_model.launcher_control.people
    flown = next(
        (last_launch.launch for last_launch in reversed(controller.flights) if last_launch.launch.owner == seat), None
    )
    if not controller.rules_state.hands[seat] and not controller.is_in_flight(seat):
        return []
    intended = view_model.launcher_control.intended_launch(seat) if person else None
    if intended is None:
        intended = flown or pose.make_launch(f"seat {seat}")
    launcher, missile = side_view.launcher_pieces(controller.rules_state.scene, intended)
    loaded = controller.has_missile(seat) and (
        person or controller.rules_state.started or controller.rules_state.loaded[seat] is not None
    )
    if person and controller.has_missile(seat):
        _draw_aim(canvas, camera, view_model, seat, intended)
    name = f"held {seat}"
    launchers = [msgspec.structs.replace(launcher, id=name)]
    if loaded:
        launchers.append(msgspec.structs.replace(missile, id=f"{name} missile"))
    return launchers


def _draw_aim(canvas: Canvas, camera: Camera, view_model: IceViewModel, seat: int, intended: Launch) -> None:
    """Draw the predicted flight of an aimed launch on a bare table."""
    intended = view_model.with_charge(seat, intended)
    prediction = view_model.flight_predictor.prediction(intended)
    if prediction is None:
        return
    (x, y), distance = intended.hold, side_view.carry_distance(prediction)
    a = camera.to_screen((x, y))
    b = camera.to_screen((x + distance * cos(intended.azimuth), y + distance * sin(intended.azimuth)))
    chosen = seat == view_model.launcher_control.seat
    colour = (
        palette.HIGHLIGHT if chosen or seat in view_model.launcher_control.charge_times else palette.TABLE_MUTED_TEXT
    )
    spread = (
        view_model.launcher_control.shot_spread(seat)
        if chosen or seat in view_model.launcher_control.charge_times
        else None
    )
    if spread is not None:
        end = (x + distance * cos(intended.azimuth), y + distance * sin(intended.azimuth))
        shot_painter.draw_spread(canvas, camera, (x, y), end, spread, colour)
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
    rect, controller, seats = view_model.view.side_rect, view_model.controller, view_model.match.game.seat_names
    if controller.launch_replay is not None:
        replay = controller.launch_replay
        t = min(replay.time, replay.trajectory.duration)
        side_view.draw_launch(
            canvas,
            rect,
            replay.trajectory,
            t,
            seats,
            start_line=_start_line_distance(view_model, replay.trajectory.launch),
            close_up_progress=True,
            text=_launch_text(view_model, replay.trajectory.launch, t),
        )
        return
    watched = view_model.watched_flight()
    if watched is not None:
        t = controller.time - watched.start
        side_view.draw_launch(
            canvas,
            rect,
            watched.visible_trajectory,
            min(t, watched.visible_trajectory.duration),
            seats,
            start_line=_start_line_distance(view_model, watched.launch),
            text=_launch_text(view_model, watched.launch, t),
        )
        return
    intended = (
        view_model.launcher_control.intended_launch(view_model.launcher_control.seat)
        if view_model.launcher_control.is_aiming
        else None
    )
    launch = view_model.with_charge(view_model.launcher_control.seat, intended) if intended is not None else None
    prediction = view_model.flight_predictor.prediction(launch) if launch is not None else None
    if launch is None or prediction is None:
        side_view.draw_empty(canvas, rect, view_model.launcher_control.pose.make_launch("none"), "no launch under way")
        return
    scene = controller.rules_state.scene
    flight = side_view.flight_points(prediction, prediction.first_contact_time)
    plane = side_view.whole_plane(rect, launch, [*flight, (mm(300.0), mm(200.0))], canvas.scale)
    is_too_weak = side_view.never_left(prediction)
    text = (
        f"{seats[view_model.launcher_control.seat]} aims"
        if not is_too_weak
        else "too weak: the missile stays on the launcher"
    )
    side_view.draw_frame(
        canvas, rect, plane, side_view.table_interval(prediction), text, _start_line_distance(view_model, launch)
    )
    with canvas.clipped(rect.inflate(-4, -4)):
        side_view.draw_pieces(canvas, plane, view_model.pieces, seats)
        side_view.draw_predicted_arc(canvas, plane, flight)
        launcher, missile = side_view.launcher_pieces(scene, launch)
        side_view.draw_hand(canvas, plane, launcher, seats, missile)


def _start_line_distance(view_model: IceViewModel, launch: Launch) -> float | None:
    """Distance from the launcher to the owner's start line [m]."""
    return side_view.start_line_distance(view_model.surface, launch)


def _launch_text(view_model: IceViewModel, launch: Launch, t: float) -> str:
    return side_view.launch_text(view_model.match.game.seat_names, launch, t)


# -- the launcher -----------------------------------------------------------------------------------------------------


def draw_launcher(canvas: Canvas, view_model: IceViewModel) -> None:
    """Draw a close-up of the launcher and the striking nail; sizes and numbers below are widgets."""
    box, controller = view_model.layout_rects.left, view_model.controller
    if controller.launch_replay is not None:
        y = side_panel.draw_caption(canvas, box, "Shown again")
        y = canvas.paragraph(controller.launch_replay.text, pygame.Rect(box.x, y, box.w, canvas.px(60)), 14, bold=True)
        shot_panel.draw_time_bar(canvas, pygame.Rect(box.x, y + canvas.px(4), box.w, box.h), controller.launch_replay,
                       controller.launch_replay.trajectory.duration)  # fmt: skip
        return
    if not view_model.launcher_control.is_aiming:
        seat_panel.draw_legend(canvas, box)
        return
    name = match_text.seat_text(view_model.match, view_model.launcher_control.seat)
    y = side_panel.draw_caption(canvas, box, f"In {name}'s hands")
    foot = view_model.layout_rects.size_buttons_top - canvas.px(8)
    rect = pygame.Rect(box.x, y, box.w, max(canvas.px(60), min(foot - y, round(box.w * 0.92))))
    canvas.box(rect, ground_colour(), 6, palette.BORDER)
    pose = view_model.launcher_control.pose
    piece = view_model.launcher_control.next_missile(view_model.launcher_control.seat)
    launch = pose.make_launch(piece or "none")
    launcher, missile = side_view.launcher_pieces(controller.rules_state.scene, launch)
    zoom = min(rect.w / mm(112.0), rect.h / mm(104.0))
    plane = SidePlane(launch.hold, launch.azimuth, zoom, rect.centerx - mm(2.0) * zoom,
                  rect.bottom - mm(28.0) * zoom + launch.lift * zoom)  # fmt: skip
    with canvas.clipped(rect.inflate(-4, -4)):
        on = missile if piece is not None and controller.has_missile(view_model.launcher_control.seat) else None
        side_view.draw_hand(canvas, plane, launcher, view_model.match.game.seat_names, on)
        charge = view_model.launcher_control.charge_level(view_model.launcher_control.seat)
        side_view.draw_nail(
            canvas, plane, launcher, pose.height, pose.slant, pose.strength if charge is None else charge
        )
    free_rect = pygame.Rect(box.x, rect.bottom + canvas.px(10), box.w, foot - rect.bottom - canvas.px(10))
    if free_rect.h >= 4 * canvas.line_height(13):
        canvas.paragraph(
            _SHARED_HELP if view_model.launcher_control.clusters else _SINGLE_HELP, free_rect, 13, palette.MUTED_TEXT
        )


# -- the seats --------------------------------------------------------------------------------------------------------


def draw_panel(canvas: Canvas, view_model: IceViewModel) -> None:
    """Draw seats, prompt, the last ruling and the latest outcomes."""
    places, controller, match = view_model.layout_rects, view_model.controller, view_model.match
    canvas.box(places.right, palette.PANEL)
    rect = places.inner
    clock = f"{max(controller.time, 0.0):.0f} s" if controller.rules_state.started else ""
    side_panel.draw_heading(canvas, rect, match.game.title, clock)
    draw_cards(canvas, view_model)
    foot, y = places.footer_top, places.cards_bottom
    if len(match.players) == 1:
        y = seat_panel.draw_practice_summary(
            canvas, pygame.Rect(rect.x, y, rect.w, foot - y), controller.launch_log, controller.counted_pieces
        )
    prompt, error = controller.prompt, controller.error or controller.recording_error
    if controller.is_paused:
        prompt = "Paused: P goes on"
    y = side_panel.draw_prompt(canvas, pygame.Rect(rect.x, y, rect.w, foot - y), prompt, view_model.note, error)
    y = side_panel.draw_shot_feedback(canvas, pygame.Rect(rect.x, y, rect.w, foot - y), view_model.gesture_text)
    log_lines = controller.launch_log
    if log_lines:
        y = seat_panel.draw_ruling(canvas, pygame.Rect(rect.x, y, rect.w, foot - y), match, log_lines[0])
    seat_panel.draw_recent_launches(canvas, pygame.Rect(rect.x, y, rect.w, foot - y), match, log_lines)


def draw_cards(canvas: Canvas, view_model: IceViewModel) -> None:
    """Draw a card for each seat."""
    controller, match = view_model.controller, view_model.match
    cards = [_seat_card(view_model, seat) for seat in range(len(match.players))]
    seat_panel.draw_seats(
        canvas, view_model.layout_rects.cards, match, controller.rules_state, controller.counted_pieces, cards
    )


def _seat_card(view_model: IceViewModel, seat: int) -> SeatCard:
    controller, state, control = view_model.controller, view_model.controller.rules_state, view_model.launcher_control
    person = seat in view_model.launcher_control.people
    charge = control.charge_level(seat)
    flight = next(
        (one for one in controller.flights if one.launch.owner == seat and controller.time < one.rest_time), None
    )
    if not state.started:
        activity = "loaded, ready" if controller.is_loaded(seat) else "choose a missile" if person else "loads"
    elif flight is not None and flight.start <= controller.time:
        activity = "in the air" if controller.time < flight.landing_time else "lands"
    elif not state.hands[seat] and flight is None:
        activity = "has launched all"
    elif controller.time < 0.0:
        activity = "loaded"
    elif person:
        activity = f"{control.poses[seat].size} loaded" if charge is None else "charging"
    else:
        activity = "takes aim"
    keys = ""
    if seat in control.clusters:
        aim, size, flick = control.clusters[seat].labels
        keys = f"{aim} aim   {size} size   {flick} launch"
    chosen = person and len(view_model.launcher_control.people) > 1 and seat == view_model.launcher_control.seat
    return SeatCard(activity, keys, charge, chosen, person and controller.can_act(seat))
