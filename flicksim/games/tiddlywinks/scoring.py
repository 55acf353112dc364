"""Scoring: places, ties, point transfer, and time-limit points (TW-5, TW-11e to TW-11j)."""

from collections.abc import Sequence
from fractions import Fraction

from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.adjudication_context import AdjudicationContext
from flicksim.games.tiddlywinks.equipment import Options
from flicksim.games.tiddlywinks.squops import Squops
from flicksim.games.tiddlywinks.state import Book
from flicksim.scene import Scene

PLACES = (4, 2, 1, 0)
"""Points for first, second, third and fourth (TW-5a to TW-5d, TW-11h)."""

Points = tuple[Fraction, Fraction, Fraction, Fraction]


def by_place(groups: Sequence[Sequence[int]]) -> Points:
    """Points by seat from groups of level seats, best first: each gets the mean of the places they fill (TW-11j)."""
    points = [Fraction(0)] * 4
    place = 0
    for group in groups:
        share = Fraction(sum(PLACES[place : place + len(group)]), len(group))
        for seat in group:
            points[seat] = share
        place += len(group)
    return _as_four(points)


def transfer_point(points: Points) -> Points:
    """Transfer one point from the losing to the winning pair, as after potting out (TW-5f).

    It comes from the loser with more, then from his partner; it goes to the winner with more.
    """
    pairs = pair_points(points)
    if pairs[0] == pairs[1]:
        return points
    winner = 0 if pairs[0] > pairs[1] else 1
    changed, to_transfer = list(points), Fraction(1)
    changed[max((winner, winner + 2), key=lambda seat: points[seat])] += to_transfer
    for seat in sorted((1 - winner, 3 - winner), key=lambda seat: -points[seat]):
        taken = min(to_transfer, changed[seat])
        changed[seat] -= taken
        to_transfer -= taken
    return _as_four(changed)


def pair_points(points: Sequence[Fraction]) -> tuple[Fraction, Fraction]:
    """Points by pair: the partners' points added (TW-5e, TW-11i)."""
    return points[0] + points[2], points[1] + points[3]


def forfeit_points(seat: int) -> Points:
    """Points after a forfeit: all 7 to the opponents of a seat, half to each (TW-12h)."""
    return _as_four([Fraction(0) if kit.pair_of(other) == kit.pair_of(seat) else Fraction(7, 2) for other in range(4)])


def time_limit_points(options: Options, scene: Scene, book: Book) -> tuple[int, int, int, int]:
    """Time-limit points by seat: 3 for each wink in the pot, 1 for each in play and not squopped (TW-11e to TW-11g)."""
    squops = Squops(scene, book)

    def wink_points(wink: str) -> int:
        if wink in book.potted:
            return 3
        if wink in book.behind:
            return int(options.behind_counts)
        return int(not squops.is_squopped(wink))

    blue, green, red, yellow = (sum(wink_points(wink) for wink in kit.winks_of(seat)) for seat in range(4))
    return blue, green, red, yellow


def rank_by_total(totals: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Seats by falling total, level ones together (TW-11h, TW-11j)."""
    return tuple(
        tuple(seat for seat in range(4) if totals[seat] == total) for total in sorted(set(totals), reverse=True)
    )


def provisional_points(options: Options, scene: Scene, book: Book) -> Points:
    """Points if the game were adjudicated now; players who have potted out keep their places."""
    if book.potted_out:
        return transfer_point(places_of(book))
    return by_place(rank_by_total(time_limit_points(options, scene, book)))


def places_of(book: Book) -> Points:
    """Points by order of potting out; the seats that have not share the places left."""
    unfinished = tuple(seat for seat in range(4) if not any(seat in group for group in book.finished))
    return by_place((*book.finished, unfinished) if unfinished else book.finished)


def adjudicate(context: AdjudicationContext) -> None:
    """End the game by time: totals are ranked, ties averaged, nothing is transferred (TW-11d to TW-11j)."""
    totals = time_limit_points(context.options, context.scene, context.book)
    groups = rank_by_total(totals)
    points = by_place(groups)
    listed = ", ".join(f"{kit.SEATS[seat]} {totals[seat]}" for seat in range(4))
    context.add_reason(
        "TW-11d", f"Nobody has potted out when the rounds end: the game is adjudicated. Totals: {listed}."
    )
    if any(len(group) > 1 for group in groups):
        context.add_reason("TW-11j", "Level players each get the average of the places they fill.")
    end_game(context, points, "TW-11i")


def finish(context: AdjudicationContext) -> None:
    """End the game by potting out: places by order of finishing, and a point is transferred (TW-5)."""
    points = places_of(context.book)
    changed = transfer_point(points)
    if changed != points:
        winner = 0 if pair_points(points)[0] > pair_points(points)[1] else 1
        context.add_reason("TW-5f", f"Won by potting out: one point goes to {kit.PAIRS[winner]}.")
    end_game(context, changed, "TW-5e")


def end_game(context: AdjudicationContext, points: Points, rule: str) -> None:
    """End the game with these points."""
    ours, theirs = pair_points(points)
    context.add_reason(rule, f"{kit.PAIRS[0]} have {ours}, {kit.PAIRS[1]} {theirs}.")
    context.update_book(phase="over", to_play=None, extra=0, episode=None, protected=None, foul=None, points=points)


def _as_four(points: Sequence[Fraction]) -> Points:
    blue, green, red, yellow = points
    return blue, green, red, yellow
