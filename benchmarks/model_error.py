"""Estimate the model error of the analysis, apart from sampling error, and save it in each game's folder.

`python -m benchmarks.model_error penny-white` plays games between bots of grade `club`, evaluates a position of each
third of every game, and plays it out many times with the model's own players, after the best candidate and after
another. The deviation of the predicted win probability from the share won, less the sampling error, is the model error:
of a probability, and of the gap between two candidates. It is stated at an even probability, and taken as proportional
to 4 p (1 - p) elsewhere.

* Penny White: ends played out in batches by players who use the value networks; later ends from the mean results.
* Tiddlywinks, Ice: whole games by club bots, with the coarse time steps of the search and fewer table look-ups. A game
  of tiddlywinks takes seconds: too few are played to estimate gaps.
* Card games: a partly known hand cannot be dealt again. The predicted probability of the move played is compared with
  the result of its own game, by thirds of the game and fifths of the probability: only an error that such positions
  share is visible, and no gap.

A stage whose error does not differ significantly from that of all stages gets the common one. The estimate is the mean
of the variance args that it is not negative, so that it is larger the fewer games there are.
"""

import argparse
from collections.abc import Callable, Iterator, Sequence
from math import erf, exp, nan, pi, sqrt
from pathlib import Path
from time import process_time
from typing import NamedTuple
from unittest.mock import patch

import numpy as np
import numpy.typing as npt

from benchmarks.value_table import SearchConfig, ValueLearner
from flicksim.ai import GRADES, CandidateValue, Evaluation, ModelError, ModelErrorTable, TooFewShots, evaluate
from flicksim.ai.model_error import FILE_NAME
from flicksim.core.atomic_files import write_atomic
from flicksim.core.errors import CannotContinue, InvalidAction
from flicksim.core.random_streams import RandomStreams
from flicksim.core.serialization import to_json
from flicksim.core.type_aliases import Action, State, View
from flicksim.games import load, names
from flicksim.games.penny_white import value_table
from flicksim.games.penny_white.batch_ends import EndBatch
from flicksim.games.penny_white.value_table import GAINS
from flicksim.games.tiddlywinks import rollout_evaluation
from flicksim.match import (
    SEARCH_SETTINGS,
    CustomStart,
    GameRolloutModel,
    Match,
    PhysicsSimulator,
    Turn,
    open_match,
    win_share,
)
from flicksim.match.series import game_seed
from flicksim.referee import Game
from flicksim.scene import Flick, Launch, Squidge

Floats = npt.NDArray[np.float64]
HAND_GRADE = "club"
STAGES = 3
_QUINTILES = 5
_MIN_UNCERTAINTY = 0.2
"""Smallest 4 p (1 - p) of a position that is used."""
_DEALS = 400
"""Deals sampled for a predicted probability in card games."""
_PLAYOUT_SEARCH = SearchConfig(
    candidates=24, first_tries=4, keep=5, neighbours=3, spread=(1.5,), later_tries=4, repeats=12, validation_shots=1
)
_NEW_ENDS = 1500
"""Ends of Penny White played from the start, for the results of later ends."""
_ROUNDS = ((64, 4), (256, 1))
"""Rounds of table look-ups by club players of tiddlywinks in play-outs of whole games."""
_MAX_GAP_ERROR = 0.07
"""Gap errors are not stated if their sampling error alone is as large as this."""
_Z = 1.959964


class Sizes(NamedTuple):
    """Sample sizes of a measurement.

    Args:
        games: games of bots; a position of every stage of each is evaluated. tries: play-outs after each candidate; 1:
            its own game alone. shots: of an evaluation; None: the default of the model.
    """

    games: int
    tries: int
    shots: int | None = None


SIZES = {
    "penny-white": Sizes(games=16, tries=96),
    "tiddlywinks": Sizes(games=2, tries=12),
    "ice": Sizes(games=4, tries=30, shots=400),
    "dominoes": Sizes(games=1200, tries=1),
    "tinkle": Sizes(games=500, tries=1),
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


def by_stage(observed: Sequence[Observation]) -> list[float]:
    """Error of each stage; that of all stages where it does not differ significantly."""
    common = variance(observed)
    errors = []
    for stage in range(STAGES):
        own = variance([row for row in observed if row.stage == stage])
        differs = abs(own[0] - common[0]) > 2.0 * sqrt(own[1] ** 2 + common[1] ** 2)
        errors.append(round(error(*(own if differs else common)), 4))
    return errors


def gaps_by_stage(observed: Sequence[Observation]) -> list[float | None]:
    """Error of the gaps of each stage; None for each if there are too few games for an estimate."""
    return [*by_stage(observed)] if observed and variance(observed)[1] < _MAX_GAP_ERROR**2 else [None] * STAGES


class SamplingErrorModel(GameRolloutModel):
    """Rollout model whose intervals contain the sampling error alone."""

    def model_error(self, view: View) -> ModelError | None:
        """No model error."""
        del view
        return None


# -- positions --------------------------------------------------------------------------------------------------------


class EvaluatedPosition(NamedTuple):
    """A position of a game, and the final win share of the seat to play."""

    stage: int
    turn: Turn
    view: View
    win_share: float


def positions(game: Game, model: GameRolloutModel, games: int, seed: int) -> Iterator[EvaluatedPosition]:
    """A position of each stage of so many games between club bots, with at least two candidates."""
    for number in range(1, games + 1):
        seats = [f"bot:{HAND_GRADE}"] * max(2, game.seats[0])
        match = open_match(game, game.options(), seats, game_seed(seed, number), simulator=_simulator(game))
        turns = list(match.run())
        rng = RandomStreams(seed=seed).spawn("positions", number).generator()
        for stage in range(STAGES):
            eligible = [turn for turn in turns if _stage_of(game, model, turn) == stage]
            for k in rng.permutation(len(eligible)).tolist():
                turn = eligible[k]
                view = game.rules.view(turn.before, turn.seat)
                if len(model.top_candidates(view, 2)) > 1:
                    yield EvaluatedPosition(stage, turn, view, win_share(game, match.state, turn.seat))
                    break


def _simulator(game: Game) -> PhysicsSimulator | None:
    """Simulator for whole games: with the coarse time steps of the search, if the game has physics."""
    return PhysicsSimulator(SEARCH_SETTINGS) if game.uses_physics else None


def _stage_of(game: Game, model: GameRolloutModel, turn: Turn) -> int:
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
    model: GameRolloutModel, position: EvaluatedPosition, shots: int | None, seed: int
) -> Evaluation | None:
    """Evaluate a position with its two best candidates; None if there are too few shots."""
    try:
        return evaluate(
            model, GRADES[HAND_GRADE], position.view, position.turn.seat, seed, shots or model.default_shots, top=2
        )
    except TooFewShots:
        return None


def _sampling_variance(candidate: CandidateValue) -> float:
    """Sampling variance of a predicted win probability."""
    return (candidate.value.sampling_margin / _Z) ** 2


def _mean_variance(won: Floats) -> float:
    """Variance of the mean of play-outs; positive even if all results are equal."""
    mean = (won.sum() + 0.5) / (len(won) + 1.0)
    return float(max(won.var(ddof=1), mean * (1.0 - mean) / (len(won) + 1.0)) / len(won))


def observations(
    stage: int, best: Sequence[CandidateValue], won: Sequence[Floats]
) -> tuple[list[Observation], list[Observation]]:
    """Observations of probabilities and gaps, from candidates and their play-outs with common random numbers."""
    levels = [
        Observation(
            stage,
            candidate.value.win_probability,
            candidate.value.win_probability - float(results.mean()),
            _sampling_variance(candidate) + _mean_variance(results),
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


def play_out_with_bots(game: Game) -> PlayOut:
    """Play-outs of whole games by club bots."""

    def rollout(state: State, seat: int, action: Action, tries: int, seed: int) -> Floats:
        shares = np.zeros(tries)
        seats = [f"bot:{HAND_GRADE}"] * len(game.rules.scores(state))
        for k in range(tries):
            template = open_match(game, state.options, seats, seed + k, simulator=_simulator(game))
            match = Match(
                game, state.options, template.streams, template.simulator, template.noise, template.players,
                CustomStart(position=None, state=state),
            )  # fmt: skip
            try:
                match.play(action)
                for _ in match.run():
                    pass
            except (CannotContinue, InvalidAction):  # with coarse steps a wink may never come to rest
                shares[k] = nan
                continue
            shares[k] = win_share(game, match.state, seat)
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
        known = np.array(value_table.starter_gain_probabilities(GRADES[HAND_GRADE]))
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


def measure(game: Game, sizes: Sizes, seed: int) -> tuple[ModelErrorTable, list[Observation], list[Observation]]:
    """Model errors of a game, and the observations of probabilities and gaps."""
    model = SamplingErrorModel(game, PhysicsSimulator(SEARCH_SETTINGS))
    levels, gaps, count = list[Observation](), list[Observation](), 0
    rollout: PlayOut = NetPlayOuts(seed) if game.name == "penny-white" else play_out_with_bots(game)
    own_games: list[tuple[EvaluatedPosition, float]] = []
    for number, position in enumerate(positions(game, model, sizes.games, seed)):
        position_seed = RandomStreams(seed=seed).spawn("position", number).derived_seed() % 2**62
        if sizes.tries == 1:
            outcomes = model.rollout(
                position.view, position.turn.seat, [position.turn.meant], GRADES[HAND_GRADE], _DEALS, position_seed
            )
            own_games.append((position, float(outcomes.win_probability.mean())))
            count += 1
            continue
        evaluation = evaluate_position(model, position, sizes.shots, position_seed)
        if evaluation is None:
            continue
        count += 1
        best = evaluation.best[:2]
        turn = position.turn
        won = [rollout(turn.before, turn.seat, one.action, sizes.tries, position_seed % 2**32) for one in best]
        complete = ~np.isnan(won).any(axis=0)
        if complete.sum() < 2:
            continue
        level, gap = observations(position.stage, best, [shares[complete] for shares in won])
        levels += level
        gaps += gap
        first = level[0]
        print(
            f"{count}: stage {position.stage}, predicted {first.predicted:.3f}, deviation {first.deviation:+.3f}",
            flush=True,
        )
    levels += by_quintile(own_games)
    errors = by_stage(levels)
    stages = tuple(ModelError(level=level, gap=gap) for level, gap in zip(errors, gaps_by_stage(gaps), strict=True))
    games = sizes.games if sizes.tries == 1 else sizes.tries * len(levels)
    return ModelErrorTable(seed=seed, positions=count, games=games, stages=stages), levels, gaps


def by_quintile(own_games: Sequence[tuple[EvaluatedPosition, float]]) -> list[Observation]:
    """Mean observation of the positions of each stage and fifth of the predicted probability."""
    means = []
    for stage in range(STAGES):
        for fifth in range(_QUINTILES):
            rows = [
                (chance, position.win_share) for position, chance in own_games
                if position.stage == stage and min(_QUINTILES - 1, int(_QUINTILES * chance)) == fifth
            ]  # fmt: skip
            if len(rows) < 2:
                continue
            predicted, won = np.array(rows).T
            deviation = float((predicted - won).mean())
            means.append(Observation(stage, float(predicted.mean()), deviation, _mean_variance(won)))
    return means


def main(argv: Sequence[str] | None = None) -> int:
    """Command line entry point."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.model_error", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("game", nargs="+", choices=names())
    parser.add_argument("--games", type=int, help="games of bots; a position of every stage of each is evaluated")
    parser.add_argument("--tries", type=int, help="play-outs after each candidate")
    parser.add_argument("--shots", type=int, help="shots of an evaluation")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="output folder; default: the game's own")
    args = parser.parse_args(argv)
    for name in args.game:
        game, default = load(name), SIZES[name]
        sizes = Sizes(args.games or default.games, args.tries or default.tries, args.shots or default.shots)
        start = process_time()
        with patch.object(rollout_evaluation, "_PRIOR_ROUNDS", _ROUNDS):
            table, levels, gaps = measure(game, sizes, args.seed)
        path = args.out / f"{name}.json" if args.out else Path(game.bot.__file__).with_name(FILE_NAME)
        write_atomic(path, to_json(table) + b"\n")
        print(f"{game.title}: {table.positions} positions, {table.games} played out, {process_time() - start:.0f} s")
        for label, observed in (("chance", levels), ("gap", gaps)) if gaps else (("chance", levels),):
            for stage in (*range(STAGES), None):
                estimate, standard_error = variance([row for row in observed if stage in (None, row.stage)])
                part = "all" if stage is None else f"third {stage + 1}"
                text = f"variance {estimate:+.5f} +- {standard_error:.5f}: {error(estimate, standard_error):.3f}"
                print(f"  {label:6} {part:8} {text}")
        print(
            "  saved:", *(f"{row.level:.3f} ({'-' if row.gap is None else f'{row.gap:.3f}'})" for row in table.stages)
        )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
