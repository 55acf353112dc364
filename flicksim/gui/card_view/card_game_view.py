"""Game view of a card or tile game, built from its card table; its replay screen and its miniature."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import partial

import pygame

from flicksim.core.type_aliases import State
from flicksim.gui.app import App, GameView, GlossarySection, Lesson, TurnRenderer
from flicksim.gui.card_view import seat_plates
from flicksim.gui.card_view.card_position_editor import CardPositionEditorScreen
from flicksim.gui.card_view.card_screen import CardScreen, key_maps
from flicksim.gui.card_view.card_table import CardTable, closed_round
from flicksim.gui.match.replay import ANALYSIS_KEYS, NAVIGATION_KEYS, ReplayScreen
from flicksim.gui.table_view import match_text
from flicksim.gui.toolkit import Button, Canvas, Frame, KeyBinding, KeyMap, Preferences, Sounds, palette
from flicksim.match import Turn
from flicksim.referee import Game

_HAND_KEY = KeyBinding("V", "show the hand of whoever acted, when the game is over", ("uncover",))
_LEAST_SIZE = (1000.0, 625.0)
"""Size of a table at which its names have room [units]."""
REPLAY_KEYS = KeyMap("Look through cards or tiles", (*NAVIGATION_KEYS, _HAND_KEY, *ANALYSIS_KEYS))


class CardReplay(ReplayScreen):
    """Replay with a list of turns and the card table after each; nothing moves, but hands may be shown."""

    keys = REPLAY_KEYS

    def __init__(
        self, app: App, game: Game, turns: Sequence[Turn], resume_from: Callable[[int], None] | None = None, *,
        renderer: TurnRenderer, table_class: type[CardTable],
    ) -> None:  # fmt: skip
        self.is_hand_shown = False
        self.card_table = table_class(game, lambda _: "", app.preferences, app.sounds)
        super().__init__(app, game, turns, resume_from, renderer=renderer)
        self._show_hand_button = Button("Show hands", self.toggle_hand, key="V")
        # hands of an unfinished game stay hidden
        self._show_hand_button.enabled = bool(self.turns) and self.turns[-1].verdict.ruling.is_over
        self.form.widgets = [self.list, *self.toolbar.widgets[:2], self._show_hand_button, *self._footer_buttons()]

    @property
    def may_analyse(self) -> bool:
        """True once the game is over; before that, an analysis would reveal hidden hands."""
        return bool(self.turns) and self.turns[-1].verdict.ruling.is_over

    def status_line(self) -> str:
        hint = "V hides hands" if self.is_hand_shown else "V shows hands"
        return f"{hint}   ·   {super().status_line()}" if self._show_hand_button.enabled else super().status_line()

    def toggle_hand(self) -> None:
        """Show the hand of the seat that acted, or hide it again; only after the end of the game."""
        if not self._show_hand_button.enabled:
            return
        self.is_hand_shown = not self.is_hand_shown
        self._show_hand_button.label = "Hide hands" if self.is_hand_shown else "Show hands"
        if self.turns:
            self._on_select(self.list.index)

    def _on_select(self, index: int) -> None:
        turn = self.turns[index]
        self.analysis.candidate = None
        show_hand(self.card_table, self.game, turn, turn.seat if self.is_hand_shown else None)

    def _handle_key(self, event: pygame.event.Event) -> bool:
        if self.keys.match(event)[0] == "uncover":
            self.toggle_hand()
            return True
        return super()._handle_key(event)

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """Place the card table where the board would be; there is no time slider."""
        super().layout(size, scale)
        self._show_hand_button.rect = self.toolbar.play.rect.union(self.toolbar.slow.rect)
        foot = self.toolbar.previous.rect.y - round(14 * scale)
        self.card_table.layout(pygame.Rect(0, 0, self._panel.x, foot), scale)

    def draw(self, canvas: Canvas) -> None:
        if self.turn is not None:
            with canvas.clipped(self.card_table.rect):
                self.card_table.draw(canvas)
        super().draw(canvas)

    def _points_after(self, turn: Turn) -> Sequence[Fraction]:
        return self.game.rules.scores(turn.after)

    def _draw_mark(self, canvas: Canvas, seat: int, center: tuple[int, int]) -> None:
        seat_plates.draw_badge(canvas, center, canvas.px(8), seat, self.game.seat_names[seat])


def show_hand(card_table: CardTable, game: Game, turn: Turn, seat: int | None) -> None:
    """Show a card table after a turn, with the hand of one seat open, or none."""
    view, card_table.is_hand_left_out = game.rules.view, seat is None
    state = card_table.state_before_deal(turn) if closed_round(turn) is not None else turn.after
    table_view = view(state, seat) if seat is not None else view(view(state, 0), 1)
    card_table.set_view(table_view, seat, is_choosing=False, last_action=turn.made)


_END_TIME = 900
"""Time for which the end of a turn is shown [ms]."""
_STEP_TIME = 0.55
"""Time until the next tile or card comes in the miniature [s]."""


class CardMiniature:
    """Miniature of a card table for the main menu, on which an action is repeated.

    Args:
        draw_progress: draws the action after a number of steps. steps: of the action.
    """

    def __init__(self, draw_progress: Callable[[Canvas, pygame.Rect, float], None], steps: int) -> None:
        self._draw_progress, self._steps = draw_progress, steps

    def draw(self, canvas: Canvas, rect: pygame.Rect, t: float) -> None:
        """Draw the miniature at a time [s]."""
        canvas.box(rect, palette.TABLECLOTH, 6)
        with canvas.clipped(rect):
            self._draw_progress(canvas, rect, t % (_STEP_TIME * self._steps) / _STEP_TIME)


def card_game_view(
    table_class: type[CardTable], miniature: CardMiniature, terms: GlossarySection, lesson: Lesson
) -> GameView:
    """Game view of a game played on a given kind of card table."""

    def frames(game: Game, turns: Iterable[Turn], *, is_detailed: bool = True) -> Iterator[Frame]:
        """Frames of the card table after each move; hands stay hidden."""
        del is_detailed
        canvas = Canvas(pygame.Surface((720, 480)), 0.72)
        table = table_class(game, lambda _: "", Preferences(muted=True), Sounds(Preferences(muted=True)))
        head = canvas.px(30)
        for turn in turns:
            table.layout(pygame.Rect(0, head, 720, 480 - head), canvas.scale)
            show_hand(table, game, turn, None)
            canvas.surface.fill(palette.BACKGROUND)
            table.draw(canvas)
            canvas.text(match_text.turn_text(game, turn), (canvas.px(10), canvas.px(6)), 16, bold=True,
                        max_width=720 - canvas.px(20))  # fmt: skip
            yield canvas.surface.copy(), _END_TIME

    prints = TurnRenderer(frames=frames)

    def draw_state(canvas: Canvas, rect: pygame.Rect, game: Game, state: State) -> None:
        """Draw the table with the hand of the seat to play open, reduced from a size at which its names have room."""
        table = table_class(game, lambda _: "", Preferences(muted=True), Sounds(Preferences(muted=True)))
        seat, width, height = game.rules.to_play(state), *map(canvas.px, _LEAST_SIZE)
        factor = max(1.0, width / rect.w, height / rect.h)
        area = rect if factor == 1.0 else pygame.Rect(0, 0, round(rect.w * factor), round(rect.h * factor))
        large = canvas if factor == 1.0 else Canvas(pygame.Surface(area.size), canvas.scale)
        table.layout(area, large.scale)
        view = game.rules.view
        table.set_view(view(view(state, 0), 1) if seat is None else view(state, seat), seat, is_choosing=False)
        table.draw(large)
        if large is not canvas:
            canvas.surface.blit(pygame.transform.smoothscale(large.surface, rect.size), rect)

    return GameView(
        screen=partial(CardScreen, table_class=table_class),
        replay=partial(CardReplay, renderer=prints, table_class=table_class),
        turn_renderer=prints,
        draw_state=draw_state,
        position_editor=partial(CardPositionEditorScreen, table_class=table_class),
        miniature=lambda _: miniature,
        terms=terms,
        lesson=lesson,
        keys=(key_maps(table_class), REPLAY_KEYS),
    )
