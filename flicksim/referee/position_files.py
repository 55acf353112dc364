"""Position notation of a game: files, the positions shipped with it, and states where no rulings come first."""

from collections.abc import Callable
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from flicksim.core.errors import InvalidOption, InvalidScene
from flicksim.core.serialization import from_json, read_json_object
from flicksim.core.type_aliases import State
from flicksim.referee.verdict import Reason

P = TypeVar("P")
S = TypeVar("S")


class CheckablePosition(Protocol):
    """Position that lists its problems."""

    def problems(self) -> list[str]:
        """Problems of the position, one sentence each; empty if it can be played from."""


C = TypeVar("C", bound=CheckablePosition)


class PositionFiles(Generic[P]):
    """Positions of a game in files.

    Args:
        position: type of the notation. title: name of the game. folder: of the shipped positions; None: there are none.
    """

    def __init__(self, position: type[P], title: str, folder: Path | None = None) -> None:
        self._position, self._title, self._folder = position, title, folder

    def load(self, path: Path) -> P:
        """Load a position from a file.

        Raises:
            InvalidFile, InvalidInput: it cannot be read.
        """
        return from_json(read_json_object(path, "position"), self._position, name=str(path))

    def builtin_names(self) -> tuple[str, ...]:
        """Names of the shipped positions."""
        return () if self._folder is None else tuple(sorted(path.stem for path in self._folder.glob("*.json")))

    def load_builtin(self, name: str) -> P:
        """Load a shipped position by name.

        Raises:
            InvalidOption: there is none of that name; the message lists the names.
        """
        if self._folder is None:
            raise InvalidOption(f"no position {name!r} of {self._title} is shipped; give a file")
        if name not in self.builtin_names():
            raise InvalidOption(f"no position {name!r}; there are {', '.join(self.builtin_names())}")
        return self.load(self._folder / f"{name}.json")


class UnruledPositions(PositionFiles[C], Generic[C, S]):
    """Positions of a game that is continued without rulings first: files and states.

    Args:
        position: type of the notation. title: name of the game. folder: of the shipped positions; None: there are none.
        make_state: state of a position without problems.
    """

    def __init__(self, position: type[C], title: str, folder: Path | None, make_state: Callable[[C], S]) -> None:
        super().__init__(position, title, folder)
        self._make_state = make_state

    def to_state(self, position: C) -> S:
        """State of a position.

        Raises:
            InvalidScene: it cannot be continued from; the message lists all problems.
        """
        if problems := position.problems():
            raise InvalidScene(problems)
        return self._make_state(position)

    def start_state(self, position: C) -> tuple[S, tuple[Reason, ...]]:
        """State to continue from (see `to_state`), and no rulings."""
        return self.to_state(position), ()

    @property
    def functions(self) -> tuple[
        Callable[[Path], C], Callable[[], tuple[str, ...]], Callable[[str], C], Callable[[C], S],
        Callable[[C], tuple[S, tuple[Reason, ...]]], Callable[[State], tuple[Reason, ...]],
    ]:  # fmt: skip
        """`load`, `builtin_names`, `load_builtin`, `to_state`, `start_state` and `ruling_reasons` of a notation."""
        return self.load, self.builtin_names, self.load_builtin, self.to_state, self.start_state, no_ruling_reasons


def no_ruling_reasons(state: State) -> tuple[Reason, ...]:
    """Reasons of the rulings on a state in a game without any: none."""
    del state
    return ()
