"""The one family of errors. Each message quotes the offending value and says what would be right.

FlicksimError
├── BadInput              something given from outside cannot be used
│   ├── BadFile           a file is missing, unreadable, unwritable or not what it should be
│   │   ├── InUse         another process is writing it; says which
│   │   └── Altered       a record is not as it was written
│   ├── BadOption         a game's option, a seat or a name is unknown or out of range
│   │   └── BadSwitch     an option of a game, said in Python, is out of range
│   ├── BadQuestion       an experiment, or what varies in one, cannot be
│   ├── BadScene          pieces lie where they cannot lie
│   └── BadFlick          a flick no hand can make
│       └── BadNumber     one of its numbers is out of range, or none
├── IllegalAction         the rules do not allow this now; carries the ledger id
├── Forfeited             a player cannot go on and loses; says why
├── BadPlayer             a player in Python raised an error, or did what cannot be
├── CannotGoOn            a game has come to where no turn can be played, by nobody's fault
├── GivenUp               nobody waits for it any more
├── Unsettled             the world would not come to rest; names what still moved
├── WorkersLost           workers that were to do something are gone
└── MissingExtra          an optional part is not installed; says how to get it
"""

from __future__ import annotations

from flicksim.base.bounds import bounded
from flicksim.base.legible import legible


class FlicksimError(Exception):
    """Root of everything flicksim raises on purpose. What it says can be read: one line, no longer than a bound."""

    def __str__(self) -> str:
        return legible(bounded(super().__str__()))


class BadInput(FlicksimError):
    """Something given from outside cannot be used."""


class BadFile(BadInput):
    """A file is missing, unreadable, unwritable or not what it should be."""


class NoSuchName(BadFile):
    """No sample, shipped position or file is called so; lists those there are."""


class InUse(BadFile):
    """Another process is writing it; says which."""


class Altered(BadFile):
    """A record is not as it was written: lines of it cannot be read, or do not follow one another."""


class BadOption(BadInput):
    """A game's option, a seat or a name is unknown or out of range."""


class BadSwitch(BadOption, ValueError):
    """An option is out of range, or does not go with another. A `ValueError` too, so that strict readers tell of it."""


class BadQuestion(BadInput, ValueError):
    """An experiment, or what varies in one, cannot be. A `ValueError` too: strict readers say where it stands."""


class BadScene(BadInput):
    """Pieces lie where they cannot lie. `problems` lists every one found."""

    def __init__(self, problems: tuple[str, ...] | list[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(self.problems))

    def __reduce__(self) -> tuple[type[BadScene], tuple[tuple[str, ...]]]:
        return type(self), (self.problems,)


class BadFlick(BadInput):
    """A flick no hand can make."""


class BadNumber(BadFlick, ValueError):
    """A number of a flick is out of range, or none. A `ValueError` too, so that strict readers say where it stands."""


class IllegalAction(FlicksimError):
    """The rules do not allow this now. `rule` is the ledger id that forbids it."""

    def __init__(self, rule: str, says: str) -> None:
        self.rule = rule
        self.says = says
        super().__init__(f"{says} ({rule})")

    def __reduce__(self) -> tuple[type[IllegalAction], tuple[str, str]]:
        return type(self), (self.rule, self.says)


class Forfeited(FlicksimError):
    """A player cannot go on and loses: a program that crashed, kept silent or would not play by the rules."""


class BadPlayer(FlicksimError):
    """A player in Python raised an error, or did what cannot be; what it raised is the cause."""


class CannotGoOn(FlicksimError):
    """A game has come to where no turn can be played, by nobody's fault: a table that cannot be settled."""


class GivenUp(FlicksimError):
    """Nobody waits any more for what was being thought."""


class Unsettled(FlicksimError):
    """The world would not come to rest within its limits."""


class WorkersLost(FlicksimError):
    """Workers that were to do something are gone: a process killed, a cluster that went away."""


class MissingExtra(FlicksimError):
    """An optional part is not installed."""

    def __init__(self, what: str, extra: str) -> None:
        self.what, self.extra = what, extra
        super().__init__(f"{what} needs the extra '{extra}': pip install 'flicksim[{extra}]'")

    def __reduce__(self) -> tuple[type[MissingExtra], tuple[str, str]]:
        return type(self), (self.what, self.extra)
