"""Helpers of the tests of Ice Tiddly Winks: states and landings made by hand."""

from collections.abc import Iterable
from math import pi
from typing import Any

import msgspec

from flicksim.core.errors import IllegalAction
from flicksim.core.geometry import Point
from flicksim.core.random_streams import RandomStreams
from flicksim.engine.settings import Settings
from flicksim.engine.simulate import simulate
from flicksim.games.ice import rules
from flicksim.games.ice.state import Action, Load, State
from flicksim.games.ice.table_layout import Options, owner_of, seat_areas, size_of
from flicksim.referee import Verdict
from flicksim.scene import launch_trajectory as trajectories
from flicksim.scene.launch import Launch, Volley
from flicksim.scene.pyramid import Pyramid
from flicksim.scene.pyramid_scene import PyramidScene

AWAY: Point = (-1.0, -1.0)
"""Off every table."""


def initial_state(seats: int = 2, **options: Any) -> State:
    """Before anything is stacked."""
    return rules.initial_state(Options(**options), seats, RandomStreams(seed=1))


def loaded_state(seats: int = 2, **options: Any) -> State:
    """Everybody holds a loaded launcher: a large missile on each."""
    state = initial_state(seats, **options)
    while not state.started:
        seat = rules.to_play(state)
        state, _ = play(state, Load(piece=state.hands[seat][-1]))
    return state


def running_state(
    seats: int = 2, pieces: Iterable[Pyramid] = (), hands: dict[int, tuple[str, ...]] | None = None, **options: Any
) -> State:
    """In the middle of a game: these pieces have been played, and these are in hand (none, of seats not named)."""
    state = initial_state(seats, **options)
    there = tuple(pieces)
    played = tuple(sorted(piece.id for piece in there))
    left = tuple((hands or {}).get(seat, ()) for seat in range(seats))
    return msgspec.structs.replace(
        state, scene=msgspec.structs.replace(state.scene, pieces=there), committed=played, hands=left, started=True
    )


def pyramid(
    name: str, at: Point, tilt: float = 0.0, heading: float = 0.0, z: float | None = None, **on: Any
) -> Pyramid:
    """Missile on the table, at its resting height by default."""
    size = size_of(name)
    shape = PyramidScene(surface=initial_state().scene.surface).kit.shape(size)
    piece = Pyramid(
        id=name, size=size, shape=shape, x=at[0], y=at[1], tilt=tilt, heading=heading, owner=owner_of(name), **on
    )
    return msgspec.structs.replace(piece, z=round(-piece.lowest, 9) if z is None else z)


def lying_on_side(name: str, at: Point, heading: float = 0.0) -> Pyramid:
    """A missile on a side."""
    shape = PyramidScene(surface=initial_state().scene.surface).kit.shape(size_of(name))
    return pyramid(name, at, shape.lying_tilt, heading)


def launch(state: State, piece: str, **more: Any) -> Launch:
    """A launch as it is usually meant, from the middle of the owner's area."""
    place = seat_areas(state.options, state.seats)[owner_of(piece)]
    given = {"hold": place.default_hold, "azimuth": place.facing, "speed": 3.0, **more}
    return Launch(piece=piece, size=size_of(piece), **given)


def landings_result(
    state: State, action: Launch, rest: Pyramid | Point | None, *, also: Iterable[Pyramid] = (),
    gone: Iterable[str] = (), first: Point | None = None, kept: bool = False, lasts: float = 1.0,
) -> trajectories.VolleyTrajectory:  # fmt: skip
    """Trajectory of a launch that ends upright at a point, as a piece, or off the table (None).

    Args:
        also: other pieces, where they are afterwards. gone: those knocked off the table.
        first: where it first touches. kept: it stayed on the launcher. lasts: until all rests [s].
    """
    seat = owner_of(action.piece)
    time = state.ready[seat] if action.time is None else action.time
    made = msgspec.structs.replace(action, owner=seat, time=time)
    before = state.scene.without(*state.lift, action.piece)
    after = before.without(*gone)
    for piece in also:
        after = after.with_piece(piece)
    events: list[trajectories.LaunchEvent] = []
    if kept:
        events.append(trajectories.LaunchFailed(t=0.2, piece=action.piece))
    if first is not None:
        events.append(
            trajectories.PyramidCollision(t=0.3, piece=action.piece, on="surface", point=first, height=0.0, speed=1.0)
        )
    if isinstance(rest, tuple):
        rest = pyramid(action.piece, rest)
    if rest is None:
        events.append(trajectories.PyramidLeftSurface(t=0.5, piece=action.piece, point=AWAY))
    else:
        after = after.with_piece(rest)
    landing = trajectories.LaunchTrajectory(
        before=before, launch=made, after=after, events=tuple(events), tracks=(), first_contact_time=0.3, duration=lasts
    )
    return trajectories.VolleyTrajectory(
        before=state.scene, volley=Volley(launches=(made,), lift=state.lift), after_lift=before, after=after,
        trajectories=(landing,), rest_times=(time + lasts,), in_flight=(),
    )  # fmt: skip


def simultaneous(state: State, *accounts: trajectories.VolleyTrajectory) -> trajectories.VolleyTrajectory:
    """Trajectory of a volley from single landings in this order, all in flight together."""
    return trajectories.VolleyTrajectory(
        before=state.scene, volley=Volley(launches=tuple(launch for one in accounts for launch in one.volley.launches)),
        after_lift=state.scene, after=accounts[-1].after,
        trajectories=tuple(landing for one in accounts for landing in one.trajectories),
        rest_times=tuple(rest for one in accounts for rest in one.rest_times), in_flight=(),
    )  # fmt: skip


def play(state: State, action: Action, result: trajectories.VolleyTrajectory | None = None) -> tuple[State, Verdict]:
    """Checked turn; a launch without a trajectory is simulated."""
    rules.check_action(state, action)
    if result is None and (setting := rules.simulation_setup(state, action)) is not None:
        result = simulate(*setting, Settings())
    verdict = rules.judge(state, action, result)
    return rules.next_state(state, result, verdict), verdict


def launch_and_adjudicate(state: State, piece: str, rest: Pyramid | Point | None, **more: Any) -> tuple[State, Verdict]:
    """A launch that ends there (see `landings_result`)."""
    hold = more.pop("hold", None)
    action = launch(state, piece, **({"hold": hold} if hold else {}))
    return play(state, action, landings_result(state, action, rest, **more))


def refusal(state: State, action: Any) -> str:
    """The row by which something is refused; "" when it is allowed."""
    try:
        rules.check_action(state, action)
    except IllegalAction as error:
        return error.rule
    return ""


def leaning(name: str, at: Point, degrees: float, on: str) -> Pyramid:
    """A piece with its base on another, tilted so far."""
    return pyramid(name, at, degrees * pi / 180.0, z=0.01, stands_on=(on,))
