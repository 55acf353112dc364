"""State of Ice Tiddly Winks between two decisions, and its actions."""

from __future__ import annotations

from typing import Literal

from flicksim.core.serialization import Value
from flicksim.games.ice.options import Options
from flicksim.referee import Ruling
from flicksim.scene import Launch, PyramidScene


class Load(Value, tag="load", tag_field="do", frozen=True, kw_only=True):
    """Before the game starts: stack a missile of one's choice on the launcher (ITW-2h)."""

    piece: str


class Wait(Value, tag="wait", tag_field="do", frozen=True, kw_only=True):
    """Wait: this seat does not flick before that time [s], as people at a table (ITW-4b)."""

    until: float


class Disturb(Value, tag="disturb", tag_field="do", frozen=True, kw_only=True):
    """Own up that a hand, and no missile, moved these pieces as the last missiles came down (ITW-3a)."""

    pieces: tuple[str, ...]


Action = Launch | Load | Wait | Disturb


class State(Value, frozen=True, kw_only=True):
    """State of a game between two decisions.

    Time is the game's own and starts when everybody holds a loaded launcher.

    Args:
        order: seats as they come when two would flick at the same time, drawn at the start (ITW-4b).
        scene: what stands and lies on the table. committed: ids of the missiles there that have been played.
        lift: ids of missiles that lie there but are handed back: picked up before anything else comes down.
        hands: missiles still to be launched, by seat; those in the air are not among them.
        loaded: the missile each seat has stacked for its first launch; None before, and afterwards.
        started: whether everybody has held a loaded launcher, so that the game is on.
        ready: from when each seat may flick [s]: its last missile is at rest by then.
        aloft: launches made whose missiles are not yet down.
        clock: when the last missile came to rest [s].
        final: points by seat when the game is over, None before.
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
    former: State | None = None

    @property
    def seats(self) -> int:
        """Number of seats."""
        return len(self.hands)


class LandingOutcome(Value, frozen=True, kw_only=True):
    """Outcome of a landed missile: it stays as played, or is handed back."""

    piece: str
    seat: int
    fate: Literal["stays", "returned"]
    rest: float


class IceRuling(Ruling, frozen=True, kw_only=True):
    """Ruling on a turn.

    Args:
        loaded: the missile stacked by the seat that acted. waits: until when it will not flick [s].
        fates: of the missiles that came down, in order.
        back: pieces played before that go back to their owners' hands. lost: and those that are out of the game.
        restored: pieces put back where they were before the last missiles came down.
    """

    loaded: str | None = None
    waits: float | None = None
    fates: tuple[LandingOutcome, ...] = ()
    back: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    restored: tuple[str, ...] = ()
