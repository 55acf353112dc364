"""Base class of card tables: shows a view, handles keys and mouse, and offers buttons. Each card game has its own."""

from collections.abc import Callable

import msgspec
import pygame

from flicksim.core.errors import FlicksimError
from flicksim.core.geometry import Point
from flicksim.core.type_aliases import Action, JsonValue, State, View
from flicksim.gui.card_view import seat_plates
from flicksim.gui.card_view.hand_view import HandView, Item
from flicksim.gui.card_view.seat_plates import SeatPlate
from flicksim.gui.toolkit import Button, Canvas, KeyMap, Preferences, Sounds, palette
from flicksim.match import Turn
from flicksim.referee import CardZone, Game, LegalActions

ScoreGain = tuple[str, Point, Point]
"""Text of a score gain, and the points from where to where it flies [pixels]."""
_FLIGHT_TIME = 0.3
"""Duration of the flight of a card or tile of another seat [s]."""
_DRAG_THRESHOLD = 6
"""Mouse travel at which a press becomes a drag [pixels]."""


class CardTable:
    """Table of a card game."""

    has_suits = True
    """True if hands have suits to be sorted and coloured by."""
    key_map = KeyMap("", ())
    """Key bindings that only this card table has."""
    hand_heights: tuple[int, float, float]
    """Number of items up to which the hand is low, and its heights, low and high [units]."""

    def __init__(self, game: Game, player_text: Callable[[int], str], preferences: Preferences, sounds: Sounds) -> None:
        self.game, self._player_text, self.preferences, self.sounds = game, player_text, preferences, sounds
        self.seat_name: Callable[[int], str] = lambda seat: game.seat_names[seat]
        self.perform: Callable[[Action], None] = lambda _: None
        self.show_refusal: Callable[[str], None] = lambda _: None
        self.view: View = None
        self.seat: int | None = None
        self.is_hand_left_out = False
        """True if no hand is shown, and the table has its room."""
        self.is_choosing = False
        self.choices = LegalActions(prompt="")
        self.last_action: Action = None
        self.rect = self.table_rect = pygame.Rect(0, 0, 0, 0)
        self.scale = 1.0
        self.hand_view = self._make_hand()
        self._plates: list[tuple[int, pygame.Rect]] = []
        self._press_position: tuple[int, int] | None = None
        self._mouse_position = (0, 0)
        self.last_mover: int | None = None
        self._flight_time_left = 0.0

    # -- parts that each game defines -----------------------------------------------------------------------------

    def _make_hand(self) -> HandView:
        raise NotImplementedError

    def _seat_plate(self, seat: int) -> SeatPlate:
        raise NotImplementedError

    def _back_image(self, height: int) -> pygame.Surface:
        raise NotImplementedError

    def hand_items(self) -> tuple[Item, ...]:
        """Items in the hand of the seat that looks."""
        if self.seat is None:
            return ()
        return tuple(self.view.zones.cards(f"hand:{self.seat}"))

    def zone_view(self, name: str) -> HandView:
        """View of a place on the study board."""
        del name
        return self._make_hand()

    def zone_items(self, zone: CardZone) -> tuple[Item, ...]:
        """Items of a place on the study board, as its view draws them."""
        return zone.cards

    def state_before_deal(self, turn: Turn) -> State:
        """State at the end of a turn, before the next deal."""
        raise NotImplementedError

    def stage_text(self) -> str:
        """Current part of the game, as text."""
        return ""

    def buttons(self) -> list[Button]:
        """Buttons that may be pressed now."""
        return []

    def hint_text(self) -> str:
        """Text for what the turn still lacks, or what the main key would do now."""
        return ""

    def set_action(self, action: Action) -> str:
        """Prepare an action so that the main key performs it. Return its description."""
        return str(action)

    def on_turn(self, turn: Turn) -> None:
        """React to a turn: play its sound, and animate what another seat moved."""
        self.last_mover = turn.seat
        self._flight_time_left = _FLIGHT_TIME if turn.seat != self.seat and self.preferences.turn_delay_scale else 0.0

    def score_gain(self, turn: Turn) -> list[ScoreGain]:
        """Points that a turn brought: text, start and end of its flight."""
        pairs = zip(turn.before.scores, turn.after.scores, strict=True)
        gained = [(seat, after - before) for seat, (before, after) in enumerate(pairs)]
        return [
            (f"{self.seat_name(seat)}: {format_signed(more)}", self.table_rect.center, self.score_position(seat))
            for seat, more in gained
            if more
        ]

    def score_position(self, seat: int) -> Point:
        """Position of a seat's points [pixels]: on its plate, or over the hand."""
        plate = next((plate for other, plate in self._plates if other == seat), None)
        if plate is None:
            return (self.hand_view.rect.x + round(170 * self.scale), self.hand_view.rect.y - round(16 * self.scale))
        return (plate.right - round(40 * self.scale), plate.y + round(12 * self.scale))

    def flight_rect(self, rect: pygame.Rect, *, is_leaving: bool = False) -> pygame.Rect:
        """Place of an item that a seat is just moving to this place, or from it to the seat's plate."""
        plate = next((plate for seat, plate in self._plates if seat == self.last_mover), None)
        if self._flight_time_left <= 0.0 or plate is None:
            return rect
        share = self._flight_time_left / _FLIGHT_TIME
        share = 1.0 - (1.0 - share) ** 2
        if is_leaving:
            share = 1.0 - share
        x, y = rect.center
        return rect.move(round((plate.centerx - x) * share), round((plate.centery - y) * share))

    @property
    def is_flying(self) -> bool:
        """True while an item is flying."""
        return self._flight_time_left > 0.0

    def score_columns(self, turn: Turn) -> tuple[str, list[str], list[list[str]]]:
        """Finished round for the score sheet: title, column headers, and the figures of each seat."""
        raise NotImplementedError

    # -- layout and drawing ---------------------------------------------------------------------------------------

    def set_view(self, view: View, seat: int | None, *, is_choosing: bool, last_action: Action = None) -> None:
        """Show the view of a seat, which is all this table ever sees; `seat` whose hand is shown may be None."""
        self.view, self.seat, self.is_choosing, self.last_action = view, seat, is_choosing, last_action
        self.choices = self.game.rules.legal_actions(view) if is_choosing else LegalActions(prompt="")
        self._press_position = None
        self.on_view_changed()
        self.layout(self.rect, self.scale)

    def on_view_changed(self) -> None:
        """Called after the view has changed."""

    def layout(self, rect: pygame.Rect, scale: float) -> None:
        """Place the plates at the top, the hand at the bottom and the table between them."""
        self.rect, self.scale = rect, scale
        if self.view is None or rect.w < 10:
            return
        pad = round(10 * scale)
        seats = seat_plates.seat_order(self.view.seats, self.seat)
        top = pygame.Rect(rect.x + pad, rect.y + pad, rect.w - 2 * pad, 0)
        self._plates = list(zip(seats, seat_plates.plate_rects(len(seats), top, scale), strict=True))
        count, low, high = self.hand_heights
        foot = 0 if self.is_hand_left_out else round((low if len(self.hand_items()) <= count else high) * scale)
        self.hand_view.set_area(pygame.Rect(rect.x + pad, rect.bottom - foot + round(26 * scale), rect.w - 2 * pad,
                                    foot - round(36 * scale)), scale)  # fmt: skip
        self.table_rect = pygame.Rect(rect.x + pad, top.bottom + pad // 2, rect.w - 2 * pad,
                                  rect.bottom - foot - top.bottom - pad // 2)  # fmt: skip
        self.layout_table()

    def layout_table(self) -> None:
        """Place the items on the table."""

    def draw(self, canvas: Canvas) -> None:
        """Draw the whole card table."""
        canvas.box(self.rect, palette.TABLECLOTH)
        if self.view is None:
            return
        acts = self.game.rules.to_play(self.view)
        for seat, rect in self._plates:
            seat_plates.draw_plate(canvas, rect, self._seat_plate(seat), self._back_image, is_acting=seat == acts)
        self._draw_table(canvas)
        if not self.is_hand_left_out:
            self._draw_hand_strip(canvas, acts)
            self.hand_view.draw(canvas, is_active=self.is_choosing)
        if self.hand_view.dragged:
            self.hand_view.draw_dragged(canvas, self._mouse_position)

    def _draw_hand_strip(self, canvas: Canvas, is_acting: int | None) -> None:
        """Draw the strip over the hand: its owner and points."""
        y = self.hand_view.rect.y - canvas.px(30)
        strip = pygame.Rect(self.rect.x, y, self.rect.w, self.rect.bottom - y)
        canvas.box(strip, palette.mix(palette.TABLECLOTH, palette.OVERLAY_SHADE, 0.35))
        if self.seat is None:
            return
        plate = self._seat_plate(self.seat)
        r = canvas.px(11)
        mid = y + canvas.px(14)
        seat_plates.draw_badge(canvas, (strip.x + canvas.px(12) + r, mid), r, plate.seat, plate.name)
        x = strip.x + canvas.px(18) + 2 * r
        colour = palette.HIGHLIGHT if is_acting == self.seat else palette.TABLE_TEXT
        title = f"Your hand ({plate.name})" if plate.player == "you" else f"{plate.name}'s hand"
        name = canvas.text(f"{title}: {plate.count}", (x, mid), 15, colour, bold=True, anchor="midleft")
        right = strip.right - canvas.px(12)
        more = "   ".join(word for word in (f"{plate.points} {plate.unit}", plate.marks, plate.note) if word)
        left = name.right + canvas.px(14)
        if plate.tokens is not None:
            size = canvas.px(8)
            text = f"{plate.tokens} tokens" if plate.tokens != 1 else "1 token"
            right = canvas.text(text, (right, mid), 14, palette.TABLE_TEXT, bold=True, anchor="midright").x - canvas.px(
                6
            )
            free = right - left - canvas.text_width(more, 13) - canvas.px(10) - size
            for _ in range(min(plate.tokens, 12, max(0, int(free // round(size * 1.5))))):
                seat_plates.draw_token(canvas, (right - size, mid), size)
                right -= round(size * 1.5)
            right -= size
        canvas.text(more, (left, mid), 13, palette.TABLE_MUTED_TEXT, anchor="midleft",
                    max_width=max(10, right - left - canvas.px(10)))  # fmt: skip

    def _draw_table(self, canvas: Canvas) -> None:
        raise NotImplementedError

    # -- asking the rules -----------------------------------------------------------------------------------------

    def is_allowed(self, action: Action) -> bool:
        """Return True if the rules allow the action now, as far as this seat can see."""
        try:
            self.game.rules.check_action(self.view, action)
        except FlicksimError:
            return False
        return True

    def offered_actions(self, *kinds: type) -> list[Action]:
        """Offered actions of the given kinds."""
        return [action for action in self.choices.actions if isinstance(action, kinds)]

    # -- mouse ----------------------------------------------------------------------------------------------------

    def handle_mouse(self, event: pygame.event.Event) -> bool:
        """Handle a press, drag or release; return True if the table used it."""
        if not self.is_choosing:
            return False
        match event.type:
            case pygame.MOUSEBUTTONDOWN if event.button == 1 and self.rect.collidepoint(event.pos):
                self._press_position = event.pos
                self.on_press(event.pos)
                return True
            case pygame.MOUSEMOTION:
                self._mouse_position = event.pos
                if self._press_position is not None and not self.hand_view.dragged:
                    distance = max(
                        abs(event.pos[0] - self._press_position[0]), abs(event.pos[1] - self._press_position[1])
                    )
                    if distance > _DRAG_THRESHOLD:
                        self.on_drag_start(self._press_position)
            case pygame.MOUSEBUTTONUP if event.button == 1 and self._press_position is not None:
                press, self._press_position = self._press_position, None
                if self.hand_view.dragged or self._is_dragging_table_item():
                    self.on_drop(event.pos)
                    self.hand_view.dragged = set()
                else:
                    self.on_click(press)
                return True
        return False

    def _is_dragging_table_item(self) -> bool:
        """Return True while an item that is not of the hand is dragged."""
        return False

    def on_press(self, pos: tuple[int, int]) -> None:
        """Handle a press of the mouse button."""

    def on_drag_start(self, pos: tuple[int, int]) -> None:
        """Begin a drag where the button was pressed."""

    def on_drop(self, pos: tuple[int, int]) -> None:
        """Drop the dragged items."""

    def on_click(self, pos: tuple[int, int]) -> None:
        """Handle a press and release in one place."""

    # -- keys, time -----------------------------------------------------------------------------------------------

    def handle_key(self, event: pygame.event.Event) -> bool:
        """Handle a key while no widget has the focus; return True if it was used."""
        del event
        return False

    def update(self, dt: float) -> None:
        """Advance animations by `dt` [s]."""
        self._flight_time_left = max(0.0, self._flight_time_left - dt)


def closed_round(turn: Turn | None) -> object:
    """Round that a turn finished; None if the round goes on."""
    return getattr(turn.verdict.ruling, "closed", None) if turn is not None else None


def state_at_round_end(turn: Turn, **changes: JsonValue) -> State:
    """State before a turn with its moves and gains applied: the table at the end of the round."""
    zones = turn.result.after if turn.result is not None else turn.before.zones
    return msgspec.structs.replace(turn.before, zones=zones, scores=turn.after.scores, **changes)


def format_signed(points: int) -> str:
    """Points with their sign."""
    return f"+{points}" if points > 0 else f"−{-points}" if points < 0 else "0"


def draw_dashed_rect(canvas: Canvas, rect: pygame.Rect, colour: tuple[int, int, int], width: float) -> None:
    """Draw a dashed rectangle."""
    corners = [rect.topleft, rect.topright, rect.bottomright, rect.bottomleft]
    for a, b in zip(corners, corners[1:] + corners[:1], strict=True):
        canvas.dashed_line(a, b, colour, max(1.0, canvas.px(width)), max(3.0, canvas.px(5)))
