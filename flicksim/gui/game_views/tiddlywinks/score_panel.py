"""Score panel of tiddlywinks: counts of each seat, clock, rounds, free turns and duties; prompt and position."""

from collections.abc import Sequence

import pygame

from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks import scoring
from flicksim.games.tiddlywinks.squops import Squops
from flicksim.games.tiddlywinks.state import State
from flicksim.games.tiddlywinks.turn_order import must_free
from flicksim.gui.game_views.tiddlywinks import wink_sprites
from flicksim.gui.game_views.tiddlywinks.state_cache import cached
from flicksim.gui.match.match_controller import MatchController
from flicksim.gui.table_view import match_text
from flicksim.gui.toolkit import Canvas, palette
from flicksim.match import Match

_IF_ENDED_TEXT = "if it ended now"
_MIN_TEXT_SIZE = 9.0
"""Text size below which the counts get a line of their own."""


@cached
def wink_counts(state: State, seat: int) -> dict[str, int]:
    """Number of a seat's winks in each place."""
    squops, book = Squops(state.scene, state.book), state.book
    counts = {"potted": 0, "free": 0, "squopped": 0, "squopping": 0, "behind": 0}
    for wink in kit.winks_of(seat):
        if wink in book.potted:
            counts["potted"] += 1
        elif wink in book.behind:
            counts["behind"] += 1
        elif squops.is_squopped(wink):
            counts["squopped"] += 1
        elif squops.is_squopping(wink):
            counts["squopping"] += 1
        else:
            counts["free"] += 1
    return counts


@cached
def score_totals(state: State) -> tuple[int, int, int, int]:
    """Time-limit points by seat in the current position."""
    return scoring.time_limit_points(state.options, state.scene, state.book)


def draw_seats(canvas: Canvas, rect: pygame.Rect, controller: MatchController) -> int:
    """Draw a card for each seat. Return their lower end [pixels]."""
    y, high, state = rect.y, canvas.px(47), controller.visible_state
    for seat, total in enumerate(score_totals(state)):
        card = pygame.Rect(rect.x, y, rect.w, high)
        colour = _draw_card(canvas, card, controller, seat, 13, 22)
        x, right = card.x + canvas.px(44), card.right
        controller.score_positions[seat] = (right - canvas.px(24), card.centery)
        name = canvas.text(match_text.seat_text(controller.match, seat), (x, card.y + canvas.px(5)), 16, bold=True)
        width = right - canvas.px(44) - name.right - canvas.px(8)
        activity = canvas.first_fitting(_activity_texts(controller, seat), width, 12)
        at = (name.right + canvas.px(8), name.bottom - canvas.px(2))
        canvas.text(activity, at, 12, colour, anchor="bottomleft")
        label = right - canvas.px(10) - canvas.text_width(_IF_ENDED_TEXT, 10)
        counts = wink_counts(state, seat)
        is_beside_label = _fitting_size(canvas, counts, label - canvas.px(6) - x) >= _MIN_TEXT_SIZE
        width = (label if is_beside_label else right) - canvas.px(6) - x
        _draw_counts(canvas, (x, card.bottom - canvas.px(13)), counts, width)
        canvas.text(str(total), (right - canvas.px(12), card.y + canvas.px(3)), 22, bold=True, anchor="topright")
        if is_beside_label:
            at = (right - canvas.px(10), card.bottom - canvas.px(4))
            canvas.text(_IF_ENDED_TEXT, at, 10, palette.MUTED_TEXT, anchor="bottomright")
        y += high + canvas.px(4)
    return y


def draw_compact_seats(canvas: Canvas, rect: pygame.Rect, controller: MatchController) -> None:
    """Draw small cards side by side: mark, name, activity, points if time were up."""
    gap = canvas.px(6)
    wide = (rect.w - 3 * gap) // 4
    for seat, total in enumerate(score_totals(controller.visible_state)):
        card = pygame.Rect(rect.x + seat * (wide + gap), rect.y, wide, rect.h)
        colour, mid = _draw_card(canvas, card, controller, seat, 12, 20), card.centery
        points = canvas.text(str(total), (card.right - canvas.px(10), mid), 22, bold=True, anchor="midright")
        controller.score_positions[seat] = points.center
        title = match_text.seat_text(controller.match, seat)
        name = canvas.text(title, (card.x + canvas.px(40), mid), 16, bold=True, anchor="midleft")
        width = points.x - name.right - canvas.px(16)
        activity = canvas.first_fitting((*_activity_texts(controller, seat), ""), width, 12)
        canvas.text(activity, (name.right + canvas.px(8), mid), 12, colour, anchor="midleft")


def _draw_card(
    canvas: Canvas, card: pygame.Rect, controller: MatchController, seat: int, radius: float, offset: float
) -> palette.Colour:
    """Draw the box of a seat and its mark [units]. Return the colour of its activity."""
    is_acting = seat == controller.visible_state.book.to_play
    fill, edge = (palette.RAISED_PANEL, palette.ACCENT) if is_acting else (palette.PANEL, palette.BORDER)
    canvas.box(card, fill, 8, edge)
    mark = wink_sprites.wink_sprite(canvas.px(radius), palette.seat_key(seat, controller.match.game.seat_names))
    canvas.surface.blit(mark, mark.get_rect(center=(card.x + canvas.px(offset), card.centery)))
    return palette.ACCENT if is_acting else palette.MUTED_TEXT


def _activity_texts(controller: MatchController, seat: int) -> Sequence[str]:
    is_acting = seat == controller.visible_state.book.to_play
    return match_text.action_text(controller.match, seat, controller.seat_activity if is_acting else "")


def _count_parts(counts: dict[str, int]) -> list[tuple[str, str]]:
    """Texts such as "2 in pot", "1 free", each with its points; empty places are left out."""
    labels = {"potted": "in pot", "behind": "to bring in"}
    return [(f"{n} {labels.get(what, what)}", what) for what, n in counts.items() if n]


def _fitting_size(canvas: Canvas, counts: dict[str, int], width: int) -> float:
    """Text size in which the counts fit, 8 at least."""
    size = 12.0
    while size > 8.0 and sum(canvas.text_width(part, size) + canvas.px(8) for part, _ in _count_parts(counts)) > width:
        size -= 0.5
    return size


def _draw_counts(canvas: Canvas, position: tuple[int, int], counts: dict[str, int], width: int) -> None:
    colours = {"potted": palette.GOOD, "squopped": palette.BAD}
    x, size = position[0], _fitting_size(canvas, counts, width)
    for part, what in _count_parts(counts):
        x = canvas.text(
            part, (x, position[1]), size, colours.get(what, palette.MUTED_TEXT), anchor="midleft"
        ).right + canvas.px(8)


def draw_clock(canvas: Canvas, rect: pygame.Rect, state: State) -> int:
    """Draw time, rounds, free turns and duties line by line. Return the lower end [pixels]."""
    y = rect.y
    for text, is_highlighted in status_lines(state):
        area = pygame.Rect(rect.x, y, rect.w, min(canvas.line_height(13) * 2, rect.bottom - y))
        if area.h >= canvas.line_height(13):
            y = canvas.paragraph(text, area, 13, palette.ACCENT if is_highlighted else palette.MUTED_TEXT)
    return y + canvas.px(5)


def status_lines(state: State) -> list[tuple[str, bool]]:
    """Time, rounds, free turns and duties as text, with marks on unusual ones."""
    book, options = state.book, state.options
    lines: list[tuple[str, bool]] = []
    if book.phase == "squidge_off":
        return [("Squidge-off: the nearest to the pot opens.", True)]
    if book.to_play is None:
        return [("Played to the end.", True)]
    opener = f"{kit.SEATS[book.opener]} opened. " if book.opener is not None else ""
    if book.potted_out:
        out = ", ".join(kit.SEATS[seat] for group in book.finished for seat in group)
        lines.append((f"Potted out: {out}. Squops no longer count; no limit on time.", True))
    elif options.time_limit_s is None:
        lines.append((f"{opener}{match_text.format_clock(book.clock)} played, no time limit.", False))
    elif book.laps is None:
        played, limit = match_text.format_clock(book.clock), match_text.format_clock(options.time_limit_s)
        lines.append((f"{opener}{played} of {limit} played.", False))
    elif book.laps > options.rounds:
        lines.append(
            (f"Time is up. To the end of {kit.SEATS[book.opener or 0]}'s turn, then {options.rounds} rounds.", True)
        )
    else:
        lines.append((f"Time is up: round {options.rounds - book.laps + 1} of {options.rounds}.", True))
    if book.episode is not None:
        pair, remaining = kit.PAIRS[book.episode.pair], book.episode.left
        if remaining:
            lines.append((f"Free turns: {pair} have {remaining} left.", True))
        elif book.phase != "aside":
            is_freeing = book.to_play is not None and must_free(book.episode, book.to_play)
            lines.append(
                (f"{pair} must free an opposing wink with {'this' if is_freeing else 'their next'} shot.", True)
            )
    if book.protected is not None:
        lines.append((f"{kit.PAIRS[book.protected]} may not be squopped out before their next shot.", True))
    if book.missing:
        lines.append((f"Misses the next shot: {', '.join(kit.SEATS[seat] for seat in book.missing)}.", True))
    if book.extra:
        lines.append((f"Extra shots after this one: {book.extra}.", True))
    return lines


_TEXT_SIZE = 13.0


def _position_lines(canvas: Canvas, match: Match, width: int) -> list[str]:
    if match.custom_start is None:
        return []
    position = match.custom_start.position
    text = f"{position.title}: {position.look}" if position.look else position.title
    return canvas.wrap(text, width - 2 * canvas.px(14), _TEXT_SIZE)


def position_height(canvas: Canvas, match: Match, width: int) -> int:
    """Height of the description over the mat [pixels]; zero if the match began from the usual start."""
    lines = _position_lines(canvas, match, width)
    return len(lines) * canvas.line_height(_TEXT_SIZE) + canvas.px(10) if lines else 0


def draw_position(canvas: Canvas, match: Match, table_rect: pygame.Rect, width: int) -> None:
    """Draw the description over the mat, within the width beside the panel [pixels]."""
    lines = _position_lines(canvas, match, width)
    if not lines:
        return
    canvas.box(pygame.Rect(0, 0, table_rect.w, table_rect.y), palette.PANEL)
    for k, line in enumerate(lines):
        canvas.text(line, (canvas.px(14), canvas.px(5) + k * canvas.line_height(_TEXT_SIZE)), _TEXT_SIZE, palette.TEXT)
