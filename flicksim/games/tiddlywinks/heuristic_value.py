"""Playing styles, and the heuristic value of a position: points if adjudicated now, plus the potential of each wink."""

from math import exp, hypot
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from flicksim.core.serialization import Value
from flicksim.core.units import mm
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks import scoring
from flicksim.games.tiddlywinks.squops import Squops
from flicksim.games.tiddlywinks.state import Book, State
from flicksim.scene import Piece

_POT_REACH, _SQUOP_REACH = 0.55, 0.13
"""Distances over which the values of shots at the pot and on to a wink decay [m]."""
_Distance = TypeVar("_Distance", float, npt.NDArray[np.float64], npt.NDArray[np.floating[Any]])


def pot_log_decay(distance: _Distance) -> _Distance:
    """Logarithm of the factor by which a shot at the pot loses value with its distance [m]."""
    return -((distance / _POT_REACH) ** 2)


def squop_log_decay(distance: _Distance) -> _Distance:
    """Logarithm of the factor by which a shot on to a wink loses value with its distance [m]."""
    return -((distance / _SQUOP_REACH) ** 1.2)  # type: ignore[no-any-return]  # the type of a power


class Style(Value, frozen=True, kw_only=True):
    """Playing style: values of winks, in points of an adjudication.

    Args:
        pot_value: value of a potted wink; it scores 3 at the end.
        squop_value: loss of value of a covered wink: at 1 it is worthless, above that the hold itself has a value.
        uses_squops: whether squops are candidates at all.
    """

    pot_value: float
    squop_value: float
    uses_squops: bool = True


STYLES_BY_NAME = {
    "double-squop": Style(pot_value=2.5, squop_value=1.8),
    "pot-squop": Style(pot_value=3.0, squop_value=1.2),
    "pot": Style(pot_value=3.0, squop_value=0.0, uses_squops=False),
}
"""Styles by name. double-squop: control before potting; pot-squop: both alike; pot: never squops on purpose, as a
baseline."""
DEFAULT_STYLE = "double-squop"


_EVEN_POT_DISTANCE = mm(450.0)
"""Distance at which a pot has about even chances with low noise [m]."""
_EVEN_SQUOP_DISTANCE = mm(70.0)
"""Distance at which a squop has about even chances [m]."""
_FOUL_PENALTY = 4.0
"""Value of a foul, negative: more than nearly any fair shot gains."""


def pot_likelihood(piece: Piece) -> float:
    """Probability that a wink is potted eventually: highest from a hand's breadth, low when nurdled."""
    distance = hypot(piece.x, piece.y)
    nurdled = 1.0 - 0.5 * exp(-((distance - kit.POT_TOP - piece.radius) / mm(12.0)))
    return max(0.0, nurdled) * exp(-((distance / _EVEN_POT_DISTANCE) ** 2))


def position_value(state: State, seat: int, style: Style) -> float:
    """Expected lead of a seat's pair in points."""
    book, pair = state.book, kit.pair_of(seat)
    if book.to_play is None:
        final = scoring.pair_points(book.points)
        return float(final[pair] - final[1 - pair])
    if book.opener is None:
        return _squidge_off_value(state, seat)
    if book.phase == "foul" and state.former is not None:
        # the opponents can have a foul shot replayed any number of times: if a foul were better than a fair shot, games
        # would hardly end
        fouled = kit.pair_of(state.former.book.turn) == pair
        return position_value(state.former, seat, style) + (-_FOUL_PENALTY if fouled else _FOUL_PENALTY)
    squops = Squops(state.scene, book)
    lead = _winks_value(state, squops, style, pair) - _winks_value(state, squops, style, 1 - pair)
    now = scoring.pair_points(_provisional_points(book, squops))
    place_weight = 0.05 + 0.45 * fraction_played(state)
    return place_weight * float(now[pair] - now[1 - pair]) + 0.35 * lead + _tempo_value(book, pair)


def fraction_played(state: State) -> float:
    """Fraction of the game played, 0 to 1: places count for more the nearer the end."""
    book, options = state.book, state.options
    if book.potted_out:
        return 1.0
    if book.laps is not None:
        return 1.0 - 0.5 * book.laps / (options.rounds + 1.0)
    return 0.5 * min(1.0, book.clock / options.time_limit_s) if options.time_limit_s else 0.0


def _squidge_off_value(state: State, seat: int) -> float:
    """Value in the squidge-off: negative distance of the wink just played from the pot."""
    own = [wink for wink in state.book.shots if kit.seat_of(wink) == seat]
    if not own or own[-1] in state.book.off:
        return -2.0
    piece = state.scene.piece(own[-1])
    return 1.0 if piece.support == "pot" else -hypot(piece.x, piece.y)


def _provisional_points(book: Book, squops: Squops) -> scoring.Points:
    if book.potted_out:
        return scoring.transfer_point(scoring.places_of(book))
    totals = [
        sum(3 if wink in book.potted else int(book.in_play(wink) and not squops.is_squopped(wink)) for wink in winks)
        for winks in map(kit.winks_of, range(4))
    ]
    return scoring.by_place(scoring.rank_by_total(totals))


def _tempo_value(book: Book, pair: int) -> float:
    """Value of being to play, owing a shot, or having free turns."""
    assert book.to_play is not None
    value = 0.15 if kit.pair_of(book.to_play) == pair else -0.15
    for seat in book.missing:
        value += -0.5 if kit.pair_of(seat) == pair else 0.5
    if book.episode is not None:
        value += (0.4 + 0.15 * min(book.episode.left, 6)) * (1.0 if book.episode.pair == pair else -1.0)
    return value


def _winks_value(state: State, squops: Squops, style: Style, pair: int) -> float:
    """Value of all winks of a pair, in points of an adjudication."""
    book = state.book
    # future points count less as the rounds run out
    time_left = 1.0 if book.laps is None else book.laps / (state.options.rounds + 1.0)
    open_enemies = [
        piece
        for piece in state.scene.pieces
        if kit.pair_of(kit.seat_of(piece.id)) != pair and book.in_play(piece.id) and not squops.is_squopped(piece.id)
    ]
    danger = 0.5 if book.to_play is not None and kit.pair_of(book.to_play) != pair else 0.25
    total = 0.0
    for seat in (pair, pair + 2):
        count = 0
        for wink in kit.winks_of(seat):
            if wink in book.potted:
                count += 1
            elif wink in book.behind:
                total += 0.9 * time_left
            elif squops.is_squopped(wink):
                total += 0.6 * time_left * (1.0 - style.squop_value)
            else:
                total += _open_wink_value(
                    state.scene.piece(wink), open_enemies, squops, time_left, 0.0 if book.potted_out else danger
                )
        # the last pots also gain the place for potting out
        total += style.pot_value * count + 0.05 * count * count
    return total


def _open_wink_value(piece: Piece, open_enemies: list[Piece], squops: Squops, time_left: float, danger: float) -> float:
    """Value of an uncovered wink: it counts one, may be potted, and may be squopped."""
    is_squopping = squops.is_squopping(piece.id)
    gap = min((hypot(piece.x - enemy.x, piece.y - enemy.y) for enemy in open_enemies), default=1.0)
    threat = danger * exp(-max(0.0, gap - mm(16.0)) / _EVEN_SQUOP_DISTANCE)
    return 1.0 + time_left * (
        (0.7 if is_squopping else 1.1) * pot_likelihood(piece) - (1.3 if is_squopping else 1.0) * threat
    )
