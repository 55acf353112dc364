"""Contracts and cards of Tinkle as text."""

from __future__ import annotations

from collections.abc import Sequence

from flicksim.cards import Card
from flicksim.games.tinkle.contracts import CONTRACTS

_NUMBER_WORDS = ("no", "one", "two", "three", "four", "five", "six")
_SUIT_SYMBOLS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
RANK_NAMES = ("wilds", "aces", "twos", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines", "tens",
              "jacks", "queens", "kings")  # fmt: skip
"""Names of groups by rank."""


def number_word(number: int) -> str:
    """Small number as a word."""
    return _NUMBER_WORDS[number] if number < len(_NUMBER_WORDS) else str(number)


def groups_text(sizes: Sequence[int]) -> str:
    """Groups of one size as text: "two groups of four"."""
    noun = "group" if len(sizes) == 1 else "groups"
    return f"{number_word(len(sizes))} {noun} of {number_word(sizes[0])}"


def contract_text(round_: int) -> str:
    """Contract of a round as text."""
    return groups_text(CONTRACTS[round_ - 1])


def card_text(card: Card) -> str:
    """Card with its suit symbol."""
    return "joker" if card.is_joker else f"{card.name[:-1]}{_SUIT_SYMBOLS[card.suit]}"
