"""Bar of an online match: who is there, whose turn it is, lag, phrases, proposals, and the connection."""

from collections.abc import Callable

import pygame

from flicksim import net
from flicksim.core.errors import FlicksimError
from flicksim.gui.app import App, TableBar
from flicksim.gui.match import record_results
from flicksim.gui.match.match_screen import MatchScreen
from flicksim.gui.online.participants import Participant, absence_text, list_participants, name_players
from flicksim.gui.online.proposals import Proposals
from flicksim.gui.online.table_messages import TableMessages, connection_text
from flicksim.gui.online.talk_screen import TalkScreen
from flicksim.gui.toolkit import Button, Canvas, Form, palette, piece_sprites, place_in_grid
from flicksim.gui.toolkit.key_bindings import ONLINE_KEYS
from flicksim.gui.toolkit.translation import Untranslated, translate
from flicksim.match import parse_seat
from flicksim.net import protocol

_HOST_LEAVES = "You host this game: the connections of all others end."
_GAME_IS_KEPT = "It is kept, and can be hosted again."
_SEAT_IS_KEPT, _COME_BACK = "Your seat is kept: the invitation brings you back.", "The invitation brings you back."
_MAX_CHIP, _MIN_MESSAGES, _BUTTON, _MARGIN = 176.0, 250.0, 150.0, 4.0
"""Greatest width of a seat, least of the messages, width of a button, and space above it [units]."""


class OnlineBar(TableBar):
    """Bar of an online match; it applies what the host tells to the match of its screen.

    Args:
        app: the application. client: at the table, joined. on_rematch: opens another game that all have agreed to.
        on_close: called when the table is left. is_host: the table is hosted in this window.
    """

    screen: MatchScreen

    def __init__(
        self, app: App, client: net.Client, on_rematch: Callable[[], None], on_close: Callable[[], None], *,
        is_host: bool = False,
    ) -> None:  # fmt: skip
        assert client.match is not None, "the client has joined"
        self._app, self.client, self.on_rematch, self.on_close = app, client, on_rematch, on_close
        self.is_host = is_host
        self.match = client.match
        self.messages = TableMessages(self.match.game.seat_names)
        self.proposals = Proposals(client, self.match)
        self._shown_state = (self.match.opening, self.match.turn_count)
        self._is_restarted = False
        self.area = pygame.Rect(0, 0, 0, 0)
        self._buttons = {
            "say": Button("Say ...", self._open_talk, key="F4"),
            "agree": Button("Agree", lambda: self.proposals.answer(True), key="F10", is_primary=True),
            "decline": Button("Decline", lambda: self.proposals.answer(False), key="Shift + F10"),
        }
        self._form = Form([], None, arrows=False)
        self._rematch_error = ""
        self._take_presence()
        if self.match.turns_before:
            self.messages.tell(f"You came at turn {self.match.turns_before + 1}; the turns before are not listed here.")

    # -- for the match screen -----------------------------------------------------------------------------------------

    @property
    def has_turn(self) -> bool:
        return isinstance(self.match.incoming, protocol.TurnPlayed)

    @property
    def remote_people(self) -> frozenset[int]:
        """Seats of people at other machines."""
        people = {seat for seat, word in enumerate(self.match.header.seats) if word.startswith("human")}
        return frozenset(people.difference(self.match.seats))

    @property
    def leaving_text(self) -> str:
        if self.is_host:
            return _HOST_LEAVES if self.match.is_over else f"{_HOST_LEAVES} {_GAME_IS_KEPT}"
        return _SEAT_IS_KEPT if self.match.seats else _COME_BACK

    def propose_undo(self, turn_count: int | None) -> None:
        self.proposals.propose_undo(turn_count)

    def close(self) -> None:
        """Leave the table; what was played counts in the statistics of who sat here."""
        record_results.record_abandoned(self._app.player, self.match, self._opponent)
        self.on_close()

    @property
    def _opponent(self) -> str:
        """Opponent for the statistics: the grade of the best bot; "random" or "friends" without one."""
        words = self.match.header.seats
        best = record_results.best_grade([parse_seat(word).hand for word in words if word.startswith("bot:")])
        return best or (record_results.FRIENDS_LABEL if all(word.startswith("human") for word in words) else "random")

    # -- what the host tells -------------------------------------------------------------------------------------------

    def update(self) -> None:
        """Take events, then another game, or what changes the match of the screen."""
        for event in self.client.poll():
            self._take_event(event)
        self._take_presence()
        self.messages.drop_old()
        self.screen.controller.absence_text = absence_text(self.client, self.match)
        self.screen.controller.is_held = self.proposals.is_holding()
        if self.client.match is not self.match and not self._rematch_error:
            on_close, self.on_close = self.on_close, lambda: None  # the table goes on, with another screen
            try:
                self.on_rematch()
                return
            except FlicksimError as error:
                self.on_close, self._rematch_error = on_close, f"The next game cannot be shown: {error}."
        if self.client.status != "ended":
            self._apply_incoming()
        self._build_form()

    def _apply_incoming(self) -> None:
        """Apply the next message that changes the match, where its screen does not wait for it."""
        match, controller, item = self.match, self.screen.controller, self.match.incoming
        if controller.is_playing_turn:
            return
        is_new_state = item is not None and not isinstance(item, protocol.TurnPlayed)
        if is_new_state:
            if isinstance(item, protocol.Over) and (item.forfeit is None or controller.phase in ("show", "hold")):
                if item.forfeit is None:
                    match.apply_incoming()
                return
            controller.cancel()
            match.apply_incoming()
        elif item is not None and controller.phase in ("choose", "over"):
            controller.follow_host()
        opening, count = self._shown_state
        went_back = match.opening is not opening or match.turn_count < count
        if is_new_state or went_back or match.turn_count > count:
            self._is_restarted = False
        self._shown_state = (match.opening, match.turn_count)
        may_restart = match.is_own_turn or not self._is_restarted  # others' turns: once, as the cause may last
        is_stuck = controller.phase == "stuck" and match.forfeit is None and may_restart
        if is_new_state or went_back or is_stuck:
            self._is_restarted = is_stuck
            self.screen.show_match_anew()
        if match.differences:
            number = match.differences.pop()
            self.messages.tell(f"Turn {number} had another result here; the host's is shown.")

    def _take_event(self, event: net.Event) -> None:
        self.messages.take_event(event)
        match event:
            case protocol.Said():
                self._app.sounds.play("chime", 0.3)
            case protocol.Settled():
                self.proposals.settle(event)

    def _take_presence(self) -> None:
        """Take the names of those who are there; tell of spectators who come and go."""
        if (presence := self.client.presence) is not None:
            name_players(presence, self.match)
            self.messages.take_watchers(presence.watchers)

    def _participants(self) -> list[Participant]:
        return list_participants(self.client, self.match, has_turns=self.screen.has_turns)

    def _open_talk(self) -> None:
        if not isinstance(self._app.top, TalkScreen):
            self._app.push(TalkScreen(self._app, self.client, self._participants))

    # -- input and picture --------------------------------------------------------------------------------------------

    def set_area(self, area: pygame.Rect) -> None:
        self.area = area
        self._build_form()

    def _build_form(self) -> None:
        """Show the buttons that are of use now, on the right."""
        is_asked, is_own = self.proposals.is_answer_due, self.proposals.is_own
        names = ["agree"] * is_asked + ["decline"] * (is_asked or is_own)
        self._buttons["decline"].label = "Withdraw" if is_own else "Decline"
        self._form.widgets = [self._buttons[name] for name in (*names, "say")]
        scale = self._app.scale
        width, gap = round(_BUTTON * scale), round(6 * scale)
        row = self.area.inflate(-2 * gap, -2 * round(_MARGIN * scale))
        row.x, row.w = row.right - len(self._form.widgets) * (width + gap), len(self._form.widgets) * (width + gap)
        place_in_grid(self._form.widgets, row, row.h, gap, len(self._form.widgets))

    def handle(self, event: pygame.event.Event) -> bool:
        action = ONLINE_KEYS.match(event)[0] if event.type == pygame.KEYDOWN else ""
        if action == "say":
            self._open_talk()
        elif action:
            self.proposals.answer(action == "agree")
        elif event.type in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP, pygame.MOUSEMOTION):
            is_used = self._form.handle(event)
            self._form.focus = None
            is_press_here = event.type == pygame.MOUSEBUTTONDOWN and self.area.collidepoint(event.pos)
            return is_used or is_press_here
        else:
            return False
        return True

    def draw(self, canvas: Canvas) -> None:
        """Draw seats on the left, messages, and buttons on the right."""
        area, gap = self.area, canvas.px(6)
        canvas.box(area, palette.INSET_BACKGROUND)
        canvas.line(area.topleft, area.topright, palette.BORDER, 1.0)
        self._form.draw(canvas)
        right = self._form.widgets[0].rect.x if self._form.widgets else area.right
        players = [person for person in self._participants() if person.seat is not None]
        free = right - area.x - canvas.px(_MIN_MESSAGES)
        width = max(canvas.px(60), min(canvas.px(_MAX_CHIP), free // max(1, len(players)) - gap))
        x = area.x + gap
        for player in players:
            chip = pygame.Rect(x, area.y, width, area.h).inflate(0, -2 * canvas.px(_MARGIN))
            self._draw_player(canvas, chip, player)
            x = chip.right + gap
        self._draw_messages(canvas, pygame.Rect(x + gap, area.y + gap, right - x - 2 * gap, area.h - 2 * gap))

    def _draw_player(self, canvas: Canvas, chip: pygame.Rect, player: Participant) -> None:
        seat, name, text, colour = player
        assert seat is not None, "a spectator has no coin"
        is_own, is_acting = seat in self.match.seats, colour == palette.ACCENT
        edge = palette.ACCENT if is_acting else palette.BORDER
        canvas.box(chip, palette.RAISED_PANEL if is_own else palette.PANEL, 6, edge)
        key = palette.seat_key(seat, self.match.game.seat_names)
        piece_sprites.draw_seat_coin(canvas.surface, (chip.x + canvas.px(16), chip.centery), canvas.px(9), key)
        left, y, width = chip.x + canvas.px(31), chip.centery + canvas.px(2), chip.w - canvas.px(36)
        canvas.text(name, (left, y), 14, bold=is_own, anchor="bottomleft", max_width=width)
        line = canvas.first_fitting((text, *(text.split(" · ")[k:][0] for k in range(text.count(" · ")))), width, 12)
        canvas.text(line, (left, y), 12, colour, anchor="topleft", max_width=width)

    def _draw_messages(self, canvas: Canvas, rect: pygame.Rect) -> None:
        """Draw what needs attention, or else the last messages."""
        important = self._important_text()
        accent = palette.BAD if self.client.status != "joined" else palette.ACCENT
        parts = canvas.wrap(important, rect.w, 13, bold=True)[:2] if important else []
        told = [(message, palette.TEXT) for message in self.messages.lines]
        lines = [*told, *((("", part), accent) for part in parts)][-2:]
        for k, ((name, text), colour) in enumerate(lines):
            y, x = rect.centery + round((k - len(lines) / 2.0) * canvas.line_height(13)), rect.x
            if name:
                speaker = Untranslated(f"{translate(name)}: ")
                x = canvas.text(speaker, (x, y), 13, bold=True, max_width=rect.w // 2).right
            canvas.text(text, (x, y), 13, colour, bold=colour != palette.TEXT, max_width=max(1, rect.right - x))

    def _important_text(self) -> str:
        """Text on what needs attention: a lost connection, a game that cannot be shown, or an open proposal."""
        if text := connection_text(self.client) or self._rematch_error:
            return text
        return self.proposals.text(self._participants(), has_turns=self.screen.has_turns)
