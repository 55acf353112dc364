"""Match without turns as far as it has been seen: missiles in flight, and turns known once all they caused is at rest.

The rules are ahead of it: a launch is settled at the moment it comes down, and then shown until everything lies still.
"""

from collections.abc import Iterator, Sequence
from operator import itemgetter

from flicksim.games.ice.state import State, Wait
from flicksim.gui.game_views.ice.due_turns import simulate_flight
from flicksim.gui.game_views.ice.flight import Flight, LaunchSequence, near_topple_interval
from flicksim.gui.game_views.ice.launch_log import LaunchOutcome, counted_pieces, launch_outcomes
from flicksim.match import Match, Turn
from flicksim.scene import Pyramid, VolleyTrajectory


class VisibleMatch:
    """Match as it is seen at a time of its clock [s]; all its turns before have been seen."""

    def __init__(self, match: Match) -> None:
        self._match, self.turn_count = match, len(match.turns)
        self.flights = [simulate_flight(match, launch) for launch in match.state.aloft]
        self.counted_cache: tuple[State | None, list[tuple[Pyramid, int]]] = (None, [])
        self._pending_turns: list[tuple[float, Turn]] = []
        self._log = [(float("-inf"), one) for turn in match.turns for one in launch_outcomes(turn)]
        self._landing_count = 0

    # -- turns ----------------------------------------------------------------------------------------------------

    @property
    def turns(self) -> Sequence[Turn]:
        """Turns that have been seen."""
        return self._match.turns[: self.turn_count]

    @property
    def state(self) -> State:
        """State after these turns."""
        turns = self.turns  # a host may take turns back at any time
        seen_state: State = turns[-1].after if turns else self._match.opening
        return seen_state

    @property
    def is_complete(self) -> bool:
        """True if every turn has been seen."""
        return not self._pending_turns

    @property
    def counted_pieces(self) -> list[tuple[Pyramid, int]]:
        """Every piece played, with its visible points."""
        if self.counted_cache[0] is not self.state:
            self.counted_cache = (self.state, counted_pieces(self.state))
        return self.counted_cache[1]

    def outcomes(self, time: float) -> list[LaunchOutcome]:
        """Outcomes of all launches seen to come to rest, newest first."""
        return [one for when, one in reversed(self._log) if when <= time]

    def add_turn(self, turn: Turn, flight: Flight | None, time: float) -> None:
        """Add a turn played, with the flight that begins with it."""
        if flight is not None:
            self.flights.append(flight)
        seen_at, players = time, self._match.players
        for one in launch_outcomes(turn):
            piece = one.trajectory.launch.piece  # one that came back may fly again while its last flight is still shown
            mine = next((f for f in self.flights if f.trajectory is None and f.launch.piece == piece), None)
            if mine is not None:
                mine.trajectory, mine.order = one.trajectory, self._landing_count
                if None not in players or players[one.seat] is None:
                    mine.near_topple = near_topple_interval(one.trajectory)
                self._landing_count += 1
                seen_at = max(seen_at, mine.rest_time)
            self._log.append((mine.rest_time if mine is not None else seen_at, one))
        self._log.sort(key=itemgetter(0))
        self._pending_turns.append((seen_at, turn))

    def reveal(self, time: float) -> bool:
        """Make turns known once everything they caused has been seen; return True if one was more than a wait."""
        is_changed = False
        while self._pending_turns and self._pending_turns[0][0] <= time:
            _, turn = self._pending_turns.pop(0)
            self.turn_count = turn.number - self._match.turns[0].number + 1
            is_changed |= not isinstance(turn.made, Wait) or isinstance(turn.result, VolleyTrajectory)
        self.flights = [one for one in self.flights if one.trajectory is None or one.rest_time + 1.5 >= time]
        return is_changed

    def reveal_all(self, time: float) -> None:
        """Make all turns known, and end what has come down."""
        self.flights = [flight for flight in self.flights if flight.trajectory is None]
        self._pending_turns, self.turn_count = [], len(self._match.turns)
        self._log = [(min(when, time), one) for when, one in self._log]

    # -- pieces ---------------------------------------------------------------------------------------------------

    def flights_of(self, seat: int) -> Iterator[Flight]:
        """Flights of the missiles of a seat."""
        return (flight for flight in self.flights if flight.launch.owner == seat)

    def is_moving(self, time: float) -> bool:
        """Return True if anything is not yet at rest."""
        return any(flight.rest_time > time for flight in self.flights)

    def is_near_toppling(self, time: float) -> bool:
        """Return True if a missile is near toppling."""
        close = [(time - one.start, one.near_topple) for one in self.flights if one.near_topple is not None]
        return any(span[0] <= t < span[1] for t, span in close)

    def pieces_at(self, time: float) -> tuple[Pyramid, ...]:
        """All visible pieces on the table and in flight."""
        state, sequence = self._match.state, self._moving_sequence(time)
        if sequence is not None:
            pieces = list(sequence.pieces_at(time))
        else:
            pieces = [piece for piece in state.scene.pieces if piece.id not in state.lift]
        for flight in self.flights:
            if flight.trajectory is None and flight.start <= time:
                t = min(time - flight.start, flight.bare_trajectory.first_contact_time)
                pieces += [piece for piece in flight.bare_trajectory.pieces_at(t) if piece.id == flight.launch.piece]
        return tuple(pieces)

    def _moving_sequence(self, time: float) -> LaunchSequence | None:
        """Sequence of launches that are still moving or coming down; None when everything is at rest."""
        landed = sorted((one for one in self.flights if one.trajectory is not None), key=lambda one: one.order)
        first = next((k for k, one in enumerate(landed) if one.rest_time > time), None)
        if first is None:
            return None
        row = landed[first:]
        trajectories = tuple(one.visible_trajectory for one in row)
        return LaunchSequence(trajectories[0].before, trajectories, tuple(one.start for one in row))
