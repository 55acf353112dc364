"""Adjudication of landed missiles and of the pieces they moved (ITW-5a to 6c)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from flicksim.core.geometry import Point, convex_separation, is_inside_convex
from flicksim.games.ice.state import LandingOutcome, State
from flicksim.games.ice.table_layout import SEATS, Options, owner_of, seat_areas
from flicksim.referee import LENGTH_TOLERANCE, Reason
from flicksim.scene import LaunchFailed, LaunchTrajectory, Pyramid, PyramidCollision, PyramidScene, VolleyTrajectory


@dataclass(slots=True)
class LandingResult:
    """Outcome of the landings of a turn, in order."""

    outcomes: list[LandingOutcome] = field(default_factory=list)
    returned: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    reasons: list[Reason] = field(default_factory=list)

    def add_reason(self, rule: str, text: str) -> None:
        self.reasons.append(Reason(rule, text))


def adjudicate_landings(state: State, result: VolleyTrajectory) -> LandingResult:
    """Adjudicate pieces displaced as others are picked up, then every landed missile, in order."""
    outcome = LandingResult()
    played = dict.fromkeys(state.committed)
    scene = result.before.without(*result.volley.lift)
    for displaced in _displaced_pieces(
        state, scene, result.after_lift, tuple(played), outcome, "falls, as another piece is picked up,"
    ):
        del played[displaced]
    for landing, rest_time in zip(result.trajectories, result.rest_times, strict=True):
        name = landing.launch.piece
        landing_outcome = _landing_outcome(state, landing, outcome)
        outcome.outcomes.append(LandingOutcome(piece=name, seat=owner_of(name), fate=landing_outcome, rest=rest_time))
        for displaced in _displaced_pieces(state, landing.before, landing.after, tuple(played), outcome, "is knocked"):
            del played[displaced]
        if landing_outcome == "stays":
            played[name] = None
    return outcome


def _landing_outcome(state: State, landing: LaunchTrajectory, so_far: LandingResult) -> Literal["stays", "returned"]:
    """Outcome of a landed missile: it stays, or is handed back."""
    launch, missile, options = landing.launch, landing.missile, state.options
    name, seat = launch.piece, owner_of(launch.piece)
    areas = [area.stash for area in seat_areas(options, state.seats)]
    if not is_inside_convex(launch.hold, areas[seat]):
        so_far.add_reason(
            "ITW-5a", f"{SEATS[seat]} held the launcher outside the own stash area; {name} is handed back."
        )
    elif any(isinstance(event, LaunchFailed) for event in landing.events):
        so_far.add_reason("ITW-5f", f"{name} stays on the launcher; it is used again.")
    elif missile is None:
        so_far.add_reason("ITW-5e", f"{name} goes off the table and is returned, to be used again.")
    elif _lands_short(options, landing, missile, areas[seat]):
        so_far.add_reason(
            "ITW-5d", f"{name} lands in {SEATS[seat]}'s own stash area and is returned, to be used again."
        )
    else:
        crossed_areas = [
            SEATS[other] for other, area in enumerate(areas) if other != seat and overlaps_area(missile, area)
        ]
        if crossed_areas:
            so_far.add_reason("ITW-6b", f"{name} stays: it lies in the stash area of {' and '.join(crossed_areas)}.")
        else:
            so_far.add_reason("ITW-5c", f"{name} lands beyond {SEATS[seat]}'s start line and stays.")
        return "stays"
    return "returned"


def _lands_short(options: Options, landing: LaunchTrajectory, missile: Pyramid, area: tuple[Point, ...]) -> bool:
    """Return True if a missile on the table has not landed beyond its owner's start line (ITW-5c)."""
    if options.landing == "first_touch":
        first = next(
            (event for event in landing.events if isinstance(event, PyramidCollision) and event.piece == missile.id),
            None,
        )
        if first is not None:
            return is_inside_convex(first.point, area)
    return is_in_stash(options, missile, area)


def is_in_stash(options: Options, piece: Pyramid, area: tuple[Point, ...]) -> bool:
    """Return True if a piece lies in a stash area: any part of it, or its middle, by option (ITW-5c)."""
    if options.line == "middle":
        return is_inside_convex(piece.centre_of_mass[:2], area)
    return overlaps_area(piece, area)


def overlaps_area(piece: Pyramid, area: tuple[Point, ...]) -> bool:
    """Return True if any part of a piece, seen from above, is in an area or touches its edge."""
    return convex_separation(piece.footprint(), area) <= LENGTH_TOLERANCE


def _displaced_pieces(
    state: State,
    scene_before: PyramidScene,
    scene_after: PyramidScene,
    played: Sequence[str],
    so_far: LandingResult,
    cause: str,
) -> list[str]:
    """Pieces played before that are out of play now: off the table, or in their owner's stash area (ITW-6c)."""
    options = state.options
    areas = [seat_area.stash for seat_area in seat_areas(options, state.seats)]
    displaced = []
    for name in played:
        if not scene_before.has(name):
            continue
        if not scene_after.has(name):
            is_returned = options.knock_off == "return"
            outcome_text = f"goes back to {SEATS[owner_of(name)]}" if is_returned else "is out of the game"
            so_far.add_reason("ITW-6c", f"{name} {cause} off the table and {outcome_text}.")
        else:
            before, after, area = scene_before.piece(name), scene_after.piece(name), areas[owner_of(name)]
            if before == after or not is_in_stash(options, after, area) or is_in_stash(options, before, area):
                continue
            is_returned = options.knock_into_stash == "return"
            outcome_text = f"goes back to {SEATS[owner_of(name)]}" if is_returned else "stays"
            so_far.add_reason("ITW-6c", f"{name} {cause} into its owner's stash area and {outcome_text}.")
            if not is_returned:
                continue
        displaced.append(name)
        (so_far.returned if is_returned else so_far.lost).append(name)
    return displaced
