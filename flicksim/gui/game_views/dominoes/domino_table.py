"""Card table of Tiddly-Wink dominoes: the bending line, its open ends, the tiles in hand."""

from math import dist

import pygame

from flicksim.cards import Pass, PlaceTile, Tile, TurnUp, line_halves
from flicksim.core import type_aliases
from flicksim.core.type_aliases import Action, View
from flicksim.games.dominoes import deck, rules
from flicksim.games.dominoes.deck import BONEYARD, HANDS, LAYOUT, POOL
from flicksim.gui.card_view import card_images, seat_plates
from flicksim.gui.card_view.card_table import CardTable, draw_dashed_rect, format_signed, state_at_round_end
from flicksim.gui.card_view.hand_view import HandView, Item
from flicksim.gui.card_view.seat_plates import SeatPlate
from flicksim.gui.game_views import load_key_maps
from flicksim.gui.game_views.dominoes.line_layout import LineLayout, PlacedTile, fit_line
from flicksim.gui.toolkit import Button, Canvas, palette
from flicksim.match import Turn
from flicksim.referee import CardZone


class DominoTable(CardTable):
    """Table of Tiddly-Wink dominoes."""

    has_suits = False
    key_map = load_key_maps(__package__)["dominoes"]
    hand_heights = (16, 176.0, 232.0)
    view: View
    _layout = LineLayout((), None, None)
    _tile_side = 20
    open_end = "right"

    def _make_hand(self) -> HandView:
        self._play_button = Button("Play", self._play_current, key="Enter", is_primary=True)
        self._pass_button = Button("Pass", lambda: self.perform(Pass()), key="N")
        return HandView(self._tile_image, 2.0, 1.08, 56.0, dims_unusable=True)

    def zone_view(self, name: str) -> HandView:
        """View of a place on the study board; tiles of the line lie as they match."""
        if name != LAYOUT:
            return super().zone_view(name)
        return HandView(self._lying_image, 0.5, 1.02, 84.0, dims_unusable=True)

    def zone_items(self, zone: CardZone) -> tuple[Item, ...]:
        """Tiles of a place; of the line their halves from left to right."""
        return zone.halves or zone.cards

    @staticmethod
    def _lying_image(halves: tuple[int, int], width: int) -> pygame.Surface:
        return card_images.tile_image(*halves, max(4, width // 2), False)

    @staticmethod
    def _tile_image(tile: Tile, width: int) -> pygame.Surface:
        return card_images.tile_image(tile.high, tile.low, width, True)

    def _back_image(self, height: int) -> pygame.Surface:
        return card_images.tile_back_image(max(4, height // 2))

    def _seat_plate(self, seat: int) -> SeatPlate:
        view = self.view
        score = int(view.scores[seat])
        staked = deck.stake(view.options)
        passed = isinstance(self.last_action, Pass) and seat == self.last_mover
        lacks = view.lacks[seat] if view.lacks else ()
        note = "passes" if passed else f"has no {' '.join(map(str, lacks))}" if lacks and len(lacks) <= 5 else ""
        return SeatPlate(
            seat=seat, name=self.seat_name(seat), player=self._player_text(seat), count=len(view.zones[HANDS[seat]]),
            points=format_signed(score) if staked else str(score), unit="chips" if staked else "won",
            marks="dealer" if seat == view.dealer else "", note=note,
        )  # fmt: skip

    # -- the view -------------------------------------------------------------------------------------------------

    @property
    def _has_one_arm(self) -> bool:
        return deck.american(self.view.options)

    def state_before_deal(self, turn: Turn) -> type_aliases.State:
        ruling = turn.verdict.ruling
        assert isinstance(ruling, rules.DominoRuling)
        return state_at_round_end(turn, left=ruling.left, right=ruling.right)

    def stage_text(self) -> str:
        return f"Round {self.view.round} of {self.view.options.rounds}"

    def on_view_changed(self) -> None:
        playable = {action.tile for action in self.offered_actions(PlaceTile)}
        before = self.hand_view.current
        self.hand_view.set_items(self.hand_items(), lambda tile: tile in playable)
        if self.is_choosing and playable and before not in playable:
            # move the cursor to a playable tile
            self.hand_view.cursor = min(self.hand_view.highlighted)
        self._choose_end()

    def _choose_end(self) -> None:
        """Select an end that the tile fits."""
        ends = {action.end for action in self.playable_ends()}
        if ends and self.open_end not in ends:
            self.open_end = "left" if "left" in ends else "right"

    def playable_ends(self) -> list[PlaceTile]:
        return [action for action in self.offered_actions(PlaceTile) if action.tile is self.hand_view.current]

    def layout_table(self) -> None:
        view = self.view
        tiles = view.zones.cards(LAYOUT)
        chain = line_halves(tiles)
        lead = tiles.index(view.led) if view.led in tiles else 0
        held = self.hand_view.current if self.is_choosing and self.playable_ends() else None
        area = self.table_rect.inflate(-round(20 * self.scale), -round(56 * self.scale))
        self._layout, self._tile_side = fit_line(
            chain, lead, max(60, area.w), max(60, area.h), round(44 * self.scale), has_one_arm=self._has_one_arm,
            tiles=(held.high, held.low) if held is not None else None,
        )  # fmt: skip
        if self._has_one_arm:
            _, top, _, bottom = self._layout.bounds()
            self._origin = (area.centerx, area.centery - round((top + bottom) / 2 * self._tile_side))
        else:
            self._origin = area.center

    def _tile_rect(self, placed: PlacedTile) -> pygame.Rect:
        s = self._tile_side
        w, h = (s, 2 * s) if placed.upright else (2 * s, s)
        rect = pygame.Rect(0, 0, w, h)
        rect.center = (round(self._origin[0] + placed.x * s), round(self._origin[1] + placed.y * s))
        return rect

    def open_slots(self) -> dict[str, pygame.Rect]:
        """Places where a tile may be added, by end."""
        ends = {"left": self._layout.left, "right": self._layout.right}
        return {name: self._tile_rect(placed) for name, placed in ends.items() if placed is not None}

    # -- actions --------------------------------------------------------------------------------------------------

    def buttons(self) -> list[Button]:
        """Button to play, and those to pass or turn up where allowed."""
        if not self.is_choosing:
            return []
        self._play_button.label = self._main_label()
        self._play_button.enabled = self._forced_action is not None or bool(self.playable_ends())
        passing = bool(self.offered_actions(Pass)) and len(self.choices.actions) > 1
        return [self._play_button, self._pass_button] if passing else [self._play_button]

    @property
    def _forced_action(self) -> Pass | TurnUp | None:
        """Pass or turning up, where nothing else is allowed."""
        only = self.choices.actions[0] if len(self.choices.actions) == 1 else None
        return only if isinstance(only, Pass | TurnUp) else None

    def _main_label(self) -> str:
        if (forced := self._forced_action) is not None:
            return "Pass" if isinstance(forced, Pass) else "Turn up the lead"
        tile, plays = self.hand_view.current, self.playable_ends()
        if len(plays) > 1:
            return f"Play {tile} {self.open_end}"
        return f"Play {plays[0]}" if plays else f"Play {tile}"

    def hint_text(self) -> str:
        """Text for what is particular about this turn."""
        if not self.is_choosing:
            return ""
        if self.view.phase == "second":
            return "You played a double: a second tile may follow, or pass."
        if self.offered_actions(Pass) and not self.offered_actions(PlaceTile):
            return "Nothing in your hand fits: you pass."
        if len(self.playable_ends()) > 1:
            return f"{self.hand_view.current} fits both ends: Up and Down choose."
        if self.hand_view.current is not None and not self.playable_ends() and self.offered_actions(PlaceTile):
            return f"{self.hand_view.current} {'may not lead' if self.view.phase == 'lead' else 'does not fit'}."
        return ""

    def _play_current(self) -> None:
        if (forced := self._forced_action) is not None:
            self.perform(forced)
        else:
            self._play_at(self.open_end)

    def _play_at(self, end: str | None, *, or_elsewhere: bool = True) -> None:
        """Play the tile under the cursor at an end, or show why it is refused; at the only end it fits, if allowed."""
        tile = self.hand_view.current
        if tile is None:
            return
        plays = self.playable_ends()
        match = next((play for play in plays if play.end == end), None)
        has_choice = not self._has_one_arm and self.view.phase != "lead"
        if match is not None or (len(plays) == 1 and (or_elsewhere or not has_choice)):
            self.perform(match or plays[0])
        elif not has_choice or end is None:
            self.perform(PlaceTile(tile=tile))
        else:
            self.perform(PlaceTile(tile=tile, end="left" if end == "left" else "right"))

    def handle_key(self, event: pygame.event.Event) -> bool:
        command, direction = self.key_map.match(event)
        match command:
            case "go":
                self.hand_view.move_cursor(direction)
                self._choose_end()
            case "end":
                if len(self.playable_ends()) > 1:
                    self.open_end = "left" if self.open_end == "right" else "right"
            case "enter":
                self._play_current()
            case "pass":
                self.perform(Pass())
            case _:
                return False
        self.layout_table()
        return True

    def set_action(self, action: Action) -> str:
        if isinstance(action, PlaceTile):
            self.hand_view.cursor = self.hand_view.items.index(action.tile)
            self.open_end = action.end or self.open_end
            self.layout_table()
            return f"play {action}"
        return "pass" if isinstance(action, Pass) else "turn up the lead"

    # -- mouse ----------------------------------------------------------------------------------------------------

    def on_press(self, pos: tuple[int, int]) -> None:
        """Move the cursor to a tile; play it if it had the cursor."""
        at = self.hand_view.item_at(pos)
        self._repeat_click = at is not None and at == self.hand_view.cursor
        if at is not None:
            self.hand_view.cursor = at
            self._choose_end()
            self.layout_table()

    _repeat_click = False

    def on_drag_start(self, pos: tuple[int, int]) -> None:
        """Begin to drag a tile."""
        at = self.hand_view.item_at(pos)
        if at is not None:
            self.hand_view.dragged = {at}

    def on_drop(self, pos: tuple[int, int]) -> None:
        """Play the dragged tile at the end it lies on, or the nearer one; return it if dropped off the table."""
        if (end := self._slot_at(pos)) is not None:
            self._play_at(end, or_elsewhere=False)
        elif self.table_rect.collidepoint(pos):
            slots = self.open_slots() if self.view.phase != "lead" else {}
            self._play_at(min(slots, key=lambda end: dist(pos, slots[end].center), default=None))

    def on_click(self, pos: tuple[int, int]) -> None:
        """Play the tile under the cursor at the clicked end."""
        if self.hand_view.item_at(pos) is not None:
            if self._repeat_click:
                self._play_current()
            return
        if (end := self._slot_at(pos)) is not None:
            self._play_at(end, or_elsewhere=False)

    def _slot_at(self, pos: tuple[int, int]) -> str | None:
        """Open end at a point; None away from both."""
        margin, slots = self._tile_side // 2, self.open_slots().items()
        return next((end for end, rect in slots if rect.inflate(margin, margin).collidepoint(pos)), None)

    # -- sound, sheet ---------------------------------------------------------------------------------------------

    def on_turn(self, turn: Turn) -> None:
        super().on_turn(turn)
        if isinstance(turn.made, PlaceTile | TurnUp):
            self.sounds.play("tile")

    def score_columns(self, turn: Turn) -> tuple[str, list[str], list[list[str]]]:
        """Pips left and points won."""
        closed = turn.verdict.ruling.closed  # type: ignore[attr-defined]
        names = " and ".join(map(self.seat_name, closed.won)) or "Nobody"
        verb = "win" if len(closed.won) > 1 else "wins"
        outcome = f"{names} dominoes" if closed.how == "domino" else f"blocked, {names} {verb} with the fewest pips"
        staked = deck.stake(turn.before.options)
        cells = [
            [str(pips), format_signed(points) if staked else ("won" if points else "–")]
            for pips, points in zip(closed.pips, closed.points, strict=True)
        ]
        return f"Round {turn.before.round}: {outcome}", ["pips left", "chips" if staked else "this round"], cells

    # -- picture --------------------------------------------------------------------------------------------------

    def _draw_table(self, canvas: Canvas) -> None:
        view, line = self.view, self._layout
        tiles, shadow = view.zones.cards(LAYOUT), palette.mix(palette.OVERLAY_SHADE, palette.TABLECLOTH, 0.5)
        last = self.last_action.tile if isinstance(self.last_action, PlaceTile) else None
        for tile, placed in zip(tiles, line.tiles, strict=True):
            rect = self.flight_rect(self._tile_rect(placed)) if tile is last else self._tile_rect(placed)
            side = max(6, round(self._tile_side * 0.95))
            picture = card_images.tile_image(placed.first, placed.second, side, placed.upright)
            at = picture.get_rect(center=rect.center)
            canvas.box(at.move(canvas.px(2), canvas.px(2)), shadow, 4)
            canvas.surface.blit(picture, at)
            if tile is last:
                canvas.outline(at.inflate(canvas.px(4), canvas.px(4)), palette.HIGHLIGHT, 2.0)
        self._draw_slots(canvas)
        self._draw_labels(canvas)

    def _draw_slots(self, canvas: Canvas) -> None:
        """Draw the open ends, highlighted where the tile under the cursor fits."""
        plays = self.playable_ends() if self.is_choosing else []
        lead = self.view.phase in ("lead", "turn_up")
        for end, rect in self.open_slots().items():
            is_playable = any(play.end == end or play.end is None for play in plays)
            number = self.view.left if end == "left" else self.view.right
            chosen = is_playable and (len(plays) == 1 or end == self.open_end)
            inner = rect.inflate(-canvas.px(4), -canvas.px(4))
            faint = palette.mix(palette.TABLECLOTH, palette.LIGHT_TEXT, 0.4)
            colour = palette.HIGHLIGHT if chosen else palette.LIGHT_TEXT if is_playable else faint
            if has_ghost := chosen and not self.hand_view.dragged:
                tile, placed = self.hand_view.current, self._layout.left if end == "left" else self._layout.right
                assert placed is not None
                # the place was computed for the tile: its halves are as it would lie
                halves = (placed.first, placed.second)
                halves = halves if set(halves) == {tile.high, tile.low} else (tile.high, tile.low)
                ghost = card_images.tile_image(*halves, max(6, round(self._tile_side * 0.95)), placed.upright).copy()
                ghost.set_alpha(110)
                canvas.surface.blit(ghost, ghost.get_rect(center=rect.center))
            draw_dashed_rect(canvas, inner, colour, 2.5 if is_playable else 1.5)
            if not has_ghost:
                label = "lead" if lead else str(number)
                canvas.text(label, rect.center, 15, colour, bold=True, anchor="center")

    def _draw_labels(self, canvas: Canvas) -> None:
        """Draw boneyard, pool and open numbers."""
        view, rect = self.view, self.table_rect
        boneyard_count = len(view.zones[BONEYARD])
        x, y = rect.x + canvas.px(6), rect.bottom - canvas.px(22)
        faint = palette.TABLE_MUTED_TEXT
        back = card_images.tile_back_image(canvas.px(8))
        for k in range(min(boneyard_count, 6)):
            canvas.surface.blit(back, (x + k * canvas.px(9), y))
        start = x + min(boneyard_count, 6) * canvas.px(9) + canvas.px(6)
        text = f"boneyard {boneyard_count}, in no hand" if boneyard_count else "no tiles left over"
        canvas.text(text, (start, y), 13, faint)
        size = deck.highest_half(view.options, view.seats)
        set_ = {6: "double-six", 9: "double-nine", 12: "double-twelve"}[size]
        kind = "American, one arm" if self._has_one_arm else "British, two arms"
        canvas.text(f"{kind}, {set_} set", (rect.x + canvas.px(6), rect.y + canvas.px(2)), 13, faint)
        if deck.stake(view.options):
            pool = view.zones.purses.get(POOL, 0)
            at = (rect.right - canvas.px(6), rect.y + canvas.px(2))
            text_rect = canvas.text(f"pool {pool}", at, 15, palette.HIGHLIGHT, bold=True, anchor="topright")
            for k in range(min(pool, 8)):
                seat_plates.draw_token(canvas, (text_rect.x - canvas.px(12 + 10 * k), text_rect.centery), canvas.px(7))
        ends = [str(view.right)] if view.left in (-1, view.right) else [str(view.left), str(view.right)]
        if view.right >= 0:
            text, at = f"open ends: {' and '.join(ends)}", (rect.right - canvas.px(6), y)
            canvas.text(text, at, 15, palette.LIGHT_TEXT, bold=True, anchor="topright")
