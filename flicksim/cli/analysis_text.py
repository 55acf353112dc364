"""Options and texts shared by the analysis of positions and the review of games."""

from dataclasses import dataclass, field
from math import ceil, floor, log10
from pathlib import Path
from time import monotonic

import typer

from flicksim.ai import GRADES, ExecutionNoise, ModelError, TooFewShots, ValueEstimate
from flicksim.cli.console import err
from flicksim.core.errors import InvalidOption
from flicksim.core.type_aliases import Action, State
from flicksim.core.units import format_azimuth, to_degrees, to_mm
from flicksim.match import GameRolloutModel
from flicksim.referee import Game, Purpose
from flicksim.scene import Flick, Launch, Squidge

MAX_SHOTS = 10_000_000
"""Largest number of shots."""
_PILOT_TRIES, _MIN_PILOT_SECONDS = (2, 8, 32, 128, 512, 2048), 0.1
"""Rollouts that measure the shots per second, in steps, and the duration at which a measurement is long enough [s]."""
SAMPLING_NOTE = "Intervals hold the sampling error alone, not plans that were not tried."
INTERVAL_NOTE = (
    "Intervals of win chances hold the sampling error and the model's error as measured{}, those of points the "
    "sampling error alone; neither holds plans that were not tried."
)
WEAK_MODEL_MARGIN = 0.25
"""Model error of a win probability, half its 95 % interval, beyond which the interval covers half of all values [1]."""
WEAK_MODEL_NOTE = "With so large an error of the model the win chance says little about who wins."
BIAS_NOTE = "a partial result favours the best plan a little"


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysisOptions:
    """Options of an analysis or a review.

    Args:
        hand: grade of the execution noise of every player.
        shots, seconds: budget: shots for a position or per turn, or time for all; the game's default where both are
            None.
        png: picture to draw.
        start: of the command, of whose time `seconds` is the limit [s, `time.monotonic`].
    """

    hand: str
    shots: int | None
    seconds: float | None
    seed: int
    png: Path | None
    as_json: bool
    start: float = field(default_factory=lambda: monotonic())  # looked up at the call, for a clock of tests

    @property
    def noise(self) -> ExecutionNoise:
        """Execution noise of every player."""
        return GRADES[self.hand]

    def time_left(self, seconds: float) -> float:
        """Time left of a limit, but never less than half of it, as after a compilation [s]."""
        return max(0.5 * seconds, seconds - (monotonic() - self.start))

    def shot_budget(self, model: GameRolloutModel, state: State, seat: int, rounds: int = 1) -> int:
        """Number of shots for a position: given, measured for the time limit over `rounds`, or the game's default."""
        if self.shots is not None:
            return self.shots
        view = model.game.rules.view(state, seat)
        if self.seconds is None or not (candidates := model.top_candidates(view, 4)):
            return model.default_shots
        model.rollout(view, seat, candidates, self.noise, 1, 0)  # compiles what is needed
        simulated, elapsed = 0, 0.0
        for tries in _PILOT_TRIES:
            start = monotonic()
            simulated = model.rollout(view, seat, candidates, self.noise, tries, 0).shots
            elapsed = monotonic() - start
            if elapsed > _MIN_PILOT_SECONDS:
                break
        return min(MAX_SHOTS, max(1, int(self.time_left(self.seconds) / rounds * simulated / max(1e-6, elapsed))))

    def insufficient_budget(self, error: TooFewShots, budget: int) -> InvalidOption:
        """Error for a budget of so many shots that is too small, in the unit of the option."""
        if self.seconds is None:
            return error
        enough = round_up_seconds(self.seconds * error.required / max(1, budget))
        return InvalidOption(f"--seconds {self.seconds:g} is too little for an estimate; give {enough}")


def exit_stopped(text: str) -> typer.Exit:
    """Print why the command stopped, and return its exit."""
    err.print_line(text)
    return typer.Exit(1)


def round_up_seconds(seconds: float) -> str:
    """Format seconds, rounded up to two digits."""
    step = 10.0 ** max(-1, floor(log10(max(seconds, 0.1))) - 1)
    return f"{max(0.1, ceil(seconds / step) * step):.1f}".removesuffix(".0")


def round_up(value: float, digits: int) -> float:
    """Round up to `digits` decimals."""
    return ceil(value * 10.0**digits) / 10.0**digits


def interval_text(value: ValueEstimate) -> str:
    """Text of the interval of a win probability, rounded outwards so that it is never empty."""
    return f"{floor(value.low * 1000.0) / 1000.0:.1%} to {round_up(value.high, 3):.1%}"


def value_text(value: ValueEstimate) -> str:
    """Text of a value: win probability with its interval, and points ahead."""
    return f"wins {value.win_probability:.1%} ({interval_text(value)}), {value.point_margin:+.2f} points ahead expected"


def decisive_text(error: ModelError | None) -> str:
    """Sentence that the first plan is better than the others, and beyond which errors of their difference.

    Args:
        error: of the model; None where it was not measured.
    """
    sentence = "the first is ahead of the others beyond the sampling error of their difference"
    if error is not None and not error.gap:
        return f"By the model, {sentence}; the model's error of that difference was not measured."
    note = "" if error is None else " and the model's error"
    return f"{sentence[0].upper()}{sentence[1:]}{note}."


def shots_text(game: Game, shots: int) -> str:
    """Text of the number of simulated shots."""
    noun, verb = ("shot", "simulated") if game.uses_physics else ("deal", "played out")
    return f"{shots:,} {noun} was {verb}" if shots == 1 else f"{shots:,} {noun}s were {verb}"


def action_text(game: Game, state: State, action: Action, purpose: Purpose | None = None) -> str:
    """Short text of an action, with its purpose first."""
    if isinstance(action, Flick | Squidge | Launch):
        text = "" if purpose is None else f"{purpose.text}: "
        text += f"{action.piece} {action.speed:.2f} m/s, {format_azimuth(action.azimuth)}°"
        if isinstance(action, Squidge | Launch):
            rise = action.slant if isinstance(action, Launch) else action.elevation
            text += f", rising {to_degrees(rise):.0f}°"
        at = action.hold if isinstance(action, Launch) else action.start
        return text if at is None else f"{text}, from {to_mm(at[0]):.0f}, {to_mm(at[1]):.0f} mm"
    reasons = game.rules.judge(state, action, None).reasons if game.uses_physics else ()
    return reasons[0].text if reasons else str(action)
