"""Gymnasium environments of single shots, one shot an episode: a single one, and a vector simulated in one batch."""

from collections.abc import Iterable, Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Box
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from flicksim.ai import ExecutionNoise
from flicksim.core.arrays import Ints
from flicksim.core.errors import FlicksimError, InvalidInput, InvalidOption
from flicksim.engine import batch, simulate
from flicksim.envs.arguments import accept_old_keywords, check_reset_options, to_execution_noise, to_seed
from flicksim.envs.features import Array, FeatureScaler, clip_action, clip_actions
from flicksim.envs.rendering import Picture, paint
from flicksim.envs.shot_backends import ShotBackend, make_backend
from flicksim.envs.shot_tasks import TASKS, ActionDimension, ShotTask

VERSION = 1
MODES = ("rgb_array",)
_NOT_RESET = "no shot lies there yet; call reset before the first step"


def _make_task(shot: str, settings: dict[str, Any]) -> ShotTask:
    if shot not in TASKS:
        raise InvalidOption(f"no shot {shot!r}; there are {', '.join(TASKS)}")
    known = TASKS[shot].__dataclass_fields__
    for name, value in settings.items():
        if name not in known:
            raise InvalidOption(
                f"{shot} has no setting {name!r}; it has {', '.join(known)}, execution_noise, raw and render_mode"
            )
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise InvalidOption(f"{name}={value!r} must be a number")
    return TASKS[shot](**settings)


def _action_space(task: ShotTask) -> Box[np.float32]:
    return Box(-1.0, 1.0, (len(task.action_dimensions),), np.float32)


def _check_render_mode(render_mode: str | None) -> str | None:
    if render_mode not in (None, *MODES):
        raise InvalidOption(f"no render mode {render_mode!r}; there is {', '.join(MODES)}")
    return render_mode


def _render_scene(backend: ShotBackend, row: int, is_done: bool) -> Picture:
    """A table from above, after its shot where that is made. [height, width, 3]"""
    before = backend.initial_scene(row)
    if not is_done:
        return paint(before)
    try:
        return paint(simulate(before, backend.executed_action(row)).after)
    except FlicksimError:  # it would not come to rest
        return paint(before)


class ShotEnv(gymnasium.Env[Array, Array]):
    """Gymnasium environment of one shot an episode. The final observation equals the first; results are in `info`.

    Args:
        shot: a name in `shot_tasks.TASKS`. execution_noise: a grade or an `ExecutionNoise`; None for none.
        raw: observations in metres, instead of in [-1, 1]. render_mode: "rgb_array" or None. settings: of the task.

    Raises:
        InvalidOption: no such shot, grade, setting or render mode.
    """

    metadata: dict[str, Any] = {"render_modes": list(MODES), "render_fps": 2}  # noqa: RUF012 - as Gymnasium has it

    @accept_old_keywords
    def __init__(
        self, shot: str, *, execution_noise: str | ExecutionNoise | None = None, raw: bool = False,
        render_mode: str | None = None,
        **settings: Any,
    ) -> None:  # fmt: skip
        self.task = _make_task(shot, settings)
        self.render_mode = _check_render_mode(render_mode)
        self.scaler = FeatureScaler(self.task.features, raw=raw)
        self.action_space = _action_space(self.task)
        self.observation_space = self.scaler.space
        self.backend = make_backend(self.task, 1, to_execution_noise(execution_noise))
        self._observation: Array | None = None
        self._is_done = False

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        """Set up the next shot; `options` is None or empty.

        Raises:
            InvalidOption: there is an option. InvalidInput: the seed is no whole number, or negative.
        """
        check_reset_options(options)
        super().reset(seed=to_seed(seed))
        self.backend.reset(_SINGLE_ROW, (self.np_random,))
        self._observation, self._is_done = self.scaler.transform(self.backend.observe()[0]), False
        return self._observation.copy(), {}

    def step(self, action: Array) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """Simulate the shot; the episode ends with it. Numbers beyond -1 and 1 are clipped.

        Raises:
            InvalidInput: the action is no such array, or no shot lies there; nothing has changed.
        """
        if self._observation is None:
            raise InvalidInput(_NOT_RESET)
        if self._is_done:
            raise InvalidInput("the shot is made and the episode over; call reset before the next step")
        clipped = clip_action(action, _dimension_names(self.task.action_dimensions))
        rewards, ended, info_columns = self.backend.step(clipped[None], _SINGLE_ROW, (self.np_random,))
        self._is_done = True
        info = {name: column.tolist()[0] for name, (column, here) in info_columns.items() if here[0]}
        return self._observation.copy(), float(rewards[0]), bool(ended[0]), not ended[0], info

    def render(self) -> Picture | None:
        """The table from above as pixels, after the shot as it came to rest. [height, width, 3]

        Raises:
            InvalidInput: nothing lies there yet.
        """
        if self.render_mode != "rgb_array":
            return None
        if self._observation is None:
            raise InvalidInput("no shot lies there yet; call reset before rendering")
        return _render_scene(self.backend, 0, self._is_done)


_SINGLE_ROW = np.zeros(1, np.int64)


def _dimension_names(dimensions: Sequence[ActionDimension]) -> tuple[str, ...]:
    return tuple(one.name for one in dimensions)


class ShotVectorEnv(VectorEnv[Array, Array, npt.NDArray[Any]]):
    """Gymnasium vector environment of shots, simulated in one batch.

    The n-th of them does what a `ShotEnv` does that was seeded with `seed + n`.

    Args:
        num_envs: number of shots.
        autoreset_mode: when the next shot is set up. "NextStep", as Gymnasium's own vectors: a step of its own, which
            wrappers of vectors expect; "SameStep": at once, so that every step is a shot; "Disabled": by `reset`.
        threads: number of threads of the simulation; results do not depend on it.
        device: "cpu", or "cuda" for a graphics processor, which rounds otherwise (see `simulate_batch`).
        shot, execution_noise, raw, render_mode, settings: as for `ShotEnv`.

    Raises:
        InvalidOption: as for `ShotEnv`, or no such number or mode. InvalidInput: no such device.
        MissingExtra: device "cuda" needs the extra `cuda`.
    """

    @accept_old_keywords
    def __init__(
        self, shot: str, *, num_envs: int = 1, execution_noise: str | ExecutionNoise | None = None, raw: bool = False,
        render_mode: str | None = None, autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int = 1, device: batch.Device = "cpu", **settings: Any,
    ) -> None:  # fmt: skip
        task = _make_task(shot, settings)
        if not (isinstance(num_envs, int) and num_envs >= 1 and isinstance(threads, int) and threads >= 1):
            raise InvalidOption(f"num_envs={num_envs!r} and threads={threads!r} must be whole numbers, 1 or more")
        batch.check_device(device)
        self.num_envs, self.render_mode = num_envs, _check_render_mode(render_mode)
        try:
            self._mode = AutoresetMode(autoreset_mode)
        except ValueError:
            there = ", ".join(mode.value for mode in AutoresetMode)
            raise InvalidOption(f"no autoreset mode {autoreset_mode!r}; there are {there}") from None
        self.metadata = {**ShotEnv.metadata, "autoreset_mode": self._mode}
        self.scaler, does = FeatureScaler(task.features, raw=raw), _action_space(task)
        self.single_observation_space, self.single_action_space = self.scaler.space, does
        self.observation_space = batch_space(self.scaler.space, num_envs)
        self.action_space = batch_space(does, num_envs)
        self._dimension_names = _dimension_names(task.action_dimensions)
        noise = to_execution_noise(execution_noise)
        self.backend = make_backend(task, num_envs, noise, threads=threads, device=device)
        self._rngs: list[np.random.Generator] = []
        self._needs_reset = np.zeros(num_envs, dtype=np.bool_)
        self._observation: Array = np.zeros(self.observation_space.shape or (), np.float32)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """Set up the next shots.

        Args:
            seed: of the first, the others follow; or one each. options: "reset_mask" says which, if not all.

        Raises:
            InvalidOption: seeds or a mask for another number of environments, or another option.
            InvalidInput: a seed is no whole number, or negative.
        """
        check_reset_options(options, "reset_mask")
        if isinstance(seed, Iterable):
            seeds = [to_seed(one) for one in seed]
        else:
            first = to_seed(seed)
            seeds = [None if first is None else first + n for n in range(self.num_envs)]
        if len(seeds) != self.num_envs:
            raise InvalidOption(f"{len(seeds)} seeds cannot seed {self.num_envs} environments; give one each, or one")
        mask = np.asarray((options or {}).get("reset_mask", np.ones(self.num_envs, np.bool_)))
        if mask.shape != (self.num_envs,) or mask.dtype != np.bool_:
            raise InvalidOption(
                f"reset_mask must be {self.num_envs} of True or False, not {mask.shape} of {mask.dtype}"
            )
        if not self._rngs:
            self._rngs, mask = [seeding.np_random(row_seed)[0] for row_seed in seeds], np.ones_like(mask)
        else:
            for n, row_seed in enumerate(seeds):
                if row_seed is not None:
                    self._rngs[n], _ = seeding.np_random(row_seed)
        self._reset_rows(np.flatnonzero(mask))
        self._needs_reset = self._needs_reset & ~mask
        return self._observation.copy(), {}

    def step(
        self, actions: Array
    ) -> tuple[Array, npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], dict[str, Any]]:
        """Simulate all shots; numbers beyond -1 and 1 are clipped. Arrays and infos are new each time.

        Raises:
            InvalidInput: the actions are not one row for each environment, or not of numbers, or a shot is asked of an
                episode that is over; nothing has changed.
        """
        clipped = clip_actions(actions, self._dimension_names, self.num_envs)
        if not self._rngs:
            raise InvalidInput(_NOT_RESET)
        waits = self._needs_reset
        if self._mode is AutoresetMode.DISABLED and waits.any():
            raise InvalidInput(
                f"the shot of environment {int(waits.argmax())} is made and its episode over; "
                "reset it by options={'reset_mask': ...} before the next step"
            )
        rows = np.flatnonzero(~waits)
        rewards, shot = np.zeros(self.num_envs), ~waits
        ended, infos = np.zeros(self.num_envs, np.bool_), dict[str, Any]()
        if len(rows):
            rewards[rows], ended[rows], info_columns = self.backend.step(clipped[rows], rows, self._rngs)
            for name, (column, here) in info_columns.items():
                infos[name] = np.zeros(self.num_envs, column.dtype)
                infos[f"_{name}"] = np.zeros(self.num_envs, np.bool_)
                if column.dtype == object:
                    infos[name][:] = None
                infos[name][rows], infos[f"_{name}"][rows] = np.where(here, column, infos[name][rows]), here
        if self._mode is AutoresetMode.SAME_STEP:
            last = np.empty(self.num_envs, dtype=object)
            last[:] = list(self._observation)
            infos = {"final_obs": last, "_final_obs": shot, "final_info": infos, "_final_info": shot.copy()}
            self._reset_rows(rows)
        else:
            self._needs_reset = shot
            self._reset_rows(np.flatnonzero(waits))
        return self._observation.copy(), rewards, ended, shot & ~ended, infos

    def _reset_rows(self, rows: Ints) -> None:
        """Set up the next shots of these tables; observations change by nothing else."""
        if len(rows):
            self.backend.reset(rows, self._rngs)
            self._observation = self.scaler.transform(self.backend.observe())

    def render(self) -> tuple[Picture, ...] | None:
        """The tables from above, one picture each.

        Raises:
            InvalidInput: nothing lies there yet.
        """
        if self.render_mode != "rgb_array":
            return None
        if not self._rngs:
            raise InvalidInput("no shot lies there yet; call reset before rendering")
        return tuple(_render_scene(self.backend, n, bool(self._needs_reset[n])) for n in range(self.num_envs))


def register() -> None:
    """Register the shots for `gymnasium.make` and `gymnasium.make_vec`, as "flicksim/Pot-v1"."""
    for name in TASKS:
        gymnasium.register(
            id=f"flicksim/{name}-v{VERSION}",
            entry_point=f"{__name__}:ShotEnv",
            vector_entry_point=f"{__name__}:ShotVectorEnv",
            kwargs={"shot": name},
        )
