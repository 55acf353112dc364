"""Players of one's own, written in Python: asked like any other, and held to what any other does."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import FrozenInstanceError
from pathlib import Path
from traceback import extract_tb
from typing import get_args

import numpy as np

from flicksim.base.asked import shown
from flicksim.base.bounds import bounded
from flicksim.base.codec import fingerprint, from_plain, to_plain
from flicksim.base.errors import BadInput, BadOption, BadPlayer, FlicksimError, Forfeited, GivenUp, IllegalAction
from flicksim.base.kinds import Action, Given, Plain, View
from flicksim.base.legible import legible

Chooses = Callable[[View, Given, np.random.Generator], Action]
"""Choice of a player: from what its seat sees, what is allowed, and a source of chance, one of the things allowed."""


def name_of_own(player: Given) -> str:
    """The name of a player of one's own: by its function's name, or by that of its class."""
    name = getattr(player, "__name__", None) or type(player).__name__
    return bounded(legible(str(name)).strip("<>") or "player", 60)


def chooses(player: Given) -> Chooses:
    """The function of a player: `player.choose`, or the player itself where that can be called.

    Raises:
        BadOption: it is no player; says what one is.
    """
    function = getattr(player, "choose", player)
    made = "a player has choose(view, choices, rng), or is a function of these three"
    if isinstance(player, type):
        raise BadOption(f"{player.__name__} is a class; sit one of it down: {player.__name__}()")
    if not callable(function):
        raise BadOption(f"nobody can be seated by {shown(player)}; {made}, or a word such as 'bot:club'")
    try:
        inspect.signature(function).bind(None, None, None)
    except TypeError:
        takes = str(inspect.signature(function))
        raise BadOption(f"the player {name_of_own(player)!r} takes {takes}; {made}") from None
    except ValueError:  # one that does not tell what it takes
        pass
    found: Chooses = function
    return found


class Absent:
    """A seat whose player is not here: a record or a copied game is looked at, and nobody is asked.

    Args:
        name: what the player is called.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def choose(self, view: View, choices: Given, rng: np.random.Generator) -> Action:
        """Nothing.

        Raises:
            BadPlayer: always; says whose seat it is.
        """
        del view, choices, rng
        raise BadPlayer(f"the player {self._name!r} is not here; play_game seats it anew")


class OwnPlayer:
    """Asks a player of one's own, and says in a sentence what it does wrong.

    Args:
        player: has `choose(view, choices, rng)`, or is such a function.
        name: what it is called. action: type of what may be done.
        check: raises IllegalAction where the rules forbid it.
    """

    def __init__(self, player: Given, name: str, action: Action, check: Callable[[View, Action], None]) -> None:
        self._choose = chooses(player)
        self._player, self._name, self._action, self._check = player, name, action, check

    def choose(self, view: View, choices: Given, rng: np.random.Generator) -> Plain:
        """The answer of its function.

        Raises:
            BadPlayer: it raised an error, returned nothing or what cannot be done, or changed what it was given.
            Forfeited: it gave up by raising this.
        """
        before = fingerprint(view)
        try:
            action = self._choose(view, choices, rng)
        except (Forfeited, GivenUp):
            raise
        except (Exception, SystemExit) as wrong:  # a player may end itself, never the game
            raise self._raised(wrong) from wrong
        if fingerprint(view) != before:
            raise BadPlayer(f"the player {self._name!r} changed what it was shown; it may only look")
        return self._allowed(view, action)

    def _allowed(self, view: View, action: Action) -> Plain:
        """The action it returned, if that may be done here."""
        kinds = get_args(self._action) or (self._action,)
        may = "it returns " + " or ".join(kind.__name__ for kind in kinds)
        if action is None:
            raise BadPlayer(f"the player {self._name!r} returned nothing; {may}")
        if not isinstance(action, kinds):
            raise BadPlayer(f"the player {self._name!r} returned {shown(action)}; {may}")
        try:
            whole = from_plain(to_plain(action), type(action), name=type(action).__name__)
            self._check(view, whole)
        except IllegalAction as wrong:
            raise BadPlayer(f"the player {self._name!r} did what is not allowed: {wrong}") from wrong
        except (BadInput, TypeError, NotImplementedError) as wrong:
            raise BadPlayer(f"the player {self._name!r} returned what cannot be: {wrong}") from wrong
        return whole

    def _raised(self, wrong: Exception | SystemExit) -> BadPlayer:
        """The error it raised, with the place in its own code."""
        if isinstance(wrong, FrozenInstanceError) or "immutable type" in str(wrong) or "is read-only" in str(wrong):
            says = "tried to change what it was given, which is frozen; msgspec.structs.replace makes a changed copy"
        else:
            told = str(wrong) if isinstance(wrong, FlicksimError) else f"{type(wrong).__name__}: {wrong}"
            says = f"raised {told}"
        frames = extract_tb(wrong.__traceback__)[1:]
        at = f" (line {frames[0].lineno} of {Path(frames[0].filename).name})" if frames else ""
        return BadPlayer(f"the player {self._name!r} {says}{at}")

    def close(self, *, at_once: bool = False) -> None:
        """The game is over: its own `close`, if it has one, is called."""
        del at_once
        end = getattr(self._player, "close", None)
        if callable(end):
            end()
