"""Files of positions: reading of a game's position notation, and the positions shipped with it."""

from pathlib import Path
from typing import Generic, TypeVar

from flicksim.core.errors import InvalidOption
from flicksim.core.serialization import Value, from_json, read_document
from flicksim.core.type_aliases import State
from flicksim.referee.verdict import Reason

P = TypeVar("P", bound=Value)


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
        return from_json(read_document(path), self._position, name=str(path))

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


def no_ruling_reasons(state: State) -> tuple[Reason, ...]:
    """Reasons of the rulings on a state in a game without any: none."""
    del state
    return ()
