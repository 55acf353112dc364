"""State of Ice Tiddly Winks between two decisions, and its actions."""

from typing import Literal

from flicksim.core.serialization import Value
from flicksim.games.ice.table_layout import Options
from flicksim.referee import Ruling
from flicksim.scene import Launch, PyramidScene


class Load(Value, tag="load", tag_field="do", frozen=True, kw_only=True):
    """Stack a missile of one's choice on the launcher before the game starts (ITW-2h)."""

    piece: str


class Wait(Value, tag="wait", tag_field="do", frozen=True, kw_only=True):
    """Wait: this seat does not launch before a time [s] (ITW-4b)."""

    until: float


class Disturb(Value, tag="disturb", tag_field="do", frozen=True, kw_only=True):
    """Self-report that a hand, not a missile, moved these pieces during the last landings (ITW-3a)."""

    pieces: tuple[str, ...]


Action = Launch | Load | Wait | Disturb


class State(Value, frozen=True, kw_only=True):
    """State of a game between two decisions.

    Time is the game's own and starts when everybody holds a loaded launcher.

    Args:
        order: order of the seats at equal times, drawn at the start (ITW-4b).
        scene: pieces on the table. committed: ids of the missiles on it that have been played.
        lift: ids of returned missiles still on the table; they are picked up before the next landing.
        hands: missiles to be launched, by seat, without those in flight.
        loaded: missile each seat has stacked for its first launch; None before and afterwards.
        started: whether all seats have loaded, so that the game is on.
        ready: time from which each seat may launch [s], when its last missile is at rest.
        aloft: launches whose missiles are in flight.
        clock: time at which the last missile came to rest [s].
        final: points by seat when the game is over; None before.
        former: the state before the last missiles came down, for what may still be self-reported.
    """

    options: Options
    order: tuple[int, ...]
    scene: PyramidScene
    committed: tuple[str, ...] = ()
    lift: tuple[str, ...] = ()
    hands: tuple[tuple[str, ...], ...]
    loaded: tuple[str | None, ...]
    started: bool = False
    ready: tuple[float, ...]
    aloft: tuple[Launch, ...] = ()
    clock: float = 0.0
    final: tuple[int, ...] | None = None
    former: "State | None" = None

    @property
    def seats(self) -> int:
        """Number of seats."""
        return len(self.hands)


class LandingOutcome(Value, frozen=True, kw_only=True):
    """Outcome of a landed missile: it stays, or is returned to its owner. rest: time at rest [s]."""

    piece: str
    seat: int
    fate: Literal["stays", "returned"]
    rest: float


class IceRuling(Ruling, frozen=True, kw_only=True):
    """Ruling on a turn.

    Args:
        loaded: missile stacked by the seat that acted. waits: time before which it will not launch [s].
        fates: outcomes of the landed missiles, in order.
        back: pieces played before that return to their owners' hands. lost: those that leave the game.
        restored: pieces put back where they were before the last landings.
    """

    loaded: str | None = None
    waits: float | None = None
    fates: tuple[LandingOutcome, ...] = ()
    back: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    restored: tuple[str, ...] = ()
