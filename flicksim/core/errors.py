"""Exception hierarchy. Each message quotes the offending value and says what would be right."""

from collections.abc import Iterator
from contextlib import contextmanager

from flicksim.core.limits import truncate_middle
from flicksim.core.sanitize import escape_unprintable
from flicksim.core.shell import install_command


class FlicksimError(Exception):
    """Root of everything flicksim raises on purpose. Its message is printable, one line, and of limited length."""

    def __str__(self) -> str:
        return escape_unprintable(truncate_middle(super().__str__()))

    @property
    def sentence(self) -> str:
        """The message as a sentence, with a capital letter and a full stop."""
        return f"{str(self)[:1].upper()}{str(self)[1:]}."


class InvalidInput(FlicksimError):
    """Input from outside cannot be used."""


class InvalidValue(InvalidInput, ValueError):
    """A number is out of range, or contradicts another. A `ValueError` too, so that strict decoders report its path."""


class InvalidFile(InvalidInput):
    """A file is missing, unreadable, unwritable or of another type."""


class NameNotFound(InvalidFile):
    """No sample, shipped position or file has that name; lists the known ones."""


class FileInaccessible(InvalidFile):
    """A file is missing, or the system does not let it be used, which says nothing of what it holds."""


class FileLocked(FileInaccessible):
    """Another process is writing the file; names it."""


@contextmanager
def advise(advice: str) -> Iterator[None]:
    """Add to the error of a damaged file what to do."""
    try:
        yield
    except FileInaccessible:
        raise
    except InvalidFile as error:
        raise type(error)(f"{error}; {advice}") from None


class RecordTampered(InvalidFile):
    """A record was altered: lines cannot be read, or do not follow one another."""


class InvalidOption(InvalidInput):
    """A game's option, a seat or a name is unknown or out of range."""


class InvalidGameOption(InvalidOption, InvalidValue):
    """An option is out of range, or does not go with another."""


class InvalidExperiment(InvalidValue):
    """An experiment, or a parameter of one, is invalid."""


class InvalidScene(InvalidInput):
    """Pieces overlap, lie off the surface, or rest on nothing.

    Args:
        problems: every problem found. name: of the file or position, if the scene is that of one.
    """

    def __init__(self, problems: tuple[str, ...] | list[str], name: str = "") -> None:
        self.problems, self._name = tuple(problems), name
        super().__init__(f"{name}: " * bool(name) + "; ".join(self.problems))

    def __reduce__(self) -> "tuple[type[InvalidScene], tuple[tuple[str, ...], str]]":
        return type(self), (self.problems, self._name)


@contextmanager
def name_invalid_scene(name: str) -> Iterator[None]:
    """Add the name of its file or position to the error of an invalid scene."""
    try:
        yield
    except InvalidScene as error:
        raise InvalidScene(error.problems, name) from None


class InvalidAction(InvalidInput):
    """A flick or launch is invalid."""


class InvalidNumber(InvalidAction, InvalidValue):
    """A number of a flick is out of range, or not a number."""


class IllegalAction(FlicksimError):
    """The rules forbid an action now. `rule` is the rule id."""

    def __init__(self, rule: str, message: str) -> None:
        self.rule = rule
        self.message = message
        super().__init__(f"{message} ({rule})")

    def __reduce__(self) -> "tuple[type[IllegalAction], tuple[str, str]]":
        return type(self), (self.rule, self.message)


class Forfeited(FlicksimError):
    """A player cannot go on and loses: a program that crashed, did not answer in time or broke the rules.

    Args:
        reason: message without what the program wrote, which may name files or cards; the message itself by default.
    """

    def __init__(self, message: str, reason: str = "") -> None:
        super().__init__(message)
        self.reason = reason or str(self)


class PlayerError(FlicksimError):
    """A player in Python raised an error, or returned an invalid action; the error raised is the cause."""


class CannotContinue(FlicksimError):
    """The next turn cannot be played, through no player's fault: the table does not come to rest."""


class Cancelled(FlicksimError):
    """The user gave up waiting for a computation."""


class DidNotSettle(FlicksimError):
    """The simulation did not come to rest within its limits."""


class WorkersLost(FlicksimError):
    """Worker processes are lost: a process was killed, or a cluster is unreachable."""


class MissingExtra(FlicksimError):
    """An optional dependency is not installed. The message has the command that installs it for this interpreter."""

    def __init__(self, feature: str, extra: str) -> None:
        self.feature, self.extra = feature, extra
        super().__init__(f"{feature} needs the extra '{extra}': {install_command(extra)}")

    def __reduce__(self) -> "tuple[type[MissingExtra], tuple[str, str]]":
        return type(self), (self.feature, self.extra)
