"""Contracts and cards of Tinkle in words."""

from __future__ import annotations

from collections.abc import Sequence

from flicksim.cards import Card
from flicksim.games.tinkle.sets import CONTRACTS

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six")
_SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
RANKS = ("wilds", "aces", "twos", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines", "tens", "jacks",
         "queens", "kings")  # fmt: skip
"""Names of groups of each kind."""


def count_words(number: int) -> str:
    """A small number in words."""
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)


def groups_words(sizes: Sequence[int]) -> str:
    """Groups of one size: "two groups of four"."""
    many = "group" if len(sizes) == 1 else "groups"
    return f"{count_words(len(sizes))} {many} of {count_words(sizes[0])}"


def contract(round_: int) -> str:
    """The contract of a round, in words."""
    return groups_words(CONTRACTS[round_ - 1])


def shown(card: Card) -> str:
    """A card with its suit's sign."""
    return "joker" if card.joker else f"{card.name[:-1]}{_SIGNS[card.suit]}"
