"""Side panel: players, scores, ruling, log, decisions and the playback of a shot."""

from collections.abc import Callable, Iterable, Sequence

import pygame

from flicksim.core.geometry import Point
from flicksim.gui.table_view import match_text
from flicksim.gui.table_view.playback import Playback, PlaybackClock, rate_text
from flicksim.gui.toolkit import Canvas, palette, piece_sprites
from flicksim.match import Match, Turn
from flicksim.referee import Reason

_LEAST_LETTERS = 9
"""Height of the smallest letters of a ruling [pixels]."""
_LEAST_SIZE = 10.0
"""Least size of the letters that tell an action [units]."""
LEAST_ROWS = 2
"""Lines that a caption and what stands under it need; with less room neither is drawn."""


def draw_heading(canvas: Canvas, rect: pygame.Rect, title: str, subtitle: str) -> int:
    """Draw the name of the game and its present part. Return its lower end [pixels]."""
    max_width = rect.w - (canvas.text_width(subtitle, 15, bold=True) + canvas.px(10) if subtitle else 0)
    size = 20.0
    while size > 14.0 and canvas.text_width(title, size, bold=True) > max_width:
        size -= 0.5
    canvas.text(title, (rect.x, rect.y + canvas.px((20.0 - size) * 0.6)), size, bold=True, max_width=max_width)
    if subtitle:
        canvas.text(subtitle, (rect.right, rect.y + canvas.px(4)), 15, palette.ACCENT, bold=True, anchor="topright")
    return rect.y + canvas.px(32)


def draw_chip(canvas: Canvas, position: Point, width: int, prompt: tuple[str, str, str]) -> None:
    """Draw the message shown while the panels are hidden, its lower left corner at a point: error, note or
    prompt."""
    text, note, error = prompt
    line = canvas.ellipsize(match_text.with_card_symbols(error or note or text), width, 14, bold=True)
    if line:
        rect = pygame.Rect(0, 0, canvas.text_width(line, 14, bold=True) + canvas.px(24), canvas.px(32))
        rect.bottomleft = (round(position[0]), round(position[1]))
        canvas.panel(rect)
        canvas.text(line, rect.center, 14, palette.BAD if error else palette.TEXT, bold=True, anchor="center")


def draw_caption(canvas: Canvas, rect: pygame.Rect, text: str) -> int:
    """Draw a small heading. Return its lower end [pixels]."""
    canvas.text(text.upper(), rect.topleft, 11, palette.MUTED_TEXT, bold=True)
    return rect.y + canvas.px(17)


def draw_prompt(canvas: Canvas, rect: pygame.Rect, text: str, note: str, error: str) -> int:
    """Draw the prompt, a note, and the error of the last input; nothing where an activity card leaves no room. Return
    the lower end [pixels]."""
    if rect.h < canvas.px(18) + canvas.line_height(16):
        return rect.y
    y = draw_caption(canvas, rect, "Now")
    area = pygame.Rect(rect.x, y, rect.w, min(canvas.px(64), rect.bottom - y))
    y = canvas.paragraph(match_text.with_card_symbols(text), area, 16, bold=True)
    for line, colour in ((note, palette.TEXT), (error, palette.BAD)):
        if line:
            high = min(7 * canvas.line_height(14), max(canvas.line_height(14), rect.bottom - y))
            area, line = pygame.Rect(rect.x, y, rect.w, high), match_text.with_card_symbols(line)
            y = canvas.paragraph(line, area, canvas.size_to_fit(line, area.size, 14, 11), colour)
    return y + canvas.px(8)


def draw_shot_feedback(canvas: Canvas, rect: pygame.Rect, text: str, action: str = "flick") -> int:
    """Draw the feedback on the last shot of a person, by what it is called. Return its lower end [pixels]."""
    if not text or rect.h < LEAST_ROWS * canvas.line_height(14):
        return rect.y
    y = draw_caption(canvas, rect, f"Your last {action}")
    area = pygame.Rect(rect.x, y, rect.w, min(3 * canvas.line_height(14), rect.bottom - y))
    return canvas.paragraph(text, area, 14) + canvas.px(8)


def draw_ruling(canvas: Canvas, rect: pygame.Rect, match: Match, turn: Turn | None) -> int:
    """Draw the last ruling, each sentence with its rule id. Return its lower end [pixels]."""
    if rect.h < LEAST_ROWS * canvas.line_height(14):
        return rect.y
    corrections = match.custom_start.corrections if match.custom_start is not None else ()
    caption = "Ruling on the position" if corrections else "Last ruling"
    y = draw_caption(canvas, rect, caption if turn is None else f"Ruling on turn {turn.number}")
    if turn is None and not corrections:
        canvas.text("none seen yet", (rect.x, y), 14, palette.MUTED_TEXT)
        return y + canvas.line_height(14) + canvas.px(8)
    reasons = corrections if turn is None else turn.verdict.reasons
    y = draw_reasons(canvas, pygame.Rect(rect.x, y, rect.w, rect.bottom - y), match, reasons)
    if turn is None:
        return y + canvas.px(8)
    y = _draw_points_gained(canvas, pygame.Rect(rect.x, y, rect.w, rect.bottom - y), match, turn)
    return y + canvas.px(8)


def _draw_points_gained(canvas: Canvas, rect: pygame.Rect, match: Match, turn: Turn) -> int:
    """Draw the points of a turn, each beside the mark of its seat. Return the lower end [pixels]."""
    x, y, height = rect.x, rect.y, canvas.line_height(15)
    points = [(seat, gained) for seat, gained in enumerate(turn.verdict.ruling.points) if gained]
    if not points or rect.h < height:
        return rect.y
    for seat, gained in points:
        text = f"{match_text.seat_text(match, seat)} {match_text.format_gain(gained)}"
        max_width = rect.w - canvas.px(20)
        if x > rect.x and x + canvas.px(20) + canvas.text_width(text, 15, bold=True) > rect.right:
            x, y = rect.x, y + height
        center, key = (x + canvas.px(8), y + height // 2), palette.seat_key(seat, match.game.seat_names)
        piece_sprites.draw_seat_coin(canvas.surface, center, canvas.px(7), key)
        x = canvas.text(text, (x + canvas.px(20), y), 15, bold=True, max_width=max_width).right + canvas.px(16)
    return y + height


def draw_reasons(canvas: Canvas, rect: pygame.Rect, match: Match, reasons: Sequence[Reason]) -> int:
    """Draw sentences with their ids, in smaller letters if not all fit. Return their lower end [pixels]."""
    width = rect.w - canvas.px(58)
    sentences = [(reason.rule, match_text.ruling_text(match, reason.text)) for reason in reasons]

    def total_height(size: float) -> int:
        return sum(
            len(canvas.wrap(text, width, size)) * canvas.line_height(size) + canvas.px(2) for _, text in sentences
        )

    sizes = [size for size in (14.0, 13.0, 12.0, 11.0, 10.0) if canvas.px(size) >= _LEAST_LETTERS] or [14.0]
    size = next((size for size in sizes if total_height(size) <= rect.h), sizes[-1])
    return draw_sentences(canvas, rect, sentences, size)


def draw_sentences(canvas: Canvas, rect: pygame.Rect, sentences: Sequence[tuple[str, str]], size: float = 14.0) -> int:
    """Draw the sentences of a ruling that fit, each with its rule id; dots stand for the others. Return their lower end
    [pixels]."""
    y, width, is_cut = rect.y, rect.w - canvas.px(58), False
    for rule, text in sentences:
        available = rect.bottom - y
        if available < canvas.line_height(size):
            dots = (rect.right - canvas.px(57), y - canvas.px(2))  # between the text and its rule id
            if y > rect.y and not is_cut:  # else they would lie over the caption, or beside others
                canvas.text("...", dots, 13, palette.MUTED_TEXT, anchor="bottomleft")
            break
        middle = y + canvas.line_height(size) // 2  # of the first line
        rule_size = max(min(11.0, size), _LEAST_LETTERS / canvas.scale)
        canvas.text(rule, (rect.right, middle), rule_size, palette.MUTED_TEXT, anchor="midright")
        is_cut = len(canvas.wrap(text, width, size)) * canvas.line_height(size) > available
        y = canvas.paragraph(text, pygame.Rect(rect.x, y, width, available), size) + canvas.px(2)
    return y


def draw_recent_turns(canvas: Canvas, rect: pygame.Rect, match: Match, turns: list[Turn]) -> None:
    """Draw the last turns that fit, newest first."""
    if turns:
        texts = ((turn.seat, match_text.turn_text(match.game, turn), palette.MUTED_TEXT) for turn in reversed(turns))
        draw_log(canvas, rect, match, "Turns", texts)


def draw_log(
    canvas: Canvas, rect: pygame.Rect, match: Match, caption: str, texts: Iterable[tuple[int, str, palette.Colour]]
) -> None:
    """Draw texts under a caption, each with its colour and after the mark of its seat: those that fit, the first cut if
    it must be."""
    if rect.h < canvas.px(40):
        return
    top = y = draw_caption(canvas, rect, caption)
    x, step = rect.x + canvas.px(16), canvas.line_height(13)
    for seat, text, colour in texts:
        available = pygame.Rect(x, y, rect.right - x, rect.bottom - y - canvas.px(2))
        if len(canvas.wrap(text, available.w, 13)) * step > available.h and y > top:
            break
        key = palette.seat_key(seat, match.game.seat_names)
        piece_sprites.draw_seat_coin(canvas.surface, (rect.x + canvas.px(6), y + step // 2), canvas.px(5), key)
        y = canvas.paragraph(text, available, 13, colour) + canvas.px(2)


def draw_action(canvas: Canvas, rect: pygame.Rect, text: str) -> int:
    """Draw what was played, without the error of the hand where there is no room. Return its lower end [pixels]."""
    y = draw_caption(canvas, rect, "Played")
    area = pygame.Rect(rect.x, y, rect.w, min(4 * canvas.line_height(14), rect.bottom - y))
    if len(canvas.wrap(text, area.w, _LEAST_SIZE)) * canvas.line_height(_LEAST_SIZE) > area.h:
        text = text.partition(". ")[0].rstrip(".") + "."
    return canvas.paragraph(text, area, canvas.size_to_fit(text, area.size, 14, _LEAST_SIZE)) + canvas.px(8)


def draw_score_line(
    canvas: Canvas, rect: pygame.Rect, texts: Sequence[str], draw_mark: Callable[[int, tuple[int, int]], None],
    gaps: tuple[float, float],
) -> int:  # fmt: skip
    """Draw the scores of all seats side by side, in as many lines as they need. Return their lower end [pixels].

    Args:
        canvas, rect: where to draw. texts: by seat. draw_mark: draws the mark of a seat around a point [pixels].
            gaps: between the lines and below them [units].
    """
    x, y, step = rect.x, rect.y, canvas.line_height(14) + canvas.px(gaps[0])
    for seat, text in enumerate(texts):
        wide = canvas.text_width(text, 14, bold=True) + canvas.px(34)
        if x + wide > rect.right:
            x, y = rect.x, y + step
        draw_mark(seat, (x + canvas.px(8), y + step // 2))
        canvas.text(text, (x + canvas.px(20), y), 14, bold=True)
        x += wide
    return y + step + canvas.px(gaps[1])


def draw_playback(canvas: Canvas, rect: pygame.Rect, playback: Playback) -> int:
    """Draw a playback's speed, time and bar. Return its lower end [pixels]."""
    y = draw_caption(canvas, rect, "Shown")
    return draw_time_bar(canvas, pygame.Rect(rect.x, y, rect.w, rect.h), playback)


def draw_time_bar(canvas: Canvas, rect: pygame.Rect, time: PlaybackClock) -> int:
    """Draw speed, time and bar of a playback. Return its lower end [pixels]."""
    y, duration = rect.y, time.motion_duration
    text = "paused" if time.is_paused else time.rate_text
    canvas.text(text, (rect.x, y), 17, palette.ACCENT if time.is_paused else palette.TEXT, bold=True)
    y += canvas.line_height(17)
    if time.is_paused and time.rate:
        canvas.text(rate_text(time.rate), (rect.x, y), 13, palette.MUTED_TEXT)
    y += canvas.line_height(13)
    canvas.text(f"{min(time.time, duration):.2f} of {duration:.2f} s", (rect.x, y), 14)
    y += canvas.line_height(14) + canvas.px(4)
    bar = pygame.Rect(rect.x, y, rect.w, canvas.px(8))
    canvas.box(bar, palette.INSET_BACKGROUND, 4)
    canvas.box(pygame.Rect(bar.x, bar.y, max(2, round(bar.w * time.progress)), bar.h), palette.ACCENT, 4)
    return bar.bottom + canvas.px(14)
