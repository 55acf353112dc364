"""Positions and hand-made motions for the tests of tiddlywinks: no physics, only what is said to have happened."""

from collections.abc import Iterable
from typing import Any, Self

import msgspec
import numpy as np
import pytest

from flicksim.core.errors import IllegalAction
from flicksim.core.geometry import Point
from flicksim.core.random_streams import RandomStreams
from flicksim.core.units import mm
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks import rules
from flicksim.games.tiddlywinks.equipment import Options
from flicksim.games.tiddlywinks.position import Position, WinkPlacement, to_state
from flicksim.games.tiddlywinks.squops import Squops
from flicksim.games.tiddlywinks.state import State
from flicksim.games.tiddlywinks.wink_placement import place_in_pot, scene_with_pieces
from flicksim.referee import Reason, Verdict
from flicksim.scene.flick import Squidge
from flicksim.scene.scene import Scene
from flicksim.scene.trajectory import CameToRest, Event, LeftSurface, LineCrossed, SquidgerContact, Tracks, Trajectory
from flicksim.scene.wink_stacking import lower_unsupported, place_flat, place_piece

BLUE, GREEN, RED, YELLOW = range(4)
POT = "pot"
FOUR = {"blue-3": (200, 0), "green-3": (0, 200), "red-3": (-200, 0), "yellow-3": (0, -200)}
"""Each seat's third wink, far from the others [mm]."""


def initial_state(seed: int = 1, **options: Any) -> State:
    """The state before the squidge-off."""
    return rules.initial_state(Options(**options), 4, RandomStreams(seed=seed))


def state_from_position(
    winks: dict[str, Any], to_play: str = "blue", options: dict[str, Any] | None = None, **more: Any
) -> State:
    """A state of play with winks at places [mm], laid in the order given; "pot" is in the pot."""
    lying = tuple(
        WinkPlacement(wink=name, where="pot") if at == POT else WinkPlacement(wink=name, at=at)
        for name, at in winks.items()
    )
    return to_state(Position(title="t", winks=lying, to_play=to_play, options=Options(**(options or {})), **more))


def book(state: State, **changes: Any) -> State:
    """The state with entries of its book changed."""
    return msgspec.structs.replace(state, book=msgspec.structs.replace(state.book, **changes))


def potted_except(colour: str, *left: str) -> dict[str, str]:
    """All of a colour in the pot but these."""
    return {name: POT for name in kit.WINKS if name.startswith(colour) and name not in left}


class MotionBuilder:
    """A motion written by hand: say what happened, then `done()`.

    Places are millimetres.
    """

    def __init__(self, before: Scene, squidge: Squidge) -> None:
        self.before, self.squidge = before, squidge
        self.pieces = {p.id: p for p in self.before.pieces}
        self.events: list[Event] = []
        self.log: tuple[SquidgerContact, ...] = ()

    def to(self, wink: str, x: float, y: float, t: float = 1.0) -> Self:
        """Move a wink to its resting place, on top of winks there; winks that lay on it drop."""
        self.lift(wink)
        piece = self.before.piece(wink)
        self.pieces[wink] = place_piece(tuple(self.pieces.values()), place_flat(piece, piece.position), (mm(x), mm(y)))
        return self._rest(wink, t)

    def under(self, wink: str, *over: str) -> Self:
        """It lies on the mat under these now, wherever it was."""
        piece = self.pieces[wink]
        self.pieces[wink] = place_flat(piece, piece.position)
        for name in over:
            upper = self.pieces.pop(name)
            self.pieces[name] = place_piece(tuple(self.pieces.values()), upper, upper.position)
        return self

    def pot(self, wink: str, t: float = 1.0) -> Self:
        """Move a wink into the pot."""
        self.lift(wink)
        scene = place_in_pot(self.scene(), self.before.piece(wink), self.before.surface.pot)
        self.pieces = {p.id: p for p in scene.pieces}
        return self._rest(wink, t)

    def set(self, wink: str, t: float = 1.0, **fields: Any) -> Self:
        """It lies as these fields say."""
        self.lift(wink)
        self.pieces[wink] = msgspec.structs.replace(
            place_flat(self.before.piece(wink), self.before.piece(wink).position), **fields
        )
        return self._rest(wink, t)

    def off(self, wink: str, x: float, y: float, t: float = 1.0) -> Self:
        """It left the mat there."""
        self.lift(wink)
        self.pieces.pop(wink, None)
        self.events.append(LeftSurface(t=t, piece=wink, point=(mm(x), mm(y)), velocity=(0.0, 0.0)))
        return self

    def crossed(self, wink: str, seat: int, x: float, y: float, *, forward: bool, t: float = 0.5) -> Self:
        """Its centre crossed a base line there, forward into the field."""
        at = (mm(x), mm(y))
        self.events.append(LineCrossed(t=t, piece=wink, line=kit.line_name(seat), point=at, forward=forward))
        return self

    def happened(self, event: Event) -> Self:
        """Another event."""
        self.events.append(event)
        return self

    def touched(self, *log: SquidgerContact) -> Self:
        """Add contacts of the squidger."""
        self.log = log
        return self

    def done(self, **fields: Any) -> Trajectory:
        """Finished trajectory."""
        self.events.sort(key=lambda event: event.t)
        tracks = Tracks(ids=(), times=np.zeros(1), states=np.zeros((1, 0, 6)))
        return Trajectory(
            before=self.before, flick=self.squidge, after=self.scene(), events=tuple(self.events), tracks=tracks,
            duration=max((event.t for event in self.events), default=1.0), squidger=self.log, **fields,
        )  # fmt: skip

    def lift(self, wink: str) -> None:
        """Take a wink up; winks that lay on it drop."""
        if wink in self.pieces:
            self.pieces = {p.id: p for p in lower_unsupported(tuple(self.pieces.values()), (wink,), 0.0015)}

    def _rest(self, wink: str, t: float) -> Self:
        at = self.pieces[wink].position
        self.events.append(CameToRest(t=t, piece=wink, point=at))
        return self

    def scene(self) -> Scene:
        """The mat as it is by now."""
        return scene_with_pieces(self.before, tuple(self.pieces.values()))


class ShotBuilder(MotionBuilder):
    """The motion of a shot, on which the game rules."""

    def __init__(self, state: State, piece: str, **squidge: Any) -> None:
        self.state = state
        super().__init__(*rules.simulation_setup(state, Squidge(piece=piece, speed=1.0, azimuth=0.0, **squidge)))

    def judged(self) -> tuple[State, Verdict]:
        """Ruling of the game on it."""
        rules.check_action(self.state, self.squidge)
        motion = self.done()
        verdict = rules.judge(self.state, self.squidge, motion)
        return rules.next_state(self.state, motion, verdict), verdict

    def then(self) -> State:
        """The next state."""
        return self.judged()[0]


def shot(state: State, piece: str, **squidge: Any) -> ShotBuilder:
    """A shot about to be described."""
    return ShotBuilder(state, piece, **squidge)


def shot_that_stays(state: State, piece: str) -> State:
    """A shot that moves nothing."""
    return shot(state, piece).then()


def apply_action(state: State, action: Any) -> tuple[State, Verdict]:
    """An action that moves nothing, checked, judged and done."""
    rules.check_action(state, action)
    verdict = rules.judge(state, action, None)
    return rules.next_state(state, None, verdict), verdict


def refusal(state: State, action: Any) -> str:
    """The row by which an action is refused."""
    with pytest.raises(IllegalAction) as refused:
        rules.check_action(state, action)
    return refused.value.rule


def position_of_wink(state: State, wink: str) -> Point:
    """Place of a wink [mm]."""
    piece = state.scene.piece(wink)
    return (piece.x * 1000.0, piece.y * 1000.0)


def cites_rule(verdict: Verdict, rule: str) -> bool:
    """Return True if a verdict rests on a row."""
    return rule in verdict.rule_ids


def texts(reasons: Iterable[Reason], rule: str) -> list[str]:
    """Texts of the reasons that rest on a row."""
    return [reason.text for reason in reasons if reason.rule == rule]


def covers(state: State) -> Squops:
    """Squop relations of a state."""
    return Squops(state.scene, state.book)
