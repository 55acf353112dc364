"""Helpers of the tests of Penny White: states and trajectories made by hand."""

from typing import Any

import numpy as np

from flicksim.core.random_streams import RandomStreams
from flicksim.games.penny_white import equipment as kit
from flicksim.games.penny_white import rules
from flicksim.games.penny_white.equipment import WHITE, Options
from flicksim.games.penny_white.rules import State
from flicksim.referee import Verdict
from flicksim.scene import Flick, LeftSurface, Scene, Struck, Tracks, Trajectory

MIDDLE = 0.15
FLICK = 1.4
Place = tuple[float, float]

BLUE, RED = 0, 1


def options(**changes: Any) -> Options:
    return Options(**{"first": "first", **changes})


def scene(opts: Options, **places: Place) -> Scene:
    """Coins where they are said to lie [mm]: white=(150, 575), blue_1=(140, 560)."""
    pieces = []
    for word, (x, y) in places.items():
        name = word.replace("_", "-")
        owner = None if name == WHITE else ("blue", "red").index(name.split("-")[0])
        pieces.append(kit.coin(opts, name, owner, (x / 1000, y / 1000)))
    return Scene(surface=kit.board(opts), pieces=tuple(pieces))


def opening_state(**changes: Any) -> State:
    return rules.initial_state(options(**changes), 2, RandomStreams(seed=1))


def state(opts: Options | None = None, **more: Any) -> State:
    """Mid-end: the white set, Blue to flick his first penny, unless said otherwise."""
    opts = opts or options()
    places = {key: more.pop(key) for key in list(more) if key == "white" or key[:4] in ("blue", "red_")}
    places = {"white": (150.0, 575.0), **places}
    given: dict[str, Any] = {
        "options": opts, "scene": scene(opts, **places), "end": 1, "starter": BLUE, "to_play": BLUE, "phase": "penny",
        "left": (opts.pennies, opts.pennies), **more,
    }  # fmt: skip
    return State(**given)


def flick_result(before: State, *, gone: tuple[str, ...] = (), **places: Place) -> tuple[Any, Trajectory]:
    """A flick of the coin in hand and the motion it makes: these coins end there [mm], those leave, in that order."""
    name = rules.next_coin(before)
    table, flick = rules.simulation_setup(before, Flick(piece=name, speed=FLICK, azimuth=1.57))
    after = table
    for word, (x, y) in places.items():
        after = after.with_piece_at(word.replace("_", "-"), (x / 1000, y / 1000))
    after = after.without(*gone)
    events = [
        Struck(t=0.0, piece=name, velocity=(0.0, FLICK), spin=0.0),
        *(LeftSurface(t=0.1 * k, piece=coin, point=(0.0, 0.5), velocity=(-1.0, 0.0)) for k, coin in enumerate(gone, 1)),
    ]
    tracks = Tracks(ids=(), times=np.zeros(1), states=np.zeros((1, 0, 6)))
    return flick, Trajectory(before=table, flick=flick, after=after, events=tuple(events), tracks=tracks, duration=1.0)


def flick_and_judge(before: State, *, gone: tuple[str, ...] = (), **places: Place) -> tuple[Verdict, State]:
    """The ruling on such a flick, and the state after it. The coin in hand stops at (40, 300) unless said."""
    name = rules.next_coin(before)
    word = name.replace("-", "_")
    if word not in places and name not in gone:
        places[word] = (40.0, 300.0) if name != WHITE else (150.0, 575.0)
    flick, motion = flick_result(before, gone=gone, **places)
    rules.check_action(before, flick)
    verdict = rules.judge(before, flick, motion)
    return verdict, rules.next_state(before, motion, verdict)


def apply_action(before: State, action: Any) -> tuple[Verdict, State]:
    """The ruling on a decision, and the state after it."""
    rules.check_action(before, action)
    verdict = rules.judge(before, action, None)
    return verdict, rules.next_state(before, None, verdict)


def positions_of(after: State) -> dict[str, Place]:
    """Places of everything [mm]."""
    return {p.id: (round(p.x * 1000, 6), round(p.y * 1000, 6)) for p in after.scene.pieces}
