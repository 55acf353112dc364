"""Player that asks a program in any language, one line of JSON per decision.

The line holds the view and the legal actions of the seat and nothing else: no hidden cards, no seed, and nothing from
which they can be inferred. Every line is self-contained, so that programs need no memory and resumed games continue
identically.
"""

from collections.abc import Callable, Mapping
from time import monotonic

import numpy as np

from flicksim.ai.players import PromptedActions
from flicksim.ai.subprocess_client import SubprocessClient, split_command
from flicksim.cards import Move
from flicksim.core.errors import FlicksimError, Forfeited, IllegalAction, InvalidInput
from flicksim.core.serialization import from_json, to_json
from flicksim.core.type_aliases import Action, ActionTypes, JsonValue, View
from flicksim.scene import Flick, Launch, Squidge

DEFAULT_TIME_LIMIT = 10.0
"""Default time limit of a decision [s]."""
MAX_ATTEMPTS = 3
"""Answers allowed per decision; the game is lost if the last is invalid too."""


def describe_decision(
    header: Mapping[str, JsonValue], view: View, legal_actions: PromptedActions
) -> dict[str, JsonValue]:
    """Describe a decision to a program: the header, then the prompt, the legal actions and the view."""
    return {
        **header,
        "says": legal_actions.prompt,
        "flicks": legal_actions.flicks,
        "actions": legal_actions.actions,
        "view": view,
    }


class SubprocessPlayer:
    """Player that sends each decision to a program, started with the first and ended by `close`.

    Args:
        command: command line of the program; not run by a shell.
        limit: time for a decision, with all attempts [s].
        header: first fields of every line: the game, the seat.
        action_type: type of the game's actions. check: raises IllegalAction where the rules forbid it.
    """

    def __init__(
        self,
        command: str,
        limit: float,
        header: Mapping[str, JsonValue],
        action_type: ActionTypes,
        check: Callable[[View, Action], None],
    ) -> None:
        self._command, self._limit, self._header = split_command(command), limit, header
        self._action, self._check = action_type, check
        self._client: SubprocessClient | None = None

    def choose(self, view: View, legal_actions: PromptedActions, rng: np.random.Generator) -> Action:
        """Request an action from the program.

        Raises:
            Forfeited: it could not be started, has exited, did not answer, or gave three invalid answers.
        """
        del rng  # its first number would reveal the seed, and with it the hidden cards
        try:
            return self._request_action(view, legal_actions)
        except TimeoutError:
            self.close(force=True)
            raise Forfeited(f"did not answer within {self._limit:g} s") from None
        except BaseException:
            self.close(force=True)
            raise

    def _request_action(self, view: View, legal_actions: PromptedActions) -> Action:
        until = monotonic() + self._limit
        if self._client is None:
            self._client = SubprocessClient(self._command)
        refused = None
        for tries in range(MAX_ATTEMPTS, 0, -1):
            line = describe_decision(self._header, view, legal_actions) | {"limit": self._limit, "tries": tries}
            if refused is not None:
                line["refused"] = refused
            answer = self._client.request(to_json(line), until)
            try:
                return self._parse_action(answer, view, legal_actions)
            except FlicksimError as error:
                refused = str(error)
        reason = f"gave no valid answer in {MAX_ATTEMPTS} tries"
        raise Forfeited(f"{reason}; the last: {refused}", reason)

    def _parse_action(self, answer: bytes, view: View, legal_actions: PromptedActions) -> Action:
        """Parse an answer and check that its action is offered and legal."""
        action = from_json(answer, self._action, name="the answer")
        match action:
            case Flick() | Squidge() | Launch():
                # the ranges are those of useful flicks; the rules decide on legality
                offered = any(action.piece == span.piece for span in legal_actions.flicks)
            case Move():
                offered = True  # moves of parts of a group are not listed; the rules check each
            case _:
                offered = action in legal_actions.actions
        if not offered:
            # other decisions exist for people alone: self-reports, waiting
            raise InvalidInput(f"the answer {answer[:90].decode(errors='replace')} is not one of the actions offered")
        try:
            self._check(view, action)
        except IllegalAction as error:
            raise InvalidInput(f"the answer is against the rules: {error}") from None
        return action

    def close(self, *, force: bool = False) -> None:
        """End the program by closing its input, or kill it at once if `force`."""
        child, self._client = self._client, None
        if child is not None:
            child.close(force=force)
