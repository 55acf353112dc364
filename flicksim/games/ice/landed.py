"""The reading of missiles that have come down, and to pieces they knocked about (ITW-5a to 6c)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from flicksim.base.geometry import Point, convex_gap, inside
from flicksim.games.ice.options import Options
from flicksim.games.ice.seats import SEATS, owner_of, places
from flicksim.games.ice.state import Fate, State
from flicksim.referee import EPS, Reason
from flicksim.table import Hit, Kept, Landing, Landings, Pyramid, PyramidScene


@dataclass(slots=True)
class Reading:
    """The outcome of a turn's landings, in order."""

    fates: list[Fate] = field(default_factory=list)
    back: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    reasons: list[Reason] = field(default_factory=list)

    def say(self, rule: str, text: str) -> None:
        self.reasons.append(Reason(rule=rule, says=text))


def read(state: State, account: Landings) -> Reading:
    """Read the pieces that were played before, as others are picked up; then every missile that came down, in order."""
    found = Reading()
    played = dict.fromkeys(state.committed)
    there = account.before.without(*account.volley.lift)
    for gone in _displaced(
        state, there, account.cleared, tuple(played), found, "falls, as another piece is picked up,"
    ):
        del played[gone]
    for landing, rest in zip(account.landings, account.rests, strict=True):
        name = landing.launch.piece
        fate = _fate(state, landing, found)
        found.fates.append(Fate(piece=name, seat=owner_of(name), fate=fate, rest=rest))
        for gone in _displaced(state, landing.before, landing.after, tuple(played), found, "is knocked"):
            del played[gone]
        if fate == "stays":
            played[name] = None
    return found


def _fate(state: State, landing: Landing, found: Reading) -> Literal["stays", "returned"]:
    """True where a missile stays where it has landed."""
    launch, missile, options = landing.launch, landing.missile, state.options
    name, seat = launch.piece, owner_of(launch.piece)
    areas = [place.area for place in places(options, state.seats)]
    if not inside(launch.hold, areas[seat]):
        found.say("ITW-5a", f"{SEATS[seat]} held the launcher outside the own stash area; {name} is handed back.")
    elif any(isinstance(event, Kept) for event in landing.events):
        found.say("ITW-5f", f"{name} stays on the launcher; it is used again.")
    elif missile is None:
        found.say("ITW-5e", f"{name} goes off the table and is returned, to be used again.")
    elif _short(options, landing, missile, areas[seat]):
        found.say("ITW-5d", f"{name} lands in {SEATS[seat]}'s own stash area and is returned, to be used again.")
    else:
        across = [SEATS[other] for other, area in enumerate(areas) if other != seat and touches(missile, area)]
        if across:
            found.say("ITW-6b", f"{name} stays: it lies in the stash area of {' and '.join(across)}.")
        else:
            found.say("ITW-5c", f"{name} lands beyond {SEATS[seat]}'s start line and stays.")
        return "stays"
    return "returned"


def _short(options: Options, landing: Landing, missile: Pyramid, area: tuple[Point, ...]) -> bool:
    """True where a missile on the table has not landed beyond its owner's start line (ITW-5c)."""
    if options.landing == "first_touch":
        first = next((event for event in landing.events if isinstance(event, Hit) and event.piece == missile.id), None)
        if first is not None:
            return inside(first.point, area)
    return in_area(options, missile, area)


def in_area(options: Options, piece: Pyramid, area: tuple[Point, ...]) -> bool:
    """True where a piece lies in a stash area: with any part of it, or with its middle (ITW-5c)."""
    if options.line == "middle":
        return inside(piece.centre[:2], area)
    return touches(piece, area)


def touches(piece: Pyramid, area: tuple[Point, ...]) -> bool:
    """True where any part of a piece, seen from above, is in an area or touches its edge."""
    return convex_gap(piece.footprint(), area) <= EPS


def _displaced(
    state: State, there: PyramidScene, then: PyramidScene, played: Sequence[str], found: Reading, how: str
) -> list[str]:
    """Pieces played before that are out of play now: off the table, or in their owner's stash area (ITW-6c)."""
    options = state.options
    areas = [place.area for place in places(options, state.seats)]
    gone = []
    for name in played:
        if not there.has(name):
            continue
        if not then.has(name):
            back = options.knock_off == "return"
            what = f"goes back to {SEATS[owner_of(name)]}" if back else "is out of the game"
            found.say("ITW-6c", f"{name} {how} off the table and {what}.")
        else:
            before, after, area = there.piece(name), then.piece(name), areas[owner_of(name)]
            if before == after or not in_area(options, after, area) or in_area(options, before, area):
                continue
            back = options.knock_into_stash == "return"
            what = f"goes back to {SEATS[owner_of(name)]}" if back else "stays"
            found.say("ITW-6c", f"{name} {how} into its owner's stash area and {what}.")
            if not back:
                continue
        gone.append(name)
        (found.back if back else found.lost).append(name)
    return gone
