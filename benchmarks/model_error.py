"""Measures the error of the chances that the analyst tells, beside the luck of its tries, and keeps it with each game.

`python -m benchmarks.model_error penny-white` plays games between bots with club hands, weighs a position of each third
of every game, and has it played out many times by the model's own players, after the best plan and after another idea.
How far the chance told lies off the share won, less what luck explains, is the model's error: of a chance, and of the
gap between two plans. It is told at an even chance, and taken to shrink with 4 p (1 - p) elsewhere.

* Penny White: ends played out side by side by players who know the nets; the ends to come by how theirs came out.
* Tiddlywinks, Ice: whole games by club bots; shots settled by the coarse steps of thoughts, tables asked less often. At
  tiddlywinks a game takes seconds: so few are played that of gaps nothing is told.
* Cards: nobody can deal a hand again that somebody half knows. The chance told of the move that was made is held
  against how its own game ended, by thirds of the game and fifths of the chance: only an error that such positions
  share is seen, and no gap.

A stage that luck cannot tell from all stages together is told as these are. Of what luck leaves open the mean is taken,
an error being no less than nothing: the fewer the games, the larger it is told.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from math import erf, exp, nan, pi, sqrt
from pathlib import Path
from time import process_time
from typing import NamedTuple
from unittest.mock import patch

import numpy as np
import numpy.typing as npt

from benchmarks.prospects import Learner, Search
from flicksim.base.codec import to_json
from flicksim.base.errors import BadFlick, CannotGoOn
from flicksim.base.files import write_aside
from flicksim.base.kinds import Action, State, View
from flicksim.base.seeding import Seeds
from flicksim.games import load, names
from flicksim.games.penny_white import prospects
from flicksim.games.penny_white.ends import Ends
from flicksim.games.penny_white.prospects import GAINS
from flicksim.games.tiddlywinks import outlook as heads
from flicksim.play import THOUGHT, Begun, GameFuture, Match, TableStage, Turn, open_match, share_won
from flicksim.play.series import game_seed
from flicksim.players import GRADES, Measured, ModelError, TooFewShots, Weighed, Weighing, weigh
from flicksim.players.model_error import NAME
from flicksim.referee import Game
from flicksim.table import Flick, Launch, Squidge

Floats = npt.NDArray[np.float64]
HAND = "club"
STAGES = 3
_FIFTHS = 5
_DECIDED = 0.2
"""The least 4 p (1 - p) of a position that tells anything of the model."""
_DEALS = 400
"""Deals by which a chance is told at cards."""
_PLAYED = Search(plans=24, first=4, keep=5, beside=3, strays=(1.5,), then=4, again=12, fresh=1)
_FRESH = 1500
"""Ends of Penny White begun anew, for how those to come come out."""
_ROUNDS = ((64, 4), (256, 1))
"""Rounds that club players of tiddlywinks ask the tables, where whole games are played by the hundred."""
_TELLS = 0.07
"""By an error of gaps so large, as luck alone could bring it, nothing is told of them [1]."""
_Z = 1.959964


class Sizes(NamedTuple):
    """The size of a measurement.

    Args:
        games: played by bots, of each of which a position of every stage is weighed. tries: games or ends played out
            after either plan; 1: its own game alone. shots: by which a position is weighed; the usual number without.
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


class Seen(NamedTuple):
    """A chance told, or the gap between two, and how far it lay off.

    Args:
        stage: 0 to 2. chance: told. off: what was told less what came of it. noise: the variance that luck explains.
    """

    stage: int
    chance: float
    off: float
    noise: float

    @property
    def open(self) -> float:
        """4 p (1 - p): 1 where it is even, nothing where it is decided."""
        return 4.0 * self.chance * (1.0 - self.chance)


# -- from what was seen to an error -----------------------------------------------------------------------------------


def variance(seen: Sequence[Seen]) -> tuple[float, float]:
    """The variance of the model's error at an even chance, which luck may bring below nothing, and its standard
    error."""
    rows = [one for one in seen if one.open >= _DECIDED]
    if not rows:
        return 0.0, 1.0
    found, usual = 0.0, 0.0
    for _ in range(5):  # the larger the error, the less one position tells of it
        strays = np.array([2.0 * ((one.noise / one.open**2) + usual) ** 2 for one in rows])
        told = np.array([(one.off**2 - one.noise) / one.open**2 for one in rows])
        found = float((told / strays).sum() / (1.0 / strays).sum())
        usual = max(found, 0.0)
    return found, float(1.0 / sqrt((1.0 / strays).sum()))


def error(found: float, strays: float) -> float:
    """The error that such a variance means: the root of its mean where it is no less than nothing."""
    at = found / strays
    below = exp(-0.5 * at * at) / sqrt(2.0 * pi)
    share = 0.5 * (1.0 + erf(at / sqrt(2.0)))
    return sqrt(max(1e-8, found + strays * below / max(share, 1e-12)))


def by_stage(seen: Sequence[Seen]) -> list[float]:
    """The error of each stage; that of all together where luck cannot tell it from them."""
    whole = variance(seen)
    told = []
    for stage in range(STAGES):
        own = variance([one for one in seen if one.stage == stage])
        apart = abs(own[0] - whole[0]) > 2.0 * sqrt(own[1] ** 2 + whole[1] ** 2)
        told.append(round(error(*(own if apart else whole)), 4))
    return told


def gaps_by_stage(seen: Sequence[Seen]) -> list[float | None]:
    """The same of gaps; None of each where so few games tell next to nothing: all advice would drown in that."""
    return [*by_stage(seen)] if seen and variance(seen)[1] < _TELLS**2 else [None] * STAGES


class ByLuck(GameFuture):
    """Chances of a game whose intervals hold luck alone: nothing is known of the model's error yet."""

    def model_error(self, view: View) -> ModelError | None:
        """Nothing."""
        del view
        return None


# -- positions --------------------------------------------------------------------------------------------------------


class Asked(NamedTuple):
    """A position of a game, and how that game ended for who was to play."""

    stage: int
    turn: Turn
    view: View
    won: float


def positions(game: Game, future: GameFuture, games: int, seed: int) -> Iterator[Asked]:
    """A position of each stage of so many games between club bots, in which there was something to choose."""
    for number in range(1, games + 1):
        seats = [f"bot:{HAND}"] * max(2, game.seats[0])
        match = open_match(game, game.options(), seats, game_seed(seed, number), stage=_stage(game))
        turns = list(match.run())
        rng = Seeds(seed=seed).child("positions", number).generator()
        for stage in range(STAGES):
            told = [turn for turn in turns if _stage_of(game, future, turn) == stage]
            for k in rng.permutation(len(told)).tolist():
                turn = told[k]
                view = game.rules.view(turn.before, turn.seat)
                if len(future.plans(view, 2)) > 1:
                    yield Asked(stage, turn, view, share_won(game, match.state, turn.seat))
                    break


def _stage(game: Game) -> TableStage | None:
    """The means by which whole games are settled: by the coarse steps of thoughts, where something is flicked."""
    return TableStage(THOUGHT) if game.flicked else None


def _stage_of(game: Game, future: GameFuture, turn: Turn) -> int:
    """The third of the game in which a turn lies; -1 of one that is not asked about."""
    if game.rules.to_play(turn.before) != turn.seat:
        return -1
    if game.flicked and not isinstance(turn.meant, Flick | Squidge | Launch):
        return -1
    if game.name == "penny-white" and turn.before.phase != "penny":
        return -1
    if game.name == "tiddlywinks" and turn.before.book.opener is None:
        return -1
    return min(STAGES - 1, int(STAGES * future.gone(turn.before)))


def weighed(future: GameFuture, asked: Asked, shots: int | None, seed: int) -> Weighing | None:
    """The position weighed with two ideas; None where so few shots tell nothing."""
    try:
        return weigh(future, GRADES[HAND], asked.view, asked.turn.seat, seed, shots or future.usual, many=2)
    except TooFewShots:
        return None


def _luck(one: Weighed) -> float:
    """The variance of a chance told, by the luck of its tries."""
    return (one.worth.luck / _Z) ** 2


def _noise(won: Floats) -> float:
    """The variance of the mean of games played out; never nothing, however alike they came out."""
    mean = (won.sum() + 0.5) / (len(won) + 1.0)
    return float(max(won.var(ddof=1), mean * (1.0 - mean) / (len(won) + 1.0)) / len(won))


def seen_of(stage: int, best: Sequence[Weighed], won: Sequence[Floats]) -> tuple[list[Seen], list[Seen]]:
    """Chances and gaps: what was told of some plans, and what came of them, game by game by the same luck."""
    levels = [
        Seen(stage, one.worth.chance, one.worth.chance - float(came.mean()), _luck(one) + _noise(came))
        for one, came in zip(best, won, strict=True)
    ]
    if len(best) < 2:
        return levels, []
    gap, came = best[1].behind, won[0] - won[1]
    noise = (best[1].give / _Z) ** 2 + float(max(came.var(ddof=1), 1.0 / len(came) ** 2)) / len(came)
    return levels, [Seen(stage, best[0].worth.chance, gap - float(came.mean()), noise)]


# -- played out -------------------------------------------------------------------------------------------------------

PlayOut = Callable[[State, int, Action, int, int], Floats]
"""Plays a state on after an action so often, by a seed: the share of the win of a seat, each time."""


def by_bots(game: Game) -> PlayOut:
    """Whole games played out by club bots."""

    def play_out(state: State, seat: int, plan: Action, tries: int, seed: int) -> Floats:
        came = np.zeros(tries)
        seats = [f"bot:{HAND}"] * len(game.rules.scores(state))
        for k in range(tries):
            usual = open_match(game, state.options, seats, seed + k, stage=_stage(game))
            match = Match(
                game, state.options, usual.seeds, usual.stage, usual.hands, usual.players,
                Begun(position=None, state=state),
            )  # fmt: skip
            try:
                match.play(plan)
                for _ in match.run():
                    pass
            except (CannotGoOn, BadFlick):  # by coarse steps a wink may whirl on for ever
                came[k] = nan
                continue
            came[k] = share_won(game, match.state, seat)
        return came

    return play_out


class ByNets:
    """Ends of Penny White played out by players who know the nets, and games by how their ends come out.

    Args:
        seed: of the luck of ends begun anew.
    """

    def __init__(self, seed: int) -> None:
        self._learner = Learner(HAND, np.random.Generator(np.random.PCG64(seed)))
        begun = self._learner.begun(_FRESH, 0.0)
        rows, first = np.arange(_FRESH), begun.turn.copy()
        told = prospects.nets()[-1].likely(self._learner.told(begun)).mean(axis=0)
        self._finish(begun)
        gained = begun.gained[rows, first] - begun.gained[rows, 1 - first]
        came = (np.clip(gained, GAINS[0], GAINS[-1])[:, None] == GAINS).mean(axis=0)
        shares = np.clip(np.array(prospects.of_starter(GRADES[HAND])) + came - told, 0.0, None)
        self._starter: Floats = shares / shares.sum()

    def _finish(self, ends: Ends) -> None:
        """Play these ends on to their end; all have as many pennies to come."""
        while len(rows := np.flatnonzero(ends.live)):
            some = ends.some(rows)
            left = int(some.left.sum(axis=1)[0])
            net = prospects.nets()[left - 2] if left > 1 else None
            flicks, _ = self._learner.best(some, net, _PLAYED)
            self._flick(some, *(part[:, 0] for part in flicks))
            ends.put(rows, some)

    def _flick(self, ends: Ends, start: Floats, speed: Floats, azimuth: Floats) -> None:
        self._learner.play.flick(ends, start, speed, azimuth, self._learner.rng.standard_normal((len(speed), 3)))

    def __call__(self, state: State, seat: int, plan: Action, tries: int, seed: int) -> Floats:
        """The chance of a seat to win the game, by how the end came out each time."""
        del seed
        ends = self._learner.play.lay(state, tries)
        self._flick(ends, np.tile(plan.start, (tries, 1)), np.full(tries, plan.speed), np.full(tries, plan.azimuth))
        self._finish(ends)
        lead = ends.gained[:, seat] - ends.gained[:, 1 - seat] + state.scores[seat] - state.scores[1 - seat]
        after = self._after(state.options.ends - state.end, 1 - state.starter == seat)
        found: Floats = after[lead + len(after) // 2]
        return found

    def _after(self, left: int, starts: bool) -> Floats:
        """The chance to win by lead, as `outlook.chances` tells it, but by how ends came out."""
        leads = np.arange(-40, 41)
        if not left:
            return 0.5 + 0.5 * np.sign(leads).astype(np.float64)
        after = self._after(left - 1, not starts)
        found = np.zeros(len(leads))
        for by, often in zip(GAINS.tolist(), self._starter, strict=True):
            found += often * after[np.clip(leads + (by if starts else -by), -40, 40) + 40]
        return found


# -- a game's ---------------------------------------------------------------------------------------------------------


def measure(game: Game, sizes: Sizes, seed: int) -> tuple[Measured, list[Seen], list[Seen]]:
    """The errors of a game's model, and all that was seen of chances and gaps."""
    future, levels, gaps, told = ByLuck(game, TableStage(THOUGHT)), list[Seen](), list[Seen](), 0
    play_out: PlayOut = ByNets(seed) if game.name == "penny-white" else by_bots(game)
    alone: list[tuple[Asked, float]] = []
    for number, asked in enumerate(positions(game, future, sizes.games, seed)):
        luck = Seeds(seed=seed).child("position", number).number() % 2**62
        if sizes.tries == 1:
            came = future.play_out(asked.view, asked.turn.seat, [asked.turn.meant], GRADES[HAND], _DEALS, luck)
            alone.append((asked, float(came.chance.mean())))
            told += 1
            continue
        found = weighed(future, asked, sizes.shots, luck)
        if found is None:
            continue
        told += 1
        best = found.best[:2]
        won = [play_out(asked.turn.before, asked.turn.seat, one.action, sizes.tries, luck % 2**32) for one in best]
        whole = ~np.isnan(won).any(axis=0)
        if whole.sum() < 2:
            continue
        level, gap = seen_of(asked.stage, best, [came[whole] for came in won])
        levels += level
        gaps += gap
        print(f"{told}: stage {asked.stage}, {level[0].chance:.3f} told, {level[0].off:+.3f} off", flush=True)
    levels += by_fifths(alone)
    errors = by_stage(levels)
    stages = tuple(ModelError(level=one, gap=two) for one, two in zip(errors, gaps_by_stage(gaps), strict=True))
    games = sizes.games if sizes.tries == 1 else sizes.tries * len(levels)
    return Measured(seed=seed, positions=told, games=games, stages=stages), levels, gaps


def by_fifths(alone: Sequence[tuple[Asked, float]]) -> list[Seen]:
    """Return what the positions of a stage and a fifth of the chance have in common."""
    found = []
    for stage in range(STAGES):
        for fifth in range(_FIFTHS):
            rows = [
                (chance, asked.won) for asked, chance in alone
                if asked.stage == stage and min(_FIFTHS - 1, int(_FIFTHS * chance)) == fifth
            ]  # fmt: skip
            if len(rows) < 2:
                continue
            told, won = np.array(rows).T
            found.append(Seen(stage, float(told.mean()), float((told - won).mean()), _noise(won)))
    return found


def main(words: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.model_error", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("game", nargs="+", choices=names())
    parser.add_argument("--games", type=int, help="played by bots; a position of every stage of each is weighed")
    parser.add_argument("--tries", type=int, help="played out after either plan")
    parser.add_argument("--shots", type=int, help="by which a position is weighed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="folder to keep it in; each game's own without")
    given = parser.parse_args(words)
    for name in given.game:
        game, usual = load(name), SIZES[name]
        sizes = Sizes(given.games or usual.games, given.tries or usual.tries, given.shots or usual.shots)
        begun = process_time()
        with patch.object(heads, "_ROUNDS", _ROUNDS):
            told, levels, gaps = measure(game, sizes, given.seed)
        path = given.out / f"{name}.json" if given.out else Path(game.bot.__file__).with_name(NAME)
        write_aside(path, to_json(told) + b"\n")
        print(f"{game.title}: {told.positions} positions, {told.games} played out, {process_time() - begun:.0f} s")
        for what, seen in (("chance", levels), ("gap", gaps)) if gaps else (("chance", levels),):
            for stage in (*range(STAGES), None):
                found, strays = variance([one for one in seen if stage in (None, one.stage)])
                part = "all" if stage is None else f"third {stage + 1}"
                print(f"  {what:6} {part:8} variance {found:+.5f} +- {strays:.5f}: {error(found, strays):.3f}")
        print("  kept:", *(f"{one.level:.3f} ({'-' if one.gap is None else f'{one.gap:.3f}'})" for one in told.stages))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
