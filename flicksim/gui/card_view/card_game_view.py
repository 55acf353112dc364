"""Game view of a card or tile game, built from its card table, and its miniature."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial

import pygame

from flicksim.core.type_aliases import State
from flicksim.gui.app import GameView, GlossarySection, Lesson, TurnRenderer
from flicksim.gui.card_view.card_position_editor import CardPositionEditorScreen
from flicksim.gui.card_view.card_replay import REPLAY_KEYS, CardReplay, show_hand
from flicksim.gui.card_view.card_screen import CardScreen, key_maps
from flicksim.gui.card_view.card_table import CardTable
from flicksim.gui.table_view import match_text
from flicksim.gui.toolkit import Canvas, Frame, Preferences, Sounds, palette
from flicksim.match import Turn
from flicksim.referee import Game

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
        """Draw the table with the hand of the seat to play open."""
        table = table_class(game, lambda _: "", Preferences(muted=True), Sounds(Preferences(muted=True)))
        seat = game.rules.to_play(state)
        table.layout(rect, canvas.scale)
        view = game.rules.view
        table.set_view(view(view(state, 0), 1) if seat is None else view(state, seat), seat, is_choosing=False)
        table.draw(canvas)

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
