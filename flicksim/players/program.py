"""Programs as players, in any language: asked in one JSON line a decision, they answer in one, or lose by a clear word.

The line holds what the seat may see and what it may do, and nothing else: no other hand, no seed, no clue to either.
Every line stands by itself: a program needs no memory, and a resumed game goes on as if it had never stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import monotonic

import numpy as np

from flicksim.base.codec import from_json, to_json
from flicksim.base.errors import BadInput, FlicksimError, Forfeited, IllegalAction
from flicksim.base.kinds import Action, Kinds, Plain, View
from flicksim.cards import Move
from flicksim.players.allowed import Offered
from flicksim.players.child import Child, words_of
from flicksim.table import Flick, Launch, Squidge

PATIENCE = 10.0
"""Time a program may think about a decision when nobody says otherwise [s]."""
TRIES = 3
"""Answers to one decision; when the last is no good either, the game is lost."""


class ProgramPlayer:
    """Hands every decision to a program, which is started with the first and ended by `close`.

    Args:
        command: how it is started, as in a shell, but without one.
        limit: time for a decision, all tries together [s].
        head: what every line begins with: the game, the seat.
        action: type of what may be done. check: raises IllegalAction where the rules forbid it.
    """

    def __init__(
        self,
        command: str,
        limit: float,
        head: Mapping[str, Plain],
        action: Kinds,
        check: Callable[[View, Action], None],
    ) -> None:
        self._words, self._limit, self._head = words_of(command), limit, head
        self._action, self._check = action, check
        self._child: Child | None = None

    def choose(self, view: View, choices: Offered, rng: np.random.Generator) -> Action:
        """The program's answer.

        Raises:
            Forfeited: it could not be started, has ended, kept silent, or three times gave no good answer.
        """
        del rng  # its first number would betray the seed, and with it the hidden cards
        try:
            return self._asked(view, choices)
        except TimeoutError:
            self.close(at_once=True)
            raise Forfeited(f"did not answer within {self._limit:g} s") from None
        except BaseException:
            self.close(at_once=True)
            raise

    def _asked(self, view: View, choices: Offered) -> Action:
        until = monotonic() + self._limit
        if self._child is None:
            self._child = Child(self._words)
        refused = None
        for tries in range(TRIES, 0, -1):
            line = {**self._head, **_told(choices), "view": view, "limit": self._limit, "tries": tries}
            if refused is not None:
                line["refused"] = refused
            answer = self._child.ask(to_json(line), until)
            try:
                return self._read(answer, view, choices)
            except FlicksimError as wrong:
                refused = str(wrong)
        raise Forfeited(f"gave no good answer in {TRIES} tries; the last: {refused}")

    def _read(self, answer: bytes, view: View, choices: Offered) -> Action:
        """The action an answer asks for, if it is one of those offered."""
        action = from_json(answer, self._action, name="the answer")
        match action:
            case Flick() | Squidge() | Launch():
                # a piece may be flicked harder than offered: ranges say what is of use, the rules what is allowed
                offered = any(action.piece == span.piece for span in choices.flicks)
            case Move():
                offered = True  # finer arranging than whole groups is legal; the rules look at each move
            case _:
                offered = action in choices.actions
        if not offered:
            # others exist, but are for people at the table: to own up to a touch, to say that time has gone by
            raise BadInput(f"the answer {answer[:90].decode(errors='replace')} is none of what is offered")
        try:
            self._check(view, action)
        except IllegalAction as wrong:
            raise BadInput(f"the answer is against the rules: {wrong}") from None
        return action

    def close(self, *, at_once: bool = False) -> None:
        """End the program: by the end of its input, or at once by force."""
        child, self._child = self._child, None
        if child is not None:
            child.close(at_once=at_once)


def _told(choices: Offered) -> dict[str, Plain]:
    return {"says": choices.says, "flicks": choices.flicks, "actions": choices.actions}
