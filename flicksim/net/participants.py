"""Participants of a table: the people at its seats, connected or not, and the spectators."""

from collections.abc import Sequence

from flicksim.core.errors import InvalidInput
from flicksim.core.sanitize import escape_unprintable
from flicksim.core.serialization import to_json
from flicksim.core.type_aliases import Options
from flicksim.match import Seat
from flicksim.net import protocol, security
from flicksim.net.chair import Chair, Peer, people_seats, seat_label
from flicksim.referee import Game

MAX_WATCHERS = 400
"""Most spectators of a table."""


class WrongSecret(InvalidInput):
    """A code or token is wrong; counted as a try."""


class Participants:
    """People and spectators of a table.

    Args:
        game: that is played. options: of it. seats: as specified; those of people get chairs.
    """

    def __init__(self, game: Game, options: Options, seats: Sequence[Seat]) -> None:
        self._game = game
        self.chairs = [Chair(seats=held) for held in people_seats(game, options, seats)]
        self.watchers: list[Peer] = []

    @property
    def is_anybody_here(self) -> bool:
        """True once somebody has come, to play or to watch."""
        return bool(self.watchers or any(chair.token_digest for chair in self.chairs))

    def chair_at(self, seat: int | None) -> Chair | None:
        """Chair of a seat, if it has an owner."""
        return next((chair for chair in self.chairs if seat in chair.seats and chair.token_digest), None)

    def chair_of(self, peer: Peer) -> Chair | None:
        """Chair that is played over a connection."""
        return next((chair for chair in self.chairs if chair.peer is peer), None)

    def peers(self) -> list[tuple[Peer, Chair | None]]:
        """Clients that are connected, with their chairs."""
        seated: list[tuple[Peer, Chair | None]] = [(chair.peer, chair) for chair in self.chairs if chair.peer]
        return seated + [(peer, None) for peer in self.watchers]

    def tell(self, message: protocol.Message) -> None:
        """Send the same message to everybody."""
        encoded = to_json(message)
        for peer, _ in self.peers():
            peer.send(encoded)

    def add_watcher(self, peer: Peer) -> None:
        """Let a client watch.

        Raises:
            InvalidInput: too many do.
        """
        if len(self.watchers) >= MAX_WATCHERS:
            raise InvalidInput(f"{MAX_WATCHERS} spectators are here; no more can come in")
        self.watchers.append(peer)

    def find_chair(self, hello: protocol.Hello) -> tuple[Chair, str, bool]:
        """Chair for a client, its token, and whether the chair was free.

        The token of a free chair is the client's own where it has one: a connection lost on the way cannot lose that.

        Raises:
            WrongSecret: its token is of no seat here, and too short for one of its own. InvalidInput: there is no such
                seat free.
        """
        if hello.token:
            owned = [chair for chair in self.chairs if security.same_secret(hello.token, chair.token_digest)]
            if owned:
                return owned[0], hello.token, False
            if len(hello.token) < security.MIN_TOKEN_LENGTH:
                raise WrongSecret("the token is of no seat here")
        free = [chair for chair in self.chairs if not chair.token_digest]
        if hello.seat is not None:
            free = [chair for chair in free if hello.seat in chair.seats]
        if not free:
            names = self._game.seat_names
            which = "every seat" if hello.seat is None else f"seat {hello.seat}"
            of_people = ", ".join(f"{seat} ({names[seat]})" for chair in self.chairs for seat in chair.seats)
            raise InvalidInput(
                f"{which} is taken, or not for people; theirs are {of_people or 'none'}; --watch looks on"
            )
        return free[0], hello.token or security.new_token(), True

    def seat_presence(self, players: Sequence[str]) -> tuple[protocol.SeatPresence, ...]:
        """Presence at each seat; `players`: as the header of the game names them."""
        people = {seat: chair for chair in self.chairs for seat in chair.seats}
        seats = []
        for number, player in enumerate(players):
            chair = people.get(number)
            peer = None if chair is None else chair.peer
            here, lag = chair is None or peer is not None, None if peer is None else peer.lag
            name = "" if chair is None else chair.name
            seats.append(protocol.SeatPresence(seat=number, player=player, name=name, here=here, lag=lag))
        return tuple(seats)

    def label(self, chair: Chair) -> str:
        """Names of the seats of a chair, with that of the person who has them."""
        names = " and ".join(self._game.seat_names[seat] for seat in chair.seats)
        return f"{names} ({chair.name})" if chair.name else names

    def seat_label(self, seat: int) -> str:
        """Name of a seat, with that of the person who has it."""
        name = next((chair.name for chair in self.chairs if seat in chair.seats), "")
        return seat_label(self._game, seat, name)


def shown_name(name: str) -> str:
    """Name of a person as it may be shown."""
    return escape_unprintable(name).strip()[:40]
