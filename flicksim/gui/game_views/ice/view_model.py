"""View model of the pyramid screen: everything `screen_layout` draws, and the layout."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec
import pygame

from flicksim.core.geometry import Point
from flicksim.gui.game_views.ice.camera_view import IceView
from flicksim.gui.game_views.ice.flight import Flight, FlightPredictor
from flicksim.gui.game_views.ice.ice_controller import IceMatchController
from flicksim.gui.game_views.ice.launch_log import orientation_text
from flicksim.gui.game_views.ice.launcher_control import LauncherControl
from flicksim.gui.game_views.ice.launcher_pose import SPEED_RANGE
from flicksim.gui.table_view.hints import OutcomeScatter
from flicksim.gui.toolkit.numeric_slider import NumericSlider
from flicksim.gui.toolkit.widgets import Button
from flicksim.match import Match
from flicksim.scene import SIZES, Launch, Pyramid, Surface

_LINGER_TIME = 1.2
"""Time for which a launch at rest is still shown from the side [s]."""


@dataclass(frozen=True, slots=True)
class LayoutRects:
    """Rectangles and heights of the layout [pixels].

    Args:
        left: panel of the launch. right: panel of the game. inner: the latter without its margin. cards: of the
            seats. cards_bottom: lower end of the cards. footer_top: upper end of the buttons under the game.
            size_buttons_top: upper end of the buttons for the sizes of missiles.
    """

    left: pygame.Rect
    right: pygame.Rect
    inner: pygame.Rect
    cards: Sequence[pygame.Rect]
    cards_bottom: int
    footer_top: int
    size_buttons_top: int


def layout_table_only(
    buttons: Mapping[str, Button], view: IceView, seats: int, size: tuple[int, int], scale: float
) -> LayoutRects:
    """Layout of the table alone, under a card for each seat; see `layout`."""
    (w, h), pad, nothing = size, round(8 * scale), pygame.Rect(0, 0, 0, 0)
    wide, tall = min((w - pad) // seats - pad, round(300 * scale)), round(60 * scale)
    first = (w - seats * (wide + pad) + pad) // 2
    cards = [pygame.Rect(first + k * (wide + pad), pad, wide, tall) for k in range(seats)]
    high = round(34 * scale)
    buttons["fold"].rect = pygame.Rect(w - pad - 3 * high, h - pad - high, 3 * high, high)
    view.is_table_only = True
    view.set_area(pygame.Rect(0, tall + pad, w, buttons["fold"].rect.y - tall - pad), 46 * scale)
    return LayoutRects(nothing, nothing, nothing, cards, tall, tall, 0)


def layout(
    buttons: Mapping[str, Button], sliders: Sequence[NumericSlider], view: IceView, seats: int, size: tuple[int, int],
    scale: float,
) -> LayoutRects:  # fmt: skip
    """Place buttons, sliders and the view.

    Args:
        buttons, sliders: by name. view: of the table. seats: number of seats. size: of the window [pixels]. scale:
            pixels per unit.
    """
    w, h = size
    pad, gap = round(12 * scale), round(5 * scale)
    right, left = round(300 * scale), round(252 * scale)
    box = pygame.Rect(pad, pad, left - 2 * pad, h - 2 * pad)
    view.is_table_only = False
    view.set_area(pygame.Rect(left, 0, w - right - left, h), 46 * scale)
    high, row = round(34 * scale), round(24 * scale)
    y = box.bottom - high
    buttons["launch"].rect = pygame.Rect(box.x, y, box.w, high)
    y -= row + gap * 2
    buttons["hand"].rect = pygame.Rect(box.x, y, box.w, row)
    y -= len(sliders) * (row + gap) + gap
    for k, slider in enumerate(sliders):
        slider.rect = pygame.Rect(box.x, y + k * (row + gap), box.w, row)
    y -= 3 * (row + gap) + gap * 2
    for k, one in enumerate(SIZES):
        buttons[one].rect = pygame.Rect(box.x, y + k * (row + gap), box.w, row + gap // 2)
    for k, name in enumerate(("on", "pause", "back", "step", "slow")):
        buttons[name].rect = pygame.Rect(box.x, box.y + round(150 * scale) + k * (high + gap), box.w, high)
    panel = pygame.Rect(w - right, 0, right, h)
    inner = panel.inflate(-2 * pad, -2 * pad)
    wide = (inner.w - gap) // 2
    foot = inner.bottom - 4 * (high + gap) + gap
    buttons["best"].rect = pygame.Rect(inner.x, foot, inner.w, high)
    for k, name in enumerate(("follow", "undo", "hint", "fold", "help", "menu"), 2):
        buttons[name].rect = pygame.Rect(inner.x + (k % 2) * (wide + gap), foot + (k // 2) * (high + gap), wide, high)
    ends = foot - round(8 * scale)
    top = inner.y + round(32 * scale)  # under the heading
    tall = round(min(64.0, max(48.0, (ends - top - round(170 * scale)) / seats / scale - 5.0)) * scale)
    cards = [pygame.Rect(inner.x, top + k * (tall + gap), inner.w, tall) for k in range(seats)]
    return LayoutRects(
        box, panel, inner, cards, top + seats * (tall + gap) + round(3 * scale), ends, buttons["small"].rect.y
    )


@dataclass(frozen=True, slots=True)
class IceViewModel:
    """Read-only data of a frame of the pyramid screen.

    Args:
        match, controller, launcher_control, view: of the screen. surface: with every start line. layout_rects: of
            the layout. flight_predictor: of aimed launches. note: to be shown. gesture_text: of the last launch.
            aim_change_time: time of the last change of the aimed launch [s]. outcome_scatter: predicted landing
            points, once requested.
    """

    match: Match
    controller: IceMatchController
    launcher_control: LauncherControl
    view: IceView
    surface: Surface
    layout_rects: LayoutRects
    flight_predictor: FlightPredictor
    note: str
    gesture_text: str
    aim_change_time: float
    outcome_scatter: OutcomeScatter | None

    @property
    def pieces(self) -> tuple[Pyramid, ...]:
        """Every piece in its visible position."""
        replay = self.controller.launch_replay
        if self.controller.phase == "show" and replay is not None:
            return replay.trajectory.pieces_at(min(replay.time, replay.trajectory.duration))
        return self.controller.visible_pieces()

    def watched_flight(self) -> Flight | None:
        """Flight to be shown from the side: one's own first, then the latest."""
        controller = self.controller
        flights = [one for one in controller.flights if one.start <= controller.time <= one.rest_time + _LINGER_TIME]
        if self.launcher_control.charge_times or self.launcher_control.is_busy:
            flights = [one for one in flights if controller.time <= one.rest_time]
        flights = [one for one in flights if one.rest_time > self.aim_change_time]
        control = self.launcher_control
        own = [one for one in flights if one.launch.owner == control.seat and control.people]
        if own:
            return own[-1]
        return max(flights, key=lambda one: one.start, default=None)

    def close_up_center(self) -> Point:
        """Centre of the close-up: a flight or recent landing, else the aimed launcher."""
        controller = self.controller
        if controller.launch_replay is not None:
            name = controller.launch_replay.trajectory.launch.piece
        else:
            watched = self.watched_flight()
            name = watched.launch.piece if watched is not None else ""
        inspected = next((piece for piece in self.pieces if piece.id == name), None)
        if inspected is not None:
            x, y, _ = inspected.centre_of_mass
            return (x, y)
        return self.launcher_control.pose.position if self.launcher_control.is_aiming else self.view.camera.centre

    def with_charge(self, seat: int, intended: Launch) -> Launch:
        """Launch with the strength charged so far, quantized so that few predictions are needed."""
        charge, (low, high) = self.launcher_control.charge_level(seat), SPEED_RANGE
        if charge is None:
            return intended
        return msgspec.structs.replace(intended, speed=low + (high - low) * round(charge * 24.0) / 24.0)

    def piece_text(self, piece: Pyramid) -> str:
        """Description of a piece: owner, size, orientation, points."""
        names = self.match.game.seat_names
        owner = names[piece.owner] if piece.owner is not None else "nobody's"
        points = next((count for one, count in self.controller.counted_pieces if one.id == piece.id), None)
        counts = "" if points is None else f": counts {points}" if points else ": counts nothing"
        return f"{owner} {piece.size} {orientation_text(piece)}{counts}"
