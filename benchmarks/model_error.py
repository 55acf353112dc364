"""Estimate the model error of the analysis, apart from sampling error, and save it in each game's folder.

`python -m benchmarks.model_error penny-white` plays games between bots of grade `club`, evaluates a position of each
third of every game, and plays it out many times with the model's own players, after the best candidate and after
another. The deviation of the predicted win probability from the share won, less the sampling error, is the model error:
of a probability, and of the gap between two candidates. It is stated at an even probability, and taken as proportional
to 4 p (1 - p) elsewhere.

* Penny White: ends played out in batches by players who use the value networks; later ends from the mean results.
* Tiddlywinks, Ice: whole games by club bots, with the short flights of the search and fewer table look-ups. A game
  of tiddlywinks takes seconds: only the best candidate is played out, and no gap is measured.
* Card games: the round by bots without slips, the players of the model, from deals of the hidden cards as the model
  samples them; after it counts what the model says of the next round's start. What the others' choices tell of their
  cards is no part of the error: `benchmarks.calibration` shows that. Later rounds of dominoes are even by symmetry;
  those of Tinkle have an error of their own, by the results of 500 games. No gap is measured.

A stage whose error does not differ significantly from that of all stages gets the common one. The estimate is the mean
of the variance given that it is not negative, so that it is larger the fewer games there are.

Then the intervals that contain the share won are counted, and written to `results/coverage-GAME.csv`: for each half of
the games with the error estimated from the other half (cross-validation); with `--check` with the saved error, which is
left as it is. The play-outs have a sampling error of their own, so an interval counts as true if it contains their mean
after it is widened by that in quadrature; the count without is a lower bound.
"""

from collections.abc import Callable, Iterator, Sequence
from math import erf, exp, hypot, inf, nan, pi, sqrt
from pathlib import Path
from time import monotonic, process_time
from typing import NamedTuple

import msgspec
import numpy as np

from benchmarks import calibration, command_line, csv_results
from benchmarks.value_table import SearchConfig, ValueLearner
from flicksim import ai
from flicksim import match as matches
from flicksim.ai.model_error import FILE_NAME, load_model_error
from flicksim.core.arrays import Floats
from flicksim.core.atomic_files import write_atomic
from flicksim.core.errors import CannotContinue, InvalidAction
from flicksim.core.random_streams import RandomStreams
from flicksim.core.serialization import Value, to_json
from flicksim.core.type_aliases import Action, State, View
from flicksim.games import load, names
from flicksim.games.penny_white import value_table
from flicksim.games.penny_white.batch_ends import EndBatch
from flicksim.games.penny_white.value_table import GAINS
from flicksim.match.series import game_seed
from flicksim.referee import Game, parse_options
from flicksim.scene import Flick, Launch, Squidge

HAND_GRADE = "club"
STAGES = 3
_MIN_UNCERTAINTY = 0.2
"""Smallest 4 p (1 - p) of a position that is used."""
_PLAYOUT_SEARCH = SearchConfig(
    candidates=24, first_tries=4, keep=5, neighbours=3, spread=(1.5,), later_tries=4, repeats=12, validation_shots=1
)
_LATER_DEALS = 50
"""Deals in which the model rolls out the start of the next round of a card game."""
_NEW_ENDS = 1500
"""Ends of Penny White played from the start, for the results of later ends."""
_MAX_GAP_ERROR = 0.07
"""Gap errors are not stated if their sampling error alone is as large as this."""
_Z = 1.959964


class Sizes(NamedTuple):
    """Sample sizes of a measurement.

    Args:
        games: games of bots; a position of every stage of each is evaluated. tries: play-outs after each candidate.
        shots: of an evaluation; None: the default of the model. candidates: played out. bot: plays the games.
        seats: their number; 0: the fewest, but at least two. options: of the game.
        later: error of the rounds after the one played out, added in quadrature.
    """

    games: int
    tries: int
    shots: int | None = None
    candidates: int = 2
    bot: str = HAND_GRADE
    seats: int = 0
    options: Sequence[str] = ()
    later: float = 0.0


SIZES = {
    "penny-white": Sizes(games=16, tries=96),
    "tiddlywinks": Sizes(games=14, tries=6, shots=128, candidates=1),
    "ice": Sizes(games=14, tries=10, shots=120),
    "dominoes": Sizes(games=70, tries=60, candidates=1, seats=4),
    "tinkle": Sizes(games=70, tries=16, shots=1000, candidates=1, bot="expert", later=0.0245),
}


class Observation(NamedTuple):
    """A predicted win probability, or a gap between two, and its deviation from the observed value.

    Args:
        stage: 0 to 2. predicted: the win probability. deviation: predicted minus observed. sampling_variance: variance
            of the deviation by sampling alone.
    """

    stage: int
    predicted: float
    deviation: float
    sampling_variance: float

    @property
    def uncertainty(self) -> float:
        """4 p (1 - p): 1 for an even position, 0 for a decided one."""
        return 4.0 * self.predicted * (1.0 - self.predicted)


# -- estimation of the error ------------------------------------------------------------------------------------------


def variance(observed: Sequence[Observation]) -> tuple[float, float]:
    """Variance of the model error at an even probability, possibly negative, and its standard error."""
    rows = [row for row in observed if row.uncertainty >= _MIN_UNCERTAINTY]
    if not rows:
        return 0.0, 1.0
    estimate, prior = 0.0, 0.0
    for _ in range(5):  # weights depend on the error: iterate
        variances = np.array([2.0 * ((row.sampling_variance / row.uncertainty**2) + prior) ** 2 for row in rows])
        values = np.array([(row.deviation**2 - row.sampling_variance) / row.uncertainty**2 for row in rows])
        estimate = float((values / variances).sum() / (1.0 / variances).sum())
        prior = max(estimate, 0.0)
    return estimate, float(1.0 / sqrt((1.0 / variances).sum()))


def error(estimate: float, standard_error: float) -> float:
    """Error from an estimated variance: root of the mean of its distribution truncated at zero."""
    at = estimate / standard_error
    density = exp(-0.5 * at * at) / sqrt(2.0 * pi)
    share = 0.5 * (1.0 + erf(at / sqrt(2.0)))
    return sqrt(max(1e-8, estimate + standard_error * density / max(share, 1e-12)))


def by_stage(observed: Sequence[Observation], later: float = 0.0) -> list[float]:
    """Error of each stage, with that of later rounds; that of all stages where it does not differ significantly."""
    common = variance(observed)
    errors = []
    for stage in range(STAGES):
        own = variance([row for row in observed if row.stage == stage])
        differs = abs(own[0] - common[0]) > 2.0 * sqrt(own[1] ** 2 + common[1] ** 2)
        errors.append(round(hypot(error(*(own if differs else common)), later), 4))
    return errors


def gaps_by_stage(observed: Sequence[Observation]) -> list[float | None]:
    """Error of the gaps of each stage; None for each if there are too few games for an estimate."""
    return [*by_stage(observed)] if observed and variance(observed)[1] < _MAX_GAP_ERROR**2 else [None] * STAGES


class SamplingErrorModel(matches.GameRolloutModel):
    """Rollout model whose intervals contain the sampling error alone."""

    def model_error(self, view: View) -> ai.ModelError | None:
        """No model error."""
        del view
        return None


# -- positions --------------------------------------------------------------------------------------------------------


class EvaluatedPosition(NamedTuple):
    """A position of a game, and its number."""

    game: int
    stage: int
    turn: matches.Turn
    view: View


def positions(game: Game, model: matches.GameRolloutModel, sizes: Sizes, seed: int) -> Iterator[EvaluatedPosition]:
    """A position of each stage of so many games between bots, with at least two candidates."""
    for number in range(1, sizes.games + 1):
        seats = [f"bot:{sizes.bot}"] * (sizes.seats or max(2, game.seats[0]))
        options = parse_options(game, sizes.options)
        match = matches.open_match(game, options, seats, game_seed(seed, number), simulator=_simulator(game))
        turns = list(match.run())
        rng = RandomStreams(seed=seed).spawn("positions", number).generator()
        for stage in range(STAGES):
            eligible = [turn for turn in turns if _stage_of(game, model, turn) == stage]
            for k in rng.permutation(len(eligible)).tolist():
                turn = eligible[k]
                view = game.rules.view(turn.before, turn.seat)
                if len(model.top_candidates(view, 2)) > 1:
                    yield EvaluatedPosition(number, stage, turn, view)
                    break


def _simulator(game: Game) -> matches.PhysicsSimulator | None:
    """Simulator for whole games: with the short flights of the search, if the game has physics."""
    return matches.PhysicsSimulator(matches.SEARCH_SETTINGS) if game.uses_physics else None


def _stage_of(game: Game, model: matches.GameRolloutModel, turn: matches.Turn) -> int:
    """Third of the game in which a turn lies; -1 for a turn that is not used."""
    if game.rules.to_play(turn.before) != turn.seat:
        return -1
    if game.uses_physics and not isinstance(turn.meant, Flick | Squidge | Launch):
        return -1
    if game.name == "penny-white" and turn.before.phase != "penny":
        return -1
    if game.name == "tiddlywinks" and turn.before.book.opener is None:
        return -1
    return min(STAGES - 1, int(STAGES * model.fraction_played(turn.before)))


def evaluate_position(
    model: matches.GameRolloutModel, position: EvaluatedPosition, shots: int | None, candidates: int, seed: int
) -> ai.Evaluation | None:
    """Evaluate a position with its best candidates; None if there are too few shots."""
    view, seat, budget = position.view, position.turn.seat, shots or model.default_shots
    try:
        return ai.evaluate(model, ai.GRADES[HAND_GRADE], view, seat, seed, budget, top=candidates)
    except ai.TooFewShots:
        return None


def _mean_variance(won: Floats) -> float:
    """Variance of the mean of play-outs; positive even if all results are equal."""
    mean = (won.sum() + 0.5) / (len(won) + 1.0)
    return float(max(won.var(ddof=1), mean * (1.0 - mean) / (len(won) + 1.0)) / len(won))


def observations(
    stage: int, best: Sequence[ai.CandidateValue], won: Sequence[Floats]
) -> tuple[list[Observation], list[Observation]]:
    """Observations of probabilities and gaps, from candidates and their play-outs with common random numbers."""
    levels = [
        Observation(
            stage,
            candidate.value.win_probability,
            candidate.value.win_probability - float(results.mean()),
            (candidate.value.sampling_margin / _Z) ** 2 + _mean_variance(results),
        )
        for candidate, results in zip(best, won, strict=True)
    ]
    if len(best) < 2:
        return levels, []
    gap, differences = best[1].deficit, won[0] - won[1]
    sampling_variance = (best[1].margin / _Z) ** 2 + float(
        max(differences.var(ddof=1), 1.0 / len(differences) ** 2)
    ) / len(differences)
    return levels, [
        Observation(stage, best[0].value.win_probability, gap - float(differences.mean()), sampling_variance)
    ]


# -- play-outs --------------------------------------------------------------------------------------------------------

PlayOut = Callable[[State, int, Action, int, int], Floats]
"""Plays a state on after an action, so many times, by a seed; returns the win shares of a seat. [tries]"""


def play_out_with_bots(game: Game, model: matches.GameRolloutModel, bot: str = HAND_GRADE) -> PlayOut:
    """Play-outs by bots to the end of the game; of card games to the end of the round, the hidden cards dealt anew."""
    sample_hidden = getattr(game.bot, "sample_hidden", None)

    def later_rounds(state: State, seat: int, seed: int) -> float:
        to_play = game.rules.to_play(state)
        assert to_play is not None
        view = game.rules.view(state, to_play)
        actions, noise = model.top_candidates(view, 1), ai.GRADES[HAND_GRADE]
        return float(model.rollout(view, seat, actions, noise, _LATER_DEALS, seed).win_probability.mean())

    def rollout(state: State, seat: int, action: Action, tries: int, seed: int) -> Floats:
        shares, view = np.zeros(tries), game.rules.view(state, seat)
        seats = [f"bot:{bot}"] * len(game.rules.scores(state))
        for k in range(tries):
            if sample_hidden is not None:
                dealt = sample_hidden(view, np.random.Generator(np.random.PCG64([seed, k])))
                state = msgspec.structs.replace(dealt, seeds=RandomStreams(seed=seed + k))
            template = matches.open_match(game, state.options, seats, seed + k, simulator=_simulator(game))
            match = matches.Match(
                game, state.options, template.streams, template.simulator, template.noise, template.players,
                matches.CustomStart(position=None, state=state),
            )  # fmt: skip
            try:
                match.play(action)
                for turn in match.run():
                    if sample_hidden is not None and turn.after.round != state.round:
                        break
            except (CannotContinue, InvalidAction):  # a wink may never come to rest
                shares[k] = nan
                continue
            shares[k] = (
                matches.win_share(game, match.state, seat)
                if match.is_over
                else later_rounds(match.state, seat, seed + k)
            )
        return shares

    return rollout


class NetPlayOuts:
    """Play-outs of Penny White ends by players who use the value networks; the rest of a game from mean results.

    Args:
        seed: of the random generator.
    """

    def __init__(self, seed: int) -> None:
        self._learner = ValueLearner(HAND_GRADE, np.random.Generator(np.random.PCG64(seed)))
        ends = self._learner.new_ends(_NEW_ENDS, 0.0)
        rows, first = np.arange(_NEW_ENDS), ends.to_play.copy()
        predicted = value_table.load_networks()[-1].probabilities(self._learner.features(ends)).mean(axis=0)
        self._finish(ends)
        gained = ends.points[rows, first] - ends.points[rows, 1 - first]
        observed = (np.clip(gained, GAINS[0], GAINS[-1])[:, None] == GAINS).mean(axis=0)
        known = np.array(value_table.starter_gain_probabilities(ai.GRADES[HAND_GRADE]))
        shares = np.clip(known + observed - predicted, 0.0, None)
        self._starter: Floats = shares / shares.sum()

    def _finish(self, ends: EndBatch) -> None:
        """Play ends to completion; all have the same number of pennies left."""
        while len(rows := np.flatnonzero(ends.running)):
            running = ends.select(rows)
            left = int(running.pennies_left.sum(axis=1)[0])
            net = value_table.load_networks()[left - 2] if left > 1 else None
            flicks, _ = self._learner.best(running, net, _PLAYOUT_SEARCH)
            self._flick(running, *(part[:, 0] for part in flicks))
            ends.update(rows, running)

    def _flick(self, ends: EndBatch, start: Floats, speed: Floats, azimuth: Floats) -> None:
        self._learner.simulator.flick(ends, start, speed, azimuth, self._learner.rng.standard_normal((len(speed), 3)))

    def __call__(self, state: State, seat: int, action: Action, tries: int, seed: int) -> Floats:
        """Probability of a seat to win the game, for the result of each play-out of the end."""
        del seed
        ends = self._learner.simulator.from_state(state, tries)
        self._flick(
            ends, np.tile(action.start, (tries, 1)), np.full(tries, action.speed), np.full(tries, action.azimuth)
        )
        self._finish(ends)
        lead = ends.points[:, seat] - ends.points[:, 1 - seat] + state.scores[seat] - state.scores[1 - seat]
        after = self._after(state.options.ends - state.end, 1 - state.starter == seat)
        chances: Floats = after[lead + len(after) // 2]
        return chances

    def _after(self, left: int, starts: bool) -> Floats:
        """Win probability by lead, as in `games.penny_white.rollouts`, but from the results of play-outs."""
        leads = np.arange(-40, 41)
        if not left:
            return 0.5 + 0.5 * np.sign(leads).astype(np.float64)
        after = self._after(left - 1, not starts)
        chances = np.zeros(len(leads))
        for gain, probability in zip(GAINS.tolist(), self._starter, strict=True):
            chances += probability * after[np.clip(leads + (gain if starts else -gain), -40, 40) + 40]
        return chances


# -- measurement ------------------------------------------------------------------------------------------------------


class Measured(NamedTuple):
    """The best candidate of a position, played out.

    Args:
        game: its number. level: observation of the probability. value: its interval by sampling error alone.
        standard_error: of the mean of the play-outs.
    """

    game: int
    level: Observation
    value: tuple[float, float]
    standard_error: float


class CheckedInterval(Value, frozen=True, kw_only=True):
    """An interval of the analysis beside the share won in play-outs.

    Args:
        game, stage: of the position. predicted, low, high: win probability and its interval.
        played_out, standard_error: mean of the play-outs and its standard error.
    """

    game: int
    stage: int
    predicted: float
    low: float
    high: float
    played_out: float
    standard_error: float

    def is_true(self, z: float = 0.0) -> bool:
        """Return True if the interval contains the mean of the play-outs; widened by so many of its standard errors, in
        quadrature."""
        own = self.predicted - self.low if self.played_out < self.predicted else self.high - self.predicted
        return abs(self.played_out - self.predicted) <= hypot(own, z * self.standard_error) + 1e-9


def checked_intervals(measured: Sequence[Measured], errors: Sequence[ai.ModelError]) -> list[CheckedInterval]:
    """The interval of each position beside its play-outs, by the errors of the stages; rounded for a file."""
    rows = []
    for one in measured:
        p, own = one.level.predicted, one.value
        margin = errors[one.level.stage].win_probability_margin(p)
        low, high = max(0.0, p - hypot(p - own[0], margin)), min(1.0, p + hypot(own[1] - p, margin))
        row = (p, low, high, p - one.level.deviation, one.standard_error)
        numbers = dict(zip(CheckedInterval.__struct_fields__[2:], (round(x, 4) for x in row), strict=True))
        rows.append(CheckedInterval(game=one.game, stage=one.level.stage, **numbers))
    return rows


def cross_validated(measured: Sequence[Measured], later: float = 0.0) -> list[CheckedInterval]:
    """Intervals of the positions of each half of the games, with the error estimated from the other half."""
    halves = [[one for one in measured if one.game % 2 == half] for half in range(2)]
    found = list[CheckedInterval]()
    for tested, others in (halves, halves[::-1]):
        levels = by_stage([one.level for one in others], later)
        found += checked_intervals(tested, [ai.ModelError(level=level) for level in levels])
    return found


def measure(
    game: Game, sizes: Sizes, seed: int, time_limit: float = inf
) -> tuple[list[Measured], list[Observation], list[Observation]]:
    """The best candidate of each position, and the observations of all probabilities and gaps.

    Args:
        time_limit: no position is evaluated after that [s].
    """
    model = SamplingErrorModel(game)
    measured, levels, gaps = list[Measured](), list[Observation](), list[Observation]()
    rollout: PlayOut = NetPlayOuts(seed) if game.name == "penny-white" else play_out_with_bots(game, model, sizes.bot)
    start = monotonic()
    for number, position in enumerate(positions(game, model, sizes, seed)):
        if monotonic() - start > time_limit:
            break
        position_seed = RandomStreams(seed=seed).spawn("position", number).derived_seed() % 2**62
        evaluation = evaluate_position(model, position, sizes.shots, sizes.candidates, position_seed)
        if evaluation is None:
            continue
        best, turn = evaluation.best[: sizes.candidates], position.turn
        won = [rollout(turn.before, turn.seat, one.action, sizes.tries, position_seed % 2**32) for one in best]
        complete = ~np.isnan(won).any(axis=0)
        if complete.sum() < 2:
            continue
        level, gap = observations(position.stage, best, [shares[complete] for shares in won])
        levels += level
        gaps += gap
        own = best[0].value
        measured.append(Measured(position.game, level[0], (own.low, own.high), sqrt(_mean_variance(won[0][complete]))))
        print(
            f"{len(measured)}: stage {position.stage}, predicted {level[0].predicted:.3f}, "
            f"deviation {level[0].deviation:+.3f}", flush=True,
        )  # fmt: skip
    return measured, levels, gaps


def show_coverage(intervals: Sequence[CheckedInterval]) -> None:
    """Print how many intervals are true, with a 95 % interval by the bootstrap over games."""
    for label, z in (("with the sampling error of the play-outs", _Z), ("without", 0.0)):
        rows = np.array([(one.game, one.stage, one.is_true(z)) for one in intervals], np.float64)
        low, high = calibration.bootstrap_interval(rows, lambda drawn: float(drawn[:, 2].mean()))
        thirds = ", ".join(f"{rows[rows[:, 1] == stage, 2].mean():.3f}" for stage in np.unique(rows[:, 1]).tolist())
        print(f"  true {label}: {rows[:, 2].mean():.3f} ({low:.3f} to {high:.3f}) of {len(rows)}; by third {thirds}")


def main(argv: Sequence[str] | None = None) -> int:
    """Command line entry point."""
    parser = command_line.parser("model_error", __doc__, seed=1)
    parser.add_argument("game", nargs="+", choices=names(), help="games whose model is measured")
    parser.add_argument("--games", type=int, help="games of bots; a position of every stage of each is evaluated")
    parser.add_argument("--tries", type=int, help="play-outs after each candidate")
    parser.add_argument("--shots", type=int, help="shots of an evaluation")
    parser.add_argument("--seats", type=int, help="number of seats; default: by the game")
    parser.add_argument("--option", action="append", help=command_line.OPTION_HELP["option"])
    parser.add_argument("--check", action="store_true", help="count with the saved error, and leave it")
    parser.add_argument("--seconds", type=float, default=inf, help="no position is evaluated after that time")
    parser.add_argument("--out", type=Path, help="output folder; default: the game's own")
    args = parser.parse_args(argv)
    for name in args.game:
        game, sizes = load(name), SIZES[name]
        given = {"games": args.games, "tries": args.tries, "shots": args.shots, "seats": args.seats,
                 "options": args.option}  # fmt: skip
        sizes = sizes._replace(**{key: value for key, value in given.items() if value})
        start = process_time()
        with calibration.fewer_rollouts():
            measured, levels, gaps = measure(game, sizes, args.seed, args.seconds)
        played = sizes.tries * len(levels)
        print(f"{game.title}: {len(measured)} positions, {played} played out, {process_time() - start:.0f} s")
        for label, observed in (("chance", levels), ("gap", gaps)) if gaps else (("chance", levels),):
            for stage in (*range(STAGES), None):
                estimate, standard_error = variance([row for row in observed if stage in (None, row.stage)])
                part = "all" if stage is None else f"third {stage + 1}"
                text = f"variance {estimate:+.5f} +- {standard_error:.5f}: {error(estimate, standard_error):.3f}"
                print(f"  {label:6} {part:8} {text}")
        folder = Path(game.bot.__file__).parent
        if args.check:
            saved = load_model_error(folder)
            assert saved is not None
            intervals = checked_intervals(measured, saved.stages)
        else:
            saved = load_model_error(folder)
            powers = [1.0] * STAGES if saved is None else [stage.odds_power for stage in saved.stages]
            stages = tuple(
                ai.ModelError(level=level, gap=gap, odds_power=power)
                for level, gap, power in zip(by_stage(levels, sizes.later), gaps_by_stage(gaps), powers, strict=True)
            )
            table = ai.ModelErrorTable(seed=args.seed, positions=len(measured), games=played, stages=stages)
            path = args.out / f"{name}.json" if args.out else folder / FILE_NAME
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomic(path, to_json(table) + b"\n")
            print("  saved:", *(f"{row.level:.3f} ({'-' if row.gap is None else f'{row.gap:.3f}'})" for row in stages))
            intervals = cross_validated(measured, sizes.later)
        csv_results.write((args.out or command_line.RESULTS) / f"coverage-{name}.csv", intervals)
        show_coverage(intervals)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
