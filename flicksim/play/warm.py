"""The kinds of physics that are compiled before the first shot, and a shot of each that needs all of it."""

from __future__ import annotations

from typing import get_args

from flicksim.base.geometry import rectangle
from flicksim.base.units import mm
from flicksim.physics import settle, settle_many
from flicksim.physics.flight.jit import njit
from flicksim.play.match import Match
from flicksim.play.meanwhile import THINKERS
from flicksim.play.warming import Asks, Warming, asker, thoughts_of
from flicksim.players import WeighingPlayer
from flicksim.referee import Game
from flicksim.table import Flick, Launch, Piece, Pot, Scene, Squidge, Surface, samples

_MAT = rectangle(1.0, 1.0, -0.5, -0.5)


def _wink(name: str, x: float = 0.0) -> Piece:
    return Piece(id=name, kind="small", x=x, y=0.0, radius=mm(7.9), thickness=mm(1.6), mass=0.0004, material="wink")


def squidge() -> None:
    """Make one squidge that needs all of the physics: two winks, a pot, the edge."""
    pot = Pot(height=mm(38.1), top_radius=mm(23.8), base_radius=mm(23.8), wall=mm(1.5), material="pot")
    surface = Surface(material="felt", outline=_MAT, pot=pot)
    lying = (_wink("wink-0", 0.1), _wink("wink-1", 0.15))
    settle(Scene(surface=surface, pieces=lying), Squidge(piece="wink-0", speed=0.5, azimuth=0.0))


def launch() -> None:
    """Make one launch onto a table on which something lies."""
    settle(*samples.launch())


def flicks() -> None:
    """Make one flick as the batch does."""
    settle_many(*samples.sample("draw"), events=True)


def squidges() -> None:
    """Make one squidge as the batch does."""
    mat = Surface(material="felt", outline=_MAT)
    settle_many(Scene(surface=mat, pieces=(_wink("wink"),)), Squidge(piece="wink", speed=0.5, azimuth=0.0))


WINKS = Warming("the flight of winks", squidge, ("flight/*",), "advance.advance")
PYRAMIDS = Warming("the flight of pyramids", launch, ("space/*",), "advance.advance")
FLICKS = Warming("bots", flicks, ("batch/glide", "batch/coins"), "coins.shoot")
SQUIDGES = Warming("hints", squidges, ("flight/*", "batch/glide", "batch/lone"), "lone.shoot")
_BY_KIND = {Flick: FLICKS, Squidge: WINKS, Launch: PYRAMIDS}
"""Physics that is compiled for shots of a kind and for bots that think of such."""


_SETTLING = (WINKS, PYRAMIDS)
"""Physics by which single shots are settled; of coins those alone are compiled that are settled by the thousand."""


def physics_of(game: Game) -> tuple[Warming, ...]:
    """The physics that is compiled for a game's shots and bots."""
    kinds = get_args(game.action) or (game.action,)
    return tuple(one for kind, one in _BY_KIND.items() if kind in kinds)


def beside(match: Match, patience: float | None) -> Asks | None:
    """Have compiled, beside a game, what its shots and bots need; shots are settled by what is there from now on.

    Args:
        patience: see `Warming.asker`.

    Returns:
        The way to ask its bots, who think with what is there; None where nothing is missing, or can be compiled.
    """
    if njit is None:
        return None
    thoughts, physics = thoughts_of(match.game), physics_of(match.game)
    thinks = any(isinstance(player, THINKERS) for player in match.players)
    needed = [one for one in physics if thinks or one in _SETTLING]
    if thoughts is not None and any(isinstance(player, WeighingPlayer) for player in match.players):
        needed.append(thoughts)
    if not any(one.missing for one in needed):
        return None
    if physics and physics[0] in _SETTLING:
        match.settled_by(physics[0].stage(match.stage))
    return asker(match, *physics, patience=patience)
