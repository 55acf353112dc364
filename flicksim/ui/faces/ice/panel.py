"""The side of the table of pyramids: each seat's launcher, stash and score; the launch in hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import pygame

from flicksim.games.ice.state import State
from flicksim.play import Match
from flicksim.table import SIZES, Kit, Size
from flicksim.ui.faces.ice import pictures
from flicksim.ui.faces.ice.count import Counted, stash, tally
from flicksim.ui.faces.ice.log_lines import Told, came, ended, said
from flicksim.ui.kit import coins, palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.table import side_panel, standing

_SIGNS = (
    ("stands", "a pale frame: it stands and counts its pips, 1, 2 or 3"),
    ("twice", "a golden frame: its base is on a piece that is not upright; it counts twice"),
    ("leans", "a dotted line: it leans, on the piece with the dot"),
)


@dataclass(frozen=True, slots=True)
class Card:
    """The card of a seat.

    Args:
        doing: what it does, in a few words. keys: its keys, if it has its own. charge: strength gathered, 0 to 1;
            None while it does not. chosen: whether the mouse is its. lit: whether it may flick now.
    """

    doing: str
    keys: str = ""
    charge: float | None = None
    chosen: bool = False
    lit: bool = False


def seats(
    canvas: Canvas, boxes: Sequence[pygame.Rect], match: Match, state: State, seen: Counted, cards: Sequence[Card]
) -> None:
    """A card for each seat in its box: mark, name, what it does, its stash, its points."""
    for seat, (box, card) in enumerate(zip(boxes, cards, strict=True)):
        canvas.box(box, palette.RAISED if card.chosen else palette.PANEL, 8,
                   palette.ACCENT if card.chosen else palette.EDGE)  # fmt: skip
        _card(canvas, box, match, state, seen, seat, card)


def _card(canvas: Canvas, box: pygame.Rect, match: Match, state: State, seen: Counted, seat: int, card: Card) -> None:
    key = palette.seat_key(seat, match.game.seat_names)
    mark = coins.coin(canvas.px(12), key, "penny", 0.0)
    canvas.surface.blit(mark, mark.get_rect(center=(box.x + canvas.px(20), box.y + canvas.px(21))))
    x = box.x + canvas.px(40)
    title = canvas.text(standing.name(match, seat), (x, box.y + canvas.px(5)), 16, bold=True)
    bot = match.players[seat] is not None
    ways = standing.doing(match, seat, card.doing) if bot else (card.doing,)
    doing = canvas.fitting(ways, box.right - canvas.px(54) - title.right, 12)
    canvas.text(doing, (title.right + canvas.px(7), title.bottom - canvas.px(2)),
                12, palette.ACCENT if card.lit else palette.FAINT, anchor="bottomleft")  # fmt: skip
    found = tally(seen, seat)
    points = canvas.text(str(found.points), (box.right - canvas.px(10), box.y + canvas.px(3)), 25, bold=True,
                         anchor="topright")  # fmt: skip
    low = box.bottom - canvas.px(11)
    words = f"{found.once} up, {found.twice} twice" if found.twice else f"{found.once} upright"
    told = canvas.text(words, (box.right - canvas.px(10), low), 11, palette.FAINT, anchor="midright")
    _stash(canvas, (x, low), state.scene.kit, key, stash(state, seat), min(told.x, points.x) - canvas.px(6))
    if card.keys:
        canvas.text(card.keys, (x, box.y + canvas.px(25)), 12, palette.TEXT, within=points.x - x)
    if card.charge is not None:
        bar = pygame.Rect(box.x + 3, box.bottom - canvas.px(11), box.w - 6, canvas.px(9))
        canvas.box(bar, palette.WELL, 3, palette.EDGE)
        fill = palette.mix(palette.GOOD, palette.BAD, max(0.0, card.charge * 1.6 - 0.6))
        canvas.surface.fill(fill, (bar.x, bar.y, max(2, round(bar.w * card.charge)), bar.h))


def _stash(canvas: Canvas, at: tuple[int, int], kit: Kit, key: str | None, left: dict[Size, int], right: int) -> None:
    """A small pyramid of each size, and how many of it are in hand."""
    x, y = at
    if not any(left.values()):
        canvas.text("none left in hand", (x, y), 11, palette.FAINT, anchor="midleft", within=right - x)
        return
    for size in SIZES:
        shape = kit.shape(size)
        zoom = canvas.px(20) / kit.large.height
        picture = pictures.from_side(shape, zoom, key, 0.0, 0.0)
        faint = left[size] == 0
        if faint:
            picture = picture.copy()
            picture.set_alpha(70)
        wide = round(shape.base * zoom)
        foot = y + canvas.px(8)
        canvas.surface.blit(picture, picture.get_rect(center=(x + wide // 2, foot)))
        shown = canvas.text(f"{left[size]}", (x + wide + canvas.px(3), y), 13,
                            palette.FAINT if faint else palette.TEXT, bold=not faint, anchor="midleft")  # fmt: skip
        x = shown.right + canvas.px(9)


def ruling(canvas: Canvas, rect: pygame.Rect, match: Match, last: Told) -> int:
    """Draw what was ruled on a missile that has come down, with the ledger ids. Returns where it ends [pixels]."""
    who = standing.name(match, last.seat)
    y = side_panel.caption(canvas, rect, f"{who} {said(last.landing.launch.piece)}, turn {last.turn.number}")
    for reason in last.reasons:
        room = rect.bottom - y
        if room < canvas.high(14):
            break
        canvas.text(reason.rule, (rect.right, y + canvas.px(2)), 11, palette.FAINT, anchor="topright")
        says = standing.told(match, reason.says)
        y = canvas.paragraph(says, pygame.Rect(rect.x, y, rect.w - canvas.px(58), room), 14) + canvas.px(2)
    return y + canvas.px(6)


def so_far(canvas: Canvas, rect: pygame.Rect, log_lines: Sequence[Told], seen: Counted) -> int:
    """Draw what somebody who practises alone has done so far, as the referee counts it. Returns where it ends
    [pixels]."""
    y = side_panel.caption(canvas, rect, "So far")
    return canvas.paragraph(practised(log_lines, seen), pygame.Rect(rect.x, y, rect.w, rect.bottom - y), 14) + 8


def practised(log_lines: Sequence[Told], seen: Counted) -> str:
    """Launches by what became of them, and what stands now, as "4 launched · 2 × stands · 2 × lies · ..."."""
    if not log_lines:
        return "Nothing launched yet."
    ends = Counter(ended(one) for one in log_lines)
    words = [f"{many} × {how}" for how, many in ends.most_common()]
    points = sum(points for _, points in seen)
    return " · ".join([f"{len(log_lines)} launched", *words, f"What stands counts {points}."])


def landed(canvas: Canvas, rect: pygame.Rect, match: Match, log_lines: Sequence[Told]) -> None:
    """Draw what came of the last launches, newest first, as many as there is room for."""
    if rect.h < canvas.px(36):
        return
    y = side_panel.caption(canvas, rect, "Come down")
    if not log_lines:
        canvas.text("nothing yet", (rect.x, y), 14, palette.FAINT)
        return
    step = canvas.high(13) + canvas.px(2)
    for one in log_lines:
        if y + step > rect.bottom:
            break
        dot = coins.coin(canvas.px(6), palette.seat_key(one.seat, match.game.seat_names), "penny", 0.0)
        canvas.surface.blit(dot, dot.get_rect(center=(rect.x + canvas.px(7), y + step // 2)))
        missile = one.landing.missile
        counts = one.fate.fate == "stays" and missile is not None and missile.standing
        canvas.text(f"{said(one.landing.launch.piece)} {came(one)}", (rect.x + canvas.px(18), y), 13,
                    palette.GOOD if counts else palette.FAINT, within=rect.w - canvas.px(18))  # fmt: skip
        y += step


def legend(canvas: Canvas, box: pygame.Rect) -> None:
    """Draw what the signs on the table mean."""
    y = side_panel.caption(canvas, box, "Signs on the table") + canvas.px(4)
    for sign, words in _SIGNS:
        middle = (box.x + canvas.px(12), y + canvas.px(12))
        room = pygame.Rect(box.x + canvas.px(34), y, box.w - canvas.px(34), canvas.high(13) * 3)
        if sign == "leans":
            canvas.dashes((middle[0] - canvas.px(10), middle[1]), middle, palette.TEXT, canvas.px(2), canvas.px(2.5))
            canvas.disc(middle, canvas.px(4), palette.GLOW)
        else:
            frame = pygame.Rect(0, 0, canvas.px(16), canvas.px(16))
            frame.center = middle
            canvas.surface.fill(palette.board("wood"), frame)
            edge = palette.CHALK if sign == "stands" else palette.GLOW
            pygame.draw.rect(canvas.surface, edge, frame, max(2, canvas.px(2)))
        y = max(canvas.paragraph(words, room, 13, palette.FAINT), middle[1] + canvas.px(12)) + canvas.px(8)
