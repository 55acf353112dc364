"""PettingZoo environments of every game: checkers pass, and views hide what they must."""

from random import Random
from typing import Any

import numpy as np
import pytest
from gymnasium.spaces import Box, Dict, Discrete
from msgspec import structs

from flicksim.core.errors import InvalidInput, InvalidOption
from flicksim.core.geometry import clearance, is_inside_convex
from flicksim.envs import GameEnv, env, parallel_env
from flicksim.envs.action_spaces import CHOICE_SLOTS, HASHED_MOVES, MoveActionSpace
from flicksim.envs.features import Feature, FeatureScaler, unbounded_feature
from flicksim.envs.observation_encoder import ObservationEncoder
from flicksim.envs.rendering import paint
from flicksim.envs.versus_env import VersusEnv
from flicksim.games import load, names
from flicksim.games.ice.table_layout import SEATS, Options, initial_scene
from flicksim.match import MatchLimits
from flicksim.referee import LegalActions
from flicksim.scene import SIZES, Pyramid, Size
from tests.cards.hidden_states import redeal_hidden
from tests.envs.pettingzoo_checks import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test
from tests.python_process import run_code

every_game = pytest.mark.parametrize("name", names())
CARD_GAMES = [name for name in names() if load(name).category == "cards"]
TABLE_GAMES = [name for name in names() if load(name).category == "table"]

# PettingZoo's own test warns of every dict observation outside a list of its own games, though its documents ask for
# one where actions are masked, and of the empty mask of an agent whose game is over.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning:pettingzoo.test.api_test"),
    pytest.mark.filterwarnings(
        "ignore:Observation space for each agent probably should be:UserWarning:pettingzoo.test.api_test"
    ),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros:UserWarning:pettingzoo.test.api_test"),
]


def short(name: str) -> dict[str, Any]:
    """A game that is over within few turns."""
    switches = {"penny-white": {"ends": 1}, "dominoes": {"rounds": 1}, "tinkle": {"max_turns": 5}}
    return {"options": switches.get(name, {}), "max_turns": 60}


def begun(name: str, seed: int = 1, **settings: Any) -> GameEnv:
    game = GameEnv(name, **settings)
    game.reset(seed=seed)
    return game


def sample_action(game: GameEnv, agent: str) -> Any:
    """Any action of an agent that is allowed."""
    observation = game.observe(agent)
    return game.action_space(agent).sample(observation["action_mask"] if isinstance(observation, dict) else None)


def play_to_end(game: GameEnv) -> list[float]:
    """Play by any actions; the sum of each agent's rewards."""
    total = dict.fromkeys(game.possible_agents, 0.0)
    for agent in game.agent_iter():
        _, reward, over, cut, _ = game.last(observe=False)
        total[agent] += reward
        game.step(None if over or cut else sample_action(game, agent))
    return list(total.values())


def observed(game: GameEnv, agent: str) -> dict[str, float]:
    """Observation of an agent, by the names of the numbers."""
    numbers = game.observe(agent)
    return dict(zip(game.feature_names, numbers["observation"] if isinstance(numbers, dict) else numbers, strict=True))


# -- the checkers ---------------------------------------------------------------------------------------------------


@every_game
@pytest.mark.parametrize("reward", ["win", "points"])
def test_pettingzoo_api_test_passes_over_a_whole_game(name: str, reward: str) -> None:
    settings = short(name)
    if name in CARD_GAMES:
        settings["max_turns"] = None
    api_test(env(name, reward=reward, **settings), num_cycles=1000)


@every_game
def test_the_same_seed_is_the_same_game(name: str) -> None:
    seed_test(lambda: env(name, **short(name)), num_cycles=12)


@every_game
def test_pettingzoo_render_test_passes(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    render_test(lambda render_mode=None: env(name, render_mode=render_mode))
    capsys.readouterr()


@every_game
def test_the_parallel_form_passes_its_checks(name: str) -> None:
    parallel_api_test(parallel_env(name, **short(name)), num_cycles=40)


@pytest.mark.parametrize("name", TABLE_GAMES)
def test_the_parallel_form_is_the_same_by_seed(name: str) -> None:
    """Card games are left to `seed_test`, which asks the mask: this one does not, and so would end them at once."""
    parallel_seed_test(lambda: parallel_env(name, **short(name)), num_cycles=10)


# -- what is handed out ---------------------------------------------------------------------------------------------


@every_game
def test_spaces_are_a_dict_with_a_mask_or_an_array(name: str) -> None:
    game = GameEnv(name, seats=load(name).seats[0])
    assert len({id(game.action_space(agent)) for agent in game.possible_agents}) == len(game.possible_agents)
    for agent in game.possible_agents:
        sees, does = game.observation_space(agent), game.action_space(agent)
        if name in CARD_GAMES:
            assert isinstance(sees, Dict)
            assert set(sees) == {"observation", "action_mask"}
            assert isinstance(does, Discrete)
            assert sees["action_mask"].shape == (does.n,)
            assert sees["observation"].shape == (len(game.feature_names),)
        else:
            assert isinstance(sees, Box)
            assert isinstance(does, Box)
            assert sees.shape == (len(game.feature_names),)
    assert len(set(game.feature_names)) == len(game.feature_names)


@every_game
def test_agents_are_named_for_their_seats_and_the_environment_for_its_version(name: str) -> None:
    game = GameEnv(name, seats=load(name).seats[1])
    assert game.metadata["name"] == f"flicksim/{name}-v1"
    assert len(game.possible_agents) == load(name).seats[1]
    assert [agent.split("_")[0] for agent in game.possible_agents] == [
        seat.lower() for seat in load(name).seat_names[: load(name).seats[1]]
    ]


@every_game
def test_pettingzoo_makes_it_by_its_id(name: str) -> None:
    import pettingzoo

    made = pettingzoo.make("aec", f"flicksim/{name}-v1", max_turns=3)
    assert isinstance(made.unwrapped, GameEnv)
    made.reset(seed=1)
    assert made.agent_selection in made.agents
    together = pettingzoo.make("parallel", f"flicksim/{name}-v1", max_turns=3)
    observation, _ = together.reset(seed=1)
    assert set(observation) == set(together.agents) == set(made.agents)


@every_game
def test_observations_and_infos_are_new_objects(name: str) -> None:
    game = begun(name, **short(name), seed=3)
    agent = game.agent_selection
    one, two = game.observe(agent), game.observe(agent)
    if isinstance(one, dict):
        assert not any(np.shares_memory(one[key], two[key]) for key in one)
    else:
        assert not np.shares_memory(one, two)
    infos, rewards = game.infos, game.rewards
    game.step(sample_action(game, agent))
    assert game.infos is not infos
    assert game.rewards is not rewards
    assert all(game.infos[name] is not infos[name] for name in game.agents)


@every_game
def test_one_seed_leads_to_a_series_of_different_games(name: str) -> None:
    game, again = GameEnv(name), GameEnv(name)
    game.reset(seed=8)
    again.reset(seed=8)
    seeds = []
    for _ in range(3):
        assert game.match.streams == again.match.streams
        seeds.append(game.match.streams.seed)
        game.reset()
        again.reset()
    assert len(set(seeds)) == 3


@every_game
def test_random_agents_finish_a_game(name: str) -> None:
    settings = short(name) | {"max_turns": 200 if name in TABLE_GAMES else None}
    game = begun(name, **settings)
    total = play_to_end(game)
    assert not game.agents
    if game.match.is_over:
        best = game.match.winners
        share = len(best) == len(total)
        assert total == [0.0 if share else 1.0 if seat in best else -1.0 for seat in range(len(total))]
    else:
        assert len(game.match.turns) == 200


def test_points_are_the_rewards_of_the_turns_that_gained_them() -> None:
    game = begun("tinkle", reward="points", options={"max_turns": 5}, seed=2)
    assert play_to_end(game) == [float(points) for points in game.match.scores]


@pytest.mark.parametrize("limits", [None, MatchLimits(turns=3)], ids=["of the environment", "of the match"])
def test_games_beyond_the_limit_are_truncated(limits: MatchLimits | None) -> None:
    game = begun("dominoes", max_turns=3 if limits is None else None)
    game.match.limits = limits or game.match.limits
    for _ in range(3):
        assert not any(game.truncations.values())
        game.step(sample_action(game, game.agent_selection))
    assert all(game.truncations.values())
    assert not any(game.terminations.values())
    assert not any(game.rewards.values())


def test_execution_noise_changes_flicks() -> None:
    made = []
    for hand in (None, "beginner"):
        game = begun("penny-white", execution_noise=hand, seed=4)
        game.step(np.zeros(game.action_space(game.agent_selection).shape, dtype=np.float32))
        turn = game.match.turns[0]
        assert (turn.meant == turn.made) == (hand is None)
        made.append(turn.meant)
    assert made[0] == made[1]


# -- seats see only what they may -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "seats"), [("dominoes", 4), ("tinkle", 3)])
def test_observations_hold_nothing_hidden(name: str, seats: int) -> None:
    """States that differ only in what a seat may not see are observed alike by it, and offer it the same numbers."""
    game, rng = GameEnv(name, seats=seats, raw=True), Random(5)
    game.reset(seed=3)
    looked = 0
    for _ in range(60):
        if game.match.is_over:
            break
        for agent in game.agents:
            seat = game.possible_agents.index(agent)
            other = redeal_hidden(game.match.state, seat, rng)
            rules, numbers = game.match.rules, ObservationEncoder(game.game, game.match.opening, seats)
            mine, theirs = (numbers.encode(rules.view(state, seat), seat) for state in (game.match.state, other))
            assert mine == theirs
            assert np.array_equal(mine, game.observe(agent)["observation"])
            looked += 1
            if agent == game.agent_selection:
                moves = MoveActionSpace(game.game)
                assert list(moves.legal_moves(rules.legal_actions(other))) == list(game.legal_moves(agent))
            else:
                assert not game.observe(agent)["action_mask"].any()
                assert game.legal_moves(agent) == {}
        game.step(sample_action(game, game.agent_selection))
    assert looked > 100


def test_observed_numbers_match_their_names() -> None:
    game = begun("dominoes", seats=3, raw=True)
    agent = game.agent_selection
    seat = game.possible_agents.index(agent)
    seen = observed(game, agent)
    view = game.view(agent)
    for tile in view.zones.cards(f"hand:{seat}"):
        assert seen[f"zones hand of me: {tile}"] == 1.0
    assert sum(number for name, number in seen.items() if name.startswith("zones hand of me: ")) == 2 * len(
        view.zones.cards(f"hand:{seat}")
    )
    assert seen["zones hand of seat +1: cards"] == len(view.zones[f"hand:{(seat + 1) % 3}"])
    assert seen["phase is lead"] == 1.0
    assert seen["to_play is me"] == 1.0


def test_own_pieces_come_first() -> None:
    game = begun("tiddlywinks", raw=True)
    for seat, agent in enumerate(game.possible_agents):
        seen = observed(game, agent)
        for row in range(6):
            wink = game.match.state.scene.piece(f"{agent.split('_')[0]}-{row + 1}")
            assert seen[f"scene {row}: of me"] == 1.0
            assert seen[f"scene {row}: x"] == pytest.approx(wink.x, abs=1e-6)
            assert seen[f"scene {row}: book.behind"] == 1.0
        assert seen[f"seat is {seat}"] == 1.0


# -- actions --------------------------------------------------------------------------------------------------------


def test_domino_moves_have_fixed_numbers() -> None:
    moves = MoveActionSpace(load("dominoes"))
    assert moves.size == 91 * 3 + 2
    game = begun("dominoes", seats=2)
    found: dict[str, int] = {}
    while not game.match.is_over:
        for number, action in game.legal_moves(game.agent_selection).items():
            assert found.setdefault(str(action), number) == number
        game.step(sample_action(game, game.agent_selection))
    assert len(found) > 20
    assert len(set(found.values())) == len(found)


def test_tinkle_moves_mostly_have_fixed_numbers() -> None:
    """Two moves on offer may share a checksum; then the second, by how they are written, has the next."""
    moves = MoveActionSpace(load("tinkle"))
    assert moves.size == HASHED_MOVES
    game = begun("tinkle", seats=4, max_turns=400)
    found: dict[str, set[int]] = {}
    while not any(game.truncations.values()):
        offered = game.legal_moves(game.agent_selection)
        assert len(offered) == len(game.match.legal_actions().actions)
        assert set(offered.values()) == set(game.match.legal_actions().actions)
        for number, action in offered.items():
            found.setdefault(str(action), set()).add(number)
        game.step(sample_action(game, game.agent_selection))
    assert sum(len(numbers) == 1 for numbers in found.values()) > 0.95 * len(found)


def test_hash_collisions_of_moves_are_resolved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("flicksim.envs.action_spaces.crc32", lambda _: HASHED_MOVES - 1)
    match = GameEnv("tinkle").match
    choices = match.legal_actions()
    offered = MoveActionSpace(load("tinkle")).legal_moves(choices)
    assert list(offered) == [(HASHED_MOVES - 1 + k) % HASHED_MOVES for k in range(len(choices.actions))]


def test_illegal_moves_are_refused_without_effect_and_without_legal_ones_there_are_none() -> None:
    game = begun("dominoes", seats=2)
    before = game.match.state
    wrong = int(np.flatnonzero(game.observe(game.agent_selection)["action_mask"] == 0)[0])
    with pytest.raises(InvalidInput, match=f"action {wrong} is not legal now; there are "):
        game.step(wrong)
    for odd in (float("nan"), 1.5, "one", None, np.zeros(3)):
        with pytest.raises(InvalidInput, match="is not legal now; there are "):
            game.step(odd)
    assert game.match.state is before
    assert MoveActionSpace(load("dominoes")).legal_moves(LegalActions(prompt="over")) == {}


def test_invalid_arrays_are_refused_without_effect() -> None:
    game = begun("penny-white")
    before = game.match.state
    nothing = np.full(game.action_space(game.agent_selection).shape, np.nan, dtype=np.float32)
    with pytest.raises(InvalidInput, match="'wish 0' is NaN"):
        game.step(nothing)
    with pytest.raises(InvalidInput, match="must be an array of 21 numbers: wish 0, "):
        game.step(np.zeros(3))
    assert game.match.state is before


def test_illegal_moves_lose_in_the_guarded_environment(capfd: pytest.CaptureFixture[str]) -> None:
    game = env("dominoes", seats=2)
    game.reset(seed=1)
    agent = game.agent_selection
    wrong = int(np.flatnonzero(game.observe(agent)["action_mask"] == 0)[0])
    game.step(wrong)
    assert game.rewards[agent] == -1.0
    assert all(game.terminations.values())
    capfd.readouterr()


@pytest.mark.parametrize("name", TABLE_GAMES)
def test_every_array_is_a_legal_action(name: str) -> None:
    game = begun(name, max_turns=25, seed=5)
    rng = np.random.default_rng(1)
    while not any(game.truncations.values()) and not game.match.is_over:
        size = game.action_space(game.agent_selection).shape[0]
        game.step(rng.choice([-1.0, 1.0, 0.2], size).astype(np.float32))
    assert len(game.match.turns) > 5


def test_the_strongest_preference_is_chosen() -> None:
    game = begun("tiddlywinks")
    agent = game.agent_selection
    action = np.zeros(game.action_space(agent).shape, dtype=np.float32)
    action[3], action[CHOICE_SLOTS - 1] = 0.5, 1.0  # nothing is on offer in the last place
    game.step(action)
    meant = game.match.turns[0].meant
    span = game.match.rules.legal_actions(game.match.opening).flicks[3]
    assert meant.piece == span.piece
    assert meant.speed == pytest.approx(sum(span.speed) / 2)
    assert meant.elevation == pytest.approx(sum(span.elevation) / 2)


def test_an_illegal_start_is_left_out() -> None:
    game = begun("penny-white", options={"jack_mode": "beginner", "first": "first"})
    size = game.action_space("blue_0").shape[0]
    game.step(np.zeros(size, dtype=np.float32))  # the white is placed
    soft = np.zeros(size, dtype=np.float32)
    soft[CHOICE_SLOTS + 1] = -1.0
    starts = []
    for _ in range(8):
        game.step(soft)
        made = game.match.turns[-1].made
        starts.append(made.start)
    assert starts[0] is not None
    assert None in starts


def loaded(**settings: Any) -> GameEnv:
    """A game of pyramids in which both have stacked their first medium one and the first may launch."""
    game = begun("ice", seats=2, **settings)
    for _ in range(2):
        game.step(preference(game, 5))
    return game


def preference(game: GameEnv, number: int, **how: float) -> Any:
    """An action that wishes for something on offer; all else is in the middle unless it is given."""
    flicks = game.adapter.flick_space
    action = np.zeros(len(flicks.names), dtype=np.float32)
    action[number] = 1.0
    for name, value in how.items():
        action[flicks.names.index(name.replace("_", " "))] = value
    return action


def test_launches_are_within_the_legal_ranges() -> None:
    game = loaded()
    span = game.match.legal_actions().flicks[0]
    game.step(preference(game, 0, slant=1.0, start_along=-1.0, height=-1.0))
    made = game.match.turns[-1].made
    assert (made.piece, made.size, made.lift) == (span.piece, "medium", span.lift)
    assert made.speed == pytest.approx(sum(span.speed) / 2)
    assert made.azimuth == pytest.approx(sum(span.azimuth) / 2)
    assert (made.slant, made.height) == pytest.approx((span.slant[1], span.height[0]))
    assert is_inside_convex(made.hold, span.start)
    assert clearance(made.hold, span.start) < 1e-6


@pytest.mark.parametrize("options", [{"table": "round", "bad_hold": "refuse"}, {"bad_hold": "refuse"}])
def test_every_array_holds_the_launcher_over_the_own_stash(options: dict[str, Any]) -> None:
    """ITW-5a, on its very edge too."""
    game, rng = loaded(options=options), np.random.default_rng(2)
    span, flicks = game.match.legal_actions().flicks[0], game.adapter.flick_space
    for _ in range(100):
        action = rng.choice([-1.0, 1.0, 0.3, -0.7], len(flicks.names))
        made = flicks.decode(
            game.match.legal_actions(), action, lambda meant: game.match.rules.check_action(game.match.state, meant)
        )
        assert is_inside_convex(made.hold, span.start)
        assert made.lift == span.lift


def test_an_obstructed_launcher_is_held_at_the_greatest_height() -> None:
    """ITW-3b"""
    game = loaded()
    state = game.match.state
    span, kit = game.match.legal_actions().flicks[0], state.scene.kit
    tower = tuple(
        Pyramid(
            id=f"yellow-large-{k}", size="large", shape=kit.large,
            x=0.462, y=0.075, z=k * kit.large.stacking_height(kit.large),
            owner=1, stands_on=(f"yellow-large-{k - 1}",) if k else (),
        )
        for k in range(9)
    )  # fmt: skip
    crowded = structs.replace(state, scene=structs.replace(state.scene, pieces=tower))

    def check(meant: Any) -> None:
        game.match.rules.check_action(crowded, meant)

    made = game.adapter.flick_space.decode(game.match.legal_actions(), preference(game, 0), check)
    assert made.lift > span.lift
    assert made.hold == pytest.approx((0.45, 0.075))
    check(made)


def test_pyramids_are_observed_with_pose_and_stash() -> None:
    game = loaded(raw=True)
    seen = observed(game, game.agent_selection)
    assert (seen["offer 0: a flick"], seen["offer 0: pips"], seen["offer 1: there"]) == (1.0, 2.0, 0.0)
    assert seen["offer 0: slant to"] == pytest.approx(game.match.legal_actions().flicks[0].slant[1])
    me, state = game.possible_agents.index(game.agent_selection), game.match.state
    game.step(preference(game, 0))
    state = game.match.state
    assert [launch.owner for launch in state.aloft] == [me]
    for seat, agent in enumerate(game.possible_agents):
        seen = observed(game, agent)
        mine = "me" if seat == me else "the other"
        assert seen[f"aloft of {mine}: there"] == 1.0
        assert seen[f"aloft of {mine}: speed"] == pytest.approx(state.aloft[0].speed)
        assert sum(seen[f"hands of {mine}: {k}"] for k in range(14)) == 13.0
        assert seen[f"hands of {mine}: 5"] == float(state.aloft[0].piece in state.hands[me])
        assert seen[f"order: place of {mine}"] == float(state.order.index(me))
    while len(game.match.state.scene.pieces) < 4:
        game.step(preference(game, 0))
    seat, state = game.possible_agents.index(game.agent_selection), game.match.state
    seen = observed(game, game.agent_selection)
    own = sorted(piece.id for piece in state.scene.pieces if piece.owner == seat)
    for row, name in enumerate(own):
        piece = state.scene.piece(name)
        assert seen[f"scene {row}: of me"] == 1.0
        assert seen[f"scene {row}: x"] == pytest.approx(piece.x, abs=1e-6)
        assert seen[f"scene {row}: pips"] == piece.shape.pips
        assert seen[f"scene {row}: standing"] == float(piece.is_upright)
        assert seen[f"scene {row}: on its side"] == float(piece.is_on_side)
        assert seen[f"scene {row}: committed"] == float(name in state.committed)
    assert seen[f"scene {len(own)}: of me"] == 0.0


def test_decisions_are_observed_with_the_position_of_their_piece() -> None:
    game = begun("penny-white", options={"jack_mode": "beginner"}, raw=True)
    seen = observed(game, game.agent_selection)
    assert seen["offer 0: there"] == 1.0
    assert seen["offer 0: a flick"] == 0.0
    spots = [action.y for action in game.match.legal_actions().actions]
    assert [seen[f"offer {k}: number"] for k in range(len(spots))] == pytest.approx(spots)
    other = next(agent for agent in game.agents if agent != game.agent_selection)
    quiet = observed(game, other)
    assert not any(number for name, number in quiet.items() if name.startswith("offer"))


# -- asking for what is not there -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "settings", "message"),
    [
        ("bowls", {}, "no game 'bowls'"),
        ("dominoes", {"seats": 99}, "not 99"),
        ("dominoes", {"options": {"colour": "blue"}}, "no option 'colour'"),
        ("dominoes", {"options": {"rounds": 0}}, "rounds=0"),
        ("dominoes", {"reward": "fun"}, "no reward 'fun'; there are win, points"),
        ("dominoes", {"render_mode": "rgb_array"}, "no render mode 'rgb_array'; it has human, ansi"),
        ("penny-white", {"render_mode": "hologram"}, "no render mode 'hologram'"),
        ("penny-white", {"execution_noise": "god"}, "no grade 'god'"),
        ("dominoes", {"raw": "yes"}, "raw='yes' must be True or False"),
    ],
)
def test_wrong_settings_are_refused_in_a_sentence(name: str, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidOption, match=message):
        GameEnv(name, **settings)


@pytest.mark.parametrize("kind", [GameEnv, VersusEnv])
def test_a_seed_is_a_whole_number(kind: type[GameEnv | VersusEnv]) -> None:
    with pytest.raises(InvalidInput, match="seed cannot be -1; it is a whole number, 0 or more"):
        kind("dominoes").reset(seed=-1)


# -- pictures and words ---------------------------------------------------------------------------------------------


def test_a_custom_painter_paints_the_view_of_the_seat() -> None:
    shown = []

    def painter(view: Any) -> Any:
        shown.append(view)
        return np.full((4, 5, 3), 7, dtype=np.uint8)

    game = GameEnv("tinkle", render_mode="rgb_array", painter=painter)
    assert "rgb_array" in game.metadata["render_modes"]
    game.reset(seed=1)
    assert game.render().shape == (4, 5, 3)
    assert shown == [game.view(game.agent_selection)]
    assert shown[0].seeds is None


def test_text_hides_what_the_seat_may_not_see_and_describes_the_pose_of_pyramids() -> None:
    game = begun("tinkle", render_mode="ansi")
    text = game.render()
    agent = game.agent_selection
    seat = game.possible_agents.index(agent)
    assert "Tinkle, turn 1" in text
    assert f"hand:{seat}: {' '.join(map(str, game.match.state.zones.cards(f'hand:{seat}')))}" in text
    assert f"hand:{(seat + 1) % 3}: 13 hidden" in text
    assert game.match.legal_actions().prompt in text
    game = loaded(render_mode="ansi")
    while not game.match.state.scene.pieces:
        game.step(preference(game, 0))
    text = game.render()
    for piece in game.match.state.scene.pieces:
        how = "standing" if piece.is_upright else "on its side" if piece.is_on_side else "leaning"
        assert f"  {piece.id}: {piece.x * 1e3:.0f}, {piece.y * 1e3:.0f} mm, {how}" in text
    assert game.match.legal_actions().prompt in text


def test_human_mode_prints_the_text_after_every_step(capsys: pytest.CaptureFixture[str]) -> None:
    game = begun("penny-white", render_mode="human", options={"jack_mode": "beginner"})
    game.step(sample_action(game, game.agent_selection))
    text = capsys.readouterr().out
    assert "The white is placed" in text
    assert "white: 150, " in text
    assert game.render() is None


def test_a_mat_is_painted_to_scale_with_its_pot() -> None:
    game = begun("tiddlywinks", render_mode="rgb_array")
    picture = game.render()
    assert picture.shape == (332, 640, 3)
    assert tuple(picture[166, 320]) == tuple(picture[0, 0])  # through the pot, as beside the mat
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 8


def make_pyramid(size: Size, tilt: float, owner: int | None) -> Any:
    """The pixels in which a table with one pyramid in its middle differs from a bare one, and their colours."""
    bare = initial_scene(Options(), 2)
    shape = bare.kit.shape(size)
    tilt = shape.lying_tilt if tilt else 0.0
    low = Pyramid(id="a", size=size, shape=shape, x=0.45, y=0.45, tilt=tilt, owner=owner).lowest
    piece = Pyramid(id="a", size=size, shape=shape, x=0.45, y=0.45, z=-low, tilt=tilt, owner=owner)
    scene = bare.with_piece(piece).validated()
    before, after = paint(bare, SEATS).astype(int), paint(scene, SEATS).astype(int)
    changed = (before != after).any(axis=2)
    return np.argwhere(changed), after[changed]


def test_pyramids_are_painted_by_size_and_owner_and_as_they_lie() -> None:
    for tilt in (0.0, 1.0):
        wide = [len(make_pyramid(size, tilt, 0)[0]) for size in SIZES]
        assert wide[0] < wide[1] < wide[2]
    upright, lying = (np.ptp(make_pyramid("large", tilt, 0)[0], axis=0) for tilt in (0.0, 1.0))
    assert upright[0] == upright[1]
    assert lying[1] > 1.5 * lying[0]
    red, yellow, nobody = (make_pyramid("large", 0.0, owner)[1].mean(axis=0) for owner in (0, 1, None))
    assert red[0] > 2 * red[1]
    assert yellow[1] > 2 * yellow[2]
    assert np.ptp(nobody) < 10.0
    assert len(np.unique(make_pyramid("large", 0.0, 0)[1], axis=0)) == 4  # its four sides


def test_importing_environments_keeps_the_audio_driver() -> None:
    code = "import os, flicksim.envs; print(os.environ.get('SDL_AUDIODRIVER'))"
    for before in (None, "dummy"):
        assert run_code(code, SDL_AUDIODRIVER=before).stdout == f"{before}\n"


# -- what numbers mean ----------------------------------------------------------------------------------------------


@every_game
def test_observations_lie_within_their_bounds_scaled_and_raw(name: str) -> None:
    scaled, raw = (GameEnv(name, raw=raw, **short(name)) for raw in (False, True))
    for game in (scaled, raw):
        game.reset(seed=4)
    rng = np.random.default_rng(1)
    for _ in range(25):
        for agent in scaled.agents:
            observation, as_it_is = (
                game.adapter.observe(game.match, game.possible_agents.index(agent)) for game in (scaled, raw)
            )
            assert scaled.adapter.observation_space.contains(observation)
            assert raw.adapter.observation_space.contains(as_it_is)
            assert np.abs(observation).max() <= 1.0
            assert observation == pytest.approx(scaled.adapter.scaler.transform(as_it_is.astype(np.float64)), abs=1e-6)
        scaled.action_space(scaled.agent_selection).seed(int(rng.integers(2**31)))
        action = sample_action(scaled, scaled.agent_selection)
        for game in (scaled, raw):
            game.step(action)
        if scaled.match.is_over:
            break


def test_unbounded_features_are_log_scaled() -> None:
    scale = FeatureScaler((unbounded_feature("points"), Feature(name="x", low=-0.5, high=2.0)), raw=False)
    assert scale.space.low.tolist() == [-1.0, -0.25]
    assert scale.transform([[0.0, 0.0], [9.0, 2.0], [-1e9, -0.5]]) == pytest.approx(
        np.array([[0.0, 0.0], [np.log(10.0) / np.log(10001.0), 1.0], [-1.0, -0.25]])
    )


def test_default_seats_and_reward_of_ice() -> None:
    assert len(GameEnv("ice").possible_agents) == 2
    alone = GameEnv("ice", seats=1)
    assert alone.reward == "points"
    with pytest.raises(InvalidOption, match="reward 'win' is always 0 for a single seat"):
        GameEnv("ice", seats=1, reward="win")


@pytest.mark.parametrize("name", ["dominoes", "penny-white"])
def test_unknown_agents_are_refused(name: str) -> None:
    game = GameEnv(name, seats=2, **short(name))
    one = game.possible_agents[0]
    with pytest.raises(InvalidInput, match=f"no game is on in which {one} sits; call reset first"):
        game.observe(one)
    with pytest.raises(InvalidInput, match="no game is on; call reset before the next step"):
        game.step(None)
    game.reset(seed=1)
    for ask in (game.observe, game.view, game.legal_moves, game.observation_space, game.action_space):
        with pytest.raises(InvalidInput, match="no agent 'nobody_7' sits here; there are "):
            ask("nobody_7")
    while not any(game.terminations.values()) and not any(game.truncations.values()):
        game.step(sample_action(game, game.agent_selection))
    last = game.agent_selection
    game.observe(last)
    with pytest.raises(InvalidInput, match=f"the game is over; of {last} only None is taken, not action 3"):
        game.step(3)
    while game.agents:
        game.step(None)
    with pytest.raises(InvalidInput, match=f"no game is on in which {last} sits"):
        game.observe(last)


def test_old_ids_name_the_new_ones() -> None:
    import pettingzoo

    with pytest.raises(Exception, match="Available version: v1"):
        pettingzoo.make("aec", "flicksim/dominoes-v0")


def test_a_missing_compiler_warns_once() -> None:
    code = (
        "import warnings, flicksim.envs as env\n"
        "with warnings.catch_warnings(record=True) as said:\n"
        "    warnings.simplefilter('always')\n"
        "    for _ in range(2): env.ShotEnv('Pot')\n"
        "    env.ShotEnv('Draw'); env.GameEnv('dominoes')\n"
        "print(*(one.message for one in said), sep='\\n')"
    )
    for plain in (True, False):
        process = run_code(code, FLICKSIM_PLAIN="1" if plain else None)
        message = "flicksim/Pot runs in plain Python, at about 3 shots a second: the extra 'fast'"
        assert process.stdout.count("\n") == 1
        assert process.stdout.startswith(message) == plain
