"""The errors of people's gestures, by simulated hands: a hasty, a steady and a patient player, each with each gesture.

The hands are made up, not measured: how long an aim is held, how well a beat is met, how straight and how true a stroke
is. What follows from them is what the window makes of it. It stands beside the grades that bots err by.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import pi, remainder
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from benchmarks.sheet import write
from flicksim.base.codec import Value
from flicksim.base.units import degrees, to_degrees
from flicksim.players import GRADES
from flicksim.table import Flick
from flicksim.ui.table import gestures

_WISH = Flick(piece="penny", speed=1.4, azimuth=pi / 2.0)
"""The flick that everybody wants to make."""


@dataclass(frozen=True, slots=True)
class Player:
    """A made-up player; each number the middle and the spread, or the spread alone.

    Args:
        holds: how long an aim is held still [s]. beats: how far off a beat is [s]. strays: of a stroke, from straight,
            over its length. turns, pushes: of a stroke, from the way [rad] and the strength that were wanted [-].
    """

    holds: tuple[float, float]
    beats: float
    strays: float
    turns: float
    pushes: float


PLAYERS = {
    "hasty": Player((0.2, 0.1), 0.13, 0.045, degrees(4.0), 0.25),
    "steady": Player((0.7, 0.25), 0.08, 0.025, degrees(2.5), 0.15),
    "patient": Player((1.4, 0.25), 0.04, 0.012, degrees(1.5), 0.10),
}


class Row(Value, frozen=True, kw_only=True):
    """The errors of a player with a gesture.

    Args:
        gesture, player, grade: whose hand. turn: standard error of the way [degrees]. push: and of the speed [-].
        unrest: how many times the grade's errors the hand made, on average. beside: the way's error over the grade's.
    """

    gesture: str
    player: str
    grade: str
    turn: float
    push: float
    unrest: float
    beside: float


Given = tuple[float, Flick]
"""Unsteadiness of the hand, and the flick meant by it."""


def _pull(player: Player, rng: np.random.Generator) -> Given:
    return gestures.holding(max(0.0, rng.normal(*player.holds))), _WISH


def _rhythm(player: Player, rng: np.random.Generator) -> Given:
    return gestures.rhythm(max(0.0, gestures.SWING / 2.0 + rng.normal(0.0, player.beats))), _WISH


def _beats(player: Player, rng: np.random.Generator) -> Given:
    return gestures.beat(gestures.BEAT + rng.normal(0.0, player.beats)), _WISH


def _stroke(player: Player, rng: np.random.Generator) -> Given:
    """A stroke along an aim that was set before."""
    way = _WISH.azimuth + rng.normal(0.0, player.turns)
    speed = _WISH.speed * max(0.1, 1.0 + rng.normal(0.0, player.pushes))
    way, speed = gestures.drawn_to(way, speed, (_WISH.azimuth, _WISH.speed))
    crooked = abs(rng.normal(0.0, player.strays))
    return gestures.straight(crooked), Flick(piece=_WISH.piece, speed=speed, azimuth=way)


GESTURES: dict[str, Callable[[Player, np.random.Generator], Given]] = {
    "pull and let go": _pull, "to a rhythm": _rhythm, "true flick, keys": _beats, "true flick, pointer": _stroke,
}  # fmt: skip


def measured(gesture: str, player: str, grade: str, flicks: int, seed: int) -> Row:
    """So many flicks of a player with a gesture and the hand of a grade."""
    rng, own = np.random.default_rng(seed), GRADES[grade]
    turns, pushes, unrests = np.zeros(flicks), np.zeros(flicks), np.zeros(flicks)
    for k in range(flicks):
        unrest, meant = GESTURES[gesture](PLAYERS[player], rng)
        made = own.times(unrest).make(meant, rng)
        turns[k] = remainder(made.azimuth - _WISH.azimuth, 2.0 * pi)
        pushes[k], unrests[k] = made.speed / _WISH.speed - 1.0, unrest
    turn, push = float(np.sqrt(np.mean(turns**2))), float(np.sqrt(np.mean(pushes**2)))
    return Row(gesture=gesture, player=player, grade=grade, turn=to_degrees(turn), push=push,
               unrest=float(unrests.mean()), beside=turn / own.azimuth)  # fmt: skip


def main(
    flicks: Annotated[int, typer.Option(min=10, max=10**6, help="Flicks of each.")] = 4000,
    seed: Annotated[int, typer.Option(help="Of all chance.")] = 1,
    out: Annotated[Path | None, typer.Option(help="A CSV file for the rows too.")] = None,
) -> None:
    """Table people's errors by gesture and player against the grades."""
    rows = [
        measured(gesture, player, grade, flicks, seed)
        for grade in GRADES for gesture in GESTURES for player in PLAYERS
    ]  # fmt: skip
    print("hand      gesture              player     way      speed   times the grade")
    for grade, own in GRADES.items():
        print(f"{grade:9} {'as bots have it':20} {'':8} {to_degrees(own.azimuth):5.2f}° {own.speed:8.1%} {1.0:10.2f}")
        for row in rows:
            if row.grade == grade:
                print(f"{'':9} {row.gesture:20} {row.player:8} {row.turn:5.2f}° {row.push:8.1%} {row.beside:10.2f}")
    if out is not None:
        write(out, rows)


if __name__ == "__main__":
    typer.run(main)
