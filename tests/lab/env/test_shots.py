"""Single shots as Gymnasium environments: the checkers pass, seeds tell, the vector form is the same many times."""

from __future__ import annotations

import re
import subprocess
import sys
from math import hypot
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.vector import AutoresetMode

import flicksim.lab.env as environments
from flicksim.base.errors import BadInput, BadOption, MissingExtra, Unsettled
from flicksim.lab.env import shot_env
from flicksim.lab.env.example import act, learn
from flicksim.lab.env.shots import TASKS, Draw, Pot, Squop
from flicksim.physics import settle
from flicksim.table import Flick, Squidge

IDS = tuple(f"flicksim/{name}-v0" for name in TASKS)
every_shot = pytest.mark.parametrize("name", IDS)


@every_shot
def test_gymnasiums_checker_is_content(name: str) -> None:
    """Every warning of the checker is an error here; it makes and renders environments of its own too."""
    check_env(gymnasium.make(name, render_mode="rgb_array").unwrapped)
    check_env(gymnasium.make(name, hand="club").unwrapped)


@every_shot
def test_an_episode_is_one_shot_through_all_the_usual_wrappers(name: str) -> None:
    env = gymnasium.make(name)
    seen, info = env.reset(seed=3)
    again, _ = env.reset(seed=3)
    assert np.array_equal(seen, again)
    assert info == {}
    env.action_space.seed(4)
    after, reward, terminated, truncated, said = env.step(env.action_space.sample())
    assert env.observation_space.contains(after)
    assert (terminated, truncated) == (True, False)
    assert isinstance(reward, float)
    assert said
    env.close()


@every_shot
def test_everything_handed_out_is_fresh(name: str) -> None:
    env = gymnasium.make(name).unwrapped
    first, info = env.reset(seed=1)
    kept = first.copy()
    action = np.zeros(4, dtype=np.float32)
    second, _, _, _, said = env.step(action)
    third, other = env.reset()
    assert np.array_equal(first, kept)
    assert len({id(first), id(second), id(third)}) == 3
    assert len({id(info), id(said), id(other)}) == 3
    assert not np.shares_memory(first, second)
    assert not np.shares_memory(second, third)


@every_shot
@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_the_vector_form_does_what_as_many_single_ones_do(name: str, mode: AutoresetMode) -> None:
    fixed: dict[str, Any] = {"num_envs": 3, "hand": "club"}
    native = gymnasium.make_vec(name, vectorization_mode="vector_entry_point", autoreset_mode=mode, **fixed)
    single = gymnasium.make_vec(name, vectorization_mode="sync", vector_kwargs={"autoreset_mode": mode}, **fixed)
    assert native.metadata["autoreset_mode"] is mode
    assert native.observation_space == single.observation_space
    assert native.action_space == single.action_space
    native.action_space.seed(2)
    assert data_equivalence(native.reset(seed=7), single.reset(seed=7), exact=True)
    for step in range(6):
        if mode is AutoresetMode.DISABLED and step:
            mask = np.ones(3, dtype=np.bool_)
            ours, theirs = (env.reset(options={"reset_mask": mask.copy()}) for env in (native, single))
            assert data_equivalence(ours, theirs, exact=True)
        actions = native.action_space.sample()
        ours, theirs = native.step(actions), single.step(actions)
        assert data_equivalence(ours, theirs, exact=True)
        assert native.observation_space.contains(ours[0])
    native.close()
    single.close()


def test_draws_settled_all_at_once_end_where_single_ones_do() -> None:
    count = 60
    native = gymnasium.make_vec("flicksim/Draw-v0", num_envs=count, guards=4, hand="beginner")
    seen, _ = native.reset(seed=20)
    actions = np.random.default_rng(2).uniform(-1.0, 1.0, (count, 4)).astype(np.float32)
    _, rewards, rested, _, infos = native.step(actions)
    for n in range(count):
        single = environments.ShotEnv("Draw", guards=4, hand="beginner")
        first, _ = single.reset(seed=20 + n)
        assert np.array_equal(first, seen[n])
        last, reward, terminated, _, said = single.step(actions[n])
        assert terminated == rested[n]
        assert reward == pytest.approx(rewards[n], abs=1e-6)
        assert said["gap"] == pytest.approx(infos["final_info"]["gap"][n], abs=2e-9)
        assert last == pytest.approx(infos["final_obs"][n], abs=1e-7)


@pytest.mark.parametrize(("name", "settings"), [("Pot", {"large": 0.4, "shaping": 0.5}), ("Squop", {"far": 0.06})])
def test_winks_settled_all_at_once_end_where_single_ones_do(name: str, settings: dict[str, Any]) -> None:
    count = 40
    mode = AutoresetMode.DISABLED
    native = gymnasium.make_vec(f"flicksim/{name}-v0", num_envs=count, hand="club", autoreset_mode=mode, **settings)
    seen, _ = native.reset(seed=20)
    singles = [environments.ShotEnv(name, hand="club", **settings) for _ in range(count)]
    assert np.array_equal(seen, np.stack([one.reset(seed=20 + n)[0] for n, one in enumerate(singles)]))
    rng = np.random.default_rng(2)
    for _ in range(2):  # the second from wherever the first has come to rest
        actions = rng.uniform(-0.9, -0.2, (count, 4)).astype(np.float32)
        after, rewards, rested, _, infos = native.step(actions)
        for n, single in enumerate(singles):
            last, reward, terminated, _, said = single.step(actions[n])
            assert np.array_equal(last, after[n])
            assert (reward, terminated) == (rewards[n], rested[n])
            assert {key: infos[key][n] for key in said} == said


def test_a_draw_without_a_white_is_not_made() -> None:
    env = gymnasium.make_vec("flicksim/Draw-v0", num_envs=2, autoreset_mode=AutoresetMode.DISABLED).unwrapped
    assert isinstance(env, environments.ShotVectorEnv)
    env.reset(seed=1)
    env._tables.there[0, 0] = False  # type: ignore[attr-defined]
    _, _, terminated, truncated, infos = env.step(np.zeros((2, 4), dtype=np.float32))
    assert terminated.tolist() == [False, True]
    assert truncated.tolist() == [True, False]
    assert "reset first" in infos["unsettled"][0]


def test_a_part_of_a_vector_is_reset_alone() -> None:
    env = gymnasium.make_vec("flicksim/Pot-v0", num_envs=3, autoreset_mode=AutoresetMode.DISABLED)
    seen, _ = env.reset(seed=1)
    after, *_ = env.step(env.action_space.sample())
    mask = np.array([True, False, False])
    part, _ = env.reset(options={"reset_mask": mask})
    assert np.array_equal(part[1:], after[1:])
    assert not np.array_equal(part[0], after[0])
    assert not np.array_equal(part[0], seen[0])


def test_a_vector_takes_a_row_for_each_and_begins_whole() -> None:
    env = gymnasium.make_vec("flicksim/Draw-v0", num_envs=3)
    seen, _ = env.reset(seed=1, options={"reset_mask": np.array([True, False, True])})
    assert (seen[:, 0] > 0.0).all()
    for wrong in (np.zeros((2, 4)), np.zeros((5, 4)), np.zeros(4), None):
        with pytest.raises(BadInput, match=r"must be of \(3, 4\), a row each"):
            env.step(wrong)


def test_vector_arrays_are_fresh_each_step() -> None:
    env = gymnasium.make_vec("flicksim/Draw-v0", num_envs=2)
    seen, _ = env.reset(seed=1)
    steps = [env.step(np.zeros((2, 4), dtype=np.float32)) for _ in range(2)]
    assert not any(np.shares_memory(a, b) for a, b in zip(steps[0][:4], steps[1][:4], strict=True))
    assert not np.shares_memory(seen, steps[0][0])
    assert steps[0][4] is not steps[1][4]


@every_shot
def test_what_is_rendered_shows_the_table(name: str) -> None:
    env = gymnasium.make(name, render_mode="rgb_array")
    env.reset(seed=1)
    before = env.render()
    env.step(np.zeros(4, dtype=np.float32))
    after = env.render()
    for picture in (before, after):
        assert isinstance(picture, np.ndarray)
        assert picture.dtype == np.uint8
        assert picture.ndim == 3
        assert picture.shape[2] == 3
    assert not np.array_equal(before, after)
    frames = gymnasium.make_vec(name, num_envs=2, render_mode="rgb_array")
    frames.reset(seed=1)
    shown = frames.render()
    assert shown is not None
    assert np.array_equal(shown[0], before)


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"far": 9.0}, "far=9"),
        ({"near": 0.5, "far": 0.2}, "the nearer first"),
        ({"large": 2.0}, "large=2"),
        ({"depth": 3}, "no setting 'depth'; it has near, far"),
        ({"hand": "god"}, "no grade 'god'"),
        ({"render_mode": "human"}, "no render mode 'human'"),
    ],
)
def test_wrong_settings_are_refused_in_a_sentence(settings: dict[str, Any], says: str) -> None:
    with pytest.raises(BadOption, match=says):
        environments.ShotEnv("Pot", **settings)
    with pytest.raises(BadOption, match=says):
        environments.ShotVectorEnv("Pot", **settings)


def test_other_nonsense_is_refused_too() -> None:
    with pytest.raises(BadOption, match="no shot 'Lob'; there are Pot"):
        environments.ShotEnv("Lob")
    with pytest.raises(BadOption, match="guards=9"):
        Draw(guards=9)
    with pytest.raises(BadOption, match=r"near=0\.3"):
        Squop(near=0.3)
    with pytest.raises(BadOption, match="2 seeds cannot seed 3"):
        environments.ShotVectorEnv("Pot", num_envs=3).reset(seed=[1, 2])


@pytest.mark.parametrize(
    ("action", "says"),
    [
        (np.zeros(3), "action [0. 0. 0.] must be an array of 4 numbers: aside, speed, elevation, tumble"),
        (np.array([0.0, np.nan, 0.0, 0.0]), "must be numbers in -1 to 1; 'speed' is none"),
        (None, "action None must be"),
        ("hard", "action hard must be an array of 4 numbers"),
    ],
)
def test_what_is_no_action_is_refused_and_changes_nothing(action: Any, says: str) -> None:
    env = environments.ShotEnv("Pot")
    env.reset(seed=1)
    before = env._shooter.scene
    with pytest.raises(BadInput, match=re.escape(says)):
        env.step(action)
    assert env._shooter.scene is before


def test_what_lies_beyond_bounds_is_held_there() -> None:
    ends = []
    for far in (1.0, 50.0, np.inf):
        env = environments.ShotEnv("Draw")
        env.reset(seed=1)
        ends.append(env.step(np.array([0.0, 0.0, far, -far]))[1])
    assert ends[0] == ends[1] == ends[2]


def test_the_shots_are_known_to_worker_processes_too() -> None:
    envs = gymnasium.make_vec("flicksim/Draw-v0", num_envs=2, vectorization_mode="async")
    seen, _ = envs.reset(seed=1)
    _, rewards, *_ = envs.step(np.zeros((2, 4), dtype=np.float32))
    envs.close()
    native = gymnasium.make_vec("flicksim/Draw-v0", num_envs=2)
    assert np.array_equal(native.reset(seed=1)[0], seen)
    assert np.array_equal(native.step(np.zeros((2, 4), dtype=np.float32))[1], rewards)


@pytest.mark.parametrize("missing", ["gymnasium", "pettingzoo"])
def test_without_the_extra_one_is_told_how_to_get_it(missing: str) -> None:
    code = (
        f"import sys; sys.modules[{missing!r}] = None\n"
        "from flicksim.base.errors import MissingExtra\n"
        "try:\n    import flicksim.lab.env\nexcept MissingExtra as wrong:\n    print(wrong)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert str(MissingExtra("environments for learning agents", "env")) in done.stdout


def test_what_will_not_rest_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    def whirl(*_: Any) -> None:
        raise Unsettled("after 6 s 'blue-3' still moved")

    monkeypatch.setattr(shot_env, "settle", whirl)
    env = environments.ShotEnv("Pot")
    env.reset(seed=1)
    _, reward, terminated, truncated, said = env.step(np.zeros(4, dtype=np.float32))
    assert (reward, terminated, truncated) == (0.0, False, True)
    assert "still moved" in said["unsettled"]


# -- the tasks ------------------------------------------------------------------------------------------------------


def test_spots_for_the_pot_are_drawn_from_near_to_far_in_the_field() -> None:
    task, rng = Pot(near=0.1, far=0.5, large=0.5), np.random.default_rng(1)
    scenes = [task.lay(rng) for _ in range(300)]
    far = [hypot(*scene.pieces[0].at) for scene in scenes]
    assert 0.1 <= min(far) < 0.12
    assert 0.48 < max(far) <= 0.5
    assert all(not scene.problems() for scene in scenes)
    assert 100 < sum(scene.pieces[0].kind == "large" for scene in scenes) < 200
    assert all(task.look(scene)[2] == pytest.approx(d) for scene, d in zip(scenes, far, strict=True))


def test_a_pot_is_worth_one_and_shaping_counts_the_way_that_is_missing() -> None:
    task = Pot(shaping=0.5)
    rng = np.random.default_rng(2)
    found: set[bool] = set()
    for _ in range(400):
        scene, shot = task.shot(task.lay(rng), rng.uniform(-1, 1, 4).astype(np.float32))
        assert isinstance(shot, Squidge)
        motion = settle(scene, shot)
        reward, said = task.worth(motion)
        potted = any(p.support == "pot" for p in motion.after.pieces)
        assert said["potted"] == potted
        assert reward == (1.0 if potted else pytest.approx(-0.5 * said["distance"]))
        found.add(potted)
        if found == {True, False}:
            break
    assert found == {True, False}


def test_a_squop_is_worth_one() -> None:
    task, rng = Squop(near=0.03, far=0.06), np.random.default_rng(3)
    found: set[bool] = set()
    for _ in range(600):
        scene = task.lay(rng)
        assert not scene.problems()
        motion = settle(*task.shot(scene, rng.uniform(-1, 1, 4).astype(np.float32)))
        reward, said = task.worth(motion)
        over = motion.after.has("blue-3") and "green-3" in motion.after.piece("blue-3").lies_on
        assert said["squopped"] == over
        assert reward == float(over)
        found.add(over)
        if found == {True, False}:
            break
    assert found == {True, False}


def test_a_draw_is_worth_more_the_nearer_it_comes() -> None:
    task, rng = Draw(guards=0), np.random.default_rng(4)
    scene = task.lay(rng)
    rewards = []
    for push in np.linspace(-1.0, 1.0, 41):
        with_penny, flick = task.shot(scene, np.array([0.0, 0.0, push, 0.0], dtype=np.float32))
        assert isinstance(flick, Flick)
        rewards.append(task.worth(settle(with_penny, flick)))
    order = sorted(rewards, key=lambda pair: pair[1]["gap"])
    assert [pair[0] for pair in order] == sorted((pair[0] for pair in order), reverse=True)
    assert order[0][0] > 0.5
    assert order[-1][0] < 0.05


def test_guards_lie_apart_and_are_seen_where_they_lie() -> None:
    task, rng = Draw(guards=4), np.random.default_rng(5)
    counts = set()
    for _ in range(60):
        scene = task.lay(rng)
        assert not scene.problems()
        seen = task.look(scene)
        assert len(seen) == 9
        guards = [piece for piece in scene.pieces if piece.owner == 1]
        counts.add(len(guards))
        for k, piece in enumerate(guards):
            assert tuple(seen[1 + 2 * k : 3 + 2 * k]) == piece.at
    assert counts == {0, 1, 2, 3, 4}


@every_shot
def test_every_number_of_an_action_tells(name: str) -> None:
    env = gymnasium.make(name).unwrapped
    assert isinstance(env, environments.ShotEnv)
    middle = np.zeros(4, dtype=np.float32)
    outcomes = set()
    for k in range(5):
        env.reset(seed=6)
        action = middle.copy()
        if k < 4:
            action[k] = 0.3
        env.step(action)
        scene = env._shooter.scene
        assert scene is not None
        outcomes.add(tuple(p.at for p in scene.pieces))
    assert len(outcomes) == 5


# -- learning -------------------------------------------------------------------------------------------------------


def test_what_is_learned_is_the_same_by_seed_and_every_shot_is_counted() -> None:
    small = {"rounds": 2, "draws": 4, "shots": 5, "fresh_shots": 8}
    curve, again, other = (list(learn(seed=seed, **small)) for seed in (3, 3, 4))
    assert [made for made, _, _ in curve] == [0, 20, 40]
    assert all(0.0 <= share <= 1.0 for _, share, _ in curve)
    assert curve == again
    assert curve != other


def test_the_search_finds_the_weights_that_pot_most(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shots made so cheap that they can be many: the share potted falls off around weights of our choosing."""
    best = np.array([[0.0, 0.0, 0.0], [0.3, 0.5, -0.1], [-0.6, 0.2, 0.0], [0.4, -0.4, 0.3]])
    monkeypatch.setattr(
        "flicksim.lab.env.example.potted", lambda _shots, weights, _seed: float(np.exp(-np.sum((weights - best) ** 2)))
    )
    curve = [share for _, share, _ in learn(rounds=30, draws=40, shots=1, seed=1, fresh_shots=1)]
    assert curve[0] < 0.4
    assert curve[10] > 0.7
    assert curve[-1] > 0.97


def test_a_policy_acts_within_bounds() -> None:
    seen = np.array([[0.1, 0.0, 0.1, 0.0], [0.5, 0.0, 0.5, 0.0]], dtype=np.float32)
    actions = act(np.full((4, 3), 5.0), seen)
    assert actions.shape == (2, 4)
    assert actions.dtype == np.float32
    assert np.abs(actions).max() <= 1.0
