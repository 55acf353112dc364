"""Bar of an online match: who is there, whose turn it is, lag, phrases, proposals, and the connection."""

import re
from collections import Counter, deque
from collections.abc import Callable
from time import monotonic
from typing import NamedTuple

import pygame

from flicksim import net
from flicksim.core.errors import FlicksimError
from flicksim.gui.app import App, Overlay, TableBar
from flicksim.gui.match import record_results
from flicksim.gui.match.match_screen import MatchScreen
from flicksim.gui.toolkit import Button, Canvas, Colour, Form, ListBox, palette, piece_sprites, place_in_grid
from flicksim.gui.toolkit.key_bindings import ONLINE_KEYS
from flicksim.gui.toolkit.translation import Untranslated, exclude_names, translate
from flicksim.match import parse_seat
from flicksim.net import protocol


class Participant(NamedTuple):
    """Somebody at the table: seat (None for a spectator), name, state in words, and its colour."""

    seat: int | None
    name: str
    state: str
    colour: Colour


class TalkScreen(Overlay):
    """List of phrases; Enter or a click says one to everybody at the table.

    Args:
        client: at the table. participants: returns who is there.
    """

    STATUS = "Up Down choose a phrase   ·   Enter, or a click, says it to everybody   ·   Esc back"

    def __init__(self, app: App, client: net.Client, participants: Callable[[], list[Participant]]) -> None:
        super().__init__(app, 640, 450)
        self._client, self._participants = client, participants
        self._phrases = ListBox("Say", list(protocol.PHRASES.values()), on_activate=self._say)
        self._close_button = Button("Back", app.pop, key="Esc")
        self.form = Form([self._phrases, self._close_button])

    def _say(self, index: int) -> None:
        self.app.pop()
        self._client.send(protocol.Say(phrase=list(protocol.PHRASES)[index]))

    def layout(self, size: tuple[int, int], scale: float) -> None:
        super().layout(size, scale)
        pad, top = round(24 * scale), round(84 * scale)
        left = (self.rect.w - 3 * pad) // 2
        self._phrases.rect = pygame.Rect(self.rect.x + pad, self.rect.y + top, left, round(28 * scale) * 11 + 4)
        self._phrases.rect.h = min(self._phrases.rect.h, self.rect.bottom - pad - self._phrases.rect.y)
        height = round(38 * scale)
        corner = (self.rect.right - pad - left, self.rect.bottom - pad - height)
        self._close_button.rect = pygame.Rect(corner, (left, height))

    def draw(self, canvas: Canvas) -> None:
        """Draw the phrases on the left, and who is there on the right."""
        super().draw(canvas)
        y, x = self.rect.y + canvas.px(20), self._close_button.rect.x
        canvas.text("Say to everybody", (self._phrases.rect.x, y), 20, bold=True)
        canvas.text("At the table", (x, y), 20, bold=True)
        y, step, width = self._phrases.rect.y, canvas.px(38), self._close_button.rect.w
        people = self._participants()
        count = max(1, (self._close_button.rect.y - y - canvas.px(8)) // step)
        for person in people[:count]:
            line = canvas.text(person.name, (x, y), 15, bold=True, max_width=width)
            canvas.text(person.state, (x, line.bottom - canvas.px(2)), 13, person.colour, max_width=width)
            y += step
        if len(people) > count:
            canvas.text(f"and {len(people) - count} more", (x, y), 13, palette.MUTED_TEXT)


_LOST_TEXT = "The connection is lost, and tried again. The game is kept."
_HOST_LEAVES = "You host this game: the connections of all others end."
_GAME_IS_KEPT = "It is kept, and can be hosted again."
_SEAT_IS_KEPT, _COME_BACK = "Your seat is kept: the invitation brings you back.", "The invitation brings you back."
_MAX_CHIP, _MIN_MESSAGES, _BUTTON = 176.0, 250.0, 150.0
"""Greatest width of a seat, least of the messages, and width of a button [units]."""
ANSWER_TIME = 10.0
"""Time for which a game without turns is held for the answers to a take-back; the next turn then overtakes it [s]."""
HOLD_INTERVAL = 60.0
"""Time after which the same seat may hold the game again, unless all have agreed before [s]."""
_TAKEN_PATTERN = re.compile(r"(?:(every seat)|seat (\d+)) is taken, or not for people\b.*")
_ERROR_PATTERN = re.compile(r"(there can be no connection to .* \(\w+): .*\)")


def player_reason(reason: str) -> str:
    """Convert the reason of a client for players: seats count from 1, without shell options and texts of libraries."""
    if (hit := _TAKEN_PATTERN.fullmatch(reason)) is not None:
        return f"{hit[1] or f'seat {int(hit[2]) + 1}'} is taken, or not for people; you can look on"
    return _ERROR_PATTERN.sub(r"\1)", reason)


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
        self.messages: deque[tuple[str, str]] = deque(maxlen=2)
        """Last messages: a name, or nothing, and a text."""
        self.area = pygame.Rect(0, 0, 0, 0)
        self._buttons = {
            "say": Button("Say ...", self._open_talk, key="F4"),
            "agree": Button("Agree", lambda: self._answer(True), key="F10", is_primary=True),
            "decline": Button("Decline", lambda: self._answer(False), key="Shift + F10"),
        }
        self._form = Form([], None, arrows=False)
        self._shown_state = (self.match.opening, self.match.turn_count)
        self._was_lost = self._is_restarted = False
        self._rematch_error = ""
        self._hold_starts: dict[int, float] = {}
        """Times of the last take-backs that hold the game, by seat."""
        self._watchers: Counter[str] | None = None
        self._take_presence()
        if self.match.turns_before:
            self._tell(f"You came at turn {self.match.turns_before + 1}; the turns before are not listed here.")

    # -- for the match screen -----------------------------------------------------------------------------------------

    @property
    def has_turn(self) -> bool:
        return isinstance(self.match.incoming, protocol.TurnPlayed)

    @property
    def remote_people(self) -> frozenset[int]:
        people = {seat for seat, word in enumerate(self.match.header.seats) if word.startswith("human")}
        return frozenset(people.difference(self.match.seats))

    @property
    def leaving_text(self) -> str:
        if self.is_host:
            return _HOST_LEAVES if self.match.is_over else f"{_HOST_LEAVES} {_GAME_IS_KEPT}"
        return _SEAT_IS_KEPT if self.match.seats else _COME_BACK

    def propose_undo(self, turn_count: int | None) -> None:
        if self.match.seats:
            is_played = turn_count is not None and turn_count < len(self.match.turns)
            turns = self.match.turns_before + (turn_count or 0) if is_played else None
            self.client.send(protocol.Propose(what="undo", turns=turns))

    def propose_rematch(self) -> None:
        """Ask the others for another game, or agree to one."""
        proposal = self.client.proposal
        if self._is_answer_due and proposal is not None and proposal.what == "rematch":
            self._answer(True)
        else:
            self.client.send(protocol.Propose(what="rematch"))

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
        self.screen.controller.absence_text = self._absence_text
        self.screen.controller.is_held = self._is_held()
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

    def _is_held(self) -> bool:
        """Return True if the game is held for a take-back that a turn would overtake."""
        proposal, now = self.client.proposal, monotonic()
        if proposal is None or proposal.what != "undo":
            return False
        start = self._hold_starts.get(proposal.seat, -HOLD_INTERVAL)
        if now >= start + HOLD_INTERVAL:
            self._hold_starts[proposal.seat] = start = now
        return now < start + ANSWER_TIME

    def _apply_incoming(self) -> None:
        """Apply the next message that changes the match, where the screen does not wait for it."""
        controller, item = self.screen.controller, self.match.incoming
        if controller.is_playing_turn:
            return
        is_new_state = item is not None and not isinstance(item, protocol.TurnPlayed)
        if is_new_state:
            if isinstance(item, protocol.Over) and (item.forfeit is None or controller.phase in ("show", "hold")):
                if item.forfeit is None:
                    self.match.apply_incoming()
                return
            controller.cancel()
            self.match.apply_incoming()
        elif item is not None and controller.phase in ("choose", "over"):
            controller.follow_host()
        opening, count = self._shown_state
        went_back = self.match.opening is not opening or self.match.turn_count < count
        if is_new_state or went_back or self.match.turn_count > count:
            self._is_restarted = False
        self._shown_state = (self.match.opening, self.match.turn_count)
        may_restart = self.match.is_own_turn or not self._is_restarted  # others' turns: once, as the cause may last
        is_stuck = controller.phase == "stuck" and self.match.forfeit is None and may_restart
        if is_new_state or went_back or is_stuck:
            self._is_restarted = is_stuck
            self.screen.show_match_anew()
        if self.match.differences:
            number = self.match.differences.pop()
            self._tell(f"Turn {number} had another result here; the host's is shown.")

    def _take_event(self, event: net.Event) -> None:
        """Turn an event of the client into a message."""
        match event:
            case net.ConnectionChanged(status="lost"):
                self._was_lost = True
            case net.ConnectionChanged(status="joined") if self._was_lost:
                self._was_lost = False
                self._tell("The connection is back.")
            case net.ConnectionChanged(status="ended"):
                self._tell("The table is closed to this window.")
            case protocol.Said(name=name, seat=seat, phrase=phrase):
                self._tell(protocol.PHRASES.get(phrase, phrase), Untranslated(name) or self._seat_name(seat))
                self._app.sounds.play("chime", 0.3)
            case protocol.Settled(what=what, agreed=agreed):
                if agreed:
                    self._hold_starts.clear()
                done = "It was taken back." if what == "undo" else "Another game begins."
                self._tell(done if agreed else "There was no agreement; it stays as it is.")
            case protocol.Refused(message=message, about=about) if about != "act":
                self._tell(f"{message[:1].upper()}{message[1:]}.")
            case protocol.Differs(name=name, turn=turn):
                self._tell(f"Turn {turn} has another result at this player's machine.", Untranslated(name))

    def _take_presence(self) -> None:
        """Take the names of those who are there; tell of spectators who come and go."""
        presence = self.client.presence
        if presence is None:
            return
        people = [seat for seat in presence.seats if seat.player.startswith("human")]
        names = {seat.seat: self._shown_name(seat) for seat in people}
        self.match.player_names = {seat: name for seat, name in names.items() if name}
        exclude_names([seat.name for seat in presence.seats if seat.name])
        now = Counter(presence.watchers)
        before, self._watchers = now if self._watchers is None else self._watchers, now
        for changed, text in ((now - before, "looks on."), (before - now, "looks on no longer.")):
            for name in changed:
                self._tell(text if name else f"A spectator {text}", Untranslated(name))

    def _shown_name(self, seat: protocol.SeatPresence) -> str:
        """Name of a person at the table; nothing for the nameless one at this window."""
        if seat.name or seat.seat in self.match.seats:
            return seat.name
        return translate("somebody" if seat.here else "nobody yet")

    @property
    def _absence_text(self) -> str:
        """Sentence on the seat waited for, where nobody is there, and on what becomes of it; empty otherwise."""
        presence = self.client.presence
        if presence is None or presence.to_play is None or self.client.status != "joined":
            return ""
        seat = presence.seats[presence.to_play]
        if seat.here or seat.seat in self.match.seats:
            return ""
        name = self.match.game.seat_names[seat.seat]
        if not seat.name:
            return f"{name}: nobody sits here yet. The game waits."
        is_timed = presence.left is not None and not presence.paused
        return f"{seat.name} is disconnected. {'The clock goes on' if is_timed else 'The game waits'}."

    def _tell(self, text: str, name: str = "") -> None:
        if (name, text) not in list(self.messages)[-1:]:
            self.messages.append((name, text))

    def _seat_name(self, seat: int | None) -> str:
        return "a spectator" if seat is None else self.match.game.seat_names[seat]

    # -- proposals and talk -------------------------------------------------------------------------------------------

    @property
    def _is_own_proposal(self) -> bool:
        proposal = self.client.proposal
        return proposal is not None and proposal.seat in self.match.seats

    @property
    def _is_answer_due(self) -> bool:
        proposal = self.client.proposal
        return proposal is not None and bool(set(proposal.waiting) & set(self.match.seats))

    def _answer(self, agree: bool) -> None:
        if self._is_answer_due or (self._is_own_proposal and not agree):
            self.client.send(protocol.Answer(agree=agree))
            self.client.proposal = None  # answered once; the host tells it again where others are asked still

    def _open_talk(self) -> None:
        if not isinstance(self._app.top, TalkScreen):
            self._app.push(TalkScreen(self._app, self.client, self._participants))

    def _participants(self) -> list[Participant]:
        """Players in the order of their seats, then spectators."""
        presence = self.client.presence
        if presence is None:
            return []
        players: list[Participant] = []
        for seat in presence.seats:
            name = self.match.game.seat_names[seat.seat]
            is_own, is_person = seat.seat in self.match.seats, seat.player.startswith("human")
            texts = ["you"] if is_own else [] if is_person else [seat.player.replace(":", ", ")]
            lag = self.client.lag if is_own else seat.lag
            if is_own and self.client.status != "joined":
                texts.append("connection lost")
            elif not seat.here:
                texts.append("connection lost" if seat.name else "free")
            elif lag is not None:
                texts.append(f"{lag} ms")
            colour = palette.BAD if texts[-1:] == ["connection lost"] else palette.MUTED_TEXT
            if seat.seat == presence.to_play and self.screen.has_turns:  # else all act at once
                texts, colour = ["to play", *texts], palette.BAD if colour == palette.BAD else palette.ACCENT
            players.append(Participant(seat.seat, Untranslated(seat.name) or name, " · ".join(texts), colour))
        watchers = (Untranslated(name) or "somebody" for name in presence.watchers)
        return [*players, *(Participant(None, name, "looks on", palette.MUTED_TEXT) for name in watchers)]

    # -- input and picture --------------------------------------------------------------------------------------------

    def set_area(self, area: pygame.Rect) -> None:
        self.area = area
        self._build_form()

    def _build_form(self) -> None:
        """Show the buttons that are of use now, on the right."""
        names = ["agree"] * self._is_answer_due + ["decline"] * (self._is_answer_due or self._is_own_proposal)
        self._buttons["decline"].label = "Withdraw" if self._is_own_proposal else "Decline"
        self._form.widgets = [self._buttons[name] for name in (*names, "say")]
        scale = self._app.scale
        width, gap = round(_BUTTON * scale), round(6 * scale)
        row = self.area.inflate(-2 * gap, -2 * gap)
        row.x, row.w = row.right - len(self._form.widgets) * (width + gap), len(self._form.widgets) * (width + gap)
        place_in_grid(self._form.widgets, row, row.h, gap, len(self._form.widgets))

    def handle(self, event: pygame.event.Event) -> bool:
        action = ONLINE_KEYS.match(event)[0] if event.type == pygame.KEYDOWN else ""
        if action == "say":
            self._open_talk()
        elif action:
            self._answer(action == "agree")
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
            chip = pygame.Rect(x, area.y + gap, width, area.h - 2 * gap)
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
        left, width = chip.x + canvas.px(31), chip.w - canvas.px(36)
        canvas.text(name, (left, chip.centery), 14, bold=is_own, anchor="bottomleft", max_width=width)
        line = canvas.first_fitting((text, *(text.split(" · ")[k:][0] for k in range(text.count(" · ")))), width, 12)
        canvas.text(line, (left, chip.centery), 12, colour, anchor="topleft", max_width=width)

    def _draw_messages(self, canvas: Canvas, rect: pygame.Rect) -> None:
        """Draw what needs attention, or else the last messages."""
        important = self._important_text()
        accent = palette.BAD if self.client.status != "joined" else palette.ACCENT
        parts = canvas.wrap(important, rect.w, 13, bold=True)[:2] if important else []
        lines = ([(message, palette.TEXT) for message in self.messages] + [(("", part), accent) for part in parts])[-2:]
        for k, ((name, text), colour) in enumerate(lines):
            y, x = rect.centery + round((k - len(lines) / 2.0) * canvas.line_height(13)), rect.x
            if name:
                speaker = Untranslated(f"{translate(name)}: ")
                x = canvas.text(speaker, (x, y), 13, bold=True, max_width=rect.w // 2).right
            canvas.text(text, (x, y), 13, colour, bold=colour != palette.TEXT, max_width=max(1, rect.right - x))

    def _important_text(self) -> str:
        """Text on what needs attention: a lost connection, a game that cannot be shown, or an open proposal."""
        if self.client.status == "ended":
            reason = player_reason(self.client.reason or "the connection has ended")
            return f"You are no longer at the table: {reason}."
        if self.client.status != "joined":
            return _LOST_TEXT
        if self._rematch_error:
            return self._rematch_error
        proposal = self.client.proposal
        if proposal is None:
            return ""
        undone = f"turn {(proposal.turns or 0) + 1}" if self.screen.has_turns else "a launch"  # else turns are not told
        what = "another game" if proposal.what == "rematch" else f"to take {undone} back"
        if self._is_own_proposal:
            return f"You have asked for {what}." if proposal.what == "rematch" else f"You have asked {what}."
        names = {person.seat: person.name for person in reversed(self._participants())}
        who = names.get(proposal.seat, self.match.game.seat_names[proposal.seat])
        return f"{who} asks for {what}." if proposal.what == "rematch" else f"{who} asks {what}."
