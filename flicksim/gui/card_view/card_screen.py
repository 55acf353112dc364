"""Match screen of card games: the card table on the left, the game panel on the right."""

import pygame

from flicksim.core.type_aliases import Action, View
from flicksim.gui.app import App, MatchSession
from flicksim.gui.card_view import card_panel
from flicksim.gui.card_view.card_table import CardTable, closed_round
from flicksim.gui.card_view.score_sheet import CardEndScreen, RoundScreen
from flicksim.gui.match.match_controller import MatchController
from flicksim.gui.match.match_screen import MatchScreen
from flicksim.gui.match.match_status import bot_wait_text
from flicksim.gui.match.overlays import EndScreen
from flicksim.gui.match_recorder import MatchRecorder
from flicksim.gui.table_view import Hint, compute_hint, match_text, side_panel
from flicksim.gui.toolkit import PACES, PRESS_KEYS, Button, Canvas, Preferences, key_bindings, palette, place_in_grid
from flicksim.match import Match, Turn, action_chooser

_VIEWING_TIME = 1.4
"""Time for which the table stays visible before the sheet of a round covers it [s]."""
_MOVE_TIME = 0.85
"""Time for which a move of another seat stays visible [s]."""
_FINAL_MOVE_TIME = 1.2
"""Time for which the last move of a game stays visible [s]."""
_FOOTER_BUTTONS = ("sort", "colours", "sound", "pace", "undo", "hint", "help", "menu")


class CardMatchController(MatchController):
    """Controller of a match of a card game."""

    def __init__(self, match: Match, recorder: MatchRecorder | None, preferences: Preferences) -> None:
        self._preferences = preferences
        super().__init__(match, recorder, action_chooser(match))

    def _is_significant(self) -> bool:
        turn = self.turn
        return closed_round(turn) is not None and turn is not None and not turn.verdict.ruling.is_over

    def _hold_duration(self) -> float:
        turn = self.turn
        if turn is None or self.match.players[turn.seat] is None:
            return 0.0 if turn is None or not turn.verdict.ruling.is_over else _FINAL_MOVE_TIME
        if turn.verdict.ruling.is_over:
            return _FINAL_MOVE_TIME
        return _MOVE_TIME * self._preferences.turn_delay_scale

    @property
    def seat_activity(self) -> str:
        return self.turn_activity


class CardScreen(MatchScreen):
    """Match of a card or tile game in the window, played by keys or mouse (see `MatchScreen`)."""

    def __init__(self, app: App, session: MatchSession, table_class: type[CardTable]) -> None:
        super().__init__(app, session)
        match = self.match
        self.preferences, self.sounds = app.preferences, app.sounds
        self.card_table = table_class(
            match.game, lambda seat: match_text.player_text(match, seat), self.preferences, self.sounds
        )
        self.card_table.seat_name = lambda seat: match_text.seat_text(match, seat)
        self.card_table.perform, self.card_table.show_refusal = self._perform, self._show_refusal
        self._human_seats = [seat for seat, player in enumerate(match.players) if player is None]
        self.ready_seat: int | None = self._human_seats[0] if len(self._human_seats) == 1 else None
        self._error = ""
        self._animated_turn: Turn | None = None
        self._shown_sheet: Turn | None = None
        self._panel = pygame.Rect(0, 0, 0, 0)
        self._ready_button = Button("I am ready", self._reveal_hand, key="Enter", is_primary=True)
        self.buttons |= {
            "sort": Button("Sort", lambda: self._toggle("sort_by_suit"), key="S"),
            "colours": Button("Colours", lambda: self._toggle("four_suit_colours"), key="C"),
            "sound": Button("Sound", app.toggle_mute, key="F9"),
            "pace": Button("Pace", self._cycle_pace, key="F"),
        }
        # tiles have no suits
        self._footer = _FOOTER_BUTTONS if self.card_table.has_suits else _FOOTER_BUTTONS[2:]
        self._sheet_delay = 0.0
        self.controller: CardMatchController = CardMatchController(match, session.recorder, self.preferences)
        self.controller.on_change = self._on_change
        self._on_change()

    # -- visibility of hands --------------------------------------------------------------------------------------

    @property
    def is_hand_hidden(self) -> bool:
        """True while the hand to be played stays hidden until its player confirms being there."""
        return self.controller.phase == "choose" and self.match.to_play != self.ready_seat

    @property
    def visible_seat(self) -> int | None:
        """Seat whose hand may be shown now; None if no hand may be."""
        if len(self._human_seats) == 1:
            return self._human_seats[0]
        turn = self.controller.turn
        if self.controller.phase in ("choose", "settle"):
            is_shown = self.match.to_play == self.ready_seat or self.controller.phase == "settle"
            return self.ready_seat if is_shown else None
        if self.controller.phase == "hold" and turn is not None and turn.seat == self.ready_seat:
            return self.ready_seat if self.match.to_play == self.ready_seat and closed_round(turn) is None else None
        return None

    def _visible_view(self) -> View:
        """View shown on the table: that of a seat, or with several people the one that shows no hand."""
        turn, view = self.controller.turn, self.match.rules.view
        state = self.match.state
        if self.controller.phase in ("hold", "over") and self.match.turns:
            turn = self.match.turns[-1]
            if closed_round(turn) is not None:
                state = self.card_table.state_before_deal(turn)
        seat = self.visible_seat
        return view(view(state, 0), 1) if seat is None else view(state, seat)

    # -- widgets and turns ----------------------------------------------------------------------------------------

    def _on_change(self) -> None:
        """Show the new state after a change of the match."""
        self.hints.cancel()
        self._notice, self._error = "", ""
        controller = self.controller
        if len(self._human_seats) > 1 and controller.phase == "choose" and self.match.to_play != self.ready_seat:
            self.ready_seat = None
        last = self.match.turns[-1] if self.match.turns else None
        if controller.phase == "hold" and controller.turn is not None and controller.turn is not self._animated_turn:
            self._animated_turn = controller.turn
            if closed_round(controller.turn) is not None:
                self._sheet_delay = _VIEWING_TIME * self.preferences.turn_delay_scale
            self.card_table.on_turn(controller.turn)
            self._show_score_gain(controller.turn)
        choosing = controller.phase == "choose" and not self.is_hand_hidden
        is_new = last is not None and (closed_round(last) is None or controller.phase in ("hold", "over"))
        last_action = last.made if last and is_new else None
        seat = self.visible_seat
        self.card_table.set_view(self._visible_view(), seat, is_choosing=choosing, last_action=last_action)
        self.build_form()

    def _show_score_gain(self, turn: Turn) -> None:
        """Let the points of a turn fly to the score, unless everything is played at once."""
        gains = self.card_table.score_gain(turn) if self.preferences.turn_delay_scale else []
        for text, begin, end in gains:
            self.effects.fly_score(text, None, begin, end)
        if gains:
            self.sounds.play("chime", 0.5)

    def _show_round_sheet(self) -> None:
        """Show the sheet of a finished round, or of the game."""
        controller = self.controller
        turn = controller.turn
        if self._sheet_delay > 0.0 and self.app.top is self:
            return
        is_new = controller.phase == "hold" and turn is not self._shown_sheet
        if is_new and turn is not None and closed_round(turn) is not None:
            self._shown_sheet = turn
            if not turn.verdict.ruling.is_over:
                table, on_continue = self.card_table, controller.start_turn
                self.app.push(RoundScreen(self.app, self.match, table, turn, on_continue, self.undo))
        elif self.activity_card is not None:
            self.activity_card.on_turns(controller.seen_turns, is_idle=controller.is_idle)
        elif controller.phase == "over" and not self._is_result_shown:
            self._is_result_shown = True
            if self.match.forfeit is not None:  # no score sheet in mid-round
                self.app.push(EndScreen(self.app, self.match, self._restart, self.undo))
            else:
                self.app.push(CardEndScreen(self.app, self.match, self.card_table, self._restart, self.undo))

    def build_form(self) -> None:
        """Build the widgets for the current phase."""
        named = self.buttons
        named["undo"].enabled = self.can_undo
        named["hint"].enabled = self.controller.phase == "choose" and self.can_help
        named["sort"].label = "Sort by suit" if not self.preferences.sort_by_suit else "Sort by rank"
        named["colours"].label = "4 colours" if not self.preferences.four_suit_colours else "2 colours"
        named["pace"].label = f"Pace: {PACES[self.preferences.card_pace][1]}"
        widgets = [self._ready_button] if self.is_hand_hidden else self.card_table.buttons()
        self.show_widgets([*widgets, *(named[name] for name in self._footer)])

    # -- actions --------------------------------------------------------------------------------------------------

    def _perform(self, action: Action) -> None:
        self._notice = ""
        if self.controller.phase != "choose" or self.is_hand_hidden:
            return
        if not self.controller.perform(action):
            self._show_refusal(self.controller.error)

    def _show_refusal(self, reason: str) -> None:
        self._error, self._notice = match_text.ruling_text(self.match, reason), ""

    def _reveal_hand(self) -> None:
        """Show the hand of the seat to act, whose player is there now."""
        self.ready_seat = self.match.to_play
        self._on_change()

    def _toggle(self, preference: str) -> None:
        setattr(self.preferences, preference, not getattr(self.preferences, preference))
        self.app.apply_preferences()
        table = self.card_table
        table.set_view(table.view, table.seat, is_choosing=table.is_choosing, last_action=table.last_action)
        self.build_form()

    def _cycle_pace(self) -> None:
        self._notice = f"The others play: {self.preferences.next_pace()}."
        self.app.apply_preferences()
        self.build_form()

    def on_undo(self) -> None:
        """Allow the sheets of rounds to be shown again after an undo."""
        self._shown_sheet = None

    def request_hint(self) -> None:
        """Ask a club player, who knows no more than this seat sees, for a hint."""
        seat = self.match.to_play
        if self.controller.phase != "choose" or self.is_hand_hidden or seat is None or self.hints.is_requested:
            return
        self.hints.request = compute_hint(self.match, seat)

    def _on_hint(self, hint: Hint) -> None:
        action = match_text.with_card_symbols(self.card_table.set_action(hint.action))
        self._notice = f"A club player would: {action}.{hint.idea}"
        self.build_form()

    # -- events ---------------------------------------------------------------------------------------------------

    def handle(self, event: pygame.event.Event) -> None:
        if event.type == pygame.KEYDOWN:
            self._handle_key(event)
            return
        if event.type == pygame.MOUSEMOTION:
            self.form.handle(event)
            self.card_table.handle_mouse(event)
            return
        if self.form.handle(event):
            if event.type == pygame.MOUSEBUTTONUP:
                self.form.focus = None  # a button pressed by mouse gives the keys back to the hand
            return
        if self.card_table.handle_mouse(event):
            self.form.focus = None
            if event.type == pygame.MOUSEBUTTONDOWN:
                self._error = self._notice = "" if self.controller.phase == "choose" else self._error
            self.build_form()

    def _handle_key(self, event: pygame.event.Event) -> None:
        if event.key == pygame.K_ESCAPE:
            self.open_menu()
            return
        if event.key == pygame.K_TAB or (self.form.focus is not None and event.key in PRESS_KEYS):
            self.form.handle(event, can_leave=True)
            return
        if key_bindings.common_action(event) in ("help", "undo", "redo"):
            self.handle_common_key(event)
            return
        if self.is_hand_hidden and event.key in PRESS_KEYS:
            self._reveal_hand()
            return
        if self.card_table.is_choosing and event.key in _ARROW_KEYS:
            self.form.focus = None
        phase = self.controller.phase
        if phase == "choose" and not self.is_hand_hidden:
            self._error = ""
            if self.card_table.handle_key(event):
                if self.controller.phase == "choose":
                    self.build_form()
                return
        action = self.card_table.key_map.extended(_SORT_KEYS, _PACE_KEYS).match(event)[0]
        if action in ("sort", "colours", "pace"):
            if self.card_table.has_suits or action == "pace":
                self.buttons[action].action()
        else:
            self.handle_common_key(event)

    def extra_keys(self) -> tuple[key_bindings.KeyMap, ...]:
        return (key_maps(self.card_table),)

    @property
    def can_hint(self) -> bool:
        """True unless the hand is still hidden."""
        return super().can_hint and not self.is_hand_hidden

    def available_choices(self) -> list[str]:
        choices = ["Arrows choose", "Enter plays, or drag with the mouse"]
        return ["Enter: I am ready"] if self.is_hand_hidden else choices

    # -- time and picture -----------------------------------------------------------------------------------------

    def update(self, dt: float) -> None:
        super().update(dt)
        self.controller.update(dt)
        self.card_table.update(dt)
        self.buttons["sound"].label = "Sounds on" if self.preferences.muted else "Mute"
        self.hints.poll(self._on_hint)
        self._sheet_delay -= dt
        self._show_round_sheet()

    @property
    def is_animating(self) -> bool:
        return super().is_animating or self.card_table.is_flying

    @property
    def table_area(self) -> pygame.Rect:
        return self.card_table.table_rect

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """Place the card table on the left and the game panel on the right."""
        w, h = size
        pad, right = round(14 * scale), round(330 * scale)
        self._panel = pygame.Rect(w - right, 0, right, h)
        self.card_table.layout(pygame.Rect(0, 0, w - right, h), scale)
        inner = self._panel.inflate(-2 * pad, -2 * pad)
        footer = [self.buttons[name] for name in self._footer]
        place_in_grid(footer, inner, round(32 * scale), round(5 * scale), 2, at_bottom=True)
        self.notice_area = pygame.Rect(self._panel.x, 0, right, footer[0].rect.y)  # over the list of moves
        self._layout_turn_buttons(inner, scale)

    def _layout_turn_buttons(self, inner: pygame.Rect, scale: float) -> None:
        """Place the buttons of the turn in two columns under the prompt; the main button spans both."""
        if self.is_hand_hidden:
            w, h = round(300 * scale), round(46 * scale)
            table = self.card_table.rect
            # in place of the hand, so that the table stays visible
            self._ready_button.rect = pygame.Rect(table.centerx - w // 2, table.bottom - h - round(22 * scale), w, h)
            return
        high, gap = round(34 * scale), round(5 * scale)
        y, column = inner.y + round(178 * scale), 0
        wide = (inner.w - gap) // 2
        for button in self.card_table.buttons():
            if button.is_primary:
                button.rect = pygame.Rect(inner.x, y, inner.w, high)
                y += high + gap
            else:
                button.rect = pygame.Rect(inner.x + column * (wide + gap), y, wide, high)
                y += (high + gap) * column
                column = 1 - column

    def draw(self, canvas: Canvas) -> None:
        with canvas.clipped(self.card_table.rect):
            self.card_table.draw(canvas)
            if self.is_hand_hidden:
                self._draw_hidden_hand(canvas)
        self._draw_panel(canvas)
        self.form.draw(canvas)

    def _draw_hidden_hand(self, canvas: Canvas) -> None:
        seat = self.match.to_play
        assert seat is not None
        box = self._ready_button.rect.inflate(canvas.px(160), 0).clip(self.card_table.rect)
        box.h = canvas.px(138)
        box.bottom = self._ready_button.rect.bottom + canvas.px(12)
        canvas.box(box, palette.PANEL, 12, palette.ACCENT)
        name = match_text.seat_text(self.match, seat)
        canvas.text(f"Pass to {name}", (box.centerx, box.y + canvas.px(10)), 26, bold=True, anchor="midtop")
        canvas.text(f"The hand stays hidden until {name} presses Enter.", (box.centerx, box.y + canvas.px(48)), 14,
                    palette.MUTED_TEXT, anchor="midtop", max_width=box.w - canvas.px(20))  # fmt: skip

    def _draw_panel(self, canvas: Canvas) -> None:
        canvas.box(self._panel, palette.PANEL)
        pad = canvas.px(14)
        rect = self._panel.inflate(-2 * pad, -2 * pad)
        foot = self.above_card(self.buttons[self._footer[0]].rect.y - canvas.px(10))
        y = side_panel.draw_heading(canvas, rect, self.match.game.title, self.card_table.stage_text())
        prompt, note, error = self._prompt_lines()
        area = pygame.Rect(rect.x, y, rect.w, canvas.px(138))
        with canvas.clipped(area):
            card_panel.draw_prompt(canvas, area, prompt, note, error)
        bottoms = [widget.rect.bottom for widget in self.form.widgets if widget in self.card_table.buttons()]
        y = max([area.bottom, *bottoms] if not self.is_hand_hidden else [area.bottom]) + canvas.px(10)
        last = self.controller.last_turn
        height = max(canvas.px(60), (foot - y) * 6 // 10)
        y = side_panel.draw_ruling(canvas, pygame.Rect(rect.x, y, rect.w, min(height, foot - y)), self.match, last)
        card_panel.draw_recent_moves(canvas, pygame.Rect(rect.x, y, rect.w, foot - y), self.match)

    def _prompt_lines(self) -> tuple[str, str, str]:
        """Lines of the side panel: the prompt, a note, an error."""
        controller, match, seat = self.controller, self.match, self.match.to_play
        error = self._error or controller.history.recording_error
        match controller.phase:
            case "choose" if self.is_hand_hidden and seat is not None:
                return f"Pass to {match_text.seat_text(match, seat)} - press Enter when ready.", "", error
            case "choose":
                note = self._notice or ("" if error else self.card_table.hint_text())  # a refusal says more
                note = "A club player is asked ..." if self.hints.is_requested else note
                prompt = match_text.prompt_text(match, self.card_table.choices.prompt)
                sentence = error.rpartition(" (")[0]
                # a refusal that repeats the prompt stands in its place
                return "" if sentence and sentence in prompt else prompt, note, error
            case "think" if seat is not None:
                return controller.prompt, self._notice or bot_wait_text(match, self.bot_warmup), error
            case "settle" | "hold" if controller.turn is not None:
                reasons = controller.turn.verdict.reasons
                return (match_text.ruling_text(match, reasons[0].text) if reasons else ""), self._notice, error
            case "stuck":
                return "The game cannot go on.", "", controller.error
        return (controller.prompt if match.is_over else ""), self._notice, error


_SORT_KEYS = key_bindings.KeyBinding("S   C", "sort the hand by rank or suit; four colours", ("sort", "colours"))
_PACE_KEYS = key_bindings.KeyBinding("F", "how fast the others play: calm, brisk, at once", ("pace",))


def key_maps(table_class: type[CardTable] | CardTable) -> key_bindings.KeyMap:
    """All key bindings at a card table."""
    return table_class.key_map.extended(*((_SORT_KEYS, _PACE_KEYS) if table_class.has_suits else (_PACE_KEYS,)))


_ARROW_KEYS = (pygame.K_LEFT, pygame.K_RIGHT, pygame.K_UP, pygame.K_DOWN)
