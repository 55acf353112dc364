"""Bitboards of dominoes: a hand is a bit mask of tiles, an open end its number of pips.

A placement of a tile is encoded as `tile.index * 2 + RIGHT` or `+ LEFT`, the decision to play no second tile as `STOP`.
"""

from collections.abc import Sequence

from flicksim.cards import DOUBLES_MASK, SUIT_MASKS, TILES, Pass, PlaceTile

NO_END = -1
"""Value of an absent end: the left end of the one-armed line, both ends before the lead."""
PIPS = tuple(tile.pips for tile in TILES)
RIGHT, LEFT = 0, 1
STOP = -1
IS_DOUBLE = tuple(tile.is_double for tile in TILES)
"""For each tile, True if its player may play a second one (DO-A18, DO-B11)."""


def playable_tiles(hand: int, left: int, right: int) -> int:
    """Tiles of a hand that touch an open end with a matching half (DO-A13, DO-B9, DO-B10)."""
    return hand & (SUIT_MASKS[right] if left < 0 else SUIT_MASKS[right] | SUIT_MASKS[left])


def tiles_of(hand: int) -> list[int]:
    """Indices of the tiles of a hand."""
    return [tile for tile in range(hand.bit_length()) if hand >> tile & 1]


def legal_moves(hand: int, left: int, right: int) -> list[int]:
    """Encoded legal placements of a hand's tiles (DO-A13, DO-B9)."""
    moves = [2 * tile + RIGHT for tile in tiles_of(hand & SUIT_MASKS[right])]
    return moves if left < 0 else moves + [2 * tile + LEFT for tile in tiles_of(hand & SUIT_MASKS[left])]


def to_action(move: int, left: int) -> PlaceTile | Pass:
    """Move of the game for an encoded one; a line with one open end (no `left`) has no ends to name."""
    if move == STOP:
        return Pass()
    return PlaceTile(tile=TILES[move >> 1], end=None if left < 0 else "left" if move & 1 == LEFT else "right")


def pip_count(hand: int) -> int:
    """Pips of a hand, both halves of every tile (DO-X5)."""
    return sum(PIPS[tile] for tile in tiles_of(hand))


def lightest_tile(hand: int) -> int:
    """Pips of a hand's lightest tile."""
    return min(PIPS[tile] for tile in tiles_of(hand))


def first_leader(hands: Sequence[int]) -> int | None:
    """Seat with the largest double; None when nobody has one (DO-A9, DO-A11, DO-B8)."""
    largest_doubles = [(hand & DOUBLES_MASK).bit_length() for hand in hands]
    best = max(largest_doubles)
    return largest_doubles.index(best) if best else None


def largest_double(hand: int) -> int:
    """Index of a hand's largest double."""
    return (hand & DOUBLES_MASK).bit_length() - 1


def block_winners(hands: Sequence[int], tie: str) -> tuple[int, ...]:
    """Seats that win a blocked round: fewest pips, ties by the option (DO-A20, DO-B13, DO-X3)."""
    totals = [pip_count(hand) for hand in hands]
    best = min(totals)
    tied = tuple(seat for seat, total in enumerate(totals) if total == best)
    if len(tied) == 1 or tie == "split":
        return tied
    if tie == "lightest_tile":
        lightest = min(lightest_tile(hands[seat]) for seat in tied)
        return tuple(seat for seat in tied if lightest_tile(hands[seat]) == lightest)
    return ()


def pool_shares(pool: int, stakes: Sequence[int], won: Sequence[int], tie: str) -> tuple[int, ...]:
    """Chips paid to each seat out of the pool; an indivisible remainder stays in it (DO-A19, DO-A20, DO-X3)."""
    if won:
        return tuple(pool // len(won) if seat in won else 0 for seat in range(len(stakes)))
    return tuple(stakes) if tie == "none" else (0,) * len(stakes)
