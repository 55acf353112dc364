"""Turns that are due in a game without turns: the action of the seat the rules ask, played in the background."""

from collections.abc import Callable
from dataclasses import dataclass

import msgspec

from flicksim.ai import ExecutionNoise
from flicksim.core.errors import FlicksimError
from flicksim.core.type_aliases import Action
from flicksim.games.ice.state import Load, Wait
from flicksim.gui.game_views.ice.flight import Flight
from flicksim.gui.game_views.ice.launch_log import launch_outcomes
from flicksim.match import Match, Turn
from flicksim.scene import Launch, LaunchTrajectory, PyramidScene

Requests = dict[int, tuple[Launch | Load, ExecutionNoise | None]]
"""Actions of people that are not played yet, by seat, with their execution noise; None: that of the seat."""
PlayedTurns = tuple[list[tuple[Turn, Flight | None]], str]
"""Turns played in a worker thread, each with the predicted flight of its missile, and a final error."""
MIN_WAIT = 1e-3
"""Shortest wait [s]."""
_BOT_RETRY_DELAY = 0.5
"""Delay beyond its required wait after which a bot decides anew [s]."""
_HOSTED_WAIT = 0.3
"""Time after which a seat at another machine is told that this one only waits [s]."""


def simulate_flight(match: Match, launch: Launch) -> Flight:
    """Simulate a launch onto the bare table."""
    scene = match.state.scene
    trajectory = match.simulator.simulate(PyramidScene(surface=scene.surface, kit=scene.kit), launch)
    assert isinstance(trajectory, LaunchTrajectory)
    return Flight(launch, launch.time or 0.0, trajectory)


def is_waiting_bot(match: Match, seat: int) -> bool:
    """Return True for the seat of a bot that waits for the people, where bots wait: it has launched as many as they."""
    hands, players = match.state.hands, match.players
    remaining = [len(hand) for hand, player in zip(hands, players, strict=True) if player is None]
    return match.state.started and bool(remaining) and len(hands[seat]) <= max(remaining)


@dataclass(frozen=True, slots=True)
class DueTurns:
    """Turns that are due at a time.

    Args:
        match: the match. choose: returns the action of the bot to play. bots_wait: True if bots wait until every
            person has launched as often as they have. time: on the game's clock [s]. requests: of the people.
        is_landing: True if a missile has to come down. has_incoming: returns True if the host of a match between
            machines has told a turn; None without a host. is_following: nothing is played but the turns so told.
    """

    match: Match
    choose: Callable[[], Action]
    bots_wait: bool
    time: float
    requests: Requests
    is_landing: bool
    has_incoming: Callable[[], bool] | None = None
    is_following: bool = False

    def next_action(self) -> Callable[[], Action] | None:
        """Action of the seat to play; None while its decision is still open."""
        match, seat, time, state = self.match, self.match.to_play, self.time, self.match.state
        is_hosted = self.has_incoming is not None
        if self.has_incoming is not None and self.has_incoming():
            return lambda: None  # the turn is applied instead of an action
        if seat is None or self.is_following or (is_hosted and match.players[seat] is not None):
            return None
        if match.players[seat] is not None and not (self.bots_wait and is_waiting_bot(match, seat)):
            if self.bots_wait and state.started and state.ready[seat] < time - _BOT_RETRY_DELAY:
                return lambda: Wait(until=time)  # its next launch starts now at the earliest
            return self.choose if not state.started or state.ready[seat] <= time else None
        if seat in self.requests:
            return lambda: self.requests[seat][0]
        if not state.started or time <= state.ready[seat]:
            return None
        if is_hosted:  # whether the others would launch is not known here
            is_awaited = state.ready[seat] + _HOSTED_WAIT <= time
        else:
            rivals = (rival for rival in range(state.seats) if rival != seat)
            is_awaited = self.is_landing or any(map(self._would_launch, rivals))
        if not is_awaited:
            return None
        until = max(time, state.ready[seat] + MIN_WAIT)
        return lambda: Wait(until=until)

    def _would_launch(self, seat: int) -> bool:
        """Return True if a seat would launch if it were asked."""
        state, is_bot = self.match.state, self.match.players[seat] is not None
        if not state.hands[seat] or any(one.owner == seat for one in state.aloft):
            return False
        if is_bot and self.bots_wait and is_waiting_bot(self.match, seat):
            return False
        return seat in self.requests or (is_bot and state.ready[seat] <= self.time)

    def play(self) -> PlayedTurns:
        """Play turns until one of them is visible; waiting seats are passed over at once."""
        turns: list[tuple[Turn, Flight | None]] = []
        while (choose := self.next_action()) is not None:
            seat = self.match.to_play
            noise = self.requests[seat][1] if seat is not None and seat in self.requests else None
            try:
                turn = self.match.play(choose(), noise=noise)
            except FlicksimError as wrong:
                return turns, str(wrong)
            flight = None
            if isinstance(turn.made, Launch):
                time = turn.made.time if turn.made.time is not None else turn.before.ready[turn.seat]
                flight = simulate_flight(self.match, msgspec.structs.replace(turn.made, owner=turn.seat, time=time))
                if isinstance(turn.meant, Launch):
                    flight.intended = msgspec.structs.replace(turn.meant, owner=turn.seat)
            turns.append((turn, flight))
            if not isinstance(turn.made, Wait) or launch_outcomes(turn):
                break
        return turns, ""
