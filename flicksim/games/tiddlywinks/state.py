"""State of a game of tiddlywinks, its actions, and its ruling."""

from fractions import Fraction
from typing import Literal

import msgspec

from flicksim import scene as scenes
from flicksim.core.errors import InvalidValue
from flicksim.core.geometry import Point
from flicksim.core.serialization import Value
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.equipment import Options
from flicksim.referee import Ruling


class MoveAside(Value, tag="aside", tag_field="do", frozen=True, kw_only=True):
    """Move squopping winks aside, round the pot, so that an opponent may play (TW-9c7)."""

    winks: tuple[str, ...]


class Decide(Value, tag="decide", tag_field="do", frozen=True, kw_only=True):
    """Choice of the opponents after a foul: replay, or leave the winks as they lie (TW-12d)."""

    replay: bool


class Pass(Value, tag="pass", tag_field="do", frozen=True, kw_only=True):
    """Decline the shot, where that is allowed (TW-7c)."""


class TurnOver(Value, tag="turn_over", tag_field="do", frozen=True, kw_only=True):
    """Flip one's own wink that neither squops nor is squopped; it costs nothing (TW-12g)."""

    wink: str


class Clock(Value, tag="clock", tag_field="do", frozen=True, kw_only=True):
    """Time elapsed at the table [s] (TW-11a)."""

    seconds: float

    def __post_init__(self) -> None:
        if not 0.0 < self.seconds <= 86400.0:
            raise InvalidValue(f"seconds {self.seconds!r} must be above 0 and at most 86400")


class Disturb(Value, tag="disturb", tag_field="do", frozen=True, kw_only=True):
    """Self-report that winks were moved by accident in the last shot; they are put back (TW-12a)."""

    winks: tuple[str, ...]


class Obstruct(Value, tag="obstruct", tag_field="do", frozen=True, kw_only=True):
    """Self-report that a moving wink was obstructed; `at`: the agreed place [m], None without agreement (TW-12b)."""

    wink: str
    at: Point | None = None


class CallFoul(Value, tag="call_foul", tag_field="do", frozen=True, kw_only=True):
    """Self-report of a foul that the contact log does not show, such as a shot out of turn (TW-12d)."""

    how: Literal["out_of_turn", "other_wink", "squopped", "stroke"]


class Interfere(Value, tag="interfere", tag_field="do", frozen=True, kw_only=True):
    """Deliberate interference with a wink, or impeding of an opponent (TW-12h, TW-12i).

    Args:
        seat: seat at fault. wink: the wink; None: an opponent was impeded.
    """

    seat: Literal[0, 1, 2, 3]
    wink: str | None = None


Action = scenes.Squidge | MoveAside | Decide | Pass | TurnOver | Clock | Disturb | Obstruct | CallFoul | Interfere

Phase = Literal["squidge_off", "shot", "aside", "foul", "over"]


class Episode(Value, frozen=True, kw_only=True):
    """Free turns of one pair while the other is squopped out (TW-9c).

    Args:
        pair: pair that has them. left: number to come; 0: the next shot must free an opposing wink.
        fresh: whether the turn that started them is still in progress; it is not a free turn itself.
    """

    pair: int
    left: int
    fresh: bool = True

    @property
    def victims(self) -> int:
        """Pair that is squopped out."""
        return 1 - self.pair


class Book(Value, frozen=True, kw_only=True):
    """Score book: the state of the game beside the pieces on the mat.

    Args:
        phase: action due. to_play: seat that acts now; None when the game is over. turn: seat whose turn it is.
        extra: extra shots still to come in this turn after the one due (TW-7d).
        behind: winks never brought in. potted: winks potted, in order.
        missing: seats that miss their next shot (TW-8i).
        heat: seats in the current heat of the squidge-off. shots: winks played in it, in order.
        off: those of them that left the field.
        opener: winner of the squidge-off.
        clock: time played [s]. laps: ends of the opener's turn still to come; None before the time limit (TW-11b).
        episode: free turns running. protected: pair not to be squopped out again yet (TW-9c11).
        finished: seats that have potted out, in order; a group shares its places (TW-5).
        points: by seat, once the game is over.
        foul: rule id of a foul, while the opponents decide.
    """

    phase: Phase
    to_play: int | None
    turn: int
    extra: int = 0
    behind: tuple[str, ...] = kit.WINKS
    potted: tuple[str, ...] = ()
    missing: tuple[int, ...] = ()
    heat: tuple[int, ...] = ()
    shots: tuple[str, ...] = ()
    off: tuple[str, ...] = ()
    opener: int | None = None
    clock: float = 0.0
    laps: int | None = None
    episode: Episode | None = None
    protected: int | None = None
    finished: tuple[tuple[int, ...], ...] = ()
    points: tuple[Fraction, Fraction, Fraction, Fraction] = (Fraction(0),) * 4
    foul: str | None = None

    @property
    def potted_out(self) -> bool:
        """Return True if some player has potted all his winks (TW-10a)."""
        return bool(self.finished)

    def in_play(self, wink: str) -> bool:
        """Return True if a wink is neither behind its base line nor potted (TW-D1)."""
        return wink not in self.behind and wink not in self.potted

    def has_potted_all(self, seat: int) -> bool:
        """Return True if all six winks of a seat are potted (TW-10a)."""
        return all(wink in self.potted for wink in kit.winks_of(seat))


RuleEvent = scenes.LineCrossed | scenes.Landed | scenes.LeftSurface | scenes.CameToRest
"""Events that the rules use."""


class Shot(Value, frozen=True, kw_only=True):
    """Last shot with the self-reports since, so that it can be judged again.

    Args:
        former: state before it, without a last shot of its own.
        flick: executed squidge. after: scene at rest. events: in order of time.
        duration: time until the last wink rested or left [s]. squidger: contacts of the squidger.
        aside: winks the player chose to move aside after it (TW-9c7).
        obstructed: whether a wink was obstructed in it (TW-12b).
        let_stand: whether it was foul and the opponents let it stand (TW-12f).
    """

    former: "State"
    flick: scenes.Squidge
    after: scenes.Scene
    events: tuple[RuleEvent, ...]
    duration: float
    squidger: tuple[scenes.SquidgerContact, ...] = ()
    aside: tuple[str, ...] = ()
    obstructed: bool = False
    let_stand: bool = False

    @classmethod
    def from_trajectory(cls, state: "State", trajectory: scenes.Trajectory) -> "Shot":
        """Shot from its trajectory and the state before it."""
        assert isinstance(trajectory.flick, scenes.Squidge)
        return cls(
            former=msgspec.structs.replace(state, last_shot=None),
            flick=trajectory.flick,
            after=trajectory.after,
            events=tuple(event for event in trajectory.events if isinstance(event, RuleEvent)),
            duration=trajectory.duration,
            squidger=trajectory.squidger,
        )

    @property
    def before(self) -> scenes.Scene:
        """Scene when the wink was squidged."""
        scene, start = self.former.scene, self.flick.start
        return scene if start is None else scene.with_piece_at(self.flick.piece, start)

    def moved_winks(self) -> tuple[str, ...]:
        """Winks moved by the shot, in order."""
        after = {piece.id: piece for piece in self.after.pieces}
        return tuple(piece.id for piece in self.before.pieces if after.get(piece.id) != piece)


class State(Value, frozen=True, kw_only=True):
    """State of a game between two actions.

    Args:
        options: of the game.
        scene: all 24 winks: behind the lines, in play, in the pot.
        book: score book.
        last_shot: shot on which self-reports are still possible (TW-12j).
    """

    options: Options
    scene: scenes.Scene
    book: Book
    last_shot: Shot | None = None

    @property
    def former(self) -> "State | None":
        """State before the last shot."""
        return None if self.last_shot is None else self.last_shot.former

    @property
    def to_play(self) -> int | None:
        """Seat that acts now; None when the game is over."""
        return self.book.to_play

    @property
    def phase(self) -> Phase:
        """Current phase of the game."""
        return self.book.phase


class WinksRuling(Ruling, frozen=True, kw_only=True):
    """Ruling on an action.

    Args:
        moved: winks placed by hand, at their new places. book: score book after the action.
        scene: scene to which `moved` applies: at rest after the shot, unchanged, or before the shot.
        last_shot: shot on which self-reports are possible afterwards.
    """

    moved: tuple[scenes.Piece, ...] = ()
    book: Book
    scene: Literal["rested", "stood", "former"] = "stood"
    last_shot: Shot | None = None
