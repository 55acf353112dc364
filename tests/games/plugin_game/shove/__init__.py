"""Shove: pennies are flicked in turn into three beds across a board; the farther the bed, the more it counts."""

from fractions import Fraction
from math import pi, sqrt
from typing import Annotated, Any

import msgspec
import numpy as np

from flicksim.core.errors import IllegalAction
from flicksim.core.geometry import is_inside_convex, rectangle
from flicksim.core.serialization import Value
from flicksim.referee import FlickRange, Game, GameOptions, LegalActions, RuleEntry, Verdict, option_help, top_scorers
from flicksim.referee.verdict import Reason, Ruling
from flicksim.scene import DEFAULT_PAIRINGS, Flick, Line, Piece, Scene, Surface, Trajectory

RADIUS, START, DEEP = 0.0154, 0.05, 0.05  # an old penny, the first line, a bed [m]
BEDS = ((1, 0.40), (2, 0.45), (3, 0.50))  # what each counts and where it begins [m]
LINES = tuple(Line(name=f"line at {y:g} m", a=(0.0, y), b=(0.3, y)) for y in (START, 0.40, 0.45, 0.50, 0.55))
BOARD = Surface(material="polished", outline=rectangle(0.3, 0.65), lines=LINES)
FREE = rectangle(0.3 - 2 * RADIUS, START - 2 * RADIUS, RADIUS, RADIUS)


class Options(GameOptions, frozen=True, kw_only=True):
    pennies: Annotated[int, msgspec.Meta(ge=1, le=9), option_help("pennies each (SH-1)")] = 3


class State(Value, frozen=True, kw_only=True):
    options: Options
    scene: Scene = Scene(surface=BOARD)
    flicked: int = 0


class Rules:
    def initial_state(self, options: Options, seats: int, streams: Any) -> State:
        return State(options=options)

    def to_play(self, state: State) -> int | None:
        return state.flicked % 2 if state.flicked < 2 * state.options.pennies else None

    def view(self, state: State, seat: int) -> State:
        return state  # nothing is hidden on a board

    def legal_actions(self, state: State) -> LegalActions:
        penny = FlickRange(piece=f"penny-{state.flicked + 1}", start=FREE, azimuth=(1.2, 1.9), speed=(0.5, 2.0))
        flicks = () if self.to_play(state) is None else (penny,)
        return LegalActions(prompt="flick into the beds" if flicks else "all flicked", flicks=flicks)

    def check_action(self, state: State, action: Flick) -> None:
        mine = f"penny-{state.flicked + 1}"
        if action.piece != mine or action.start is None or not is_inside_convex(action.start, FREE):
            raise IllegalAction("SH-1", f"flick {mine} from before the line, not {action.piece!r} from {action.start}")

    def simulation_setup(self, state: State, action: Flick) -> tuple[Scene, Flick]:
        (x, y), seat = action.start, state.flicked % 2
        coin = {"radius": RADIUS, "mass": 0.0094, "material": "bronze", "ring": 0.9}
        return state.scene.with_piece(Piece(id=action.piece, kind="penny", x=x, y=y, owner=seat, **coin)), action

    def judge(self, state: State, action: Flick, result: Trajectory) -> Verdict:
        then = self.next_state(state, result, None)
        ruling = Ruling(points=self.scores(then), next=self.to_play(then))
        rule, text = ("SH-2", "Beds are counted.") if ruling.is_over else ("SH-1", "On we go.")
        return Verdict(reasons=(Reason(rule=rule, text=text),), ruling=ruling)

    def next_state(self, state: State, result: Trajectory, verdict: Verdict | None) -> State:
        lying = tuple(piece for piece in result.after.pieces if piece.y >= START + RADIUS)
        return msgspec.structs.replace(state, scene=Scene(surface=BOARD, pieces=lying), flicked=state.flicked + 1)

    def scores(self, state: State) -> tuple[Fraction, ...]:
        over, points = self.to_play(state) is None, [Fraction(0), Fraction(0)]
        for piece in state.scene.pieces if over else ():
            points[piece.owner] += sum(n for n, y in BEDS if y + RADIUS <= piece.y <= y + DEEP - RADIUS)
        return tuple(points)

    def leaders(self, state: State) -> tuple[int, ...]:
        return top_scorers(self.scores(state))


class Bot:
    def candidates(self, state: State, rng: np.random.Generator, count: int) -> list[Flick]:
        name, half, mu = f"penny-{state.flicked + 1}", START / 2, DEFAULT_PAIRINGS.lookup("bronze", "polished").friction
        distances = [BEDS[-1 - k % 3][1] + DEEP / 2 - half for k in range(count)]
        spots = [(float(x), half) for x in rng.uniform(0.03, 0.27, count)]
        speeds = [sqrt(2 * 9.81 * mu * distance) for distance in distances]
        return [Flick(piece=name, speed=v, azimuth=pi / 2, start=at) for v, at in zip(speeds, spots, strict=True)]

    def value(self, state: State, seat: int) -> float:
        points = GAME.rules.scores(msgspec.structs.replace(state, flicked=99))
        return float(points[seat] - points[1 - seat])


GAME = Game(
    name="shove", title="Shove", summary="Pennies into three beds.", category="table", rules_version=1, seats=(2, 2),
    seat_names=("Blue", "Red"), options=Options, state=State, action=Flick, rules=Rules(), bot=Bot(), sources=("ours",),
    rulebook=(RuleEntry(id="SH-1", text="Pennies are flicked in turn from before the first line; short ones go."),
              RuleEntry(id="SH-2", text="A penny wholly in a bed at the end counts 1, 2 or 3; most points win.")),
)  # fmt: skip
