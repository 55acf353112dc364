"""Places kept for what varies in an experiment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from flicksim.lab.spread import Level

Slots: TypeAlias = Any
"""Values asked for, as they were written, with a `From` wherever something varies."""


@dataclass(frozen=True, slots=True)
class From:
    """Stands where the value of an axis goes."""

    index: int


def filled(slots: Slots, values: Sequence[Level]) -> Slots:
    """The same with the values put in their places."""
    if isinstance(slots, From):
        return values[slots.index]
    if isinstance(slots, dict):
        return {name: filled(slot, values) for name, slot in slots.items()}
    if isinstance(slots, tuple):
        return tuple(filled(slot, values) for slot in slots)
    return slots
