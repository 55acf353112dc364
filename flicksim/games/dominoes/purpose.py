"""Purposes of moves at dominoes: of a move's properties the one that the fewest other legal moves have.

The properties rest on what the seat to play sees: its tiles, the line, and the numbers others lacked when they passed.
"""

from collections.abc import Callable, Mapping, Sequence

from flicksim.cards import SUIT_MASKS, tile_mask, tile_set
from flicksim.core.type_aliases import Action
from flicksim.games.dominoes import deck, rules
from flicksim.games.dominoes.bitboard import NO_END, playable_tiles
from flicksim.games.dominoes.bot import ends_after
from flicksim.games.dominoes.deck import LAYOUT, NAMES
from flicksim.games.dominoes.state import State, hand_bits

Pieces = tuple[str, ...]


class After:
    """Position after a move, as the seat that makes it sees it.

    Attributes:
        tile: that was placed; None for a pass. mine: tiles left in hand. left, right: open numbers; both in `ends`.
        unseen: tiles of the other hands and the boneyard. fitting, answers: number of its and of unseen tiles that fit.
        is_double: whether it is a double, is_first_double: one before any second tile.
        may_add: whether a second tile may follow, and fits. next: name of the next seat. lacks: numbers known to be
            missing there.
    """

    def __init__(self, view: State, action: Action) -> None:
        assert view.to_play is not None
        self.left, self.right, self.tile = left, right, _ = ends_after(view, action)
        hand = hand_bits(view, view.to_play)
        self.mine = hand if self.tile is None else hand & ~self.tile.bit
        self.ends = {left, right} - {NO_END}
        every = tile_mask(tile_set(deck.highest_half(view.options, view.seats)))
        self.unseen = every & ~hand & ~tile_mask(view.zones.cards(LAYOUT))
        self.fitting = playable_tiles(self.mine, left, right).bit_count()
        self.answers = playable_tiles(self.unseen, left, right).bit_count()
        self.is_double = self.tile is not None and self.tile.is_double
        self.is_first_double = self.is_double and view.phase == "tile"
        self.may_add = self.is_double and self.fitting > 0 and (view.phase == "tile" or view.options.chain_doubles)
        after = (view.to_play + 1) % view.seats
        self.next, self.lacks = NAMES[after], set(view.lacks[after] if view.lacks else ())

    def is_own(self, end: int) -> bool:
        """Return True if all tiles of a number that are not on the line are in hand, and there are any."""
        return bool(self.mine & SUIT_MASKS[end]) and not self.unseen & SUIT_MASKS[end]

    def is_blocked(self) -> bool:
        """Return True if no tile fits that is not on the line."""
        return not self.fitting and not self.answers

    def fits_all_ends(self) -> bool:
        """Return True if a tile in hand fits each end."""
        return all(self.mine & SUIT_MASKS[end] for end in self.ends)


def _own_numbers(after: After) -> list[str]:
    return [str(end) for end in sorted(after.ends) if after.is_own(end)]


def _missing_numbers(after: After) -> list[str]:
    return [str(end) for end in sorted(after.ends & after.lacks)]


def _pips(after: After) -> int:
    return 0 if after.tile is None else after.tile.pips


_Property = Callable[[After, Sequence[After]], Pieces | None]
"""Words for the text of a move with a property, given all moves; None without it."""
_PROPERTIES: Mapping[str, tuple[str, _Property]] = {
    "go_out": ("go out", lambda one, _: None if one.mine else ()),
    "second_out": ("play the double and go out by a second tile",
                   lambda one, _: () if one.may_add and one.mine.bit_count() == 1 else None),
    "block": ("block the line", lambda one, _: () if one.mine and one.is_blocked() else None),
    "shut_out": ("shut {} out: nothing there fits",
                 lambda one, _: (one.next,) if one.mine and one.ends <= one.lacks and not one.may_add else None),
    "second": ("play a double, and a second tile after it", lambda one, _: () if one.may_add else None),
    "own_number": ("leave a {} open: all others are yours", lambda one, _: tuple(_own_numbers(one)[:1]) or None),
    "limit": ("leave a {} open, which {} lacks",
              lambda one, _: (_missing_numbers(one)[0], one.next) if _missing_numbers(one) else None),
    "both_ends": ("keep a tile for either end",
                  lambda one, _: () if len(one.ends) == 2 and one.fits_all_ends() else None),
    "heaviest": ("shed the heaviest tile", lambda one, all_: () if _pips(one) == max(map(_pips, all_)) > 0 else None),
    "most_fit": ("keep the most tiles that fit",
                 lambda one, all_: () if one.tile and one.fitting == max(other.fitting for other in all_ if other.tile)
                 else None),
    "few_answers": ("leave the others the fewest tiles that fit",
                    lambda one, all_: () if one.answers == min(other.answers for other in all_) else None),
    "keep_double": ("keep the double until another tile can follow it",
                    lambda one, all_: () if one.tile and not one.is_double
                    and any(other.is_double and not other.may_add for other in all_) else None),
    "double": ("shed a double", lambda one, _: () if one.is_double else None),
    "wait": ("play no second tile", lambda one, _: None if one.tile else ()),
}  # fmt: skip
TEMPLATES: Mapping[str, str] = {kind: text for kind, (text, _) in _PROPERTIES.items()}


def purpose_of_aim(state: State, action: Action) -> tuple[str, Pieces] | None:
    """Purpose of a tile or a pass; None where every other legal move serves it too, or there is no other."""
    if state.phase not in ("tile", "second"):
        return None
    own = After(state, action)
    others = [After(state, move) for move in rules.legal_actions(state).actions if move != action]
    shared: dict[str, int] = {}
    for kind, (_, has_property) in _PROPERTIES.items():
        if has_property(own, [own, *others]) is not None:
            shared[kind] = sum(has_property(other, [own, *others]) is not None for other in others)
    if not shared or min(shared.values()) == len(others):
        return None
    kind = min(shared, key=lambda kind: shared[kind])
    return kind, _PROPERTIES[kind][1](own, [own, *others]) or ()


def describe(kind: str, pieces: Pieces) -> str:
    """Describe a purpose in words."""
    return TEMPLATES[kind].format(*pieces)
