"""Counts of things in messages."""


def count_of(number: int, noun: str, plural: str = "") -> str:
    """Number and noun: "1 turn", "0 turns"; with the plural where that is not by an s: "2 launches"."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"
