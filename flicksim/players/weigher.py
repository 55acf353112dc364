"""Weighs a position: what it is worth among unsteady hands, which flicks are best, and where good flicks lie.

Plans of the game's bot race: all are made and played out by the same luck, and those clearly behind drop out. What the
flicks made so far tell of those beside them (kernel regression, as in KR-UCT) brings in plans that nobody thought of.
The race is over when one is the best beyond doubt, or the shots are spent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import dist, hypot, inf, isnan, sqrt

import msgspec
import numpy as np
import numpy.typing as npt

from flicksim.base.codec import Value
from flicksim.base.errors import BadOption, FlicksimError
from flicksim.base.geometry import half_turn
from flicksim.base.kinds import Action, View
from flicksim.players.cancellation import stop_if_cancelled
from flicksim.players.hand import Hand
from flicksim.players.kernel import regressed
from flicksim.players.model_error import ModelError
from flicksim.players.outlook import Future, Outcomes
from flicksim.table import MAX_SPEED, Flick, Launch, Squidge

Floats = npt.NDArray[np.float64]

LEAST = 16
"""Tries of a plan before anything is said of it."""
_SURE, _BEHIND = 3.0, 2.0
"""Standard errors by which the best is sure to be that, and by which a plan drops out."""
_KEPT = 0.6
"""Share of the plans that goes on after a round, at most."""
_WIDER = 0.3
"""New plans take no more than that share of the shots left."""
_FIRST = 0.5
"""The bot's own plans take no more than that share of the shots."""
_DRAWN, _HOPE = 96, 0.5
"""Flicks looked at for a new plan, and the standard errors by which little known ones are taken for better."""
_POINT = 0.01
"""Chance to win that a point counts: it tells plans apart that win alike."""
_USED = 0.95
"""Share of what the race leaves that is settled at last: the rest is for seeing how many shots a try takes."""
_PILOT = 2
"""Tries by which it is seen how many shots one takes."""
_ALIKE = 0.0005
"""Chances [1] no farther apart are the same."""
_BESIDE = 0.02
"""Distance within which two starts tell of each other [m]."""
_STEEPER = 0.07
"""Steepness by which a flick beside another rises more or less, about [rad]."""
_VARIED = ("speed", "azimuth", "start", "hold", "elevation", "slant")
"""Parts of a flick, squidge or launch by which one may be a little beside another."""
_FRESH = 0.3
"""Share of the shots kept for the worth told at the end."""
ENOUGH = 4096
"""Tries that are enough for it, unless more are asked for; so many are made at once."""
_PLANS, _TRUST = 200, 4
"""Plans of the bot's that are weighed, and tries that a guess by a table counts for until they are."""
_MANY_WIDER, _LONG_WIDER = 48, 8
"""New plans after a round, and rounds that bring some, where a position is weighed and no bot waits."""
_CELLS, _ACROSS = 25, 4.0
"""Cells of a map each way, and how many times as far as the hand errs it reaches to either side."""
_LUCKS = 7
"""So many cells in a row go on by luck of their own; no divisor of those each way, so that rows differ too."""
_Z = 1.959964


class TooFewShots(BadOption):
    """So few shots tell nothing of a position.

    Args:
        shots: offered. need: enough.
    """

    def __init__(self, shots: int, need: int) -> None:
        said = "1 shot is" if shots == 1 else f"{shots} shots are"
        super().__init__(f"{said} too few to tell anything here; give {need} or more")
        self.shots, self.need = shots, need


class CutShort(KeyboardInterrupt):
    """Ctrl-C while a position is weighed.

    Args:
        weighing: as far as it is known; None where nothing is yet. It rests on the race alone, where the best of many
            tries looks better than it is.
    """

    def __init__(self, weighing: Weighing | None) -> None:
        super().__init__()
        self.weighing = weighing


class Depth(Value, frozen=True, kw_only=True):
    """The depth of a thought.

    Args:
        shots: settled for a decision, at most. plans: of the bot's, to begin with. wider: new ones after a round.
        rounds: that bring new ones. least: tries of a plan before anything is said of it.
        trust: tries that a guess by a table counts for, where a game has one.
        learnt: whether it knows what was learnt of the game from many others, where there is such a thing.
        by_tries: whether a try counts as one of the shots, however many it takes.
        habit: standard errors by which a plan must be ahead of what the bot would do unthinking to be taken instead:
            where much is hidden, small gains in imagined deals are none.
    """

    shots: int
    plans: int = 32
    wider: int = 6
    rounds: int = 3
    least: int = LEAST
    trust: int = 0
    learnt: bool = True
    by_tries: bool = False
    habit: float = 0.0


class Worth(Value, frozen=True, kw_only=True):
    """A worth to a seat.

    Args:
        chance: to win the game, 0 to 1. low, high: its 95 % interval, by luck and by the model's error where that is
            known. luck: half of it by luck alone.
        points: ahead of the others when the end or round is over, as expected. give: half its 95 % interval, by luck.
        tries: it rests on so many.
    """

    chance: float
    low: float
    high: float
    points: float
    give: float
    tries: int
    luck: float = 0.0


class Weighed(Value, frozen=True, kw_only=True):
    """A plan and its worth.

    Args:
        behind: chance to win that the best plan beside it has more, by the same luck. give: half its 95 % interval, by
            luck and by the model's error where that is known.
    """

    action: Action
    worth: Worth
    behind: float = 0.0
    give: float = 0.0


class Weighing(Value, frozen=True, kw_only=True):
    """A position weighed for the seat to play.

    Args:
        best: plans and their worth, the best first.
        sure: whether the first is better than the others told beyond luck and the model's error; where it is alone,
            than all that were tried.
        shots: settled for it. each: shots a try takes, about.
        alike: whether all plans came to the same, try for try: nothing that is chosen matters.
    """

    seat: int
    best: tuple[Weighed, ...]
    sure: bool
    shots: int
    each: float
    alike: bool = False

    @property
    def worth(self) -> Worth:
        """The worth of the position: that of its best plan."""
        return self.best[0].worth


class Chart(Value, frozen=True, kw_only=True):
    """A map of worth over the two leading numbers of a flick, all else of it as it is.

    Args:
        action: the flick. speeds: [m/s], azimuths: [rad], where the map is told; both rise, past half a turn too.
        chance: to win when that is meant, by speed and azimuth. shots: settled for it.
    """

    action: Action
    speeds: tuple[float, ...]
    azimuths: tuple[float, ...]
    chance: tuple[tuple[float, ...], ...]
    shots: int


def worth_of(chance: Floats, points: Floats, error: ModelError | None = None) -> Worth:
    """The worth that so many tries tell. [S], [S]

    Args:
        error: of the model, where that is known.
    """
    low, high = interval(chance)
    mean, luck = float(chance.mean()), (high - low) / 2.0
    if error is not None:
        own = error.of_chance(min(1.0, max(0.0, mean)))
        low, high = max(0.0, mean - hypot(mean - low, own)), min(1.0, mean + hypot(high - mean, own))
    spread = float(points.std(ddof=1)) if len(points) > 1 else inf
    return Worth(
        chance=mean, low=low, high=high, points=float(points.mean()), give=_half(spread, len(points)),
        tries=len(chance), luck=luck,
    )  # fmt: skip


def gained(first: Floats, other: Floats, error: ModelError | None = None) -> tuple[float, float]:
    """The chance that one plan wins oftener than another by the same luck, and half its 95 % interval. [S], [S]

    Args:
        error: of the model, where that is known.
    """
    both = min(len(first), len(other))
    gain = first[:both] - other[:both]
    spread = float(gain.std(ddof=1)) if len(gain) > 1 else inf
    own = 0.0 if error is None else error.of_gap(float(np.clip(first.mean(), 0.0, 1.0)))
    return float(gain.mean()), hypot(_half(spread, len(gain)), own)


def _half(spread: float, count: int) -> float:
    """Half the 95 % interval of a mean. Tries that all came to the same leave as much open as Wilson's interval does:
    a whole point, seldom."""
    return _Z * spread / sqrt(count) if spread > 1e-9 else _Z * _Z / (count + _Z * _Z)


def interval(chance: Floats) -> tuple[float, float]:
    """95 % interval of a mean of chances: Wilson's of a share, narrower as far as chances spread less than wins do."""
    mean = float(np.clip(chance.mean(), 0.0, 1.0))
    whole = mean * (1.0 - mean)
    count = len(chance)
    if whole > 0.0 and len(chance) > 1:
        count = max(count, int(count * min(1e6, whole / max(float(chance.var(ddof=1)), 1e-12))))
    middle = (mean + _Z * _Z / (2.0 * count)) / (1.0 + _Z * _Z / count)
    half = _Z / (1.0 + _Z * _Z / count) * sqrt(whole / count + _Z * _Z / (4.0 * count * count))
    return max(0.0, round(middle - half, 12)), min(1.0, round(middle + half, 12))


@dataclass(slots=True)
class Plan:
    """A plan in the race: what its tries came to, the flicks made [S, 2], and a guess that counts for some tries."""

    action: Action
    guess: float = 0.0
    trust: int = 0
    chance: Floats = field(default_factory=lambda: np.zeros(0))
    points: Floats = field(default_factory=lambda: np.zeros(0))
    made: Floats = field(default_factory=lambda: np.zeros((0, 2)))

    @property
    def goal(self) -> Floats:
        """Worth of each try: the chance to win, and a little for every point. [S]"""
        return self.chance + _POINT * self.points

    @property
    def mean(self) -> float:
        """Its worth in the mean, as it is taken for."""
        count = len(self.chance) + self.trust
        return (float(self.goal.sum()) + self.trust * self.guess) / count if count else -inf

    def ahead_of(self, other: Plan) -> float:
        """Standard errors by which it is ahead of another that was tried by the same luck, in the tries both had."""
        trust, both = min(self.trust, other.trust), min(len(self.chance), len(other.chance))
        return _errors(self.goal[:both] - other.goal[:both], trust * (self.guess - other.guess), trust)

    def take(self, outcomes: Outcomes, row: int) -> None:
        """Some more tries."""
        self.chance = np.concatenate([self.chance, outcomes.chance[row]])
        self.points = np.concatenate([self.points, outcomes.points[row]])
        self.made = np.concatenate([self.made, outcomes.made[row]])


class Race:
    """The plans of one decision.

    Args:
        future: what is to come. hand: everybody's. depth: how deep it looks. view: of the seat to play.

    Attributes:
        plans: still in the race, the best first once it is run. shots: settled so far.
        sure: whether the best is better than the others beyond doubt. each: shots that a try takes, about.
        alike: whether all plans came to the same, try for try, as far as they were tried together.
    """

    def __init__(
        self, future: Future, hand: Hand, depth: Depth, view: View, seat: int, rng: np.random.Generator
    ) -> None:
        self._future, self._hand, self._depth = future, hand, depth
        self._view, self._seat, self._rng = view, seat, rng
        self._rounds: list[tuple[int, int]] = []
        self._dropped: list[Plan] = []
        self.plans = [Plan(plan) for plan in future.candidates(view, rng, depth.plans)]
        self._usual = self.plans[0] if self.plans else None
        """The plan that the bot takes unthinking."""
        self.shots = self._spent = 0
        self.each = 1.0
        self.alike = False
        self.sure = len(self.plans) == 1

    def run(self) -> None:
        """Race until one is sure to be the best, or the shots are spent."""
        if len(self.plans) < 2:
            return
        self._guess()
        if not self._depth.shots:  # nothing is to be settled: it goes by tables, or does as is natural
            self._decide()
            return
        self._try(self.plans[:1], [self._next(self._depth.least)])
        self.plans = self.plans[: max(2, int(_FIRST * self._left / (self.each * self._depth.least)))]
        self._try(self.plans[1:], self._rounds)
        self.alike = _alike(self.plans)
        while True:
            self._drop()
            if len(self._rounds) <= self._depth.rounds:
                self._widen(min(self._depth.wider, int(_WIDER * self._left / (self.each * self._tried))))
            tries = min(self._tried, int(self._left / (self.each * len(self.plans))))
            if self.sure or tries < 1:
                break
            self._try(self.plans, [self._next(tries)])
        self.alike = self.alike and _alike(self.plans)
        self.plans.sort(key=lambda plan: -plan.mean)

    @property
    def choice(self) -> Action | None:
        """The plan to make, once the race is run: the best, or one that people would rather do where the best is ahead
        by luck alone, unless habit holds against it; None where there is none."""
        if not self.plans:
            return None
        best, usual = self.plans[0], self._usual
        if self.plainer([best.action]):
            near = (plan for plan in self.plans[1:] if best.ahead_of(plan) <= _BEHIND)
            best = next((plan for plan in near if not self.plainer([plan.action])), best)
        if usual is None or best is usual or not self._depth.habit or best.ahead_of(usual) > self._depth.habit:
            return best.action
        return usual.action

    def _decide(self) -> None:
        """Think once about decisions that settle nothing."""
        if self._depth.trust and not any(isinstance(plan.action, Flick | Squidge | Launch) for plan in self.plans):
            self._try(self.plans, [self._next(1)])
            self.plans.sort(key=lambda plan: -plan.mean)

    def _guess(self) -> None:
        """Take what tables tell, where the game has one: the best come first, those no table tells of among them."""
        if not self._depth.trust:
            return
        seed = int(self._rng.integers(2**62))
        told = self._future.guesses(self._view, self._seat, [plan.action for plan in self.plans], self._hand, seed)
        if told is None:
            return
        goal = told[0] + _POINT * told[1]
        for plan, guess in zip(self.plans, goal.tolist(), strict=True):
            if not isnan(guess):
                plan.guess, plan.trust = guess, self._depth.trust
        middle = float(np.nanmedian(goal)) if not np.isnan(goal).all() else 0.0
        order = np.argsort(-np.where(np.isnan(goal), middle, goal), kind="stable")
        self.plans = [self.plans[k] for k in order.tolist()]

    @property
    def _left(self) -> int:
        return self._depth.shots - self._spent

    @property
    def _tried(self) -> int:
        """Tries of every plan so far."""
        return sum(tries for tries, _ in self._rounds)

    def _next(self, tries: int) -> tuple[int, int]:
        """A round of so many tries, with luck of its own."""
        self._rounds.append((tries, int(self._rng.integers(2**62))))
        return self._rounds[-1]

    def _try(self, plans: Sequence[Plan], rounds: Sequence[tuple[int, int]]) -> None:
        """Make these plans in these rounds."""
        for tries, seed in rounds:
            if not plans:
                return
            stop_if_cancelled()
            outcomes = self._future.play_out(
                self._view, self._seat, [plan.action for plan in plans], self._hand, tries, seed
            )
            # a try that settles nothing counts too: it takes its time, and a race must end
            made = outcomes.chance.size
            self.shots += max(outcomes.shots, made)
            self._spent += made if self._depth.by_tries else max(outcomes.shots, made)
            if not self._depth.by_tries:
                self.each = max(self.each, outcomes.shots / made)
            for row, plan in enumerate(plans):
                plan.take(outcomes, row)

    def _drop(self) -> None:
        """Leave out what is clearly behind, and of the others the last."""
        self.plans.sort(key=lambda plan: -plan.mean)
        best = self.plans[0]
        behind = sorted(best.ahead_of(plan) for plan in self.plans)
        self.sure = all(by > _SURE for by in behind[1:]) and len(self._rounds) > 1
        near = sum(by <= _BEHIND for by in behind)
        kept = max(2, min(near, int(_KEPT * len(self.plans))))
        self._dropped += self.plans[kept:]
        self.plans = self.plans[:kept]

    def _widen(self, count: int) -> None:
        """Take in flicks that promise most by what was made near them."""
        flicks = [plan for plan in self.plans if isinstance(plan.action, Flick | Squidge | Launch)]
        if count < 1 or not flicks:
            return
        drawn = [self._beside(flicks[k % min(3, len(flicks))].action) for k in range(_DRAWN)]
        drawn = [action for action in drawn if self._allowed(action)]
        hopes = self._hopes(drawn, flicks)
        first = [drawn[k] for k in np.argsort(-hopes, kind="stable")[:count]]
        # flicks beside each other are compared before their directions are told within half a turn
        new = [Plan(msgspec.structs.replace(action, azimuth=half_turn(action.azimuth))) for action in first]
        self._try(new, self._rounds)
        self.plans += new
        self.sure = False

    def _hopes(self, drawn: Sequence[Action], plans: Sequence[Plan]) -> Floats:
        """Estimates of flicks not tried yet, by those made of the same piece."""
        found = np.full(len(drawn), -inf)
        for piece in dict.fromkeys(plan.action.piece for plan in plans):
            rows = [k for k, action in enumerate(drawn) if action.piece == piece]
            told = [plan for plan in plans if plan.action.piece == piece]
            if not rows:
                continue
            made = np.concatenate([
                np.hstack([plan.made, np.tile(_place(plan.action), (len(plan.made), 1))]) for plan in told
            ])  # fmt: skip
            asked = np.array([(drawn[k].speed, drawn[k].azimuth, *_place(drawn[k])) for k in rows])
            goal = np.concatenate([plan.goal for plan in told])
            width = self._width(float(asked[:, 0].mean()))
            mean, count = regressed(asked, made, goal, width, float(goal.mean()))
            found[rows] = mean + _HOPE * float(goal.std()) / np.sqrt(count + 1.0)
        return found

    def _width(self, speed: float) -> Floats:
        """Width within which the numbers of a flick tell of others: as far as a hand errs."""
        hand = self._hand
        return np.array([max(hand.speed, 1e-3) * speed, max(hand.azimuth, 1e-3), _BESIDE, _BESIDE])

    def _beside(self, action: Action) -> Action:
        """A flick beside that one."""
        push, turn, aside, rise = self._rng.standard_normal(4).tolist()
        hand = self._hand
        new = {
            "speed": min(MAX_SPEED, action.speed * max(0.5, 1.0 + 1.5 * max(hand.speed, 0.01) * push)),
            "azimuth": action.azimuth + 1.5 * max(hand.azimuth, 0.01) * turn,
        }
        if isinstance(action, Flick) and action.start is not None:
            new["start"] = (action.start[0] + _BESIDE * aside, action.start[1])
        elif isinstance(action, Squidge):
            new["elevation"] = min(1.5, max(0.1, action.elevation + _STEEPER * rise))
        return msgspec.structs.replace(action, **new)

    def _allowed(self, action: Action) -> bool:
        try:
            self._future.check(self._view, action)
        except FlicksimError:
            return False
        return True

    # -- told ---------------------------------------------------------------------------------------------------------

    def measure(self, raced: Sequence[Action], beside: Sequence[Action], luck: int) -> None:
        """See how many shots a try takes, of those beside and, where tries of some take several, of those that raced:
        the dearest counts."""
        for action in (*(raced if self.each > 1.0 else ()), *beside):
            self._try([Plan(action)], [(_PILOT, luck)])

    def unlike(self, many: int, same: Callable[[Action, Action, Hand], bool] | None = None) -> list[Plan]:
        """The best plans, then those that dropped out, each another idea than those before it.

        Args:
            same: tells whether two are one idea; people's judgement without.
        """
        same, found = same or partial(self._future.same_idea, self._view), list[Plan]()
        for plan in (*self.plans, *sorted(self._dropped, key=lambda plan: -plan.mean)):
            if len(found) < many and not any(same(plan.action, other.action, self._hand) for other in found):
                found.append(plan)
        return found

    @property
    def _error(self) -> ModelError | None:
        return self._future.model_error(self._view)

    def plainer(self, actions: Sequence[Action]) -> dict[Action, Action]:
        """Those of these that people would do otherwise, and how."""
        found = ((action, self._future.plainer(self._view, action)) for action in actions)
        return {odd: plain for odd, plain in found if plain is not None}

    def weighed(
        self, first: Sequence[Action], plainer: Mapping[Action, Action], tries: int, beside: Sequence[Action], luck: int
    ) -> Weighing:  # fmt: skip
        """The first plans, and those beside, weighed by fresh luck: the best of many tries looks better than it is.

        Args:
            plainer: how people would do some of them; that is told instead, unless the other is ahead beyond luck.
            beside: told of anyway.
        """
        plans = {action: Plan(action) for action in (*first, *plainer.values(), *beside)}
        self._try(list(plans.values()), parts_of(tries, luck))
        worth, leader = {action: plan.mean for action, plan in plans.items()}, first[0]
        for odd, plain in plainer.items():
            gain, give = gained(plans[odd].chance, plans[plain].chance, self._error)
            by_luck = gain <= give
            if by_luck:
                worth[odd], leader = min(worth[odd], worth[plain]), plain if leader == odd else leader
            if (less := odd if by_luck else plain) not in beside:
                worth.pop(less, None)
        ranked = sorted(worth, key=lambda action: (-worth[action], action in plainer))
        told = self._told([plans[action] for action in ranked], self.sure)
        # the race may be sure among near copies alone, or of those beside know nothing: the fresh tries must tell
        clear = all(one.behind > one.give for one in told.best[1:]) if len(told.best) > 1 else self.sure
        sure = clear and told.best[0].action == leader
        return msgspec.structs.replace(told, sure=sure)

    def so_far(self, many: int) -> Weighing | None:
        """The first plans as the race stands; None where none was tried often enough."""
        self.plans.sort(key=lambda plan: -plan.mean)
        plans = [plan for plan in self.unlike(many) if len(plan.chance) >= LEAST]
        return self._told(plans, False) if plans else None

    def _told(self, plans: Sequence[Plan], sure: bool) -> Weighing:
        best = []
        for plan in plans:
            first = plan is plans[0]
            behind, give = (0.0, 0.0) if first else gained(plans[0].chance, plan.chance, self._error)
            worth = worth_of(plan.chance, plan.points, self._error)
            best.append(Weighed(action=plan.action, worth=worth, behind=behind, give=give))
        alike = self.alike and _alike(plans)
        return Weighing(seat=self._seat, best=tuple(best), sure=sure, shots=self.shots, each=self.each, alike=alike)


def one_idea(one: Action, other: Action, hand: Hand) -> bool:
    """Tell whether two flicks are so near each other that an unsteady hand makes no difference between them: start,
    speed, direction and rise alone may differ, by less than it errs."""
    if not (isinstance(one, Flick | Squidge | Launch) and type(one) is type(other)):
        return bool(one == other)
    by_speed, by_turn = hand.leading(one)
    same = {name: getattr(one, name) for name in _VARIED if hasattr(one, name)}
    return (
        msgspec.structs.replace(other, **same) == one and dist(_place(one), _place(other)) < _BESIDE
        and abs(one.speed - other.speed) <= by_speed * max(one.speed, other.speed)
        and abs(half_turn(one.azimuth - other.azimuth)) <= by_turn
        and abs(_rise(one) - _rise(other)) <= _STEEPER
    )  # fmt: skip


def _alike(plans: Sequence[Plan]) -> bool:
    """Tell whether plans came to the same, try for try, as far as they were tried together."""
    both = min(len(plan.chance) for plan in plans)
    return all(np.abs(plan.chance[:both] - plans[0].chance[:both]).max(initial=0.0) < _ALIKE for plan in plans)


def _place(action: Action) -> tuple[float, float]:
    """Start of a flick, as far as it says [m]."""
    at = getattr(action, "start", None) or getattr(action, "hold", None) or (0.0, 0.0)
    return (float(at[0]), float(at[1]))


def _rise(action: Action) -> float:
    """Steepness of a squidge, slant of a launch; a flick has none [rad]."""
    return float(getattr(action, "elevation", getattr(action, "slant", 0.0)))


def _errors(gains: Floats, guessed: float, trust: int) -> float:
    """Standard errors by which paired gains, and a guess that counts for some more, lie above nothing."""
    count = len(gains) + trust
    mean = (float(gains.sum()) + guessed) / count
    spread = float(gains.std(ddof=1)) / sqrt(count) if len(gains) > 1 else 0.0
    return mean / spread if spread > 0.0 else inf if mean > 0.0 else 0.0


def parts_of(tries: int, luck: int) -> list[tuple[int, int]]:
    """So many tries in parts that memory holds, each with luck of its own."""
    return [(min(ENOUGH, tries - begun), luck + begun) for begun in range(0, tries, ENOUGH)]


def weigh(
    future: Future, hand: Hand, view: View, seat: int, seed: int, shots: int, *, many: int = 3,
    beside: Sequence[Action] = (), also: int = 0, fresh: float = _FRESH, luck: int | None = None,
    enough: int = ENOUGH,
) -> Weighing:  # fmt: skip
    """Weigh a position: its best plans by a race, and what they are worth by fresh luck.

    Args:
        future: what is to come. hand: everybody's. view: of the seat to play. shots: settled at most.
        many: plans told of. beside: others that are told of, whatever the race makes of them.
        also: so many more will be tried as often, by whoever asks: shots are left for them.
        fresh: share of the shots kept for the worth told. luck: the fresh luck, where it is not to be drawn.
        enough: tries of each plan that are told by, at most.

    Raises:
        TooFewShots: so few shots tell nothing. BadOption: there is nothing to choose. CutShort: Ctrl-C.
    """
    rng = np.random.Generator(np.random.PCG64(seed))
    race = Race(future, hand, _depth(max(1, int((1.0 - fresh) * shots))), view, seat, rng)
    try:
        race.run()
        if not race.plans:
            raise BadOption("nothing can be weighed there: nobody has anything to choose")
        first = [plan.action for plan in race.unlike(many)]
        plainer = race.plainer(first)
        others = [action for action in beside if action not in first]
        if luck is None:
            luck = int(rng.integers(2**62))
        kept = _USED * (shots - race.shots)
        race.measure(first, others, luck)
        also += len(first) + len(plainer)
        count, most = len(others) + also, len(beside) + also
        left = min(kept, shots - race.shots) / race.each
        if int(left / most) < LEAST:  # whether or not what was meant is the best: that nobody knows before
            raise TooFewShots(shots, int(10.0 * LEAST * race.each * max(2, most)))
        return race.weighed(first, plainer, min(int(left / count), enough), beside, luck)
    except KeyboardInterrupt:
        raise CutShort(race.so_far(many)) from None


def best_plans(future: Future, hand: Hand, view: View, seat: int, seed: int, shots: int, many: int) -> list[Action]:
    """The best plans of a position that a hand can tell apart, as the race of `weigh` leaves them, the best first.

    Args:
        shots: settled at most. many: told of.
    """
    race = Race(future, hand, _depth(shots), view, seat, np.random.Generator(np.random.PCG64(seed)))
    race.run()
    return [plan.action for plan in race.unlike(many, one_idea)]


def _depth(shots: int) -> Depth:
    """The depth of thought of who weighs, while no bot waits."""
    return Depth(shots=shots, plans=_PLANS, wider=_MANY_WIDER, rounds=_LONG_WIDER, trust=_TRUST)


def chart(future: Future, hand: Hand, view: View, seat: int, seed: int, action: Action, shots: int) -> Chart:
    """Map the worth of flicks over their two leading numbers, around one: these just so, all else of it as the hand
    errs; then smoothed by as much as it errs in the two.

    Args:
        action: the flick; all else of it is meant as it is. shots: settled for it, about.
    """
    span = np.linspace(-1.0, 1.0, _CELLS)
    hand_speed, hand_turn = (max(error, 0.005) for error in hand.leading(action))
    speeds = np.clip(action.speed * (1.0 + _ACROSS * hand_speed * span), 1e-3, MAX_SPEED)
    azimuths = action.azimuth + _ACROSS * hand_turn * span
    plans = [
        msgspec.structs.replace(action, speed=float(speed), azimuth=float(azimuth))
        for speed in speeds
        for azimuth in azimuths
    ]
    pilot = future.play_out(view, seat, plans[:1], hand, LEAST, seed, exact=True)
    tries = max(1, int(shots / (len(plans) * max(1.0, pilot.shots / LEAST))))
    told, settled = np.zeros(len(plans)), pilot.shots
    rng = np.random.Generator(np.random.PCG64(seed))
    for part in range(_LUCKS * tries):
        # what follows is by luck of its own for cells side by side: by the same few it would lift or sink all the map
        cells = slice(part % _LUCKS, None, _LUCKS)
        made = [
            msgspec.structs.replace(hand.make(plan, rng), speed=plan.speed, azimuth=plan.azimuth)
            for plan in plans[cells]
        ]
        came = future.play_out(view, seat, made, hand, 1, seed + part, exact=True)
        told[cells] += came.chance[:, 0] / tries
        settled += came.shots
    at = np.array([(plan.speed, plan.azimuth) for plan in plans])
    width = np.array([hand_speed * action.speed, hand_turn])
    mean, _ = regressed(at, at, told, width, float(told.mean()))
    rows = mean.reshape(_CELLS, _CELLS).round(6).tolist()
    return Chart(
        action=action, speeds=tuple(speeds.tolist()), azimuths=tuple(azimuths.tolist()),
        chance=tuple(tuple(row) for row in rows), shots=settled,
    )  # fmt: skip
