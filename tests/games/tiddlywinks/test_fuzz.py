"""Fuzz tests of tiddlywinks: games of random outcomes, with invariants checked after every turn."""

from fractions import Fraction
from itertools import combinations
from math import cos, hypot, pi, sin
from typing import Any

import msgspec
import numpy as np
import pytest

from flicksim.ai.execution_noise import GRADES
from flicksim.ai.players import RandomPlayer
from flicksim.core.errors import IllegalAction
from flicksim.core.random_streams import RandomStreams
from flicksim.core.serialization import from_json, to_json
from flicksim.games.tiddlywinks import GAME, rules, squops
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.equipment import Options
from flicksim.games.tiddlywinks.shot_adjudication import judge_shot
from flicksim.games.tiddlywinks.state import Clock, Interfere, State
from flicksim.match.match import Match
from flicksim.scene.piece import Piece
from flicksim.scene.scene import Scene
from flicksim.scene.trajectory import SquidgerContact, Trajectory
from tests.games.tiddlywinks.helpers import MotionBuilder
from tests.repetition import few_then_long


class AnythingMayHappen:
    """A stage that knows no physics: the squidged wink, and at times a few others, end up anywhere."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.eager = float(self.rng.uniform(0.05, 0.5))

    def simulate(self, before: Scene, squidge: Any) -> Trajectory:
        rng, pot, going = self.rng, before.surface.pot, MotionBuilder(before, squidge)
        others = [p.id for p in before.pieces if p.id != squidge.piece]
        movers = [squidge.piece, *rng.choice(others, size=int(rng.choice([0, 0, 1, 2])), replace=False).tolist()]
        for name in movers:
            was, t, fate = before.piece(name), round(float(rng.uniform(0.1, 2.0)), 3), rng.random()
            going.lift(name)
            supports = {piece.support for piece in going.pieces.values()}
            if fate < self.eager:
                going.pot(name, t)
            elif fate < self.eager + 0.03 and "rim" not in supports:
                place = polar(pot.top_radius, rng.uniform(-pi, pi))
                going.set(name, t, **place, z=pot.height + was.thickness / 2, support="rim")
            elif fate < self.eager + 0.07 and "leaning" not in supports:
                turn, high = rng.uniform(-pi, pi), was.radius * sin(0.8)
                place = polar(pot.outer_radius(2.0 * high) + was.radius * 0.7, turn)  # where it can on a tapered pot
                going.set(name, t, **place, z=high + was.thickness / 2, tilt=0.8, lean=turn, support="leaning")
            elif fate < self.eager + 0.12:
                going.off(name, 914.4, float(rng.uniform(-200.0, 200.0)), t)
            else:
                going.to(name, *self._spot(going.scene(), was), t)
                if rng.random() < 0.1:
                    seat, forward = int(rng.integers(4)), bool(rng.integers(2))
                    going.crossed(name, seat, 800.0, 440.0, forward=forward, t=t / 2)
        if rng.random() < 0.1:
            going.touched(SquidgerContact(piece=str(rng.choice(kit.WINKS)), begin=0.0, end=0.01))
        return going.done()

    def _spot(self, scene: Scene, piece: Piece) -> tuple[float, float]:
        """Place [mm] on or beside another wink, near the pot, or anywhere on the mat; never in the pot."""
        rng = self.rng
        while True:
            if rng.random() < 0.6:
                near = scene.pieces[int(rng.integers(len(scene.pieces)))]
                spot = (near.x + float(rng.normal(0, 0.008)), near.y + float(rng.normal(0, 0.008)))
            else:
                spot = (float(rng.uniform(-0.91, 0.91)), float(rng.uniform(-0.45, 0.45)))
            clear = hypot(*spot) > kit.POT_TOP + piece.radius + 0.001
            if clear and abs(spot[0]) < 0.914 and abs(spot[1]) < 0.457:
                return (1000.0 * spot[0], 1000.0 * spot[1])


def polar(far: float, direction: float) -> dict[str, float]:
    """Coordinates of a point at that distance and in that direction from the pot [m]."""
    return {"x": round(far * cos(direction), 9), "y": round(far * sin(direction), 9)}


def holds(state: State) -> None:
    """Assert what is true of every state."""
    assert state.scene.problems() == []
    assert tuple(piece.id for piece in state.scene.pieces) == kit.WINKS
    assert from_json(to_json(state), State) == state
    book = state.book
    assert not set(book.potted) & set(book.behind)
    if book.opener is not None:
        assert {piece.id for piece in state.scene.pieces if piece.support in ("pot", "rim")} == set(book.potted)
    if book.phase == "over":
        assert sum(book.points) == 7
        assert all(isinstance(points, Fraction) for points in book.points)
        assert rules.legal_actions(state).flicks == ()
        return
    allowed = rules.legal_actions(state)
    assert allowed.flicks or allowed.actions
    covers = squops.Squops(state.scene, book)
    if book.potted_out:
        assert not any(covers.is_squopped(wink) for wink in kit.WINKS)
    for wink in book.behind:
        if wink not in book.shots:
            assert state.scene.piece(wink).position == kit.home_spot(state.options, wink)
    if book.protected is not None and book.phase == "shot":
        assert not covers.is_squopped_out(book.protected)


def replaced_apart(turn: Any) -> None:
    """Winks put back after one shot lie 101.6 mm apart, in the field and clear of all."""
    if turn.result is None or turn.before.phase != "shot" or turn.after.book.phase == "over":
        return
    back = [
        p
        for p in turn.verdict.ruling.moved
        if any(
            r.rule in ("TW-8b", "TW-8c", "TW-8d") and r.text.startswith(kit.display_name(p.id))
            for r in turn.verdict.reasons
        )
    ]
    if turn.after.book.potted_out or any(r.rule in ("TW-9c7", "TW-9c11") for r in turn.verdict.reasons):
        return
    for a, b in combinations(back, 2):
        assert hypot(a.x - b.x, a.y - b.y) - a.radius - b.radius >= kit.APART - 1e-7
    for piece in back:
        gaps = [edge.inward(piece.position) - piece.radius for edge in kit.edges(turn.after.options)]
        assert min(gaps) == pytest.approx(kit.INSET, abs=1e-7)
        for other in turn.after.scene.pieces:
            if other.id != piece.id:
                assert hypot(other.x - piece.x, other.y - piece.y) >= other.radius + piece.radius - 1e-7


def judged_alike_again(state: State) -> None:
    """Judge anew what was played: it comes to the same, but for winks turned over since."""
    if state.last_shot is not None and state.phase != "foul":
        context, _ = judge_shot(state.last_shot)
        assert context.book == state.book
        for was, now in zip(context.scene.pieces, state.scene.pieces, strict=True):
            assert msgspec.structs.replace(was, face=now.face) == now


def self_reports(match: Match, rng: np.random.Generator) -> None:
    """Somebody says something of what is offered, short of what forfeits the game."""
    offered = [one for one in match.legal_actions().self_reports if not isinstance(one.action, Interfere | Clock)]
    if not offered:
        return
    one = offered[int(rng.integers(len(offered)))]
    chosen: dict[str, Any] = {}
    for pick in one.fields:
        values = [pick.options[k] for k in rng.permutation(len(pick.options))]
        match pick.kind:
            case "one":
                chosen[pick.field] = values[0]
            case "some":
                chosen[pick.field] = tuple(values[: int(rng.integers(1, 3))])
            case "point" if rng.random() < 0.8:
                chosen[pick.field] = (float(rng.uniform(-0.7, 0.7)), float(rng.uniform(-0.4, 0.4)))
    action = one.with_choices(chosen)
    try:
        rules.check_action(match.state, action)
    except IllegalAction:
        return
    after = match.play(action).after
    holds(after)
    judged_alike_again(after)


VARIANTS: list[dict[str, Any]] = [
    {},
    {"time_limit_s": None},
    {"time_limit_s": None, "stop_when_decided": True, "simul_potout": "average", "free_turn_pot": "cease"},
    {"aside_choice": "smallest", "miss_scope": "next_turn", "foul_replay_restores": False, "foul_keep_extras": False},
    {"allow_pass": True, "resquop_remedy": "foul", "bring_in_short": "stay", "boundary_return": "rest"},
    {"pot_base_diameter_mm": 38.0, "replace_measure": "edge", "boundary_touch": "in", "squidgeoff_order": "toss"},
]


@pytest.mark.parametrize("variant", range(len(VARIANTS)))
@pytest.mark.parametrize("seed", few_then_long(range(6), 1))
def test_random_games_end_in_a_valid_state(seed: int, variant: int) -> None:
    """TW-4a, TW-5e, TW-8g, TW-8k, TW-8l, TW-10d: 24 winks, 7 points, distances, nothing covered after a pot-out."""
    options = Options(**VARIANTS[variant])
    seeds = RandomStreams(seed=seed)
    players = [RandomPlayer() for _seat in range(4)]
    match = Match(GAME, options, seeds, AnythingMayHappen(1000 * variant + seed), [GRADES["club"]] * 4, players)
    rng = np.random.default_rng(seed)
    holds(match.state)
    while not match.is_over:
        turn = match.play(match.ask_player())
        holds(turn.after)
        if "TW-12d" not in turn.verdict.rule_ids:
            replaced_apart(turn)
        judged_alike_again(turn.after)
        if rng.random() < 0.1:
            self_reports(match, rng)
        assert len(match.turns) < 3000
    assert sum(match.scores) == 7
