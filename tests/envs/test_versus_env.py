"""Gymnasium environments of one seat: checkers pass, opponents play, errors are reported."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from flicksim.core.errors import InvalidInput, InvalidOption, PlayerError
from flicksim.envs import VersusEnv
from flicksim.games import load, names
from tests.envs.test_game_env import CARD_GAMES, TABLE_GAMES, short

every_game = pytest.mark.parametrize("name", names())


def legal_actions(env: VersusEnv) -> Any:
    """Any action that is allowed."""
    mask = env.action_masks().astype(np.int8) if env.game.category == "cards" else None
    return env.action_space.sample(mask)


def play_episode(env: VersusEnv, seed: int) -> tuple[float, list[Any]]:
    """A game to its end by any actions: all that was gained, and what was seen."""
    first, info = env.reset(seed=seed)
    env.action_space.seed(seed)
    total, observation = 0.0, [first]
    while True:
        one, reward, over, cut, info = env.step(legal_actions(env))
        assert env.observation_space.contains(one)
        total += reward
        observation.append(one)
        if over or cut:
            assert ("action_mask" in info) == (env.game.category == "cards")
            return total, observation


@every_game
def test_gymnasium_checker_passes(name: str) -> None:
    """It chooses what is not on offer too, and makes and renders environments of its own."""
    mode = "rgb_array" if name in TABLE_GAMES else "ansi"
    made = gymnasium.make(f"flicksim/{name}-vs-v0", opponent="random", render_mode=mode, **short(name)).unwrapped
    assert isinstance(made, VersusEnv)
    assert made.game is load(name)
    check_env(made)


@every_game
def test_the_same_seed_is_the_same_game(name: str) -> None:
    env = VersusEnv(name, opponent="random", **short(name))
    one, other = play_episode(env, 3), play_episode(env, 3)
    assert one[0] == other[0]
    assert len(one[1]) == len(other[1])
    assert all(map(np.array_equal, one[1], other[1]))


@pytest.mark.parametrize("name", CARD_GAMES)
def test_a_game_is_won_lost_or_shared(name: str) -> None:
    env = VersusEnv(name, opponent="random", options=short(name)["options"])
    ends = set()
    for seed in range(4):
        total, _ = play_episode(env, seed)
        best = env.match.winners
        assert env.match.is_over
        assert total == (0.0 if len(best) == len(env.match.players) else 1.0 if env.seat in best else -1.0)
        ends.add(env.seat)
    assert len(ends) > 1  # the seat is drawn anew for each game


def test_points_are_those_of_ones_own_seat() -> None:
    env = VersusEnv("tinkle", opponent="random", reward="points", options={"max_turns": 5})
    total, _ = play_episode(env, 2)
    assert total == float(env.match.scores[env.seat])


@pytest.mark.parametrize("name", CARD_GAMES)
def test_masks_are_the_legal_moves(name: str) -> None:
    env = VersusEnv(name, opponent="random", seat=0)
    _, info = env.reset(seed=1)
    assert env.match.to_play == 0
    masks = env.action_masks()
    assert masks.dtype == np.bool_
    assert np.array_equal(np.flatnonzero(masks), np.flatnonzero(info["action_mask"]))
    assert sorted(env.legal_moves()) == np.flatnonzero(masks).tolist()
    assert info["action_mask"].dtype == np.int8
    for nonsense in ("a", None, 0.5, -1, 10**6):
        with pytest.raises(InvalidInput, match="is no move; it is a whole number, 0 to"):
            env.step(nonsense)
    wrong = int(np.flatnonzero(~masks)[0])
    _, reward, over, cut, info = env.step(wrong)
    assert (reward, over, cut) == (-1.0, True, False)
    assert f"action {wrong} is not legal now" in info["illegal"]
    with pytest.raises(InvalidInput, match="the game is over, or has not begun; call reset before the next step"):
        env.step(int(np.flatnonzero(masks)[0]))


def test_a_bot_opponent_has_its_own_noise() -> None:
    env = VersusEnv("dominoes", opponent="bot:club", seat=1, options={"rounds": 1})
    assert [str(type(player).__name__) for player in env.match.players] == ["HeuristicPlayer", "NoneType"]
    env.reset(seed=1)
    play_episode(env, 1)
    coins = VersusEnv("penny-white", opponent="bot:club", seat=0, execution_noise="world")
    assert [hand.speed for hand in coins.match.noise] == [0.009, 0.018]


def test_every_seat_may_have_its_own_opponent() -> None:
    env = VersusEnv("tinkle", opponent=["random", "bot:beginner"], seat=1)
    assert [type(player).__name__ for player in env.match.players] == ["RandomPlayer", "NoneType", "HeuristicPlayer"]


def test_games_are_truncated_at_the_limit() -> None:
    env = VersusEnv("penny-white", opponent="random", max_turns=3)
    env.reset(seed=1)
    ends = []
    while not ends or not any(ends[-1]):
        _, reward, over, cut, _ = env.step(legal_actions(env))
        ends.append((over, cut))
    assert ends[-1] == (False, True)
    assert reward == 0.0
    assert len(env.match.turns) == 3


def test_flicks_have_no_mask() -> None:
    env = VersusEnv("penny-white", opponent="random")
    _, info = env.reset(seed=1)
    assert info == {}
    with pytest.raises(InvalidInput, match="Penny White has no action mask; every array"):
        env.action_masks()
    before = env.match.state
    with pytest.raises(InvalidInput, match="must be an array of 21 numbers"):
        env.step(np.zeros(3))
    assert env.match.state is before


@pytest.mark.parametrize(
    ("name", "settings", "message"),
    [
        ("bowls", {}, "no game 'bowls'"),
        ("dominoes", {"opponent": "bot:god"}, "no grade 'god'"),
        ("dominoes", {"opponent": "club"}, "no seat 'club'; a seat is human, human/GRADE, random"),
        ("dominoes", {"opponent": "human"}, "opponent 'human' cannot answer within a step"),
        ("dominoes", {"opponent": ["random", "random"]}, "2 opponents cannot fill 1 seats; name one each"),
        ("dominoes", {"seat": 2}, "seat=2 must be 0 to 1, or None for any"),
        ("dominoes", {"seats": "two"}, "seats='two' must be a whole number"),
        ("dominoes", {"options": "rounds=1"}, "options='rounds=1' must be by name"),
        ("dominoes", {"max_turns": 0}, "max_turns=0 must be a whole number, 1 or more"),
        ("dominoes", {"reward": "fun"}, "no reward 'fun'; there are win, points"),
        ("dominoes", {"render_mode": "rgb_array"}, "no render mode 'rgb_array'"),
        ("ice", {"seats": 1}, "seats=1 leaves nobody to play against"),
        ("penny-white", {"execution_noise": "god"}, "no grade 'god'"),
    ],
)
def test_wrong_settings_are_refused_in_a_sentence(name: str, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidOption, match=message):
        VersusEnv(name, **settings)


# -- players of one's own as opponents ------------------------------------------------------------------------------


class FirstMovePlayer:
    """Does the first thing that is allowed."""

    def choose(self, view: Any, choices: Any, rng: np.random.Generator) -> Any:
        return choices.actions[0]


def last_move_player(view: Any, choices: Any, rng: np.random.Generator) -> Any:
    """Does the last thing that is allowed."""
    del view, rng
    return choices.actions[-1]


@pytest.mark.parametrize("opponent", [FirstMovePlayer(), last_move_player])
def test_opponents_may_be_players_or_functions(opponent: Any) -> None:
    env = VersusEnv("dominoes", opponent=opponent, seat=0, options={"rounds": 1})
    play_episode(env, 1)
    place = 0 if isinstance(opponent, FirstMovePlayer) else -1
    theirs = [turn for turn in env.match.turns if turn.seat == 1]
    assert len(theirs) > 2
    assert all(turn.meant == env.match.rules.legal_actions(turn.before).actions[place] for turn in theirs)


def raising_player(view: Any, choices: Any, rng: np.random.Generator) -> Any:
    """Fails."""
    raise ZeroDivisionError("oh dear")


def test_an_opponent_is_required_and_its_errors_are_reported_in_a_sentence() -> None:
    for odd, message in ((3, "3 is no player"), (FirstMovePlayer, "FirstMovePlayer is a class; pass an instance")):
        with pytest.raises(InvalidOption, match=message):
            VersusEnv("dominoes", opponent=odd)
    env = VersusEnv("dominoes", opponent=raising_player)
    with pytest.raises(PlayerError, match="the player 'raising_player' raised ZeroDivisionError: oh dear"):
        play_episode(env, 2)
