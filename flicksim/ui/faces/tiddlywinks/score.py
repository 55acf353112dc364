"""Four seats and how they stand: potted, free, squopped, behind; the clock, the rounds, free turns and duties."""

from __future__ import annotations

import pygame

from flicksim.base.geometry import Point
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks import scoring
from flicksim.games.tiddlywinks.free_turns import compulsory
from flicksim.games.tiddlywinks.squops import Squops
from flicksim.games.tiddlywinks.state import State
from flicksim.play import Match
from flicksim.ui.faces.tiddlywinks import pictures
from flicksim.ui.faces.tiddlywinks.kept import kept
from flicksim.ui.kit import palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.table import standing

_IF = "if it ended now"
_READABLE = 9.0
"""Size of letters below which the counts are given the whole line."""


def counts(state: State, seat: int) -> dict[str, int]:
    """The number of a seat's six in each place."""
    return kept(state, ("counts", seat), lambda: _counted(state, seat))


def _counted(state: State, seat: int) -> dict[str, int]:
    squops, book = Squops(state.scene, state.book), state.book
    found = {"potted": 0, "free": 0, "squopped": 0, "squopping": 0, "behind": 0}
    for wink in kit.winks_of(seat):
        if wink in book.potted:
            found["potted"] += 1
        elif wink in book.behind:
            found["behind"] += 1
        elif squops.squopped(wink):
            found["squopped"] += 1
        elif squops.squopping(wink):
            found["squopping"] += 1
        else:
            found["free"] += 1
    return found


def totals(state: State) -> tuple[int, int, int, int]:
    """Time-limit points by seat, as it lies."""
    return kept(state, "totals", lambda: scoring.time_limit_points(state.options, state.scene, state.book))


def seats(canvas: Canvas, rect: pygame.Rect, match: Match, state: State, doing: str, at: dict[int, Point]) -> int:
    """A card for each seat. Returns where they end [pixels].

    Args:
        doing: what the seat to act is doing. at: takes down where each seat's points stand [pixels].
    """
    y, high = rect.y, canvas.px(47)
    sums = totals(state)
    for seat in range(4):
        card = pygame.Rect(rect.x, y, rect.w, high)
        acting = seat == state.book.to_play
        canvas.box(card, palette.RAISED if acting else palette.PANEL, 8, palette.ACCENT if acting else palette.EDGE)
        key = palette.seat_key(seat, match.game.seat_names)
        mark = pictures.wink(canvas.px(13), key)
        canvas.surface.blit(mark, mark.get_rect(center=(card.x + canvas.px(22), card.centery)))
        x = card.x + canvas.px(44)
        at[seat] = (card.right - canvas.px(24), card.centery)
        name = canvas.text(standing.name(match, seat), (x, card.y + canvas.px(5)), 16, bold=True)
        ways = standing.doing(match, seat, doing if acting else "")
        sub = canvas.fitting(ways, card.right - canvas.px(44) - name.right - canvas.px(8), 12)
        canvas.text(sub, (name.right + canvas.px(8), name.bottom - canvas.px(2)), 12,
                    palette.ACCENT if acting else palette.FAINT, anchor="bottomleft")  # fmt: skip
        label = card.right - canvas.px(10) - canvas.wide(_IF, 10)
        told = counts(state, seat)
        beside = _size(canvas, told, label - canvas.px(6) - x) >= _READABLE
        _counts(canvas, (x, card.bottom - canvas.px(13)), told, (label if beside else card.right) - canvas.px(6) - x)
        canvas.text(
            str(sums[seat]), (card.right - canvas.px(12), card.y + canvas.px(3)), 22, bold=True, anchor="topright"
        )
        if beside:
            canvas.text(_IF, (card.right - canvas.px(10), card.bottom - canvas.px(4)), 10, palette.FAINT,
                        anchor="bottomright")  # fmt: skip
        y += high + canvas.px(4)
    return y


def across(canvas: Canvas, rect: pygame.Rect, match: Match, state: State, doing: str, at: dict[int, Point]) -> None:
    """A small card for each seat, side by side: mark, name, what it does, points if time were up.

    Args:
        doing, at: see `seats`.
    """
    gap, sums = canvas.px(6), totals(state)
    wide = (rect.w - 3 * gap) // 4
    for seat in range(4):
        card, acting = pygame.Rect(rect.x + seat * (wide + gap), rect.y, wide, rect.h), seat == state.book.to_play
        canvas.box(card, palette.RAISED if acting else palette.PANEL, 8, palette.ACCENT if acting else palette.EDGE)
        mark = pictures.wink(canvas.px(12), palette.seat_key(seat, match.game.seat_names))
        canvas.surface.blit(mark, mark.get_rect(center=(card.x + canvas.px(20), card.centery)))
        points = canvas.text(str(sums[seat]), (card.right - canvas.px(10), card.centery), 22, bold=True,
                             anchor="midright")  # fmt: skip
        at[seat] = points.center
        name = canvas.text(standing.name(match, seat), (card.x + canvas.px(40), card.centery), 16, bold=True,
                           anchor="midleft")  # fmt: skip
        room = points.x - name.right - canvas.px(16)
        sub = canvas.fitting((*standing.doing(match, seat, doing if acting else ""), ""), room, 12)
        canvas.text(sub, (name.right + canvas.px(8), card.centery), 12, palette.ACCENT if acting else palette.FAINT,
                    anchor="midleft")  # fmt: skip


def _parts(found: dict[str, int]) -> list[tuple[str, str]]:
    """ "2 in pot", "1 free", ... each with what it counts; what there is none of is left out."""
    words = {"potted": "in pot"}
    return [(f"{n} {words.get(what, what)}", what) for what, n in found.items() if n]


def _size(canvas: Canvas, found: dict[str, int], room: int) -> float:
    """The size of letters in which the counts fit there, 8 at least."""
    size = 12.0
    while size > 8.0 and sum(canvas.wide(part, size) + canvas.px(8) for part, _ in _parts(found)) > room:
        size -= 0.5
    return size


def _counts(canvas: Canvas, at: tuple[int, int], found: dict[str, int], room: int) -> None:
    """The counts in a line."""
    colours = {"potted": palette.GOOD, "squopped": palette.BAD}
    x, size = at[0], _size(canvas, found, room)
    for part, what in _parts(found):
        x = canvas.text(part, (x, at[1]), size, colours.get(what, palette.FAINT), anchor="midleft").right + canvas.px(8)


def clock(canvas: Canvas, rect: pygame.Rect, state: State) -> int:
    """Time, rounds, free turns, duties, each in a line. Returns where they end [pixels]."""
    y = rect.y
    for words, loud in lines(state):
        y = canvas.paragraph(words, pygame.Rect(rect.x, y, rect.w, canvas.high(13) * 2), 13,
                             palette.ACCENT if loud else palette.FAINT)  # fmt: skip
    return y + canvas.px(5)


def lines(state: State) -> list[tuple[str, bool]]:
    """Time, rounds, free turns and duties in words; what is out of the ordinary is marked."""
    book, options = state.book, state.options
    found: list[tuple[str, bool]] = []
    if book.phase == "squidge_off":
        return [("Squidge-off: the nearest to the pot opens.", True)]
    if book.to_play is None:
        return [("Played to the end.", True)]
    opener = f"{kit.SEATS[book.opener]} opened. " if book.opener is not None else ""
    if book.potted_out:
        out = ", ".join(kit.SEATS[seat] for group in book.finished for seat in group)
        found.append((f"Potted out: {out}. Squops no longer count; no limit on time.", True))
    elif options.time_limit_s is None:
        found.append((f"{opener}{standing.clock(book.clock)} played, no time limit.", False))
    elif book.laps is None:
        found.append((f"{opener}{standing.clock(book.clock)} of {standing.clock(options.time_limit_s)} played.", False))
    elif book.laps > options.rounds:
        found.append(
            (f"Time is up. To the end of {kit.SEATS[book.opener or 0]}'s turn, then {options.rounds} rounds.", True)
        )
    else:
        found.append((f"Time is up: round {options.rounds - book.laps + 1} of {options.rounds}.", True))
    if book.episode is not None:
        pair, left = kit.PAIRS[book.episode.pair], book.episode.left
        if left:
            found.append((f"Free turns: {pair} have {left} left.", True))
        elif book.phase != "aside":
            due = book.to_play is not None and compulsory(book.episode, book.to_play)
            found.append((f"{pair} must free an opposing wink with {'this' if due else 'their next'} shot.", True))
    if book.protected is not None:
        found.append((f"{kit.PAIRS[book.protected]} may not be squopped out before their next shot.", True))
    if book.missing:
        found.append((f"Misses the next shot: {', '.join(kit.SEATS[seat] for seat in book.missing)}.", True))
    if book.extra:
        found.append((f"Extra shots after this one: {book.extra}.", True))
    return found
