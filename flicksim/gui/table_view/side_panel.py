"""Side panel: players, scores, legal actions, ruling and log."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from flicksim.core.geometry import Point
from flicksim.core.type_aliases import State
from flicksim.gui.table_view import match_text
from flicksim.gui.toolkit import palette, piece_sprites
from flicksim.gui.toolkit.canvas import Canvas
from flicksim.match import Match, Turn
from flicksim.referee import Reason


def draw_heading(canvas: Canvas, rect: pygame.Rect, title: str, subtitle: str) -> int:
    """Draw the name of the game and its present part. Return its lower end [pixels]."""
    room = rect.w - (canvas.text_width(subtitle, 15, bold=True) + canvas.px(10) if subtitle else 0)
    size = 20.0
    while size > 14.0 and canvas.text_width(title, size, bold=True) > room:
        size -= 0.5
    canvas.text(title, (rect.x, rect.y + canvas.px((20.0 - size) * 0.6)), size, bold=True, max_width=room)
    if subtitle:
        canvas.text(subtitle, (rect.right, rect.y + canvas.px(4)), 15, palette.ACCENT, bold=True, anchor="topright")
    return rect.y + canvas.px(32)


def draw_seats(
    canvas: Canvas,
    rect: pygame.Rect,
    match: Match,
    state: State,
    scored_state: State,
    activity: str,
    turn: Turn | None = None,
    score_positions: dict[int, Point] | None = None,
    *,
    is_horizontal: bool = False,
) -> int:
    """Draw a card for each seat: mark, name, occupant, pieces in hand, score. Returns the end [pixels].

    Args:
        state: shown otherwise. scored_state: whose points are shown. activity: what the seat to act is doing.
        turn: the one that is being shown or read; what it played is not in hand any more.
        score_positions: filled with the position of each seat's points [pixels]. is_horizontal: side by side, not
        stacked.
    """
    y, count, gap = rect.y, len(match.players), canvas.px(8)
    high = rect.h if is_horizontal else canvas.px(62 if count <= 2 else 46)
    wide = (rect.w - (count - 1) * gap) // count if is_horizontal else rect.w
    scores, acts = match.rules.scores(scored_state), match.rules.to_play(state)
    for seat in range(count):
        card = pygame.Rect(rect.x + seat * (wide + gap) if is_horizontal else rect.x, y, wide, high)
        acting = seat == acts
        canvas.box(
            card, palette.RAISED_PANEL if acting else palette.PANEL, 8, palette.ACCENT if acting else palette.BORDER
        )
        key = palette.seat_key(seat, match.game.seat_names)
        r = canvas.px(15)
        mark = piece_sprites.piece_sprite(r, key, "penny", 0.0)
        canvas.surface.blit(mark, mark.get_rect(center=(card.x + canvas.px(26), card.centery)))
        x = card.x + canvas.px(50)
        name = canvas.text(match_text.seat_text(match, seat), (x, card.y + canvas.px(8)), 17, bold=True)
        room = card.right - canvas.px(60) - name.right - canvas.px(8)
        sub = canvas.first_fitting(match_text.action_text(match, seat, activity if acting else ""), room, 13)
        canvas.text(sub, (name.right + canvas.px(8), name.bottom - canvas.px(3)), 13,
                    palette.ACCENT if acting else palette.MUTED_TEXT, anchor="bottomleft")  # fmt: skip
        left = match_text.pieces_in_hand(match.game, state, seat)
        if turn is not None:
            left = match_text.pieces_in_hand_after(match.game, turn, seat)
        if left is not None:
            _draw_in_hand(canvas, (x, card.bottom - canvas.px(17)), key, left, card.right - canvas.px(60) - x)
        if score_positions is not None:
            score_positions[seat] = (card.right - canvas.px(22), card.centery)
        points = match_text.format_points(scores[seat])
        canvas.text(points, (card.right - canvas.px(14), card.centery), 28, bold=True, anchor="midright")
        if not is_horizontal:
            y += high + canvas.px(6)
    return y


def _draw_in_hand(canvas: Canvas, position: tuple[int, int], key: str | None, count: int, width: int) -> None:
    """Draw the pieces not yet played as small coins; as a number when there are too many."""
    r = canvas.px(7)
    step = 2 * r + canvas.px(4)
    if count == 0:
        canvas.text("none left in hand", position, 12, palette.MUTED_TEXT, anchor="midleft")
        return
    shown = count if count * step <= width else 1
    small = piece_sprites.piece_sprite(r, key, "penny", 0.0)
    for k in range(shown):
        canvas.surface.blit(small, small.get_rect(center=(position[0] + r + k * step, position[1])))
    if shown < count:
        canvas.text(
            f"× {count} in hand",
            (position[0] + step + canvas.px(4), position[1]),
            12,
            palette.MUTED_TEXT,
            anchor="midleft",
        )


def draw_chip(canvas: Canvas, position: Point, width: int, prompt: tuple[str, str, str]) -> None:
    """Draw the message shown while the panels are hidden, its lower left corner at a point: what was wrong, else a
    note, else what is due."""
    says, note, wrong = prompt
    words = canvas.ellipsize(match_text.with_card_symbols(wrong or note or says), width, 14, bold=True)
    if words:
        rect = pygame.Rect(0, 0, canvas.text_width(words, 14, bold=True) + canvas.px(24), canvas.px(32))
        rect.bottomleft = (round(position[0]), round(position[1]))
        canvas.panel(rect)
        canvas.text(words, rect.center, 14, palette.BAD if wrong else palette.TEXT, bold=True, anchor="center")


def draw_caption(canvas: Canvas, rect: pygame.Rect, text: str) -> int:
    """Draw a small heading. Return its lower end [pixels]."""
    canvas.text(text.upper(), rect.topleft, 11, palette.MUTED_TEXT, bold=True)
    return rect.y + canvas.px(17)


def draw_prompt(canvas: Canvas, rect: pygame.Rect, text: str, note: str, error: str) -> int:
    """Draw the prompt, a note, and the error of the last input. Return the lower end [pixels]."""
    y = draw_caption(canvas, rect, "Now")
    y = canvas.paragraph(
        match_text.with_card_symbols(text), pygame.Rect(rect.x, y, rect.w, canvas.px(64)), 16, bold=True
    )
    for words, colour in ((note, palette.TEXT), (error, palette.BAD)):
        if words:
            y = canvas.paragraph(
                match_text.with_card_symbols(words),
                pygame.Rect(rect.x, y, rect.w, 5 * canvas.line_height(14)),
                14,
                colour,
            )
    return y + canvas.px(8)


def draw_shot_feedback(canvas: Canvas, rect: pygame.Rect, text: str) -> int:
    """Draw the feedback on the last flick of a person. Return its lower end [pixels]."""
    if not text:
        return rect.y
    y = draw_caption(canvas, rect, "Your last flick")
    return canvas.paragraph(text, pygame.Rect(rect.x, y, rect.w, 3 * canvas.line_height(14)), 14) + canvas.px(8)


def draw_ruling(canvas: Canvas, rect: pygame.Rect, match: Match, turn: Turn | None) -> int:
    """Draw the last ruling, each sentence with its ledger id. Return its lower end [pixels]."""
    begun = match.custom_start.corrections if match.custom_start is not None else ()
    first = "Ruling on the position" if begun else "Last ruling"
    y = draw_caption(canvas, rect, first if turn is None else f"Ruling on turn {turn.number}")
    if turn is None and not begun:
        canvas.text("nothing played yet", (rect.x, y), 14, palette.MUTED_TEXT)
        return y + canvas.line_height(14) + canvas.px(8)
    y = _draw_reasons(
        canvas, pygame.Rect(rect.x, y, rect.w, rect.bottom - y), match, begun if turn is None else turn.verdict.reasons
    )
    if turn is None:
        return y + canvas.px(8)
    y = _draw_points_gained(canvas, pygame.Rect(rect.x, y, rect.w, rect.bottom - y), match, turn)
    return y + canvas.px(8)


def _draw_points_gained(canvas: Canvas, rect: pygame.Rect, match: Match, turn: Turn) -> int:
    """Draw the points of a turn, each beside the mark of its seat. Return the lower end [pixels]."""
    x, y, high = rect.x, rect.y, canvas.line_height(15)
    points = [(seat, gained) for seat, gained in enumerate(turn.verdict.ruling.points) if gained]
    if not points or rect.h < high:
        return rect.y
    for seat, gained in points:
        words = f"{match_text.seat_text(match, seat)} {'+' if gained > 0 else ''}{match_text.format_points(gained)}"
        room = rect.w - canvas.px(20)
        if x > rect.x and x + canvas.px(20) + canvas.text_width(words, 15, bold=True) > rect.right:
            x, y = rect.x, y + high
        mark = piece_sprites.piece_sprite(canvas.px(7), palette.seat_key(seat, match.game.seat_names), "penny", 0.0)
        canvas.surface.blit(mark, mark.get_rect(center=(x + canvas.px(8), y + high // 2)))
        x = canvas.text(words, (x + canvas.px(20), y), 15, bold=True, max_width=room).right + canvas.px(16)
    return y + high


def _draw_reasons(canvas: Canvas, rect: pygame.Rect, match: Match, reasons: Sequence[Reason]) -> int:
    """Draw sentences with their ids, in smaller letters if not all fit. Return their lower end [pixels]."""
    wide = rect.w - canvas.px(58)
    told = [match_text.ruling_text(match, reason.text) for reason in reasons]

    def high(size: float) -> int:
        return sum(len(canvas.wrap(says, wide, size)) * canvas.line_height(size) + canvas.px(2) for says in told)

    size = next((size for size in (14.0, 13.0, 12.0, 11.0) if high(size) <= rect.h), 10.0)
    y = rect.y
    for reason, says in zip(reasons, told, strict=True):
        room = rect.bottom - y
        if room < canvas.line_height(size):
            break
        canvas.text(reason.rule, (rect.right, y + canvas.px(2)), 11, palette.MUTED_TEXT, anchor="topright")
        y = canvas.paragraph(says, pygame.Rect(rect.x, y, wide, room), size) + canvas.px(2)
    return y


def draw_recent_turns(canvas: Canvas, rect: pygame.Rect, match: Match, turns: list[Turn]) -> None:
    """Draw the last turns that fit, newest first."""
    if rect.h < canvas.px(40) or not turns:
        return
    y = draw_caption(canvas, rect, "Turns")
    step = canvas.line_height(13) + canvas.px(2)
    for turn in reversed(turns):
        if y + step > rect.bottom:
            break
        key = palette.seat_key(turn.seat, match.game.seat_names)
        dot = piece_sprites.piece_sprite(canvas.px(5), key, "penny", 0.0)
        canvas.surface.blit(dot, dot.get_rect(center=(rect.x + canvas.px(6), y + step // 2)))
        canvas.text(match_text.turn_text(match.game, turn), (rect.x + canvas.px(16), y), 13, palette.MUTED_TEXT,
                    max_width=rect.w - canvas.px(16))  # fmt: skip
        y += step
