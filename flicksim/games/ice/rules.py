"""Rules of Ice Tiddly Winks as pure functions; rule ids ITW- stand where they apply.

There are no turns: launches carry times. A turn of the match loop is a decision of the seat that may launch first; then
all missiles that land before the next decision are adjudicated, in order of landing.
"""

from collections.abc import Iterable
from fractions import Fraction
from math import inf, isfinite, pi

import msgspec

from flicksim.core.errors import IllegalAction
from flicksim.core.geometry import is_inside_convex
from flicksim.core.random_streams import RandomStreams
from flicksim.core.units import deg2rad, mm, to_mm
from flicksim.games.ice import table_layout as round_table
from flicksim.games.ice.landing_rules import LandingResult, adjudicate_landings
from flicksim.games.ice.scoring import TableCount
from flicksim.games.ice.self_reports import check_disturb, restore_pieces, self_reports
from flicksim.games.ice.state import Disturb, IceRuling, Load, State, Wait
from flicksim.games.ice.table_layout import SEATS, Options, missiles, seat_areas, size_of
from flicksim.referee import LaunchRange, LegalActions, Reason, Verdict, common_rules
from flicksim.scene import Launch, PyramidScene, Size, Volley, VolleyTrajectory

SPEEDS: dict[Size, tuple[float, float]] = {"small": (2.0, 4.4), "medium": (2.4, 5.3), "large": (2.9, 6.0)}
"""Useful speeds for each missile [m/s]: lower ones land short, higher ones leave the table."""
_MAX_WAIT_TIME = 3600.0
"""Longest single wait [s]."""


view = common_rules.view


def initial_state(options: Options, seats: int, streams: RandomStreams) -> State:
    """Initial state: a launcher and fourteen missiles for every seat, nothing stacked (ITW-1a, ITW-2b to 2g).

    Raises:
        InvalidOption: the stashes do not fit on the table.
    """
    order = tuple(int(seat) for seat in streams.spawn("order").generator().permutation(seats))
    return State(
        options=options, order=order, scene=round_table.initial_scene(options, seats),
        hands=tuple(missiles(seat) for seat in range(seats)), loaded=(None,) * seats, ready=(0.0,) * seats,
    )  # fmt: skip


def to_play(state: State) -> int | None:
    """Seat to play: one that has not loaded yet, then the one that may flick first; None when the game is over.

    Seats that may flick at the same time come in the order drawn at the start (ITW-4b).
    """
    if not state.started:
        return next((seat for seat in state.order if state.loaded[seat] is None), None)
    free = [seat for seat in state.order if state.hands[seat] and not _in_flight(state, seat)]
    return min(free, key=lambda seat: state.ready[seat], default=None)


def _in_flight(state: State, seat: int) -> bool:
    """Return True if a missile of a seat is in the air (ITW-4c)."""
    return any(launch.owner == seat for launch in state.aloft)


def legal_actions(state: State) -> LegalActions:
    """Legal actions of the seat to play, and what may be self-reported."""
    former_seat = None if state.former is None else to_play(state.former)
    return msgspec.structs.replace(_prompt(state), self_reports=self_reports(state, former_seat))


def _prompt(state: State) -> LegalActions:
    seat = to_play(state)
    if seat is None:
        return LegalActions(prompt="The game is over.")
    hand = state.hands[seat]
    if not state.started:
        return LegalActions(
            prompt=f"{SEATS[seat]}: stack a missile on your launcher.", actions=tuple(Load(piece=name) for name in hand)
        )
    loaded = state.loaded[seat]
    area = seat_areas(state.options, state.seats)[seat]
    ranges = tuple(
        LaunchRange(
            piece=name, size=size_of(name), start=area.stash, speed=SPEEDS[size_of(name)],
            azimuth=(area.facing - pi / 5.0, area.facing + pi / 5.0), height=(0.0, mm(8.0)),
            slant=(deg2rad(55.0), deg2rad(75.0)), hold=area.default_hold, lift=mm(80.0),
        )
        for name in ((loaded,) if loaded is not None else _one_per_size(hand))
    )  # fmt: skip
    return LegalActions(prompt=f"{SEATS[seat]}: launch a missile over your start line.", flicks=ranges)


def _one_per_size(hand: Iterable[str]) -> tuple[str, ...]:
    """First missile of each size; pieces of a size are equivalent."""
    first_by_size: dict[Size, str] = {}
    for name in hand:
        first_by_size.setdefault(size_of(name), name)
    return tuple(first_by_size.values())


def check_action(state: State, action: object) -> None:
    """Check that the rules allow the action now.

    Raises:
        IllegalAction: they do not; with the rule id.
    """
    if isinstance(action, Disturb):
        check_disturb(state, action)
        return
    seat = to_play(state)
    if seat is None:
        raise IllegalAction("ITW-4d", "the game is over; every missile has been launched")
    match action:
        case Load(piece=name):
            if state.started:
                raise IllegalAction("ITW-3c", "the game is on; a missile is stacked as it is launched, one at a time")
            _check_in_hand(state, seat, name)
        case Launch():
            if not state.started:
                raise IllegalAction(
                    "ITW-4a", f"{SEATS[seat]} has no missile stacked yet; nobody launches before all do"
                )
            _check_launch(state, seat, action)
        case Wait(until=until):
            if not state.started:
                raise IllegalAction("ITW-2h", f"{SEATS[seat]} has yet to stack a missile; there is nothing to wait for")
            ready = state.ready[seat]
            if not (isfinite(until) and ready < until <= ready + _MAX_WAIT_TIME):
                raise IllegalAction(
                    "ITW-4b", f"waiting until {until:g} s must be to later than {ready:g} s, by an hour at most"
                )
        case _:
            raise IllegalAction("ITW-3a", f"{type(action).__name__} is nothing to do here; the launch is all there is")


def _check_in_hand(state: State, seat: int, name: str) -> None:
    if name == round_table.launcher_id(seat):
        raise IllegalAction("ITW-2f", f"{name!r} is {SEATS[seat]}'s launcher, not a missile")
    if name not in state.hands[seat]:
        left = ", ".join(repr(other) for other in state.hands[seat])
        raise IllegalAction("ITW-2g", f"{name!r} is no missile in {SEATS[seat]}'s hand; in it are {left}")


def _check_launch(state: State, seat: int, launch: Launch) -> None:
    who = SEATS[seat]
    if launch.owner not in (None, seat):
        raise IllegalAction("ITW-4b", f"{SEATS[launch.owner or 0]} cannot launch now; {who} may flick first")
    _check_in_hand(state, seat, launch.piece)
    if launch.size != size_of(launch.piece):
        raise IllegalAction("ITW-1b", f"{launch.piece!r} is not {launch.size}")
    loaded = state.loaded[seat]
    if loaded not in (None, launch.piece):
        raise IllegalAction("ITW-2h", f"{who} has stacked {loaded!r} on the launcher; it is launched first")
    if launch.time is not None and launch.time < state.ready[seat]:
        raise IllegalAction(
            "ITW-4c",
            f"{who} cannot launch at {launch.time:g} s; the missile before is at rest at {state.ready[seat]:g} s",
        )
    if state.options.bad_hold == "refuse" and not is_inside_convex(
        launch.hold, seat_areas(state.options, state.seats)[seat].stash
    ):
        raise IllegalAction(
            "ITW-5a",
            f"the launcher at ({to_mm(launch.hold[0]):g}, {to_mm(launch.hold[1]):g}) mm is not over {who}'s stash area",
        )
    scene = state.scene.without(*state.lift, launch.piece)
    if (piece := scene.find_obstruction(launch)) is not None:
        raise IllegalAction(
            "ITW-3b", f"{piece.id!r} stands where the launcher would be held; hold it higher than "
            f"{to_mm(launch.lift):g} mm or elsewhere",
        )  # fmt: skip


def simulation_setup(state: State, action: object) -> tuple[PyramidScene, Volley] | None:
    """Scene and launches in flight, simulated up to the next decision; None without any."""
    seat = to_play(state)
    if seat is None or isinstance(action, Disturb):
        return None
    aloft, until = list(state.aloft), inf
    lift = state.lift
    match action:
        case Launch():
            time = state.ready[seat] if action.time is None else action.time
            aloft.append(msgspec.structs.replace(action, owner=seat, time=time))
            lift = (*lift, action.piece)  # a missile that stands in the stash is taken from there
        case Wait(until=end):
            until = end
        case _:
            return None
    if not aloft:
        return None
    for other in range(state.seats):
        if other != seat and state.hands[other] and not _in_flight(state, other):
            until = min(until, state.ready[other])
    pauses = tuple(0.0 if _has_more_missiles(state, launch) else None for launch in aloft)
    return state.scene, Volley(
        launches=tuple(aloft), lift=tuple(name for name in dict.fromkeys(lift) if state.scene.has(name)),
        until=until if until < inf else None, pauses=pauses,
    )  # fmt: skip


def _has_more_missiles(state: State, launch: Launch) -> bool:
    """Return True if a seat has more missiles to launch after this one."""
    assert launch.owner is not None
    return any(name != launch.piece for name in state.hands[launch.owner])


def judge(state: State, action: object, result: VolleyTrajectory | None) -> Verdict:
    """Adjudicate a decision and all landings before the next one."""
    if isinstance(action, Disturb):
        return _judge_disturbance(state, action.pieces)
    seat = to_play(state)
    assert seat is not None
    outcome = LandingResult()
    loaded, waits = None, None
    match action:
        case Load(piece=name):
            loaded = name
            outcome.add_reason("ITW-2h", f"{SEATS[seat]} stacks {name} on the launcher.")
            if all(stacked is not None for other, stacked in enumerate(state.loaded) if other != seat):
                outcome.add_reason("ITW-4a", "Everybody holds a loaded launcher: the game is on.")
        case Wait(until=until):
            waits = until
            outcome.add_reason("ITW-4b", f"{SEATS[seat]} takes time until {until:.1f} s.")
        case Launch(piece=name):
            time = state.ready[seat] if action.time is None else action.time
            outcome.add_reason("ITW-3d", f"{SEATS[seat]} launches {name} at {time:.1f} s.")
    if result is not None:
        landings = adjudicate_landings(state, result)
        landings.reasons = [*outcome.reasons, *landings.reasons]
        outcome = landings
    draft = IceRuling(
        points=(), next=None, loaded=loaded, waits=waits, fates=tuple(outcome.outcomes), back=tuple(outcome.returned),
        lost=tuple(outcome.lost),
    )  # fmt: skip
    after = _state_after(state, seat, result, draft)
    if after.final is not None:
        outcome.reasons += _final_count_text(after)
    return _verdict(state, after, outcome.reasons, draft)


def _judge_disturbance(state: State, names: tuple[str, ...]) -> Verdict:
    """Apply a self-report: put the pieces moved by a hand back where they were (ITW-3a)."""
    draft = IceRuling(points=(), next=None, restored=names)
    after = _with_final_count(restore_pieces(state, names))
    reasons = [Reason("ITW-3a", f"A hand moved {name}: it goes back to where it lay.") for name in names]
    if after.final is not None:
        reasons += _final_count_text(after)
    return _verdict(state, after, reasons, draft)


def _verdict(state: State, after: State, reasons: list[Reason], draft: IceRuling) -> Verdict:
    gained = tuple(after_points - before for after_points, before in zip(scores(after), scores(state), strict=True))
    return Verdict(reasons=tuple(reasons), ruling=msgspec.structs.replace(draft, points=gained, next=to_play(after)))


def _final_count_text(after: State) -> list[Reason]:
    count = TableCount(after)
    reasons = [Reason("ITW-7c", "Every missile has been launched; what stands is counted.")]
    for seat, points in enumerate(after.final or ()):
        standing = count.standing_count(seat)
        reasons.append(Reason("ITW-7d", f"{SEATS[seat]} has {standing} standing, for {points}."))
    best = leaders(after)
    names = " and ".join(SEATS[seat] for seat in best)
    reasons.append(Reason("ITW-7h", f"{names} {'win' if len(best) > 1 else 'wins'}."))
    return reasons


def next_state(state: State, result: VolleyTrajectory | None, verdict: Verdict) -> State:
    """Apply a verdict to a state."""
    ruling = verdict.ruling
    assert isinstance(ruling, IceRuling)
    if ruling.restored:
        return _with_final_count(restore_pieces(state, ruling.restored))
    seat = to_play(state)
    assert seat is not None
    return _state_after(state, seat, result, ruling)


def _state_after(state: State, seat: int, result: VolleyTrajectory | None, ruling: IceRuling) -> State:
    loaded, ready, hands = list(state.loaded), list(state.ready), [list(hand) for hand in state.hands]
    scene, aloft, lift, clock = state.scene, state.aloft, state.lift, state.clock
    former = state.former
    if ruling.loaded is not None:
        loaded[seat] = ruling.loaded
    if ruling.waits is not None:
        ready[seat] = ruling.waits
    committed, gone = list(state.committed), {*ruling.back, *ruling.lost}
    if result is not None:
        scene, aloft, lift = result.after, result.in_flight, ()
        if result.trajectories:
            former = msgspec.structs.replace(state, former=None)
        for launch in result.volley.launches:
            if launch.piece in hands[launch.owner or 0]:
                hands[launch.owner or 0].remove(launch.piece)
            loaded[launch.owner or 0] = None
        clock = max((clock, *result.rest_times))
    for fate in ruling.fates:
        # a seat without missiles gets a returned one only when all missiles in flight are at rest
        ready[fate.seat] = fate.rest if hands[fate.seat] else clock
        (committed if fate.fate == "stays" else hands[fate.seat]).append(fate.piece)
    for name in ruling.back:
        owner = round_table.owner_of(name)
        hands[owner].append(name)
        ready[owner] = max(ready[owner], clock)
    lifted = gone | {fate.piece for fate in ruling.fates if fate.fate == "returned"}
    after = msgspec.structs.replace(
        state, scene=scene, aloft=aloft, committed=tuple(sorted(set(committed) - gone)),
        lift=tuple(sorted({*lift, *filter(scene.has, lifted)})),
        hands=tuple(_sorted_hand(hand) for hand in hands), loaded=tuple(loaded), ready=tuple(ready), clock=clock,
        started=state.started or all(stacked is not None for stacked in loaded), former=former,
    )  # fmt: skip
    return _with_final_count(after)


def _with_final_count(after: State) -> State:
    """Add the final count once all missiles have been launched (ITW-7c)."""
    if after.started and not after.aloft and not any(after.hands):
        after = msgspec.structs.replace(after, final=provisional_points(after))
    return after


def _sorted_hand(hand: Iterable[str]) -> tuple[str, ...]:
    """Missiles in hand, in the initial order."""
    names = list(hand)
    if not names:
        return ()
    held = set(names)
    return tuple(name for name in missiles(round_table.owner_of(names[0])) if name in held)


def provisional_points(state: State) -> tuple[int, ...]:
    """Points of every seat if the game ended now, for display and for evaluation."""
    count = TableCount(state)
    return tuple(count.seat_points(seat) for seat in range(state.seats))


def scores(state: State) -> tuple[Fraction, ...]:
    """Points by seat; 0 before the end of the game (ITW-7b, ITW-7c)."""
    return tuple(Fraction(points) for points in state.final or (0,) * state.seats)


def leaders(state: State) -> tuple[int, ...]:
    """Seats that win or share the win at the current score (ITW-7h)."""
    count = TableCount(state)
    ranking = [
        (count.seat_points(seat), count.standing_count(seat) if state.options.tie == "upright" else 0)
        for seat in range(state.seats)
    ]
    return tuple(seat for seat, rank in enumerate(ranking) if rank == max(ranking))
