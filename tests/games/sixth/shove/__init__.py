"""Shove: pennies are flicked in turn into three beds across a board; the farther the bed, the more it counts."""

from __future__ import annotations

from fractions import Fraction
from math import pi, sqrt
from typing import Annotated, Any

import msgspec
import numpy as np

from flicksim.base.codec import Value
from flicksim.base.errors import IllegalAction
from flicksim.base.geometry import inside, rectangle
from flicksim.referee import Choices, FlickRange, Game, Reason, Row, Ruling, Switches, Verdict, says, winners
from flicksim.table import PAIRINGS, Flick, Line, Motion, Piece, Scene, Surface

RADIUS, START, DEEP = 0.0154, 0.05, 0.05  # an old penny, the first line, a bed [m]
BEDS = ((1, 0.40), (2, 0.45), (3, 0.50))  # what each counts and where it begins [m]
LINES = tuple(Line(name=f"line at {y:g} m", a=(0.0, y), b=(0.3, y)) for y in (START, 0.40, 0.45, 0.50, 0.55))
BOARD = Surface(material="polished", outline=rectangle(0.3, 0.65), lines=LINES)
FREE = rectangle(0.3 - 2 * RADIUS, START - 2 * RADIUS, RADIUS, RADIUS)


class Options(Switches, frozen=True, kw_only=True):
    pennies: Annotated[int, msgspec.Meta(ge=1, le=9), says("pennies each (SH-1)")] = 3


class State(Value, frozen=True, kw_only=True):
    options: Options
    scene: Scene = Scene(surface=BOARD)
    flicked: int = 0


class Rules:
    def start(self, options: Options, seats: int, seeds: Any) -> State:
        return State(options=options)

    def to_play(self, state: State) -> int | None:
        return state.flicked % 2 if state.flicked < 2 * state.options.pennies else None

    def view(self, state: State, seat: int) -> State:
        return state  # nothing is hidden on a board

    def choices(self, state: State) -> Choices:
        penny = FlickRange(piece=f"penny-{state.flicked + 1}", start=FREE, azimuth=(1.2, 1.9), speed=(0.5, 2.0))
        over = self.to_play(state) is None
        return Choices(says="all are flicked") if over else Choices(says="flick into the beds", flicks=(penny,))

    def check(self, state: State, action: Flick) -> None:
        mine = f"penny-{state.flicked + 1}"
        if action.piece != mine or action.start is None or not inside(action.start, FREE):
            raise IllegalAction("SH-1", f"flick {mine} from before the line, not {action.piece!r} from {action.start}")

    def stage(self, state: State, action: Flick) -> tuple[Scene, Flick]:
        (x, y), seat = action.start, state.flicked % 2
        coin = {"radius": RADIUS, "mass": 0.0094, "material": "bronze", "ring": 0.9}
        return state.scene.with_piece(Piece(id=action.piece, kind="penny", x=x, y=y, owner=seat, **coin)), action

    def judge(self, state: State, action: Flick, account: Motion) -> Verdict:
        then = self.advance(state, account, None)
        ruling = Ruling(points=self.scores(then), next=self.to_play(then))
        why = Reason(rule="SH-2", says="Beds are counted.") if ruling.over else Reason(rule="SH-1", says="On we go.")
        return Verdict(reasons=(why,), ruling=ruling)

    def advance(self, state: State, account: Motion, verdict: Verdict | None) -> State:
        lying = tuple(piece for piece in account.after.pieces if piece.y >= START + RADIUS)
        return msgspec.structs.replace(state, scene=Scene(surface=BOARD, pieces=lying), flicked=state.flicked + 1)

    def scores(self, state: State) -> tuple[Fraction, ...]:
        over, points = self.to_play(state) is None, [Fraction(0), Fraction(0)]
        for piece in state.scene.pieces if over else ():
            points[piece.owner] += sum(n for n, y in BEDS if y + RADIUS <= piece.y <= y + DEEP - RADIUS)
        return tuple(points)

    def winning(self, state: State) -> tuple[int, ...]:
        return winners(self.scores(state))


class Bot:
    def candidates(self, state: State, rng: np.random.Generator, count: int) -> list[Flick]:
        name, half, pull = f"penny-{state.flicked + 1}", START / 2, 9.81 * PAIRINGS.of("bronze", "polished").friction
        ways = [BEDS[-1 - k % 3][1] + DEEP / 2 - half for k in range(count)]
        spots = [(float(x), half) for x in rng.uniform(0.03, 0.27, count)]
        pairs = zip(ways, spots, strict=True)
        return [Flick(piece=name, speed=sqrt(2 * pull * way), azimuth=pi / 2, start=at) for way, at in pairs]

    def value(self, state: State, seat: int) -> float:
        points = GAME.rules.scores(msgspec.structs.replace(state, flicked=99))
        return float(points[seat] - points[1 - seat])


GAME = Game(
    name="shove", title="Shove", blurb="Pennies into three beds.", wing="table", edition=1, seats=(2, 2),
    seat_names=("Blue", "Red"), options=Options, state=State, action=Flick, rules=Rules(), bot=Bot(), sources=("ours",),
    rows=(Row(id="SH-1", text="Pennies are flicked in turn from before the first line; what stays short is taken off."),
          Row(id="SH-2", text="At the end a penny wholly in a bed counts 1, 2 or 3 for its owner; most points win.")),
)  # fmt: skip
