"""Turns and games as pictures that can be sent to a friend, drawn without a window."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from flicksim.base.errors import BadFile
from flicksim.play import Turn
from flicksim.players import stop_if_cancelled
from flicksim.referee import Game
from flicksim.ui.frame.face import Prints
from flicksim.ui.kit.pictures import save


def counted(turns: Sequence[Turn], told: Callable[[int], None]) -> Iterator[Turn]:
    """The turns, one after another; each time it is told how many are done with."""
    for done, turn in enumerate(turns):
        told(done)
        yield turn
    told(len(turns))


def write_png(path: Path, prints: Prints, game: Game, turn: Turn) -> Path:
    """Write what came of a turn: the table with the ways that pieces went, or the cloth.

    Raises:
        BadFile: it cannot be written.
    """
    still = prints.still(game, turn)
    if still is not None:
        return save(still, path)
    last = None
    for last in prints.frames(game, [turn]):  # noqa: B007 - one at a time: all together they are large
        stop_if_cancelled()
    if last is None:
        raise BadFile(f"nothing lies there that could be shown in {str(path)!r}")
    return save(last[0], path)
