"""Errors of flick gestures in the window, from simulated hasty, steady and patient players.

The players' parameters are assumed, not measured: how long an aim is held, how exactly a beat is met, how straight a
stroke is and how exact its direction and speed are. The errors that the window makes of them are compared with the
execution noise of the bots' grades.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import pi, remainder
from pathlib import Path
from typing import Annotated

import msgspec
import numpy as np
import typer

from benchmarks.csv_results import write
from flicksim.ai import GRADES, hold_time_noise_factor
from flicksim.core.serialization import Value
from flicksim.core.units import deg2rad, to_degrees
from flicksim.gui.table_view import gestures
from flicksim.scene import Flick, Launch, Squidge

IntendedAction = Flick | Squidge | Launch
INTENDED_ACTIONS: dict[str, IntendedAction] = {
    "penny": Flick(piece="penny", speed=1.4, azimuth=pi / 2.0),
    "wink": Squidge(piece="wink", speed=3.4, azimuth=pi / 2.0),
    "pyramid": Launch(piece="pyramid", size="medium", hold=(0.45, 0.1), azimuth=pi / 2.0, speed=4.4),
}
"""Intended actions: a draw to the white, a pot from the base line, a launch to the middle."""


@dataclass(frozen=True, slots=True)
class Player:
    """A simulated player; spreads are standard deviations.

    Args:
        hold_time: mean and spread of the time an aim is held still [s]. timing_error: spread of the error of a beat
            [s]. straightness_error: spread of a stroke's deviation from a straight line, over its length [-].
        azimuth_error, speed_error: spreads of a stroke's direction [rad] and of its speed, relative [-].
    """

    hold_time: tuple[float, float]
    timing_error: float
    straightness_error: float
    azimuth_error: float
    speed_error: float


PLAYERS = {
    "hasty": Player((0.2, 0.1), 0.13, 0.045, deg2rad(4.0), 0.25),
    "steady": Player((0.7, 0.25), 0.08, 0.025, deg2rad(2.5), 0.15),
    "patient": Player((1.4, 0.25), 0.04, 0.012, deg2rad(1.5), 0.10),
}


class Row(Value, frozen=True, kw_only=True):
    """Errors of a player with a gesture.

    Args:
        piece, gesture, player, grade: the piece, and the execution noise applied.
        azimuth_error: root mean square error of the azimuth [degrees]. speed_error: of the speed, relative [-].
        noise_ratio: mean factor on the grade's noise. grade_ratio: azimuth error over that of the grade.
    """

    piece: str
    gesture: str
    player: str
    grade: str
    azimuth_error: float
    speed_error: float
    noise_ratio: float
    grade_ratio: float


GestureResult = tuple[float, IntendedAction]
"""Factor on the execution noise, and the intended action of the gesture."""


def _pull(player: Player, target: IntendedAction, rng: np.random.Generator) -> GestureResult:
    return hold_time_noise_factor(max(0.0, rng.normal(*player.hold_time))), target


def _rhythm(player: Player, target: IntendedAction, rng: np.random.Generator) -> GestureResult:
    return gestures.meter_noise_scale(
        max(0.0, gestures.METER_PERIOD / 2.0 + rng.normal(0.0, player.timing_error))
    ), target


def _beats(player: Player, target: IntendedAction, rng: np.random.Generator) -> GestureResult:
    return gestures.beat_noise_scale(gestures.BEAT_INTERVAL + rng.normal(0.0, player.timing_error)), target


def _stroke(player: Player, target: IntendedAction, rng: np.random.Generator) -> GestureResult:
    """A stroke along an aim that was set before."""
    azimuth = target.azimuth + rng.normal(0.0, player.azimuth_error)
    speed = target.speed * max(0.1, 1.0 + rng.normal(0.0, player.speed_error))
    azimuth, speed = gestures.snap_to_aim(azimuth, speed, (target.azimuth, target.speed))
    deviation = abs(rng.normal(0.0, player.straightness_error))
    return gestures.stroke_noise_scale(deviation), msgspec.structs.replace(target, speed=speed, azimuth=azimuth)


GESTURES: dict[str, Callable[[Player, IntendedAction, np.random.Generator], GestureResult]] = {
    "pull and let go": _pull, "to a rhythm": _rhythm, "true flick, keys": _beats, "true flick, pointer": _stroke,
}  # fmt: skip


def measure(piece: str, gesture: str, player: str, grade: str, flicks: int, seed: int) -> Row:
    """Errors of so many flicks of a piece by a player with a gesture, with the execution noise of a grade."""
    rng, noise, target = np.random.default_rng(seed), GRADES[grade], INTENDED_ACTIONS[piece]
    azimuth_errors, speed_errors, factors = np.zeros(flicks), np.zeros(flicks), np.zeros(flicks)
    for k in range(flicks):
        factor, meant = GESTURES[gesture](PLAYERS[player], target, rng)
        made = noise.scaled(factor).execute(meant, rng)
        azimuth_errors[k] = remainder(made.azimuth - target.azimuth, 2.0 * pi)
        speed_errors[k], factors[k] = made.speed / target.speed - 1.0, factor
    azimuth_error, speed_error = (float(np.sqrt(np.mean(errors**2))) for errors in (azimuth_errors, speed_errors))
    return Row(
        piece=piece,
        gesture=gesture,
        player=player,
        grade=grade,
        azimuth_error=to_degrees(azimuth_error),
        speed_error=speed_error,
        noise_ratio=float(factors.mean()),
        grade_ratio=azimuth_error / noise.speed_and_azimuth_std(target)[1],
    )


def main(
    flicks: Annotated[int, typer.Option(min=10, max=10**6, help="Flicks per row.")] = 4000,
    seed: Annotated[int, typer.Option(help="Random seed.")] = 1,
    out: Annotated[Path | None, typer.Option(help="Also write the rows to this CSV file.")] = None,
) -> None:
    """Print the errors by gesture and player, compared with the grades."""
    rows = [
        measure(piece, gesture, player, grade, flicks, seed)
        for piece in INTENDED_ACTIONS for grade in GRADES for gesture in GESTURES for player in PLAYERS
    ]  # fmt: skip
    print("piece    grade     gesture              player     azimuth  speed   grade ratio")
    for row in rows:
        labels = f"{row.piece:8} {row.grade:9} {row.gesture:20} {row.player:8}"
        print(f"{labels} {row.azimuth_error:5.2f}° {row.speed_error:8.1%} {row.grade_ratio:10.2f}")
    if out is not None:
        write(out, rows)


if __name__ == "__main__":
    typer.run(main)
