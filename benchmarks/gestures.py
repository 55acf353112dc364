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

import msgspec
import numpy as np
import typer

from benchmarks.sheet import write
from flicksim.base.codec import Value
from flicksim.base.units import degrees, to_degrees
from flicksim.players import GRADES
from flicksim.table import Flick, Launch, Squidge
from flicksim.ui.table import gestures

Wish = Flick | Squidge | Launch
WISHES: dict[str, Wish] = {
    "penny": Flick(piece="penny", speed=1.4, azimuth=pi / 2.0),
    "wink": Squidge(piece="wink", speed=3.4, azimuth=pi / 2.0),
    "pyramid": Launch(piece="pyramid", size="medium", hold=(0.45, 0.1), azimuth=pi / 2.0, speed=4.4),
}
"""Flicks that everybody wants to make: a draw to the white, a pot from the base line, a launch to the middle."""


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
        piece, gesture, player, grade: what is flicked, and whose hand.
        turn: standard error of the way [degrees]. push: and of the speed [-].
        unrest: how many times the grade's errors the hand made, on average. beside: the way's error over the grade's.
    """

    piece: str
    gesture: str
    player: str
    grade: str
    turn: float
    push: float
    unrest: float
    beside: float


Given = tuple[float, Wish]
"""Unsteadiness of the hand, and the flick meant by it."""


def _pull(player: Player, wish: Wish, rng: np.random.Generator) -> Given:
    return gestures.holding(max(0.0, rng.normal(*player.holds))), wish


def _rhythm(player: Player, wish: Wish, rng: np.random.Generator) -> Given:
    return gestures.rhythm(max(0.0, gestures.SWING / 2.0 + rng.normal(0.0, player.beats))), wish


def _beats(player: Player, wish: Wish, rng: np.random.Generator) -> Given:
    return gestures.beat(gestures.BEAT + rng.normal(0.0, player.beats)), wish


def _stroke(player: Player, wish: Wish, rng: np.random.Generator) -> Given:
    """A stroke along an aim that was set before."""
    way = wish.azimuth + rng.normal(0.0, player.turns)
    speed = wish.speed * max(0.1, 1.0 + rng.normal(0.0, player.pushes))
    way, speed = gestures.drawn_to(way, speed, (wish.azimuth, wish.speed))
    crooked = abs(rng.normal(0.0, player.strays))
    return gestures.straight(crooked), msgspec.structs.replace(wish, speed=speed, azimuth=way)


GESTURES: dict[str, Callable[[Player, Wish, np.random.Generator], Given]] = {
    "pull and let go": _pull, "to a rhythm": _rhythm, "true flick, keys": _beats, "true flick, pointer": _stroke,
}  # fmt: skip


def measured(piece: str, gesture: str, player: str, grade: str, flicks: int, seed: int) -> Row:
    """So many flicks of a piece by a player with a gesture and the hand of a grade."""
    rng, own, wish = np.random.default_rng(seed), GRADES[grade], WISHES[piece]
    usual = own.loose if isinstance(wish, Launch) else 1.0
    turns, pushes, unrests = np.zeros(flicks), np.zeros(flicks), np.zeros(flicks)
    for k in range(flicks):
        unrest, meant = GESTURES[gesture](PLAYERS[player], wish, rng)
        made = own.times(unrest).make(meant, rng)
        turns[k] = remainder(made.azimuth - wish.azimuth, 2.0 * pi)
        pushes[k], unrests[k] = made.speed / wish.speed - 1.0, unrest
    turn, push = float(np.sqrt(np.mean(turns**2))), float(np.sqrt(np.mean(pushes**2)))
    return Row(piece=piece, gesture=gesture, player=player, grade=grade, turn=to_degrees(turn), push=push,
               unrest=float(unrests.mean()), beside=turn / (usual * own.azimuth))  # fmt: skip


def main(
    flicks: Annotated[int, typer.Option(min=10, max=10**6, help="Flicks of each.")] = 4000,
    seed: Annotated[int, typer.Option(help="Of all chance.")] = 1,
    out: Annotated[Path | None, typer.Option(help="A CSV file for the rows too.")] = None,
) -> None:
    """Table people's errors by gesture and player against the grades."""
    rows = [
        measured(piece, gesture, player, grade, flicks, seed)
        for piece in WISHES for grade in GRADES for gesture in GESTURES for player in PLAYERS
    ]  # fmt: skip
    print("piece    hand      gesture              player     way      speed   times the grade")
    for row in rows:
        whose = f"{row.piece:8} {row.grade:9} {row.gesture:20} {row.player:8}"
        print(f"{whose} {row.turn:5.2f}° {row.push:8.1%} {row.beside:10.2f}")
    if out is not None:
        write(out, rows)


if __name__ == "__main__":
    typer.run(main)
