"""Screens of a host: seats and options of the game, then waiting for the others."""

from collections.abc import Callable

import pygame

from flicksim.core.errors import FlicksimError
from flicksim.gui.app import App, Screen
from flicksim.gui.match.overlays import ConfirmScreen
from flicksim.gui.menus.new_game import NewGameScreen
from flicksim.gui.online.online_table import OnlineTable, host_game, open_table
from flicksim.gui.toolkit import Button, Canvas, Choice, Field, Form, Untranslated, clipboard, palette, place_in_grid
from flicksim.referee import Game

_REACH_VALUES, _REACH_LABELS = ("network", "here"), {"network": "other machines", "here": "this machine alone"}
_REACH_HELP = (
    "Other machines reach this one at its address, by an encrypted connection; the invitation has the fingerprint of "
    "its certificate. This machine alone: two windows beside each other."
)
_SEATS_HELP = "Seats of people are for whoever joins; one is yours. Bots and options can be chosen seat by seat."
_PERSON_LABELS = {"human": "a person"}
_OWN_LABEL, _WATCH_LABEL = "the first free seat", "none; you look on"
_OWN_HELP = "Where you sit. The others take what is left, as they come."


class HostGameScreen(NewGameScreen):
    """Seats, options and hands of a game to be hosted (see `NewGameScreen`); people are at any machine."""

    def __init__(self, app: App, game: Game) -> None:
        self.reach = Choice("Who can join", _REACH_VALUES, 0, None, _REACH_HELP, _REACH_LABELS)
        self.place = Choice("You take", (_OWN_LABEL, _WATCH_LABEL), 0, None, _OWN_HELP)
        super().__init__(app, game)

    @property
    def title(self) -> str:
        return f"Host {self.game.title}"

    def _restore_last_setup(self) -> None:
        """Begin with two people, whose hands are those of the settings here, as the host makes their errors."""
        self.who.index = self.who.values.index("friends")
        self._on_who_change()
        for seat in self._all_seats:
            seat.occupant.set_labels(_PERSON_LABELS)
            if self.game.uses_physics and seat.occupant.value == "human" and self.app.preferences.hand != "steady":
                seat.noise.index = seat.noise.values.index(self.app.preferences.hand)
        self._start.label = "Host it"
        self._start.help_text = "The others can join from then on."
        self.has_more_options.index = 1  # how many are to come must be seen
        self.has_more_options.label, self.has_more_options.help_text = "More: seats, options", _SEATS_HELP

    def _row_groups(self) -> list[tuple[str, list[Field]]]:
        """Rows by group: who can join, then seats and options as in any game."""
        groups: list[tuple[str, list[Field]]] = [
            ("Players", [self.reach, self.place, self.grade, self.has_more_options])
        ]
        # nobody may know the seed, what is taken back is agreed, and whoever joins says their own name
        hidden = (self.seed, self.takebacks, *(seat.name for seat in self._all_seats))
        groups += [(head, [row for row in rows if row not in hidden]) for head, rows in super()._row_groups()[1:]]
        return [(head, rows) for head, rows in groups if rows]

    def start(self) -> None:
        """Host the game, or show why it cannot be."""
        self._validate()
        if self.error:
            return
        specs = [seat.seat_spec for seat in self.seat_rows]
        people = [k for k, spec in enumerate(specs) if spec.startswith("human")]
        own = people[0] if people and self.place.index == 0 else None
        try:
            table = host_game(
                self.game, self.options.parsed(), specs, name=self.app.player.name, own_seat=own,
                beyond=self.reach.index == 0,
            )  # fmt: skip
        except FlicksimError as error:
            self.error = str(error)
            return
        self.app.pop()
        self.app.push(WaitingScreen(self.app, table))


class WaitingScreen(Screen):
    """Invitation of a hosted game, and who is there; the match opens when everybody is, or at once."""

    STATUS = "C copies the invitation   ·   T to the table   ·   Tab, Enter   ·   Esc stops hosting"

    def __init__(self, app: App, table: OnlineTable) -> None:
        super().__init__(app)
        self.table, self._is_open = table, False
        self._note = ""
        self._panel = pygame.Rect(0, 0, 0, 0)
        self._copy = Button("Copy the invitation", self.copy, key="C", is_primary=True)
        self._go = Button("To the table", self.open, key="T")
        self._stop = Button("Stop hosting", lambda: app.push(self._stop_question(app.pop)), key="Esc")
        self.form = Form([self._copy, self._go, self._stop])

    def copy(self) -> None:
        """Put the invitation on the clipboard."""
        is_copied = clipboard.copy(str(self.table.invitation))
        self._note = "The invitation is on the clipboard." if is_copied else "There is no clipboard here."

    def open(self) -> None:
        """Go to the table, whoever is there."""
        try:
            self._is_open = self.table.client.match is not None
            open_table(self.app, self.table)
        except FlicksimError as error:
            self._is_open, self._note = False, str(error)

    def _stop_question(self, on_agree: Callable[[], None]) -> ConfirmScreen:
        return ConfirmScreen(self.app, "Stop hosting? The game is kept, and can be hosted again.", on_agree)

    def closing_question(self) -> ConfirmScreen:
        """Question whether to stop hosting."""
        return self._stop_question(self.app.quit)

    def close(self) -> None:
        if not self._is_open:
            self.table.close()

    def update(self, dt: float) -> None:
        """Go to the table when every seat of people is taken."""
        del dt
        client, people = self.table.client, self.table.people
        self._go.enabled = client.match is not None
        if client.status == "ended":
            self._note = client.reason or "The connection to the own host has ended."
        elif people and all(state == "is there" for _, state in people) and self.app.top is self:
            self.open()

    def handle(self, event: pygame.event.Event) -> None:
        """Handle an event: shortcuts, and moving between the buttons."""
        self.form.press_shortcut(event) or self.form.handle(event)

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """Place a panel in the middle, with the buttons at its foot."""
        w = min(size[0] - round(40 * scale), round(760 * scale))
        h = min(size[1] - round(110 * scale), round(560 * scale))
        self._panel = pygame.Rect((size[0] - w) // 2, round(84 * scale), w, h)
        inner = self._panel.inflate(-round(48 * scale), -round(40 * scale))
        place_in_grid(self.form.widgets, inner, round(42 * scale), round(10 * scale), 3, at_bottom=True)

    def draw(self, canvas: Canvas) -> None:
        table, inner = self.table, self._panel.inflate(-canvas.px(48), -canvas.px(40))
        match, invitation = table.client.match, table.invitation
        title = "The table is set up ..." if match is None else f"{match.game.title} is hosted here"
        canvas.text(title, (self._panel.x, canvas.px(26)), 26, bold=True)
        canvas.box(self._panel, palette.PANEL, 10, palette.BORDER)
        y = canvas.paragraph("Send the invitation to the others. They paste it in their window, or in a shell.",
                             pygame.Rect(inner.x, inner.y, inner.w, canvas.px(44)), 15, palette.MUTED_TEXT)  # fmt: skip
        y += canvas.px(8)
        label = canvas.px(120)
        parts = [("Address", invitation.address), ("Code", invitation.code)]
        halves = [invitation.fingerprint[:32], invitation.fingerprint[32:]]
        parts += [("Fingerprint", halves[0]), ("", halves[1])] if invitation.fingerprint else []
        for name, text in parts:
            size = 16 if name in ("", "Fingerprint") else 20
            canvas.text(name, (inner.x, y + canvas.px(4)), 15, palette.MUTED_TEXT)
            canvas.text(Untranslated(text), (inner.x + label, y), size, bold=size == 20, max_width=inner.w - label)
            y += canvas.line_height(size) + canvas.px(3)
        y += canvas.px(12)
        canvas.text("Who is there", (inner.x, y), 16, bold=True)
        y += canvas.line_height(16) + canvas.px(4)
        for name, state in table.people:
            colour = {"is there": palette.GOOD, "connection lost": palette.BAD}.get(state, palette.MUTED_TEXT)
            canvas.text(Untranslated(name), (inner.x, y), 16, max_width=inner.w - canvas.px(160))
            canvas.text(state, (inner.right, y), 15, colour, anchor="topright")
            y += canvas.line_height(16) + canvas.px(3)
        if self._note:
            canvas.text(self._note, (inner.x, self._copy.rect.y - canvas.px(10)), 14, palette.ACCENT,
                        anchor="bottomleft", max_width=inner.w)  # fmt: skip
        self.form.draw(canvas)
