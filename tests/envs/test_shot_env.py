"""Gymnasium environments of single shots: checkers pass, seeds reproduce, vector and single forms agree."""

import re
from copy import deepcopy
from math import hypot
from typing import Any

import gymnasium
import msgspec
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import NormalizeObservation

import flicksim.envs as environments
from flicksim.ai import GRADES
from flicksim.core.errors import InvalidInput, InvalidOption, MissingExtra
from flicksim.core.geometry import distance
from flicksim.engine import Settings, simulate
from flicksim.envs import shot_backends
from flicksim.envs.example import cross_entropy_method, policy_actions
from flicksim.envs.shot_tasks import TASKS, DrawTask, SquopTask
from flicksim.games.tiddlywinks.equipment import Options, edges
from flicksim.scene import Scene
from tests.python_process import run_code

IDS = tuple(f"flicksim/{name}-v1" for name in TASKS)
every_shot = pytest.mark.parametrize("name", IDS)


@every_shot
def test_gymnasium_checker_passes(name: str) -> None:
    """Every warning of the checker is an error here; it makes and renders environments of its own too."""
    check_env(gymnasium.make(name, render_mode="rgb_array").unwrapped)
    check_env(gymnasium.make(name, execution_noise="club").unwrapped)


@every_shot
def test_an_episode_is_one_shot_through_all_the_usual_wrappers(name: str) -> None:
    env = gymnasium.make(name)
    observation, info = env.reset(seed=3)
    again, _ = env.reset(seed=3)
    assert np.array_equal(observation, again)
    assert info == {}
    env.action_space.seed(4)
    after, reward, terminated, truncated, info = env.step(env.action_space.sample())
    assert np.array_equal(after, observation)
    assert (terminated, truncated) == (True, False)
    assert isinstance(reward, float)
    assert info
    env.close()


@every_shot
def test_returned_arrays_are_new_objects(name: str) -> None:
    env = gymnasium.make(name).unwrapped
    first, info = env.reset(seed=1)
    stored = first.copy()
    action = np.zeros(4, dtype=np.float32)
    second, _, _, _, step_info = env.step(action)
    third, other = env.reset()
    assert np.array_equal(first, stored)
    assert len({id(first), id(second), id(third)}) == 3
    assert len({id(info), id(step_info), id(other)}) == 3
    assert not np.shares_memory(first, second)
    assert not np.shares_memory(second, third)


@every_shot
@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_vector_and_single_environments_agree(name: str, mode: AutoresetMode) -> None:
    fixed: dict[str, Any] = {"num_envs": 3, "execution_noise": "club"}
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


@pytest.mark.parametrize(
    ("name", "settings"), [("Draw", {"guards": 4}), ("Pot", {"large_share": 0.4}), ("Squop", {"max_distance": 0.06})]
)
def test_batched_shots_equal_the_simulation(name: str, settings: dict[str, Any]) -> None:
    """Each judged as the whole motion would be judged that `simulate` gives."""
    count = 60
    env = gymnasium.make_vec(f"flicksim/{name}-v1", num_envs=count, execution_noise="beginner", **settings).unwrapped
    env.reset(seed=20)
    low = [-0.3, -0.8, 0.0, -1.0] if name != "Draw" else [-1.0] * 4
    actions = np.random.default_rng(2).uniform(low, [0.3, 0.2, 1.0, 1.0] if name != "Draw" else 1.0, (count, 4))
    _, rewards, ended, _, infos = env.step(actions.astype(np.float32))
    assert ended.all()
    found = []
    for n in range(count):
        motion = simulate(env.backend.initial_scene(n), env.backend.executed_action(n))
        after, own = motion.after, motion.flick.piece
        if name == "Pot":
            found.append(after.has(own) and after.piece(own).support in ("pot", "rim"))
            assert (rewards[n], infos["potted"][n]) == (found[-1], found[-1])
            continue
        other = "white" if name == "Draw" else "green-3"
        both = after.has(own) and after.has(other)
        far = distance(after.piece(own).position, after.piece(other).position) if both else np.inf
        if name == "Draw":
            far -= 0.0203
            assert rewards[n] == pytest.approx(np.exp(-far / 0.03))
            found.append(both)
        else:
            far = min(far, 1.0)
            found.append(after.has(own) and other in after.piece(own).lies_on)
            assert (rewards[n], infos["squopped"][n]) == (found[-1], found[-1])
        assert infos["distance"][n] == pytest.approx(far, abs=2e-9)
    assert 0 < sum(found) < count


@pytest.mark.parametrize(("name", "grade"), [("Pot", "club"), ("Squop", "club"), ("Draw", "beginner")])
def test_execution_noise_is_that_of_the_grade(name: str, grade: str) -> None:
    """As `Hand.execute` does with the same dice, after those that laid the shot out."""
    meant, made = (environments.ShotEnv(name, execution_noise=hand) for hand in (None, grade))
    action = np.array([0.1, -0.2, 0.3, -0.4], dtype=np.float32)
    for env in (meant, made):
        env.reset(seed=5)
    dice = deepcopy(made.np_random)
    for env in (meant, made):
        env.step(action)
    ours, expected = made.backend.executed_action(0), GRADES[grade].execute(meant.backend.executed_action(0), dice)
    assert msgspec.structs.asdict(ours) == pytest.approx(msgspec.structs.asdict(expected))


@every_shot
def test_vector_wrappers_and_autoreset_modes(name: str) -> None:
    env = NormalizeObservation(gymnasium.make_vec(name, num_envs=3))
    env.reset(seed=1)
    ends = [env.step(np.zeros((3, 4), dtype=np.float32))[2].all() for _ in range(4)]
    assert ends == [True, False, True, False]
    env = gymnasium.make_vec(name, num_envs=3, autoreset_mode="SameStep")
    env.reset(seed=1)
    assert all(env.step(np.zeros((3, 4), dtype=np.float32))[2].all() for _ in range(3))
    with pytest.raises(InvalidOption, match="no autoreset mode 'now'; there are NextStep, SameStep, Disabled"):
        gymnasium.make_vec(name, num_envs=3, autoreset_mode="now")


def test_results_are_independent_of_threads() -> None:
    one, two = (gymnasium.make_vec("flicksim/Pot-v1", num_envs=150, threads=threads) for threads in (1, 2))
    one.reset(seed=1)
    two.reset(seed=1)
    one.action_space.seed(1)
    actions = one.action_space.sample()
    assert data_equivalence(one.step(actions), two.step(actions), exact=True)


def test_a_part_of_a_vector_is_reset_alone() -> None:
    env = gymnasium.make_vec("flicksim/Pot-v1", num_envs=3, autoreset_mode=AutoresetMode.DISABLED)
    observation, _ = env.reset(seed=1)
    env.action_space.seed(1)
    env.step(env.action_space.sample())
    part, _ = env.reset(options={"reset_mask": np.array([True, False, False])})
    assert np.array_equal(part[1:], observation[1:])
    assert not np.array_equal(part[0], observation[0])
    with pytest.raises(
        InvalidInput, match="the shot of environment 1 is made and its episode over; reset it by options="
    ):
        env.step(env.action_space.sample())
    with pytest.raises(InvalidOption, match="reset_mask must be 3 of True or False"):
        env.reset(options={"reset_mask": [1, 2]})


def test_a_vector_checks_shapes_and_needs_a_full_reset() -> None:
    env = gymnasium.make_vec("flicksim/Draw-v1", num_envs=3)
    observation, _ = env.reset(seed=1, options={"reset_mask": np.array([True, False, True])})
    assert len(np.unique(observation[:, 0])) == 3
    for wrong in (np.zeros((2, 4)), np.zeros((5, 4)), np.zeros(4), None, "hard", [[0.0] * 4, [1.0]]):
        with pytest.raises(InvalidInput, match=r"must be (of|numbers of shape) \(3, 4\), a row each"):
            env.step(wrong)
    with pytest.raises(InvalidInput, match="'speed' is NaN"):
        env.step(np.array([[0.0, 0.0, 0.0, 0.0], [0.0, 0.0, np.nan, 0.0], [0.0, 0.0, 0.0, 0.0]]))


def test_vector_arrays_are_new_objects() -> None:
    env = gymnasium.make_vec("flicksim/Draw-v1", num_envs=2)
    observation, _ = env.reset(seed=1)
    steps = [env.step(np.zeros((2, 4), dtype=np.float32)) for _ in range(2)]
    assert not any(np.shares_memory(a, b) for a, b in zip(steps[0][:4], steps[1][:4], strict=True))
    assert not np.shares_memory(observation, steps[0][0])
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
    assert np.array_equal(shown[0], before)
    frames.step(np.zeros((2, 4), dtype=np.float32))
    shown = frames.render()
    assert np.array_equal(shown[0], after)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"max_distance": 9.0}, "max_distance=9"),
        ({"min_distance": 0.5, "max_distance": 0.2}, "the nearer first"),
        ({"large_share": 2.0}, "large_share=2"),
        ({"depth": 3}, "no setting 'depth'; it has min_distance, max_distance"),
        ({"execution_noise": "god"}, "no grade 'god'"),
        ({"execution_noise": 3}, "execution_noise 3 is invalid; it is an ExecutionNoise, or a grade of"),
        ({"distance_penalty": "much"}, "distance_penalty='much' must be a number"),
        ({"distance_penalty": -1.0}, "distance_penalty=-1.0 must be 0 to 1000"),
        ({"render_mode": "human"}, "no render mode 'human'"),
        ({"raw": "yes"}, "raw='yes' must be True or False"),
    ],
)
def test_wrong_settings_are_refused_in_a_sentence(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidOption, match=message):
        environments.ShotEnv("Pot", **settings)
    with pytest.raises(InvalidOption, match=message):
        environments.ShotVectorEnv("Pot", **settings)


def test_other_invalid_settings_are_refused() -> None:
    with pytest.raises(InvalidOption, match="no shot 'Lob'; there are Pot"):
        environments.ShotEnv("Lob")
    for guards in (9, 2.5):
        with pytest.raises(InvalidOption, match=f"guards={guards} must be a whole number, 0 to 8"):
            DrawTask(guards=guards)  # type: ignore[arg-type]
    with pytest.raises(InvalidOption, match=r"min_distance=0\.3"):
        SquopTask(min_distance=0.3)
    with pytest.raises(InvalidOption, match="2 seeds cannot seed 3"):
        environments.ShotVectorEnv("Pot", num_envs=3).reset(seed=[1, 2])
    for env in (environments.ShotEnv("Draw"), environments.ShotVectorEnv("Draw", num_envs=2)):
        for seed in (-1, "x", True, 2.0):
            with pytest.raises(InvalidInput, match=f"seed cannot be {seed!r}; it is a whole number, 0 or more"):
                env.reset(seed=seed)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (np.zeros(3), "action [0. 0. 0.] must be an array of 4 numbers: aside, speed, elevation, tumble"),
        (np.array([0.0, np.nan, 0.0, 0.0]), "must be numbers in -1 to 1; 'speed' is NaN"),
        (None, "action None must be"),
        ("hard", "action hard must be an array of 4 numbers"),
    ],
)
def test_invalid_actions_are_refused_without_effect(action: Any, message: str) -> None:
    env = environments.ShotEnv("Pot")
    env.reset(seed=1)
    before = env.backend.initial_scene(0)
    with pytest.raises(InvalidInput, match=re.escape(message)):
        env.step(action)
    assert env.backend.initial_scene(0) == before
    env.step(np.zeros(4, dtype=np.float32))  # and the shot can still be made


def test_calls_out_of_order_are_refused_in_a_sentence() -> None:
    env = environments.ShotEnv("Pot", render_mode="rgb_array")
    for ask in (lambda: env.step(np.zeros(4, dtype=np.float32)), env.render):
        with pytest.raises(InvalidInput, match="no shot lies there yet; call reset before"):
            ask()
    env.reset(seed=1)
    env.step(np.zeros(4, dtype=np.float32))
    with pytest.raises(InvalidInput, match="the shot is made and the episode over; call reset before the next step"):
        env.step(np.zeros(4, dtype=np.float32))
    vector = environments.ShotVectorEnv("Draw", num_envs=2, render_mode="rgb_array")
    with pytest.raises(InvalidInput, match="no shot lies there yet"):
        vector.step(np.zeros((2, 4), dtype=np.float32))
    with pytest.raises(InvalidInput, match="no shot lies there yet"):
        vector.render()
    with pytest.raises(InvalidOption, match="num_envs=0 and threads=1 must be whole numbers, 1 or more"):
        environments.ShotVectorEnv("Draw", num_envs=0)
    with pytest.raises(InvalidInput, match="device 'gpu' cannot be; it may be 'cpu' or 'cuda'"):
        environments.ShotVectorEnv("Draw", device="gpu")  # type: ignore[arg-type]


def test_unknown_options_of_a_reset_are_refused() -> None:
    single: list[Any] = [environments.ShotEnv("Pot"), environments.VersusEnv("dominoes", opponent="random")]
    single += [environments.GameEnv("dominoes"), environments.parallel_env("dominoes")]
    for env in (*single, environments.ShotVectorEnv("Pot")):
        there = "it has reset_mask" if isinstance(env, environments.ShotVectorEnv) else "an environment is set up"
        with pytest.raises(InvalidOption, match=f"reset has no option 'rounds'; {there}"):
            env.reset(options={"rounds": 1})
        with pytest.raises(InvalidOption, match="options=3 of reset must be by name"):
            env.reset(options=3)
        env.reset(options={})


def test_actions_beyond_bounds_are_clipped() -> None:
    ends = []
    for scale in (1.0, 50.0, np.inf):
        env = environments.ShotEnv("Draw")
        env.reset(seed=1)
        ends.append(env.step(np.array([0.0, 0.0, scale, -scale]))[1])
    assert ends[0] == ends[1] == ends[2]


def test_environments_are_registered_in_worker_processes() -> None:
    envs = gymnasium.make_vec("flicksim/Draw-v1", num_envs=2, vectorization_mode="async")
    observation, _ = envs.reset(seed=1)
    _, rewards, *_ = envs.step(np.zeros((2, 4), dtype=np.float32))
    envs.close()
    native = gymnasium.make_vec("flicksim/Draw-v1", num_envs=2)
    assert np.array_equal(native.reset(seed=1)[0], observation)
    assert np.array_equal(native.step(np.zeros((2, 4), dtype=np.float32))[1], rewards)


@pytest.mark.parametrize("missing", ["gymnasium", "pettingzoo"])
def test_a_missing_extra_is_named(missing: str) -> None:
    code = (
        f"import sys; sys.modules[{missing!r}] = None\n"
        "from flicksim.core.errors import MissingExtra\n"
        "try:\n    import flicksim.envs\nexcept MissingExtra as wrong:\n    print(wrong)"
    )
    assert str(MissingExtra("an environment for learning agents", "env")) in run_code(code).stdout


def test_unsettled_shots_are_truncated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shot_backends, "Settings", lambda: Settings(max_flight_time=0.06))
    env = environments.ShotVectorEnv("Squop", num_envs=40, max_distance=0.04)
    env.reset(seed=1)
    _, rewards, ended, cut, info = env.step(np.tile(np.float32([0.0, -0.7, 0.6, 0.0]), (40, 1)))
    assert 0 < cut.sum() < 40
    assert np.array_equal(cut, ~ended)
    assert not rewards[cut].any()
    assert all("still moved" in why for why in info["did_not_settle"][cut])
    assert not info["_distance"][cut].any()


@pytest.mark.filterwarnings("ignore:.*flicksim/Pot-v0 is out of date")
def test_old_ids_name_the_new_ones() -> None:
    with pytest.raises(gymnasium.error.DeprecatedEnv, match="flicksim/Pot-v1"):
        gymnasium.make("flicksim/Pot-v0")


# -- what is seen ---------------------------------------------------------------------------------------------------


@every_shot
def test_observations_fill_their_range(name: str) -> None:
    env = gymnasium.make_vec(name, num_envs=400, **({"large_share": 0.5} if "Pot" in name else {}))
    observation, _ = env.reset(seed=1)
    low, high = env.single_observation_space.low, env.single_observation_space.high
    assert (low >= -1.0).all()
    assert (high <= 1.0).all()
    assert env.observation_space.contains(observation)
    assert (np.ptp(observation, axis=0) > 0.8 * (high - low)).all()


@every_shot
def test_raw_numbers_are_metres_within_true_bounds(name: str) -> None:
    raw, scaled = (gymnasium.make_vec(name, num_envs=400, raw=raw) for raw in (True, False))
    observation, _ = raw.reset(seed=1)
    assert raw.observation_space.contains(observation)
    scaler = scaled.unwrapped.scaler  # type: ignore[attr-defined]
    assert scaler.transform(observation.astype(np.float64)) == pytest.approx(scaled.reset(seed=1)[0], abs=1e-6)
    spread = np.ptp(observation, axis=0)
    bounds = raw.single_observation_space
    varies = bounds.high > bounds.low
    if name == "flicksim/Pot-v1":
        assert spread[3] == 0.0  # no large winks unless they are asked for
        varies[3] = False
    assert (spread > 0.8 * (bounds.high - bounds.low))[varies].all()


# -- the tasks ------------------------------------------------------------------------------------------------------


def reset_backend(name: str, count: int, seed: int, **settings: Any) -> list[Scene]:
    """Tables as they are laid out."""
    env = environments.ShotVectorEnv(name, num_envs=count, **settings)
    env.reset(seed=seed)
    return [env.backend.initial_scene(n) for n in range(count)]


def test_pot_positions_are_within_distance_and_field() -> None:
    scenes = reset_backend("Pot", 300, 1, min_distance=0.1, max_distance=0.8, large_share=0.5)
    distance = [hypot(*scene.pieces[0].position) for scene in scenes]
    assert 0.1 <= min(distance) < 0.12
    assert 0.78 < max(distance) <= 0.8
    assert all(not scene.problems() for scene in scenes)
    assert 100 < sum(scene.pieces[0].kind == "large" for scene in scenes) < 200
    options = Options()
    assert all(edge.inward(s.pieces[0].position) > s.pieces[0].radius for s in scenes for edge in edges(options))


def test_reward_of_the_pot_task() -> None:
    env = environments.ShotVectorEnv("Pot", num_envs=150, distance_penalty=0.5, max_distance=0.2)
    env.reset(seed=2)
    env.action_space.seed(3)
    _, rewards, _, _, info = env.step(env.action_space.sample() * np.float32(0.4))
    potted, distance = info["potted"], info["distance"]
    assert 0 < potted.sum() < 150
    assert rewards == pytest.approx(np.where(potted, 1.0, -0.5 * distance))
    for n in np.flatnonzero(~potted)[:30].tolist():
        motion = simulate(env.backend.initial_scene(n), env.backend.executed_action(n))
        name = motion.flick.piece
        assert distance[n] == pytest.approx(
            hypot(*motion.after.piece(name).position) if motion.after.has(name) else 1.0, abs=2e-9
        )


def test_two_winks_lie_clear_of_the_pot_in_the_field() -> None:
    for scene in reset_backend("Squop", 200, 1):
        assert not scene.problems()
        own, other = scene.pieces
        assert 0.03 <= distance(own.position, other.position) <= 0.25
        assert min(hypot(*own.position), hypot(*other.position)) > 0.05


def test_reward_of_the_draw_task() -> None:
    env = environments.ShotVectorEnv("Draw", num_envs=41, guards=0)
    env.reset(seed=[4] * 41)
    actions = np.zeros((41, 4), dtype=np.float32)
    actions[:, 2] = np.linspace(-1.0, 1.0, 41)
    _, rewards, _, _, info = env.step(actions)
    order = np.argsort(info["distance"])
    assert (np.diff(rewards[order]) <= 0.0).all()
    assert rewards[order[0]] > 0.5
    assert rewards[order[-1]] < 0.05


def test_guards_do_not_overlap_and_are_observed() -> None:
    env = environments.ShotVectorEnv("Draw", num_envs=60, guards=4, raw=True)
    observation, _ = env.reset(seed=5)
    counts = set()
    for n in range(60):
        scene = env.backend.initial_scene(n)
        assert not scene.problems()
        up = scene.piece("white").y
        guards = {piece.id: piece for piece in scene.pieces if piece.owner == 1}
        counts.add(len(guards))
        for k in range(4):
            there, across, beyond = observation[n, 1 + 3 * k : 4 + 3 * k]
            piece = guards.get(f"red-{k + 1}")
            assert there == float(piece is not None)
            expected = (0.0, 0.0) if piece is None else (piece.x - 0.15, piece.y - up)
            assert (across, beyond) == pytest.approx(expected, abs=1e-6)
    assert counts == {0, 1, 2, 3, 4}


@every_shot
def test_every_action_dimension_matters(name: str) -> None:
    env = gymnasium.make(name).unwrapped
    middle = np.zeros(4, dtype=np.float32)
    outcomes = set()
    for k in range(5):
        env.reset(seed=6)
        action = middle.copy()
        if k < 4:
            action[k] = 0.3
        env.step(action)
        after = simulate(env.backend.initial_scene(0), env.backend.executed_action(0)).after
        outcomes.add(tuple(p.position for p in after.pieces))
    assert len(outcomes) == 5


def test_action_dimensions_match_their_descriptions() -> None:
    for name in TASKS:
        env = environments.ShotEnv(name)
        env.reset(seed=6)
        for end in (-1.0, 1.0):
            action = np.zeros(4, dtype=np.float32)
            for k, one in enumerate(env.task.action_dimensions):
                action[k] = end
                if one.name not in ("speed", "elevation", "tumble", "offset"):
                    continue
                env.reset(seed=6)
                env.step(action)
                assert getattr(env.backend.executed_action(0), one.name) == pytest.approx(
                    one.high if end > 0 else one.low
                )


# -- learning -------------------------------------------------------------------------------------------------------


def test_training_is_reproducible_and_counts_shots() -> None:
    small = {"rounds": 2, "population": 4, "shots": 5, "eval_shots": 8}
    curve, again, other = (list(cross_entropy_method(seed=seed, **small)) for seed in (3, 3, 4))
    assert [made for made, _, _ in curve] == [0, 20, 40]
    assert all(0.0 <= share <= 1.0 for _, share, _ in curve)
    assert curve == again
    assert curve != other


def test_the_cross_entropy_method_finds_the_best_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shots made so cheap that they can be many: the share potted falls off around weights of our choosing."""
    best = np.array([[0.0, 0.0, 0.0], [0.3, 0.5, -0.1], [-0.6, 0.2, 0.0], [0.4, -0.4, 0.3]])
    monkeypatch.setattr(
        "flicksim.envs.example.pot_rate", lambda _shots, weights, _seed: float(np.exp(-np.sum((weights - best) ** 2)))
    )
    curve = [share for _, share, _ in cross_entropy_method(rounds=30, population=40, shots=1, seed=1, eval_shots=1)]
    assert curve[0] < 0.4
    assert curve[10] > 0.7
    assert curve[-1] > 0.97


def test_a_policy_acts_within_bounds() -> None:
    observation = np.array([[0.1, 0.0, -0.9, 0.0], [0.5, 0.0, 0.5, 0.0]], dtype=np.float32)
    actions = policy_actions(np.full((4, 3), 5.0), observation)
    assert actions.shape == (2, 4)
    assert actions.dtype == np.float32
    assert np.abs(actions).max() <= 1.0


def test_old_keywords_are_accepted_with_a_warning() -> None:
    with pytest.warns(DeprecationWarning, match=r"ShotEnv\(hand=\.\.\.\) is now execution_noise="):
        env = environments.ShotEnv("Pot", hand="club")
    assert env.backend is not None
    with pytest.warns(DeprecationWarning, match="is now min_distance=|is now max_distance="):
        old = gymnasium.make("flicksim/Pot-v1", near=0.1, far=0.2)
    assert (old.unwrapped.task.min_distance, old.unwrapped.task.max_distance) == (0.1, 0.2)  # type: ignore[attr-defined]
    with pytest.warns(DeprecationWarning, match="is now execution_noise="):
        environments.GameEnv("penny-white", hand="club")
    with pytest.warns(DeprecationWarning, match="is now execution_noise="):
        environments.VersusEnv("penny-white", hand="club")


@pytest.mark.parametrize("old", ["gap", "far_off"])
def test_info_has_the_old_keys_of_the_table_too(old: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if old != "gap":
        monkeypatch.setattr(shot_backends, "OLD_INFO_KEYS", {old: "distance"})
    env = environments.ShotEnv("Draw")
    env.reset(seed=1)
    *_, info = env.step(np.zeros(4, dtype=np.float32))
    assert info[old] == info["distance"]
    assert ("gap" in info) == (old == "gap")
