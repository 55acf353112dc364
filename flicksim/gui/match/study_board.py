"""Base class of study boards: the properties and the live analysis of a position that is edited by hand."""

from collections.abc import Callable
from functools import partial
from itertools import groupby

import pygame

from flicksim import games, match
from flicksim.core.atomic_files import write_atomic
from flicksim.core.errors import FlicksimError
from flicksim.core.serialization import to_json
from flicksim.core.type_aliases import Position
from flicksim.gui.app import App, HelpScreen, Screen
from flicksim.gui.match.edited_position import EditedPosition
from flicksim.gui.match.position_analysis import PositionAnalysis
from flicksim.gui.match.share import ShareScreen
from flicksim.gui.match.start_match import start_match
from flicksim.gui.table_view.side_panel import draw_caption, draw_heading
from flicksim.gui.toolkit import GLOBAL_KEYS, Canvas, Form, KeyMap, clipboard, keep_file, palette, place_in_grid
from flicksim.gui.toolkit.widgets import Button, Choice, TextField
from flicksim.referee import Game

_PANEL_WIDTH = 356.0
"""Width of the panel [units]."""


class StudyBoardScreen(Screen):
    """Screen with the properties and the analysis of a position in a panel on the right.

    Args:
        game: with a position editor. position: initial one; None for the last one edited, else the game's own.
        analysis: of the position. buttons: of the game's kind, before those of all, by the actions of their keys.
    """

    game: Game
    key_map = KeyMap("", ())
    """Key bindings of the board."""
    candidates_title = "Best flicks"
    DRAG_THRESHOLD = 0
    """Mouse travel at which a press becomes a drag [pixels]."""
    EDITED: type[EditedPosition] = EditedPosition
    """Class of the edited position."""

    def __init__(
        self, app: App, game: Game, position: Position | None, analysis: PositionAnalysis, buttons: dict[str, Button]
    ) -> None:
        super().__init__(app)
        assert game.position_editor is not None
        self.game, self.analysis = game, analysis
        analysis.is_bar_visible = True
        last_position, history = app.last_studied.get(game.name, (game.position_editor.empty_position(), ()))
        if position not in (None, last_position):  # an opened one: undo leads back to the last one edited
            history = [*history, last_position]
        edited = last_position if position is None else position
        self.edited = self.EDITED(game, edited, history, lambda: self.on_change())
        self.panel = pygame.Rect(0, 0, 0, 0)
        titles = {one.name: one.title for one in map(games.load, games.names()) if one.position_editor is not None}
        index = list(titles).index(game.name) if game.name in titles else 0
        self._game_choice = Choice("Game", tuple(titles), index, self._switch_game, "", titles)
        self.held: str | None = None
        """Piece that the mouse holds, or place whose chosen card it holds."""
        self.is_dragging = False
        """True once that was moved."""
        self.mouse = self._press = (0, 0)
        self.buttons = buttons | {
            "undo": Button("Undo", self.edited.undo, key="U"),
            "play": Button("Play on", self.play, key="P"),
            "share": Button("Share", self.share, key="C"),
            "save": Button("Save", self.save, key="S"),
            "help": Button("Help", self.show_help, key="?"),
            "menu": Button("Back", app.pop, key="Esc"),
        }
        """Buttons by the actions of their keys."""
        self._make_fields()
        StudyBoardScreen.on_change(self)

    def _make_fields(self) -> None:
        """Make the fields of the counters that the position has."""
        edited = self.edited
        counters = edited.spec.counters(edited.position)
        self._shown_fields = self._field_names()
        names = self.game.seat_names[: max(1, edited.seat_count)]
        index = min(edited.seat or 0, len(names) - 1)
        self._seat_choice = Choice("To play", names, index, self._on_seat_change)
        self._count_fields: list[Choice | TextField] = []
        for k, one in enumerate(counters):
            on_change, value = partial(self._on_count_change, k), one.value
            choice = Choice(one.label, one.words, value - one.low, on_change) if one.words else None
            self._count_fields.append(choice or TextField(one.label, str(value), on_change, range_=(one.low, one.high)))
        fields = [self._game_choice, self._seat_choice, *self._count_fields]
        self.form = Form([*fields, *self.buttons.values()], None, arrows=False)

    def _field_names(self) -> tuple[object, ...]:
        """Number of seats and names of the counters, by which the fields are made."""
        edited = self.edited
        return edited.seat_count, *(counter.name for counter in edited.spec.counters(edited.position))

    # -- parts that each kind of game defines ----------------------------------------------------------------------

    def key_handlers(self, direction: int, *, is_fine: bool) -> dict[str, Callable[[], None]]:
        """Actions of keys without buttons that only this kind of game has.

        Args:
            direction: -1 for the first key of a group, else 1. is_fine: True if Shift is held.
        """
        raise NotImplementedError

    def before_action(self, action: str) -> None:
        """Called before the action of a key."""

    def grab(self, position: tuple[int, int]) -> str | None:
        """Choose what the mouse is pressed on, and return what it holds then; None if nothing."""
        raise NotImplementedError

    def drop(self, held: str, *, is_dragged: bool) -> None:
        """Put down what the mouse has held, where the mouse is."""
        raise NotImplementedError

    def draw_panel_top(self, canvas: Canvas, rect: pygame.Rect) -> int:
        """Draw into the panel, above the analysis. Return the lower end [pixels]."""
        del canvas
        return rect.y

    # -- the position ---------------------------------------------------------------------------------------------

    def on_change(self) -> None:
        """Update the fields after a change."""
        edited = self.edited
        counters = edited.spec.counters(edited.position)
        if self._shown_fields != self._field_names():
            focus = self.form.focus
            self._make_fields()
            self.form.focus = focus
            self.app.layout_screen(self)
        if edited.seat is not None:  # an invalid position may name a seat that is not there
            self._seat_choice.index = min(edited.seat, len(self._seat_choice.values) - 1)
        for field, counter in zip(self._count_fields, counters, strict=True):
            if isinstance(field, Choice):
                field.index = counter.value - counter.low
            else:
                field.text = str(counter.value)

    def _on_seat_change(self) -> None:
        self.edited.replace(self.edited.spec.with_current_seat(self.edited.position, self._seat_choice.index))

    def _on_count_change(self, index: int) -> None:
        edited, field = self.edited, self._count_fields[index]
        counter = edited.spec.counters(edited.position)[index]
        if isinstance(field, Choice):
            edited.replace(edited.spec.set_counter(edited.position, counter.name, counter.low + field.index))
        elif field.value.isdecimal() and field.value.isascii() and counter.low <= int(field.value) <= counter.high:
            edited.replace(edited.spec.set_counter(edited.position, counter.name, int(field.value)))

    def _switch_game(self) -> None:
        """Open the editor of the game selected."""
        screen = self.app.routes.position_editor(self.app, games.load(self._game_choice.value), None)
        if screen is not None:
            self.app.pop()
            self.app.push(screen)

    def show_help(self) -> None:
        self.app.push(HelpScreen(self.app, (self.key_map, GLOBAL_KEYS), self.game))

    # -- actions ----------------------------------------------------------------------------------------------------

    def _is_valid(self) -> bool:
        """Return True if the position is valid; else show why not."""
        if self.edited.state is None:
            self.app.show_notice(self.edited.error)
        return self.edited.state is not None

    def save(self) -> None:
        """Save the position in the player's folder, where "Open" finds it; only if it is valid."""
        if not self._is_valid():
            return
        text = to_json(self.edited.position) + b"\n"
        try:
            path = keep_file("data", self.game.name, ".json", lambda path: write_atomic(path, text), "positions")
        except FlicksimError as error:
            self.app.show_notice(f"No position was kept: {error}.")
            return
        self.app.show_notice(f"The position is kept as {path}. O in the main menu opens it.")

    def share(self) -> None:
        """Show the position as a share code, if it is valid."""
        if not self._is_valid():
            return
        text = match.encode_position(self.game, self.edited.position)
        self.app.push(ShareScreen(self.app, self.game.name, [("position", text)]))

    def paste(self) -> None:
        """Set up the position of a share code on the clipboard."""
        try:
            shared = match.decode_share_code(clipboard.paste())
            if not isinstance(shared, match.SharedPosition):
                self.app.show_notice("That is a whole game: O in the main menu opens it.")
                return
            game, position = shared.decode()
        except FlicksimError as error:
            self.app.show_notice(error.sentence)
            return
        if game is self.game:
            self.edited.replace(position)
        elif (screen := self.app.routes.position_editor(self.app, game, position)) is not None:
            self.app.pop()
            self.app.push(screen)

    def play(self) -> None:
        """Start a match from this position, every seat a human."""
        if not self._is_valid():
            return
        seats = ("human",) * len(self.game.rules.scores(self.edited.state))
        players = [match.parse_seat(seat) for seat in seats]
        position = self.edited.position
        started = match.open_match(self.game, position.options, players, 1, position=position)
        start_match(self.app, started, seats)

    # -- events, time ---------------------------------------------------------------------------------------------

    def handle_key(self, event: pygame.event.Event) -> bool:
        """Handle a key; return True if it was used."""
        if clipboard.is_paste_key(event):
            self.paste()
            return True
        if event.key == pygame.K_ESCAPE and self.form.focus is not None:
            self.form.focus = None
            return True
        if (event.key == pygame.K_TAB or self.form.focus is not None) and self.form.handle(event, can_leave=True):
            return True
        action, direction = self.key_map.extended(*GLOBAL_KEYS.bindings).match(event)
        handlers: dict[str, Callable[[], None]] = {
            "due": lambda: self._seat_choice.cycle(1),
            "value": partial(self._toggle_analysis, "value"),
            "map": partial(self._toggle_analysis, "map"),
            **{name: button.action for name, button in self.buttons.items()},
            **self.key_handlers(direction, is_fine=bool(event.mod & pygame.KMOD_SHIFT)),
        }
        if action not in handlers:
            return False
        self.before_action(action)
        handlers[action]()
        return True

    def _toggle_analysis(self, kind: str) -> None:
        """Toggle the bar or the map."""
        self.analysis.toggle(kind)
        self.app.layout_screen(self)

    def handle_drag(self, event: pygame.event.Event) -> bool:
        """Grab, drag and drop with the left button; return False for any other event."""
        match event.type:
            case pygame.MOUSEBUTTONDOWN if event.button == 1:
                self.form.focus, self.is_dragging = None, False
                self._press = self.mouse = event.pos
                self.held = self.grab(event.pos)
            case pygame.MOUSEMOTION if self.held is not None:
                self.mouse = event.pos
                travel = max(abs(a - b) for a, b in zip(event.pos, self._press, strict=True))
                self.is_dragging = self.is_dragging or travel > self.DRAG_THRESHOLD
            case pygame.MOUSEBUTTONUP if event.button == 1 and self.held is not None:
                held, is_dragged, self.mouse = self.held, self.is_dragging, event.pos
                self.held, self.is_dragging = None, False
                self.drop(held, is_dragged=is_dragged)
            case _:
                return False
        return True

    def update(self, dt: float) -> None:
        """Analyse the position, unless it is about to change, and enable the buttons that can be used."""
        if self.is_dragging:
            self.analysis.defer()
        self.analysis.set_state(self.edited.state, dt)
        self.buttons["undo"].enabled = bool(self.edited.history)
        for name in ("play", "share", "save"):
            self.buttons[name].enabled = self.edited.state is not None

    def close(self) -> None:
        """Save the position and the undo stack for the next time, and stop the analysis."""
        self.app.last_studied[self.game.name] = (self.edited.position, tuple(self.edited.history))
        self.analysis.shut_down()

    # -- drawing --------------------------------------------------------------------------------------------------

    def layout_panel(self, size: tuple[int, int], scale: float) -> None:
        """Place the panel on the right, and fields and buttons in it."""
        w, h = size
        pad, gap, height = round(14 * scale), round(6 * scale), round(34 * scale)
        width = min(round(_PANEL_WIDTH * scale), round(w * 0.46))
        self.panel = pygame.Rect(w - width, 0, width, h)
        inner = self.panel.inflate(-2 * pad, -2 * pad)
        fields, row = inner.move(0, round(40 * scale)), round(30 * scale)
        fields.y = place_in_grid((self._game_choice, self._seat_choice), fields, row, gap).bottom + gap
        self._game_choice.label_fraction = self._seat_choice.label_fraction = 0.28
        for has_words, run in groupby(self._count_fields, lambda field: isinstance(field, Choice)):
            run_fields = tuple(run)
            for field in run_fields:
                field.label_fraction = 0.28 if has_words else 0.42
            fields.y = place_in_grid(run_fields, fields, row, gap, 1 if has_words else 2).bottom + gap
        self._content_top = fields.y
        self._footer = place_in_grid(list(self.buttons.values()), inner, height, gap, 2, at_bottom=True).y - gap
        self.notice_area = pygame.Rect(self.panel.x, 0, width, self._footer)

    _content_top = _footer = 0
    """Vertical ends of the panel's content between fields and buttons [pixels]."""

    def draw_panel(self, canvas: Canvas) -> None:
        """Draw the panel with fields, buttons, and the analysis or what is wrong."""
        canvas.box(self.panel, palette.PANEL)
        pad = canvas.px(14)
        rect = self.panel.inflate(-2 * pad, -2 * pad)
        draw_heading(canvas, rect, "Study board", "")
        rect = pygame.Rect(rect.x, self._content_top, rect.w, self._footer - self._content_top)
        y = self.draw_panel_top(canvas, rect)
        rect = pygame.Rect(rect.x, y, rect.w, self._footer - y)
        if self.edited.error:
            canvas.paragraph(self.edited.error, rect, 15, palette.BAD)
        else:
            y = draw_caption(canvas, rect, self.candidates_title)
            self.analysis.draw_text(canvas, pygame.Rect(rect.x, y, rect.w, self._footer - y))
        self.form.draw(canvas)
