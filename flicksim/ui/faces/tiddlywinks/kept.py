"""Answers about a state or a motion that are asked every frame and change only with it."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar

from flicksim.base.kinds import Plain, State

T = TypeVar("T")
_ROOM = 4
_states: list[tuple[State, dict[Hashable, Plain]]] = []


def kept(state: State, question: Hashable, answer: Callable[[], T]) -> T:
    """The answer to a question about a state, found once while that very state is being shown."""
    answers = next((found for known, found in _states if known is state), None)
    if answers is None:
        answers = {}
        _states.insert(0, (state, answers))
        del _states[_ROOM:]
    if question not in answers:
        answers[question] = answer()
    found: T = answers[question]
    return found
