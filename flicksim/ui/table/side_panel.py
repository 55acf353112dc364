"""The side of the table: who plays, how it stands, what is allowed, what was ruled, what happened so far."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from flicksim.base.geometry import Point
from flicksim.base.kinds import State
from flicksim.play import Match, Turn
from flicksim.referee import Reason
from flicksim.ui.kit import coins, palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.table import standing


def heading(canvas: Canvas, rect: pygame.Rect, title: str, more: str) -> int:
    """The game's name and which part of it is on. Returns where it ends [pixels]."""
    room = rect.w - (canvas.wide(more, 15, bold=True) + canvas.px(10) if more else 0)
    size = 20.0
    while size > 14.0 and canvas.wide(title, size, bold=True) > room:
        size -= 0.5
    canvas.text(title, (rect.x, rect.y + canvas.px((20.0 - size) * 0.6)), size, bold=True, within=room)
    if more:
        canvas.text(more, (rect.right, rect.y + canvas.px(4)), 15, palette.ACCENT, bold=True, anchor="topright")
    return rect.y + canvas.px(32)


def seats(
    canvas: Canvas, rect: pygame.Rect, match: Match, state: State, scored: State, doing: str, turn: Turn | None = None,
    at: dict[int, Point] | None = None, *, across: bool = False,
) -> int:  # fmt: skip
    """A card for each seat: mark, name, who plays, pieces in hand, score. Returns where they end [pixels].

    Args:
        state: shown otherwise. scored: whose points are shown. doing: what the seat to act is doing.
            turn: the one that is being shown or read; what it played is not in hand any more.
        at: takes down where each seat's points stand [pixels]. across: side by side, not one under another.
    """
    y, count, gap = rect.y, len(match.players), canvas.px(8)
    high = rect.h if across else canvas.px(62 if count <= 2 else 46)
    wide = (rect.w - (count - 1) * gap) // count if across else rect.w
    scores, acts = match.rules.scores(scored), match.rules.to_play(state)
    for seat in range(count):
        card = pygame.Rect(rect.x + seat * (wide + gap) if across else rect.x, y, wide, high)
        acting = seat == acts
        canvas.box(card, palette.RAISED if acting else palette.PANEL, 8, palette.ACCENT if acting else palette.EDGE)
        key = palette.seat_key(seat, match.game.seat_names)
        r = canvas.px(15)
        mark = coins.coin(r, key, "penny", 0.0)
        canvas.surface.blit(mark, mark.get_rect(center=(card.x + canvas.px(26), card.centery)))
        x = card.x + canvas.px(50)
        name = canvas.text(standing.name(match, seat), (x, card.y + canvas.px(8)), 17, bold=True)
        room = card.right - canvas.px(60) - name.right - canvas.px(8)
        sub = canvas.fitting(standing.doing(match, seat, doing if acting else ""), room, 13)
        canvas.text(sub, (name.right + canvas.px(8), name.bottom - canvas.px(3)), 13,
                    palette.ACCENT if acting else palette.FAINT, anchor="bottomleft")  # fmt: skip
        left = standing.in_hand(match.game, state, seat)
        if turn is not None:
            left = standing.still_in_hand(match.game, turn, seat)
        if left is not None:
            _in_hand(canvas, (x, card.bottom - canvas.px(17)), key, left, card.right - canvas.px(60) - x)
        if at is not None:
            at[seat] = (card.right - canvas.px(22), card.centery)
        points = standing.number(scores[seat])
        canvas.text(points, (card.right - canvas.px(14), card.centery), 28, bold=True, anchor="midright")
        if not across:
            y += high + canvas.px(6)
    return y


def _in_hand(canvas: Canvas, at: tuple[int, int], key: str | None, left: int, room: int) -> None:
    """Pieces not yet played, as small coins; in figures when there are too many."""
    r = canvas.px(7)
    step = 2 * r + canvas.px(4)
    if left == 0:
        canvas.text("none left in hand", at, 12, palette.FAINT, anchor="midleft")
        return
    shown = left if left * step <= room else 1
    small = coins.coin(r, key, "penny", 0.0)
    for k in range(shown):
        canvas.surface.blit(small, small.get_rect(center=(at[0] + r + k * step, at[1])))
    if shown < left:
        canvas.text(f"× {left} in hand", (at[0] + step + canvas.px(4), at[1]), 12, palette.FAINT, anchor="midleft")


def chip(canvas: Canvas, at: Point, wide: int, due: tuple[str, str, str]) -> None:
    """The one thing to be read while the panels are away, its lower left corner at a point: what was wrong, else a
    note, else what is due."""
    says, note, wrong = due
    words = canvas.shortened(standing.said(wrong or note or says), wide, 14, bold=True)
    if words:
        rect = pygame.Rect(0, 0, canvas.wide(words, 14, bold=True) + canvas.px(24), canvas.px(32))
        rect.bottomleft = (round(at[0]), round(at[1]))
        canvas.pane(rect)
        canvas.text(words, rect.center, 14, palette.BAD if wrong else palette.TEXT, bold=True, anchor="center")


def caption(canvas: Canvas, rect: pygame.Rect, words: str) -> int:
    """A small heading. Returns where it ends [pixels]."""
    canvas.text(words.upper(), rect.topleft, 11, palette.FAINT, bold=True)
    return rect.y + canvas.px(17)


def now(canvas: Canvas, rect: pygame.Rect, says: str, note: str, wrong: str) -> int:
    """Draw what is allowed now, a note, and what was wrong with the last try. Returns where it ends [pixels]."""
    y = caption(canvas, rect, "Now")
    y = canvas.paragraph(standing.said(says), pygame.Rect(rect.x, y, rect.w, canvas.px(64)), 16, bold=True)
    for words, colour in ((note, palette.TEXT), (wrong, palette.BAD)):
        if words:
            y = canvas.paragraph(standing.said(words), pygame.Rect(rect.x, y, rect.w, 5 * canvas.high(14)), 14, colour)
    return y + canvas.px(8)


def told(canvas: Canvas, rect: pygame.Rect, words: str) -> int:
    """The last flick of a person told, as long as there is no other. Returns where it ends [pixels]."""
    if not words:
        return rect.y
    y = caption(canvas, rect, "Your last flick")
    return canvas.paragraph(words, pygame.Rect(rect.x, y, rect.w, 3 * canvas.high(14)), 14) + canvas.px(8)


def ruling(canvas: Canvas, rect: pygame.Rect, match: Match, turn: Turn | None) -> int:
    """The last ruling in words, each sentence with its ledger id. Returns where it ends [pixels]."""
    begun = match.begun.reasons if match.begun is not None else ()
    first = "Ruling on the position" if begun else "Last ruling"
    y = caption(canvas, rect, first if turn is None else f"Ruling on turn {turn.number}")
    if turn is None and not begun:
        canvas.text("nothing played yet", (rect.x, y), 14, palette.FAINT)
        return y + canvas.high(14) + canvas.px(8)
    y = _reasons(
        canvas, pygame.Rect(rect.x, y, rect.w, rect.bottom - y), match, begun if turn is None else turn.verdict.reasons
    )
    if turn is None:
        return y + canvas.px(8)
    y = _gained(canvas, pygame.Rect(rect.x, y, rect.w, rect.bottom - y), match, turn)
    return y + canvas.px(8)


def _gained(canvas: Canvas, rect: pygame.Rect, match: Match, turn: Turn) -> int:
    """The points of a turn, each beside the mark of the seat they go to. Returns where they end [pixels]."""
    x, y, high = rect.x, rect.y, canvas.high(15)
    points = [(seat, gained) for seat, gained in enumerate(turn.verdict.ruling.points) if gained]
    if not points or rect.h < high:
        return rect.y
    for seat, gained in points:
        words = f"{standing.name(match, seat)} {'+' if gained > 0 else ''}{standing.number(gained)}"
        room = rect.w - canvas.px(20)
        if x > rect.x and x + canvas.px(20) + canvas.wide(words, 15, bold=True) > rect.right:
            x, y = rect.x, y + high
        mark = coins.coin(canvas.px(7), palette.seat_key(seat, match.game.seat_names), "penny", 0.0)
        canvas.surface.blit(mark, mark.get_rect(center=(x + canvas.px(8), y + high // 2)))
        x = canvas.text(words, (x + canvas.px(20), y), 15, bold=True, within=room).right + canvas.px(16)
    return y + high


def _reasons(canvas: Canvas, rect: pygame.Rect, match: Match, reasons: Sequence[Reason]) -> int:
    """Sentences with their ids, in smaller letters where all would not fit. Returns where they end [pixels]."""
    wide = rect.w - canvas.px(58)
    told = [standing.told(match, reason.says) for reason in reasons]

    def high(size: float) -> int:
        return sum(len(canvas.wrapped(says, wide, size)) * canvas.high(size) + canvas.px(2) for says in told)

    size = next((size for size in (14.0, 13.0, 12.0, 11.0) if high(size) <= rect.h), 10.0)
    y = rect.y
    for reason, says in zip(reasons, told, strict=True):
        room = rect.bottom - y
        if room < canvas.high(size):
            break
        canvas.text(reason.rule, (rect.right, y + canvas.px(2)), 11, palette.FAINT, anchor="topright")
        y = canvas.paragraph(says, pygame.Rect(rect.x, y, wide, room), size) + canvas.px(2)
    return y


def recent(canvas: Canvas, rect: pygame.Rect, match: Match, turns: list[Turn]) -> None:
    """The last turns, newest first, as many as there is room for."""
    if rect.h < canvas.px(40) or not turns:
        return
    y = caption(canvas, rect, "Turns")
    step = canvas.high(13) + canvas.px(2)
    for turn in reversed(turns):
        if y + step > rect.bottom:
            break
        key = palette.seat_key(turn.seat, match.game.seat_names)
        dot = coins.coin(canvas.px(5), key, "penny", 0.0)
        canvas.surface.blit(dot, dot.get_rect(center=(rect.x + canvas.px(6), y + step // 2)))
        canvas.text(standing.line(match.game, turn), (rect.x + canvas.px(16), y), 13, palette.FAINT,
                    within=rect.w - canvas.px(16))  # fmt: skip
        y += step
