"""Layout and drawing of the parts of the tiddlywinks screen; stateless."""

from collections.abc import Mapping, Sequence

import pygame

from flicksim.core.geometry import Point
from flicksim.core.type_aliases import State
from flicksim.games.tiddlywinks.squops import Squops
from flicksim.gui.game_views.tiddlywinks import camera_view, score_panel, side_view
from flicksim.gui.game_views.tiddlywinks.camera_view import WinkView
from flicksim.gui.game_views.tiddlywinks.painter import WinkPainter
from flicksim.gui.game_views.tiddlywinks.squidge_aim import SquidgeAim
from flicksim.gui.game_views.tiddlywinks.squidge_controller import SquidgeController
from flicksim.gui.match.match_controller import MatchController
from flicksim.gui.table_view import Decision, match_text, side_panel, side_plane
from flicksim.gui.toolkit import Button, Canvas, NumericSlider, palette, place_in_grid
from flicksim.match import Turn
from flicksim.render import Camera
from flicksim.scene import Scene, Trajectory

_ROW_HEIGHT = 23.0


# -- visible poses and area -------------------------------------------------------------------------------------------


_POT_AREA = ((-0.06, -0.06), (0.06, 0.06))
"""Corners of a square around the pot, with room for shots beside it [m]."""


def mark_unplayable(painter: WinkPainter, state: State, *, is_choosing: bool) -> None:
    """Mark the squopped winks on the painter, and those of them that the player to choose owns."""
    squops = Squops(state.scene, state.book)
    pieces = state.scene.pieces if not state.book.potted_out else ()
    painter.squopped = frozenset(piece.id for piece in pieces if squops.is_squopped(piece.id))
    own = {piece.id for piece in pieces if is_choosing and piece.owner == state.book.to_play}
    painter.unplayable = painter.squopped & own


def focus_points(
    controller: MatchController, aim_controller: SquidgeController, *, reduced_motion: bool = False
) -> tuple[Sequence[Point], object]:
    """Points to be shown now [m], and a key that tells if they have changed.

    Args:
        controller: of the match. aim_controller: of the aim. reduced_motion: True if a flight is shown whole, with
            reduced motion.
    """
    aim = aim_controller.aim
    if controller.phase == "choose" and controller.match.custom_start is not None and not controller.match.turns:
        points = (*_play_points(controller), *_alternative_points(aim_controller))
        return points, ("start", aim.piece.id if aim is not None and aim.start else "")
    turn_count = len(controller.match.turns)
    if controller.phase == "choose" and aim is not None:
        points = (aim.contact_point, *_POT_AREA, *_alternative_points(aim_controller))
        return points, ("aim", turn_count, aim.piece.id)
    if controller.phase in ("show", "hold") and controller.playback is not None:
        trajectory = controller.playback.trajectory
        moving = camera_view.moving_corners(trajectory)
        if reduced_motion:
            return moving, ("flight", turn_count)
        t = controller.playback.time if controller.phase == "show" else trajectory.duration
        if corners := camera_view.pot_corners(trajectory, t):
            return corners, ("pot", turn_count)
        corners = camera_view.rest_corners(trajectory) if controller.phase == "hold" else []
        return corners or moving, (controller.phase, turn_count)
    if controller.phase == "choose":
        return (), ("decide", turn_count)
    return (), ("wait", None) if controller.phase in ("think", "settle") else ("rest", turn_count)


def _play_points(controller: MatchController) -> list[Point]:
    """Positions of the pot and of all winks in play [m]."""
    state = controller.visible_state
    in_play = [piece for piece in state.scene.pieces if state.book.in_play(piece.id)]
    return [*_POT_AREA, *(around for piece in in_play for around in camera_view.piece_corners(piece))]


def _alternative_points(aim_controller: SquidgeController) -> list[Point]:
    """Positions of the other playable winks while all wait behind the line [m]."""
    aim = aim_controller.aim
    if aim is None or aim.start is None:
        return []
    return [aim_controller.scene.piece(span.piece).position for span in aim_controller.flick_ranges if span.start]


def _draw_zone_name(
    canvas: Canvas, zone: Sequence[Point], waiting_place: Point, magnifier_rect: pygame.Rect | None,
    banner_rect: pygame.Rect | None,
) -> None:  # fmt: skip
    """Draw the name of a starting zone beside it and clear of the magnifier and the turn banner, and a ring where the
    aimed wink waited."""
    canvas.circle(waiting_place, canvas.px(5), palette.MUTED_TEXT, 1.0)
    clip = canvas.surface.get_clip()
    right, low = waiting_place[0] < clip.centerx, waiting_place[1] > clip.centery
    x, y = max(zone) if right else min(zone)
    x, y = x + canvas.px(16 if right else -16), y + canvas.px(-12 if low else 12)
    anchor = ("bottom" if low else "top") + ("left" if right else "right")
    text = "put it anywhere in the dashed strip"
    rect = pygame.Rect(0, 0, canvas.text_width(text, 12), canvas.line_height(12))
    setattr(rect, anchor, (round(x), round(y)))
    if banner_rect is not None and rect.colliderect(banner_rect.inflate(canvas.px(16), 0)):
        y += banner_rect.bottom + canvas.px(8) - rect.y
        setattr(rect, anchor, (round(x), round(y)))
    if magnifier_rect is not None and rect.colliderect(magnifier_rect):
        x = magnifier_rect.right + canvas.px(8) if right else magnifier_rect.left - canvas.px(8)
    canvas.text(text, (x, y), 12, palette.LINE, anchor=anchor)


def draw_playable(
    canvas: Canvas, camera: Camera, aim_controller: SquidgeController, *, has_labels: bool = True,
    magnifier_rect: pygame.Rect | None = None, banner_rect: pygame.Rect | None = None,
) -> None:  # fmt: skip
    """Draw thin rings around other playable winks, and the starting zone of a wink; its name clear of the magnifier and
    the turn banner."""
    aim = aim_controller.aim
    assert aim is not None
    if aim.start is not None:
        zone = [camera.to_screen(p) for p in aim.flick_range.start]
        for i in range(len(zone)):
            canvas.dashed_line(zone[i - 1], zone[i], palette.LINE, 1.0, canvas.px(3))
        if has_labels:
            _draw_zone_name(canvas, zone, camera.to_screen(aim.piece.position), magnifier_rect, banner_rect)
    for span in aim_controller.flick_ranges:
        if span.piece != aim.piece.id:
            piece = aim_controller.scene.piece(span.piece)
            r = max(piece.radius * camera.zoom, 3.0) + canvas.px(2)
            canvas.circle(camera.to_screen(piece.position), r, palette.TABLE_TEXT, canvas.px(1.2))


def draw_decision(
    canvas: Canvas, camera: Camera, painter: WinkPainter, scene: Scene, decision: Decision, *, selected: bool
) -> None:
    """Highlight the winks that a decision names."""
    named = getattr(decision.action, "winks", None) or ((decision.piece_id,) if decision.piece_id else ())
    colour = palette.HIGHLIGHT if selected else palette.TABLE_TEXT
    for name in named:
        if scene.has(name):
            painter.draw_highlight(canvas, camera, scene.piece(name), colour)


# -- the side view ----------------------------------------------------------------------------------------------------


def draw_side_view(
    canvas: Canvas, view: WinkView, controller: MatchController, aim_controller: SquidgeController
) -> None:
    """Draw the flight being aimed, shown, or just shown, from the side."""
    if view.side_rect.w < canvas.px(90):
        return
    playback = controller.playback
    if controller.phase in ("show", "hold") and playback is not None:
        side_view.draw_flight(canvas, view.side_rect, view.painter, playback.trajectory, playback.time)
        return
    if controller.phase == "choose" and aim_controller.aim is not None:
        side_view.draw_predicted(canvas, view.side_rect, view.painter, aim_controller)
        return
    shot = _last_shot(controller)
    if shot is not None and controller.phase != "settle":
        last = shot.result
        side_view.draw_flight(canvas, view.side_rect, view.painter, last, last.duration, "the last shot")
        return
    flat = side_plane.fit_plane(view.side_rect, (0.0, 0.0), 0.0, [(0.0, 0.0), (0.3, 0.1)], canvas.scale)
    caption = "the wink flies" if controller.phase == "settle" else "no shot yet"
    side_view.draw_frame(canvas, view.side_rect, flat, None, caption)


def _last_shot(controller: MatchController) -> Turn | None:
    """Turn of the last shot; None if there is none yet."""
    return next((turn for turn in reversed(controller.match.turns) if isinstance(turn.result, Trajectory)), None)


def draw_waiting_text(canvas: Canvas, area: pygame.Rect, controller: MatchController, text: str) -> None:
    """Draw the current activity, and the numbers of the shot before it."""
    y = side_panel.draw_caption(canvas, area, "Now")
    y = canvas.paragraph(text, pygame.Rect(area.x, y, area.w, canvas.line_height(15) * 3), 15, bold=True)
    _draw_last_shot(canvas, area, y + canvas.px(10), controller)


def draw_ruling(canvas: Canvas, area: pygame.Rect, controller: MatchController) -> None:
    """Draw the last ruling, which a decision follows from, and the numbers of the shot before it."""
    y = side_panel.draw_ruling(canvas, area, controller.match, controller.last_turn)
    _draw_last_shot(canvas, area, y, controller)


def _draw_last_shot(canvas: Canvas, area: pygame.Rect, y: int, controller: MatchController) -> None:
    turn = _last_shot(controller)
    if turn is not None and area.bottom - y >= 2 * canvas.line_height(13):
        y = side_panel.draw_caption(canvas, pygame.Rect(area.x, y, area.w, 20), f"Turn {turn.number}")
        text_rect = pygame.Rect(area.x, y, area.w, max(canvas.line_height(13), area.bottom - y))
        canvas.paragraph(match_text.format_action(turn.made), text_rect, 13, palette.MUTED_TEXT)


# -- layout and texts ----------------------------------------------------------------------------------------------


def layout(
    buttons: Mapping[str, Button],
    sliders: Sequence[NumericSlider],
    area: pygame.Rect,
    inner: pygame.Rect,
    scale: float,
    columns: int,
) -> int:
    """Place buttons, those of the match in columns, and the visible sliders. Return their lower end [pixels]."""
    gap, high, short = round(5 * scale), round(34 * scale), round(28 * scale)
    aimed = pygame.Rect(area.x, area.y + round(18 * scale), area.w, 0)
    y = place_in_grid([buttons[name] for name in ("next", "pot", "target")], aimed, short, gap, 3).bottom + gap
    # three lines of text must fit between the sliders and the buttons under them
    row = max(round(15 * scale), (area.bottom - high - round(52 * scale) - y) // max(1, len(sliders)))
    row, margin = min(round(_ROW_HEIGHT * scale), row), round(3 * scale)
    place_in_grid(sliders, pygame.Rect(area.x, y, area.w, 0), row - margin, margin)
    half = round(area.w * 0.54)
    buttons["squidge"].rect = pygame.Rect(area.x, area.bottom - high, half, high)
    buttons["hand"].rect = pygame.Rect(area.x + half + gap, area.bottom - high, area.w - half - gap, high)
    buttons["on"].rect = pygame.Rect(area.x, area.bottom - high, area.w, high)
    shown = pygame.Rect(area.x, area.y + round(104 * scale), area.w, 0)
    place_in_grid([buttons[name] for name in ("pause", "slow", "back", "step", "skip")], shown, high, gap, 2)
    buttons["skip"].rect.w = area.w
    footer = [buttons[name] for name in ("undo", "hint", "follow", "help", "fold", "menu")]
    place_in_grid(footer, inner, high, gap, columns, at_bottom=True)
    return y + len(sliders) * row


def draw_stroke_text(canvas: Canvas, area: pygame.Rect, aim: SquidgeAim, top_y: int, noise_text: str) -> None:
    """Draw the aimed wink over the sliders, and the predicted carry and execution noise under them."""
    side_panel.draw_caption(canvas, area, f"{aim.piece.id.replace('-', ' ')}, {aim.piece.kind}")
    foot = area.bottom - canvas.px(36)
    rect = pygame.Rect(area.x, top_y, area.w, max(canvas.line_height(13), foot - top_y))
    text = f"{aim.arc_text}; {noise_text}"
    sizes = (13.0, 12.0, 11.0, 10.0)
    size = next((s for s in sizes if len(canvas.wrap(text, rect.w, s)) * canvas.line_height(s) <= rect.h), 9.0)
    canvas.paragraph(text, rect, size, palette.ACCENT)


def draw_status(canvas: Canvas, rect: pygame.Rect, controller: MatchController, prompt: tuple[str, str, str]) -> int:
    """Draw title, seats, clock and prompt. Return their lower end [pixels].

    Args:
        canvas, rect: where to draw. controller: of the match. prompt: the prompt, a note, an error.
    """
    foot, match, turn = rect.bottom, controller.match, controller.shown_turn
    number = turn.number if turn is not None else len(match.turns) + (not match.is_over)
    y = side_panel.draw_heading(canvas, rect, match.game.title, f"turn {number}")
    y = score_panel.draw_seats(canvas, pygame.Rect(rect.x, y, rect.w, foot - y), controller)
    clock = pygame.Rect(rect.x, y + canvas.px(2), rect.w, foot - y)
    y = score_panel.draw_clock(canvas, clock, controller.visible_state)
    return side_panel.draw_prompt(canvas, pygame.Rect(rect.x, y, rect.w, foot - y), *prompt)


def draw_history(
    canvas: Canvas, rect: pygame.Rect, controller: MatchController, feedback: str, *, has_ruling: bool
) -> None:
    """Draw feedback, the last ruling in full unless it is drawn elsewhere, and turns in the remaining space."""
    match, y = controller.match, side_panel.draw_shot_feedback(canvas, rect, feedback, "squidge")
    if has_ruling:
        y = side_panel.draw_ruling(canvas, pygame.Rect(rect.x, y, rect.w, rect.bottom - y), match, controller.last_turn)
    turns = match.turns[:-1] if controller.phase == "show" else match.turns
    side_panel.draw_recent_turns(canvas, pygame.Rect(rect.x, y, rect.w, rect.bottom - y), match, turns)
