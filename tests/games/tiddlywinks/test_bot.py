"""Bots: what they think of is allowed, they pot what is near, and they squop."""

from math import atan2, hypot, pi

import numpy as np
import pytest

from flicksim.ai import GRADES, LookaheadPlayer, RandomPlayer
from flicksim.core.errors import InvalidOption
from flicksim.core.random_streams import RandomStreams
from flicksim.games import load
from flicksim.games.tiddlywinks import bot, legal_actions, rules
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.candidate_shots import (
    BACKSPIN,
    OTHER,
    POT,
    SLIDE_ELEVATION,
    candidate_shots,
    slide_speed,
)
from flicksim.games.tiddlywinks.equipment import Options
from flicksim.games.tiddlywinks.heuristic_value import DEFAULT_STYLE, STYLES_BY_NAME
from flicksim.games.tiddlywinks.squops import Squops
from flicksim.games.tiddlywinks.state import Book, Shot, State
from flicksim.match.game_model import GameModel, PhysicsSimulator
from flicksim.match.match_factory import lookahead_config_of, open_match, parse_seat
from flicksim.scene import Squidge, launch_speed_to_reach
from tests.games.tiddlywinks.helpers import POT as POTTED
from tests.games.tiddlywinks.helpers import state_from_position

OPTIONS = Options()


def position(spots: dict[str, tuple[float, float]], to_play: int = 0, potted: tuple[str, ...] = ()) -> State:
    """Winks laid down one after the other, on top of what lies there [m]; all others behind their lines or potted."""
    winks = {name: (1000.0 * x, 1000.0 * y) for name, (x, y) in spots.items()} | dict.fromkeys(potted, POTTED)
    return state_from_position(winks, kit.SEATS[to_play].lower(), opener="blue")


def anywhere(rng: np.random.Generator, count: int) -> dict[str, tuple[float, float]]:
    """Places about the pot; some lie on others."""
    spots: dict[str, tuple[float, float]] = {}
    for name in rng.choice(kit.WINKS, count, replace=False):
        far, direction = rng.uniform(0.05, 0.4), rng.uniform(-pi, pi)
        spots[str(name)] = (far * np.cos(direction), far * np.sin(direction))
    return spots


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("style", bot.STYLES)
def test_candidates_are_legal(seed: int, style: str) -> None:
    """On every position all candidates are legal, and their number is within the limit."""
    rng = np.random.default_rng(seed)
    state = position(anywhere(rng, 14), to_play=seed % 4)
    if not legal_actions.legal_actions(state).flicks:
        return
    found = bot.for_style(style).candidates(state, rng, 12)
    assert 0 < len(found) <= 12
    for action in found:
        rules.check_action(state, action)
        assert isinstance(action, Squidge)
        assert -pi < action.azimuth <= pi
        assert np.isfinite(bot.value(state, 0))


def after_a_foul(*, clock: float = 0.0, laps: int | None = None) -> State:
    """State in which a foul shot of Blue is to be decided, at a time of the game clock."""
    former = position({"blue-3": (0.1, 0.0)})
    behind = former.book.behind
    book = Book(phase="foul", to_play=1, turn=0, opener=0, behind=behind, foul="TW-9b3", clock=clock, laps=laps)
    flick = Squidge(piece="blue-3", speed=1.0, azimuth=0.0)
    shot = Shot(former=former, flick=flick, after=former.scene, events=(), duration=1.0)
    return State(options=OPTIONS, scene=former.scene, book=book, last_shot=shot)


def test_candidates_before_and_after() -> None:
    """In the squidge-off, and while the opponents decide about a foul, it thinks of what is allowed then; once time is
    up the shot is left as it lies: two bots might else have one made again for ever."""
    rng = np.random.default_rng(1)
    first = rules.initial_state(OPTIONS, 4, RandomStreams(seed=1))
    for action in bot.candidates(first, rng, 8):
        rules.check_action(first, action)
    for given, ways in (({}, 2), ({"clock": 600.0}, 2), ({"laps": 6}, 1), ({"clock": 1300.0}, 1)):
        foul = after_a_foul(**given)  # type: ignore[arg-type]
        actions = bot.candidates(foul, rng, 8)
        assert len(actions) == ways
        for action in actions:
            rules.check_action(foul, action)


def test_pots_from_a_hands_breadth() -> None:
    """A club bot whose last wink lies 10 cm from the pot plays it at the pot, steeply, and pots it."""
    state = position({"blue-3": (0.06, 0.08)}, potted=tuple(f"blue-{k}" for k in (1, 2, 4, 5, 6)))
    model = GameModel(load("tiddlywinks"), PhysicsSimulator())
    player = LookaheadPlayer(model, 0, GRADES["club"], lookahead_config_of(load("tiddlywinks"), "club"))
    action = player.choose(state, legal_actions.legal_actions(state), np.random.default_rng(1))
    assert action.piece == "blue-3"
    assert abs(action.azimuth - atan2(-0.08, -0.06)) < 0.1
    assert action.elevation > pi / 4
    rng = np.random.default_rng(2)
    after = model.next_states(state, [GRADES["club"].execute(action, rng) for _ in range(12)])
    assert sum("blue-3" in one.book.potted for one in after) >= 9


@pytest.mark.parametrize(
    ("grade", "distance", "least"),
    [("club", 0.055, 0.9), ("club", 0.15, 0.7), ("club", 0.48, 0.25), ("expert", 0.046, 0.9), ("expert", 0.15, 0.9),
     ("expert", 0.48, 0.5)],
)  # fmt: skip
def test_usual_pot_is_sure_at_its_distance(grade: str, distance: float, least: float) -> None:
    """The first pot of a lone wink succeeds as often as the table says: near the pot only steep shots clear its rim."""
    state = position({"blue-3": (distance, 0.0)}, potted=tuple(f"blue-{k}" for k in (1, 2, 4, 5, 6)))
    usual, other = (one.shot for one in candidate_shots(state, STYLES_BY_NAME[DEFAULT_STYLE]) if one.target == POT)
    assert usual.tumble == other.tumble == BACKSPIN
    assert usual.elevation != other.elevation
    model, rng = GameModel(load("tiddlywinks"), PhysicsSimulator()), np.random.default_rng(3)
    after = model.next_states(state, [GRADES[grade].execute(usual, rng) for _ in range(30)])
    assert sum("blue-3" in one.book.potted for one in after) >= least * 30


@pytest.mark.parametrize("distance", [0.12, 0.25, 0.5, 0.85])
def test_slides_end_where_they_are_meant(distance: float) -> None:
    """Without noise a wink slid to a point comes to rest within a twentieth of the distance of it."""
    state = position({"blue-3": (0.0, -0.4)})
    piece = state.scene.piece("blue-3")
    shot = Squidge(
        piece="blue-3", speed=slide_speed(piece, distance), azimuth=0.6,
        elevation=SLIDE_ELEVATION, tumble=BACKSPIN,
    )  # fmt: skip
    motion = PhysicsSimulator().simulate(state.scene, shot)
    x, y = motion.after.piece("blue-3").position
    assert hypot(x, y + 0.4) == pytest.approx(distance, rel=0.05)


@pytest.mark.parametrize("seed", range(6))
def test_different_plans_come_before_variants_of_one(seed: int) -> None:
    """No wink is listed at a target again before every other wink and target is: a search of few candidates sees
    them."""
    state = position(anywhere(np.random.default_rng(seed), 14), to_play=seed % 4)
    plans = [
        (one.shot.piece, one.target)
        for one in candidate_shots(state, STYLES_BY_NAME[DEFAULT_STYLE])
        if one.target != OTHER
    ]
    assert len(set(plans[: len(set(plans))])) == len(set(plans)) < len(plans)


def test_pots_its_last_wink_off_an_enemy() -> None:
    """The pot of a colour's last wink is its first candidate whatever lies below, for it ends all squops (TW-10b)."""
    spots = {"green-1": (0.06, 0.08), "blue-3": (0.06, 0.08), "yellow-2": (0.06, 0.16)}
    state = position(spots, potted=tuple(f"blue-{k}" for k in (1, 2, 4, 5, 6)))
    style = STYLES_BY_NAME[DEFAULT_STYLE]
    assert candidate_shots(state, style)[0].target == POT
    assert candidate_shots(position(spots), style)[0].target != POT, "while others are left it holds the enemy"


def test_squops_what_lies_near() -> None:
    """A squopper beside a lone enemy wink covers it far more often than a random player does."""
    state = position({"blue-1": (0.30, 0.05), "green-3": (0.34, 0.05)}, potted=("blue-2", "blue-3"))
    game = load("tiddlywinks")
    model = GameModel(game, PhysicsSimulator())
    bots = LookaheadPlayer(model, 0, GRADES["club"], lookahead_config_of(game, "club"))

    def covers(action: Squidge, seed: int) -> bool:
        after = next(model.next_states(state, [GRADES["club"].execute(action, np.random.default_rng(seed))]))
        return Squops(after.scene, after.book).is_squopped("green-3")

    thought = [
        covers(bots.choose(state, legal_actions.legal_actions(state), np.random.default_rng(k)), 50 + k)
        for k in range(3)
    ]
    chance = RandomPlayer(rules.check_action)
    drawn = [
        covers(chance.choose(state, legal_actions.legal_actions(state), np.random.default_rng(k)), 50 + k)
        for k in range(12)
    ]
    assert sum(thought) >= 2
    assert sum(thought) / len(thought) > sum(drawn) / len(drawn)


def test_heuristic_value_of_squops_has_the_right_sign() -> None:
    """A position with an enemy wink covered is better than with it free, and worse for the other side."""
    free = position({"blue-1": (0.30, 0.0), "green-3": (0.36, 0.0)})
    covered = position({"green-3": (0.36, 0.0), "blue-1": (0.35, 0.0)})
    for style in ("double-squop", "pot-squop"):
        player = bot.for_style(style)
        assert player.value(covered, 0) > player.value(free, 0)
        assert player.value(covered, 1) < player.value(free, 1)
        assert player.value(covered, 0) == pytest.approx(player.value(covered, 2))


@pytest.mark.parametrize("direction", [0.1, 0.4, 0.9])
@pytest.mark.parametrize("elevation", [0.8, 1.0, 1.2])
def test_aiming_tables_match_the_physics(direction: float, elevation: float) -> None:
    """Solved backwards without the physics, a lob still comes down where it was meant to, to a few millimetres."""
    state = position({"blue-3": (0.0, -0.4)})
    piece = state.scene.piece("blue-3")
    speed = launch_speed_to_reach(piece, direction, piece.height, elevation)
    shot = Squidge(piece="blue-3", speed=speed, azimuth=0.0, elevation=elevation)
    motion = PhysicsSimulator().simulate(state.scene, shot)
    landed = next(event for event in motion.events if event.t > 0.01 and hasattr(event, "on"))
    x, y, _ = motion.tracks.poses_at(landed.t)[motion.tracks.ids.index("blue-3")]
    assert hypot(x, y + 0.4) == pytest.approx(direction, abs=0.004)


def test_seats_with_a_style() -> None:
    """A style is written behind the grade, kept in the record's word, and refused where a game knows none of it."""
    assert str(parse_seat("bot:club@pot")) == "bot:club@pot"
    assert str(parse_seat("bot:club")) == "bot:club"
    game = load("tiddlywinks")
    open_match(game, OPTIONS, [parse_seat("bot:club@pot-squop")] * 4, 1)
    with pytest.raises(InvalidOption, match=r"no style 'brave'.*double-squop"):
        open_match(game, OPTIONS, [parse_seat("bot:club@brave")] * 4, 1)
    other = load("penny-white")
    with pytest.raises(InvalidOption, match="one style only"):
        open_match(other, other.options(), [parse_seat("bot:club@pot")] * 2, 1)
