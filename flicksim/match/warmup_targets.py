"""Targets of the JIT warm-up: for each physics kernel group one shot that compiles it."""

import logging
from functools import cache
from typing import get_args

from flicksim.ai import RolloutPlayer
from flicksim.core.geometry import rectangle
from flicksim.core.type_aliases import Action, InitialState, SimulationResult
from flicksim.core.units import mm
from flicksim.engine import Settings, batch, check_shot, pyramids, simulate, simulate_batch, winks
from flicksim.engine.jit import numba_njit
from flicksim.match.fallback_worker import SEARCHING_PLAYERS
from flicksim.match.game_model import PhysicsSimulator
from flicksim.match.match import Match
from flicksim.match.warmup import ChooseAction, Warmup, action_chooser, bot_warmup
from flicksim.referee import Game
from flicksim.scene import Flick, Launch, Piece, Pot, Scene, Squidge, Surface, samples

_MAT = rectangle(1.0, 1.0, -0.5, -0.5)


def _make_wink(name: str, x: float = 0.0) -> Piece:
    return Piece(id=name, kind="small", x=x, y=0.0, radius=mm(7.9), thickness=mm(1.6), mass=0.0004, material="wink")


def warm_up_squidge() -> None:
    """Simulate squidges that need all kernels, one by itself and as a batch: two winks, a pot, the edge."""
    pot = Pot(height=mm(38.1), top_radius=mm(23.8), base_radius=mm(23.8), wall=mm(1.5), material="pot")
    surface = Surface(material="felt", outline=_MAT, pot=pot)
    winks = (_make_wink("wink-0", 0.1), _make_wink("wink-1", 0.15))
    scene, squidge = Scene(surface=surface, pieces=winks), Squidge(piece="wink-0", speed=0.5, azimuth=0.0)
    simulate(scene, squidge)
    simulate_batch(scene, squidge)


def warm_up_launch() -> None:
    """Simulate a launch onto a table with other pieces."""
    simulate(*samples.launch_sample())


def warm_up_disc_batch() -> None:
    """Simulate a batch of one flick."""
    simulate_batch(*samples.sample("draw"), events=True)


WINK_WARMUP = Warmup("the simulation of winks", warm_up_squidge, winks.shots.simulate_shots)
PYRAMID_WARMUP = Warmup("the simulation of pyramids", warm_up_launch, pyramids.integrator.simulate_until)
DISC_BATCH_WARMUP = Warmup("bots", warm_up_disc_batch, batch.disc_batch.simulate_shots)
WINK_BATCH_WARMUP = WINK_WARMUP
"""Batches of squidges run in the loop of single ones."""
_WARMUP_BY_ACTION: dict[type, Warmup] = {Flick: DISC_BATCH_WARMUP, Squidge: WINK_WARMUP, Launch: PYRAMID_WARMUP}
"""Warm-up of the physics by type of action."""
_SINGLE_SHOT_WARMUPS = (WINK_WARMUP, PYRAMID_WARMUP)
"""Warm-ups of single shots; single flicks of coins run no compiled code."""


def warmups_of(game: Game) -> tuple[Warmup, ...]:
    """Warm-ups of the physics of a game's shots and bots."""
    kinds = get_args(game.action) or (game.action,)
    return tuple(warmup for kind, warmup in _WARMUP_BY_ACTION.items() if kind in kinds)


def simulate_shot(before: InitialState, action: Action, settings: Settings | None = None) -> SimulationResult:
    """Simulate a shot, in a fallback worker until its kernels are compiled, which happens in the background.

    That is logged once.

    Args:
        before: scene. action: flick, squidge, launch or volley. settings: of the physics.

    Raises:
        FlicksimError: see `engine.simulate`.
    """
    simulator, target = PhysicsSimulator(settings), _WARMUP_BY_ACTION.get(type(action))
    if numba_njit is None or target not in _SINGLE_SHOT_WARMUPS or not target.is_missing:
        return simulator.simulate(before, action)
    check_shot(before, action)  # one that is refused needs no compiled code, so that nothing is told of it
    _log_compiling("The simulation", "a shot takes seconds meanwhile")
    return target.with_fallback(simulator).simulate(before, action)


def warm_up_match(match: Match, time_limit: float | None) -> ChooseAction | None:
    """Start to compile what the shots and bots of a match need, with a fallback worker until that is done.

    That is logged once.

    Args:
        time_limit: see `action_chooser`.

    Returns:
        Function that chooses the actions of its bots; None where everything is cached, or there is no JIT.
    """
    if numba_njit is None:
        return None
    bots, physics = bot_warmup(match.game), warmups_of(match.game)
    searches = any(isinstance(player, SEARCHING_PLAYERS) for player in match.players)
    needed = [warmup for warmup in physics if searches or warmup in _SINGLE_SHOT_WARMUPS]
    if bots is not None and any(isinstance(player, RolloutPlayer) for player in match.players):
        needed.append(bots)
    if not any(warmup.is_missing for warmup in needed):
        return None
    _log_compiling(
        "The simulation" if physics else "The bots' search",
        "bots search less meanwhile"
        if time_limit is not None
        else "bots take longer meanwhile, or wait for it, and choose the same",
    )
    if physics and physics[0] in _SINGLE_SHOT_WARMUPS:
        match.simulator = physics[0].with_fallback(match.simulator)
    return action_chooser(match, *physics, time_limit=time_limit)


@cache
def _log_compiling(what: str, meanwhile: str) -> None:
    logging.getLogger("flicksim").warning(f"{what} is being compiled in the background, once; {meanwhile}.")
