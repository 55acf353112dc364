"""Players written in Python: adapters that check what they return and raise `PlayerError`."""

import inspect
from collections.abc import Callable
from dataclasses import FrozenInstanceError
from pathlib import Path
from traceback import extract_tb
from typing import get_args

import numpy as np

from flicksim.core import errors
from flicksim.core.limits import truncate_middle
from flicksim.core.sanitize import escape_unprintable
from flicksim.core.serialization import fingerprint, from_builtins, to_builtins
from flicksim.core.type_aliases import Action, JsonValue, Unchecked, View
from flicksim.core.validation import short_repr

ChooseFunction = Callable[[View, Unchecked, np.random.Generator], Action]
"""Choice function of a player: one of the legal actions, from the view of its seat, these actions and an rng."""


def player_name(player: Unchecked) -> str:
    """Name of a Python player: that of its function or of its class."""
    name = getattr(player, "__name__", None) or type(player).__name__
    return truncate_middle(escape_unprintable(str(name)).strip("<>") or "player", 60)


def as_choose_function(player: Unchecked) -> ChooseFunction:
    """Choice function of a player: `player.choose`, or the player itself if it is callable.

    Raises:
        InvalidOption: it is not a player; the message says what is expected.
    """
    function = getattr(player, "choose", player)
    expected = "a player has choose(view, legal_actions, rng), or is a function of these three"
    if isinstance(player, type):
        raise errors.InvalidOption(f"{player.__name__} is a class; pass an instance: {player.__name__}()")
    if not callable(function):
        raise errors.InvalidOption(f"{short_repr(player)} is no player; {expected}, or a word such as 'bot:club'")
    try:
        inspect.signature(function).bind(None, None, None)
    except TypeError:
        signature = str(inspect.signature(function))
        raise errors.InvalidOption(f"the player {player_name(player)!r} takes {signature}; {expected}") from None
    except ValueError:  # a builtin without a signature
        pass
    choose: ChooseFunction = function
    return choose


class AbsentPlayer:
    """Placeholder of a Python player that is not available, as in a loaded record or a copied game.

    Args:
        name: what the player is called.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def choose(self, view: View, legal_actions: Unchecked, rng: np.random.Generator) -> Action:
        """Raise `PlayerError`.

        Raises:
            PlayerError: always; says whose seat it is.
        """
        del view, legal_actions, rng
        raise errors.PlayerError(f"the player {self._name!r} is not available; pass it to play_game again")


class PythonPlayer:
    """Adapter of a Python player that checks its actions and raises `PlayerError` for each mistake.

    Args:
        player: has `choose(view, legal_actions, rng)`, or is such a function.
        name: its name in messages. action_type: type of the game's actions.
        check: raises IllegalAction where the rules forbid it.
    """

    def __init__(
        self, player: Unchecked, name: str, action_type: Action, check: Callable[[View, Action], None]
    ) -> None:
        self._choose = as_choose_function(player)
        self._player, self._name, self._action, self._check = player, name, action_type, check

    def choose(self, view: View, legal_actions: Unchecked, rng: np.random.Generator) -> JsonValue:
        """Action returned by its choice function, checked.

        Raises:
            PlayerError: it raised an error, returned no legal action, or changed the view.
            Forfeited: it raised this, to give up.
        """
        before = fingerprint(view)
        try:
            action = self._choose(view, legal_actions, rng)
        except (errors.Forfeited, errors.Cancelled):
            raise
        except (Exception, SystemExit) as error:  # a player may exit, but never ends the game
            raise self._error_from(error) from error
        if fingerprint(view) != before:
            raise errors.PlayerError(f"the player {self._name!r} changed the view, which is read-only")
        return self._validated(view, action)

    def _validated(self, view: View, action: Action) -> JsonValue:
        """Check that the action has a type of the game and is legal; return a copy of it."""
        kinds = get_args(self._action) or (self._action,)
        expected = "it returns " + " or ".join(kind.__name__ for kind in kinds)
        if action is None:
            raise errors.PlayerError(f"the player {self._name!r} returned nothing; {expected}")
        if not isinstance(action, kinds):
            raise errors.PlayerError(f"the player {self._name!r} returned {short_repr(action)}; {expected}")
        try:
            checked = from_builtins(to_builtins(action), type(action), name=type(action).__name__)
            self._check(view, checked)
        except errors.IllegalAction as error:
            raise errors.PlayerError(f"the player {self._name!r} returned an illegal action: {error}") from error
        except (errors.InvalidInput, TypeError, NotImplementedError) as error:
            raise errors.PlayerError(f"the player {self._name!r} returned an invalid action: {error}") from error
        return checked

    def _error_from(self, error: Exception | SystemExit) -> errors.PlayerError:
        """Convert an exception raised by the player into a `PlayerError` with its line number."""
        if isinstance(error, FrozenInstanceError) or "immutable type" in str(error) or "is read-only" in str(error):
            problem = "tried to change a frozen value; msgspec.structs.replace makes a changed copy"
        else:
            reason = str(error) if isinstance(error, errors.FlicksimError) else f"{type(error).__name__}: {error}"
            problem = f"raised {reason}"
        frames = extract_tb(error.__traceback__)[1:]
        location = f" (line {frames[0].lineno} of {Path(frames[0].filename).name})" if frames else ""
        return errors.PlayerError(f"the player {self._name!r} {problem}{location}")

    def close(self, *, force: bool = False) -> None:
        """Call the player's own `close`, if it has one, after the game."""
        del force
        end = getattr(self._player, "close", None)
        if callable(end):
            end()
