"""First page of online games: a game to host, or the invitation of somebody else's table."""

from contextlib import suppress
from functools import partial
from pathlib import Path

import pygame

from flicksim import games, net
from flicksim.core.errors import FileLocked, FlicksimError
from flicksim.gui.app import App, Screen
from flicksim.gui.online.host_screens import HostGameScreen, WaitingScreen
from flicksim.gui.online.online_table import OnlineTable, last_hosted, open_table, resume_hosting
from flicksim.gui.online.table_messages import plain_reason
from flicksim.gui.toolkit import Button, Canvas, Choice, Form, TextField, clipboard, palette, place_in_grid
from flicksim.gui.toolkit.widgets import Field, Widget
from flicksim.match import BackgroundTask
from flicksim.profiles import MAX_NAME_LENGTH, clean_name
from flicksim.referee import Game

_ANY_SEAT, _WATCH = "any", "watch"
_MAX_SEATS = 8
_HOST_TEXT = (
    "This machine is the referee: it alone has the hidden tiles and cards, makes the error of every hand, and keeps "
    "the record. You choose the seats, then give the invitation to the others."
)
_RESUME_TEXT = "The table is set up as it was ..."
_OPEN_ELSEWHERE = "it is open in another window or command"
_CLEAR_TEXT = (
    "Without a fingerprint the connection is not encrypted: others on the way can read the code and take your seat."
)
_JOIN_TEXT = "Paste the whole invitation that you were sent (Ctrl + V), or type its parts."


class OnlineScreen(Screen):
    """Games to host on the left, joining on the right."""

    def __init__(self, app: App) -> None:
        super().__init__(app)
        self._table: OnlineTable | None = None
        """Table being joined."""
        self.error = self.host_error = ""
        """Errors of joining, and of hosting the last game again."""
        self._resuming: BackgroundTask[OnlineTable] | None = None
        self.search = BackgroundTask(last_hosted)
        self._panels = [pygame.Rect(0, 0, 0, 0)] * 2
        last = net.Invitation.last() or net.Invitation(address="", code="")
        all_games = [games.load(name) for name in games.names()]
        self.host_buttons = [
            Button(f"Host {game.title}", partial(self._host, game), key=str(k + 1)) for k, game in enumerate(all_games)
        ]
        self.host_again = Button("Host the last game again", self._resume)
        self.host_again.enabled = False
        self.host_buttons.append(self.host_again)
        self.address = TextField("Address", last.address, placeholder="as in 192.168.1.5", max_length=80)
        self.code = TextField("Code", last.code, placeholder="as in K7QF-M2XD-9RTA-3PWE", max_length=40)
        self.fingerprint = TextField("Fingerprint", last.fingerprint, placeholder="if the invitation has one",
                                     max_length=100)  # fmt: skip
        self.name = TextField("Your name", app.player.name, placeholder="as the others see it",
                              max_length=MAX_NAME_LENGTH)  # fmt: skip
        seats = {_ANY_SEAT: "any free seat"} | {str(k): f"seat {k + 1}" for k in range(_MAX_SEATS)}
        seats |= {_WATCH: "only look on"}
        self.seat = Choice("Place", tuple(seats), labels=seats)
        self._fields: list[Field] = [self.address, self.code, self.fingerprint, self.name, self.seat]
        for field in self._fields:
            field.label_fraction = 0.3
        self._join = Button("Join", self.join, is_primary=True)
        self._paste = Button("Paste the invitation", self.paste)
        self._back = Button("Back", self._leave, key="Esc")
        self.form = Form([*self.host_buttons, *self._fields, self._paste, self._join, self._back], 0)

    def status_line(self) -> str:
        items = [f"1 to {len(games.names())} host a game", "Ctrl + V pastes an invitation", "Tab, Up Down move",
                 "Left Right change the place", "Enter presses", "Esc back"]  # fmt: skip
        return "   ·   ".join(items)

    # -- ways in ------------------------------------------------------------------------------------------------------

    def _host(self, game: Game) -> None:
        self.app.push(HostGameScreen(self.app, game))

    def _resume(self) -> None:
        """Begin to go on with the game hosted last."""
        if self._resuming is None and self._table is None and (record := self.last_record) is not None:
            name, self.host_error = self.app.player.name, ""
            self._resuming = BackgroundTask(lambda: resume_hosting(record, name))

    @property
    def last_record(self) -> Path | None:
        """Record of the game hosted last; None without one, and while it is looked for."""
        with suppress(OSError):  # removed meanwhile
            return self.search.result() if self.search.is_done else None
        return None

    def _finish_resuming(self, resuming: BackgroundTask[OnlineTable]) -> None:
        """Wait for the others at the table hosted again, or tell why it cannot be."""
        self._resuming = None
        try:
            self.app.push(WaitingScreen(self.app, resuming.result()))
        except FlicksimError as error:
            why = _OPEN_ELSEWHERE if isinstance(error, FileLocked) else error
            self.host_error = f"The last game cannot be hosted again: {why}."

    def paste(self) -> None:
        """Take the parts of the invitation on the clipboard."""
        text = clipboard.paste()
        if not text:  # SDL empties a clipboard whose owner, perhaps a busy host, does not answer within 1 s
            self.error = "The clipboard is empty: copy the invitation once more, then paste it."
            return
        try:
            invitation = net.Invitation.parse(text)
        except FlicksimError:
            self.error = "No invitation is on the clipboard; one begins with: flicksim join"
            return
        self.address.text, self.code.text = invitation.address, invitation.code
        self.fingerprint.text, self.error = invitation.fingerprint, ""
        self.form.focus = self.form.widgets.index(self._join)

    def join(self) -> None:
        """Begin to join the table."""
        if self._table is not None or self._resuming is not None:
            return
        self.error = ""
        address, code, place = self.address.value, self.code.value, self.seat.value
        if not address or not code:
            self.error = "Joining needs the address of the host and the code of the table."
            return
        try:
            client = net.Client(
                address, code, name=clean_name(self.name.value), watch=place == _WATCH,
                seat=int(place) if place.isdigit() else None, fingerprint=self.fingerprint.value,
                tokens=net.user_tokens(),
            )  # fmt: skip
        except FlicksimError as error:
            self.error = error.sentence
            return
        invitation = net.Invitation(address=address, code=code, fingerprint=self.fingerprint.value)
        self._table = OnlineTable(client, invitation)

    def _leave(self) -> None:
        """Stop joining, or go back."""
        if self._table is None:
            self.app.pop()
        self.close()

    def close(self) -> None:
        if self._table is not None:
            self._table.close()
            self._table = None
        resuming, self._resuming = self._resuming, None
        if resuming is not None:
            BackgroundTask(lambda: resuming.result().close())

    def update(self, dt: float) -> None:
        """Open the table once it is joined or hosted again, or tell why it cannot be."""
        del dt
        self.host_again.enabled = self.last_record is not None
        if self._resuming is not None and self._resuming.is_done:
            self._finish_resuming(self._resuming)
        table = self._table
        if table is None:
            return
        client = table.client
        if client.match is not None:
            self._table = None
            table.invitation.remember()
            try:
                open_table(self.app, table)
            except FlicksimError as error:
                table.close()
                self.error = error.sentence
        elif client.reason or client.status == "ended":
            self.error = plain_reason(client.reason or "the connection was lost")
            self.close()

    # -- events, picture ----------------------------------------------------------------------------------------------

    def handle(self, event: pygame.event.Event) -> None:
        """Handle an event: numbers host a game, unless they are typed; Enter in a field joins."""
        is_typing = isinstance(self.form.focused, TextField)
        if clipboard.is_paste_key(event):
            self.paste()
        elif event.type == pygame.KEYDOWN and event.key == pygame.K_ESCAPE:
            self._leave()
        elif event.type == pygame.KEYDOWN and is_typing and event.key in (pygame.K_RETURN, pygame.K_KP_ENTER):
            self.join()
        elif is_typing or not self.form.press_shortcut(event):
            self.form.handle(event)

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """Place two panels side by side."""
        width, pad = min(size[0], round(1180 * scale)), round(20 * scale)
        x, top = (size[0] - width) // 2 + pad, round(84 * scale)
        half = (width - 3 * pad) // 2
        height = min(size[1] - top - round(70 * scale), round(500 * scale))
        self._panels = [pygame.Rect(x + k * (half + pad), top, half, height) for k in range(2)]
        row, gap = round(38 * scale), round(8 * scale)
        columns: list[list[Widget]] = [[*self.host_buttons], [*self._fields]]
        for panel, widgets in zip(self._panels, columns, strict=True):
            inner = panel.inflate(-2 * pad, -2 * pad)
            place_in_grid(widgets, inner.move(0, round(112 * scale)), row, gap)
        inner = self._panels[1].inflate(-2 * pad, -2 * pad)
        place_in_grid((self._paste, self._join), inner, round(42 * scale), gap, 2, at_bottom=True)
        self._back.rect = pygame.Rect(x, top + height + round(14 * scale), round(160 * scale), row)

    def draw(self, canvas: Canvas) -> None:
        x = self._panels[0].x
        canvas.text("Play online", (x, canvas.px(20)), 28, bold=True)
        canvas.text("One hosts, the others join; each at a machine of their own.", (x, canvas.px(56)), 14,
                    palette.MUTED_TEXT)  # fmt: skip
        for panel, title, text in zip(self._panels, ("Host", "Join"), (_HOST_TEXT, _JOIN_TEXT), strict=True):
            canvas.box(panel, palette.PANEL, 10, palette.BORDER)
            inner = panel.inflate(-canvas.px(40), -canvas.px(32))
            y = canvas.text(title, inner.topleft, 20, bold=True).bottom + canvas.px(2)
            canvas.paragraph(text, pygame.Rect(inner.x, y, inner.w, canvas.px(80)), 14, palette.MUTED_TEXT)
        self.form.draw(canvas)
        host_note = _RESUME_TEXT if self._resuming is not None else self.host_error
        join_note = self.error
        if self._table is not None:
            join_note = f"Joining {self._table.invitation.address} ... Esc stops."
        for note, last, foot, colour in (
            (host_note, self.host_again.rect, self._panels[0].bottom - canvas.px(8),
             palette.BAD if self._resuming is None else palette.ACCENT),
            (join_note or self.warning, self.seat.rect, self._join.rect.y,
             palette.BAD if self.error else palette.ACCENT),
        ):  # fmt: skip
            if note:
                y = last.bottom + canvas.px(8)
                rect = pygame.Rect(last.x, y, last.w, foot - y)
                canvas.paragraph(note, rect, 15, colour, bold=True)

    @property
    def warning(self) -> str:
        """Warning of a connection to another machine that would not be encrypted; empty without one."""
        address = self.address.value
        if not address or self.fingerprint.value or address.startswith("wss://"):
            return ""
        with suppress(FlicksimError):
            return "" if net.is_local(net.parse_address(address)[0]) else _CLEAR_TEXT
        return ""
