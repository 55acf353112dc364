"""The moments of a motion that matter: what was close, what was potted, what has come to lie on what. No drawing."""

from __future__ import annotations

from collections.abc import Callable
from math import hypot

import numpy as np
import numpy.typing as npt

from flicksim.base.geometry import Point
from flicksim.base.units import mm
from flicksim.play import Turn
from flicksim.table import Motion, Piece, Pot, Scene
from flicksim.ui.table.painter import scene_of

_RIM, _WHITE = mm(10.0), mm(20.0)
"""A wink so near to the rim of the pot, and a coin at rest so near to the white, were close [m]."""
_STEP = 0.005
"""Step with which a motion is looked through [s]."""
_LONGEST = 0.35
"""Longest part of a motion that is close [s]."""

Wave = npt.NDArray[np.float64]


def close_call(motion: Motion) -> tuple[float, float] | None:
    """From when to when it was close [s]: a wink by the rim of the pot, a coin on its last way to the white."""
    pot, name = motion.before.surface.pot, motion.flick.piece
    if name not in motion.tracks.ids:
        return None
    times = np.arange(0.0, motion.duration + _STEP, _STEP)
    row = motion.tracks.ids.index(name)
    if pot is not None:
        return _by_the_rim(motion, pot, row, times)
    return _by_the_white(motion, row, times)


def _by_the_rim(motion: Motion, pot: Pot, row: int, times: Wave) -> tuple[float, float] | None:
    if motion.tracks.air is None:
        return None
    places, heights = motion.tracks.at(times)[:, row, :2], motion.tracks.air_at(times)[:, row, 0]
    aside = np.hypot(places[:, 0] - pot.x, places[:, 1] - pot.y) - pot.top_radius
    return _first(np.hypot(aside, heights - pot.height) <= _RIM, times)


def _by_the_white(motion: Motion, row: int, times: Wave) -> tuple[float, float] | None:
    white = next((piece for piece in motion.after.pieces if piece.kind == "white"), None)
    if white is None or motion.flick.piece == white.id or not motion.after.has(motion.flick.piece):
        return None
    own = motion.after.piece(motion.flick.piece)
    if gap(own, white) > _WHITE:
        return None
    places = motion.tracks.at(times)[:, row, :2]
    still = np.hypot(places[:, 0] - own.x, places[:, 1] - own.y) < mm(0.5)
    rests = float(times[int(np.argmax(still))]) if still.any() else motion.duration
    return (max(0.0, rests - _LONGEST), rests) if rests > 0.0 else None


def _first(there: npt.NDArray[np.bool_], times: Wave) -> tuple[float, float] | None:
    """From when to when it is so for the first time, [s]."""
    found = np.flatnonzero(there)
    if not len(found):
        return None
    begin = float(times[found[0]])
    gone = np.flatnonzero(~there[found[0] :])
    end = float(times[found[0] + gone[0]]) if len(gone) else float(times[-1])
    return (max(0.0, begin - 2 * _STEP), min(end, begin + _LONGEST))


def gap(one: Piece, other: Piece) -> float:
    """The way between the rims of two pieces [m]; less than nothing where one lies over the other."""
    return hypot(one.x - other.x, one.y - other.y) - one.radius - other.radius


def inside_the_pot(scene: Scene, piece: str) -> bool:
    """True where a piece lies in the pot."""
    pot = scene.surface.pot
    if pot is None or not scene.has(piece):
        return False
    x, y = scene.piece(piece).at
    return hypot(x - pot.x, y - pot.y) < pot.top_radius


def potted(motion: Motion) -> list[str]:
    """The pieces that a motion has brought into the pot."""
    return [
        piece.id
        for piece in motion.before.pieces
        if not inside_the_pot(motion.before, piece.id) and inside_the_pot(motion.after, piece.id)
    ]


def covering(motion: Motion) -> list[str]:
    """The pieces that have come to lie on one they did not lie on before."""
    before = {piece.id: set(piece.lies_on) for piece in motion.before.pieces}
    return [piece.id for piece in motion.after.pieces if set(piece.lies_on) - before.get(piece.id, set())]


def squopping(motion: Motion) -> list[str]:
    """Those of them that lie on a wink of the other pair; partners sit opposite each other."""
    found = []
    for name in covering(motion):
        own = motion.after.piece(name)
        under = (motion.after.piece(other).owner for other in own.lies_on)
        if own.owner is not None and any(other is not None and (own.owner - other) % 2 for other in under):
            found.append(name)
    return found


Won = tuple[int, str, Point]
"""A seat, what it has won in a word or a figure, and where on the table [m]."""


def won(turn: Turn, number: Callable[[int], str]) -> list[Won]:
    """The things that a turn has won, each where it was won; `number` writes a seat's points."""
    account = turn.account
    found: list[Won] = []
    if isinstance(account, Motion):
        for word, names in (("potted", potted(account)), ("squop", squopping(account))):
            for name in names:
                piece = account.after.piece(name)
                if piece.owner is not None:
                    found.append((piece.owner, word, piece.at))
    scene = account.after if isinstance(account, Motion) else scene_of(turn.before)
    if scene is None:
        return found
    for seat, points in enumerate(turn.verdict.ruling.points):
        if points:
            found.append((seat, number(seat), _where(scene, seat)))
    return found


def _where(scene: Scene, seat: int) -> Point:
    """Place on the table at which a seat has won points: at its piece nearest to what they are counted from."""
    white = next((piece for piece in scene.pieces if piece.kind == "white"), None)
    middle = white.at if white is not None else scene.surface.pot.at if scene.surface.pot is not None else None
    own = [piece for piece in scene.pieces if piece.owner == seat]
    if middle is None or not own:
        xs, ys = zip(*scene.surface.outline, strict=True)
        return (sum(xs) / len(xs), sum(ys) / len(ys))
    return min((piece.at for piece in own), key=lambda at: hypot(at[0] - middle[0], at[1] - middle[1]))
