"""Public function to evaluate states of games."""

from __future__ import annotations

import numpy as np

from flicksim import ai
from flicksim.core.limits import MAX_SEED
from flicksim.core.random_streams import RandomStreams
from flicksim.core.serialization import Value
from flicksim.core.validation import check_int, check_type
from flicksim.experiments import MAX_SHOTS
from flicksim.match import GameRolloutModel, GameState, win_share

_MAX_CANDIDATES = 50
"""Most candidates that an evaluation returns."""


class StateEvaluation(Value, frozen=True, kw_only=True):
    """Evaluation of a state of a game.

    Args:
        seats: value to each seat, by seat: win probability with its 95 % interval, expected lead in points.
        candidates: best actions of the seat to play with their values, the best first; empty at the end of a game.
        is_decisive: whether the first candidate is better than the others beyond sampling error and model error.
        shots: number of simulated shots, or deals.
    """

    seats: tuple[ai.ValueEstimate, ...]
    candidates: tuple[ai.CandidateValue, ...] = ()
    is_decisive: bool = True
    shots: int = 0

    @property
    def win_probability(self) -> tuple[float, ...]:
        """Win probability by seat; partners have that of their side."""
        return tuple(value.win_probability for value in self.seats)

    def __repr__(self) -> str:
        chances = ", ".join(f"{one.win_probability:.3f} ({one.low:.3f} to {one.high:.3f})" for one in self.seats)
        return f"<evaluation by {self.shots} shots, win probability by seat: {chances}>"


def evaluate(
    state: GameState, *, noise: str | ai.ExecutionNoise = "club", shots: int | None = None, top: int = 3, seed: int = 1
) -> StateEvaluation:
    """Estimate the win probability of every seat, and find the best actions of the seat to play.

    Candidates are compared by successive elimination under common random numbers (`flicksim.ai.evaluate`); the values
    returned are estimated with new ones. The seat to play is taken to know what its view shows.

    >>> from flicksim import new_game
    >>> evaluate(new_game("penny-white", options={"ends": 1}), shots=2000)
    <evaluation by 1970 shots, win probability by seat: 0.467 (0.424 to 0.510), 0.533 (0.490 to 0.576)>

    Args:
        state: of any game. noise: execution noise of every player: a grade, "steady", or the noise itself.
        shots: simulated at most; by default as many as by `flicksim analyse` in that game.
        top: number of candidates returned. seed: of all random numbers; the same gives the same evaluation.

    Raises:
        InvalidOption: there are too few shots (says how many are enough), or nothing to choose.
        InvalidInput: an argument is something else than it should be.
    """
    check_type(state, GameState, "state", "new_game(...) makes one")
    check_int(top, "top", 1, _MAX_CANDIDATES)
    streams = RandomStreams(seed=check_int(seed, "seed", 0, MAX_SEED))
    seat, count = state.current_player(), state.num_players
    if seat is None:
        return StateEvaluation(seats=tuple(_final_value(state, at) for at in range(count)))
    model = GameRolloutModel(state.game)
    hand, view = ai.noise_named(noise), state.view(seat)
    budget = model.default_shots if shots is None else check_int(shots, "shots", 1, MAX_SHOTS)
    search_seed, final_seed = (streams.spawn(part).derived_seed() % 2**62 for part in ("search", "final"))
    sides = state.game.sides(count)
    others = len(sides) - 1 if len(sides) > 2 else 0
    found = ai.evaluate(
        model, hand, view, seat, search_seed, budget, top=top, reserved=others, validation_seed=final_seed
    )
    used, values = found.shots, dict[int, ai.ValueEstimate]()
    for side in sides:
        value = found.value
        if seat not in side and len(sides) == 2:
            value = value.mirrored()
        elif seat not in side:  # the same rollouts of the best candidate, valued for another side: the sum is 1
            parts = [
                model.rollout(view, side[0], [found.best[0].action], hand, tries, part_seed)
                for tries, part_seed in ai.split_batches(value.tries, final_seed)
            ]
            used += sum(part.shots for part in parts)
            value = ai.estimate_value(
                np.concatenate([part.win_probability[0] for part in parts]),
                np.concatenate([part.point_margin[0] for part in parts]),
                model.model_error(view),
            )
        values.update(dict.fromkeys(side, value))
    return StateEvaluation(
        seats=tuple(values[at] for at in range(count)), candidates=found.best, is_decisive=found.is_decisive, shots=used
    )


def _final_value(state: GameState, seat: int) -> ai.ValueEstimate:
    """Value of a finished game: the share of the win, without error."""
    share = win_share(state.game, state.state, seat)
    totals = {
        side: sum(map(float, (state.scores()[at] for at in side))) for side in state.game.sides(state.num_players)
    }
    others = [total for side, total in totals.items() if seat not in side]
    margin = sum(total for side, total in totals.items() if seat in side) - sum(others) / max(1, len(others))
    return ai.ValueEstimate(win_probability=share, low=share, high=share, point_margin=margin, margin=0.0, tries=0)
