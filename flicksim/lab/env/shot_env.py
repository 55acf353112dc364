"""Single shots as Gymnasium environments: an episode is one shot. Alone, or many side by side in one process."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Box
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from flicksim.base.errors import BadInput, BadOption, FlicksimError
from flicksim.base.kinds import Plain
from flicksim.lab.env.draws import Draws
from flicksim.lab.env.parts import Array, Bools, Ints, Said, Scale, all_bounded, bounded
from flicksim.lab.env.picture import Picture, paint
from flicksim.lab.env.shots import TASKS, Doing, Draw, Floats, Pot, Squop, Task
from flicksim.lab.env.slow import warn_where_slow
from flicksim.lab.env.telling import hand_of
from flicksim.lab.env.winks import Pots, Squops
from flicksim.physics import settle
from flicksim.players import Hand
from flicksim.table import Flick, Scene, Squidge

VERSION = 1
MODES = ("rgb_array",)
_FIRST = "no shot lies there yet; call reset before the first step"


class Tables(Protocol):
    """Tables side by side, at which one shoots again and again. Rows name tables; dice are one generator a table."""

    def lay(self, rows: Ints, dice: Sequence[np.random.Generator]) -> None:
        """Lay the next shots of these tables out."""

    def look(self) -> Floats:
        """The view of each table. [N, numbers]"""

    def shoot(self, actions: Floats, rows: Ints, dice: Sequence[np.random.Generator]) -> tuple[Floats, Bools, Said]:
        """Rewards, which came to an end, and what else is said with the tables of which it is. [R]"""

    def before(self, row: int) -> Scene:
        """A table as it lay before the shot."""

    def made(self, row: int) -> Flick | Squidge:
        """The shot last made there."""


def _tables(task: Task, count: int, hand: str | Hand | None, threads: int) -> Tables:
    made_by = hand_of(hand)
    match task:
        case Pot():
            warn_where_slow("flicksim/Pot")
            return Pots(task, count, made_by, threads)
        case Squop():
            warn_where_slow("flicksim/Squop")
            return Squops(task, count, made_by, threads)
    assert isinstance(task, Draw)
    return Draws(task, count, made_by, threads)


def _task(shot: str, settings: dict[str, Plain]) -> Task:
    if shot not in TASKS:
        raise BadOption(f"no shot {shot!r}; there are {', '.join(TASKS)}")
    known = TASKS[shot].__dataclass_fields__  # type: ignore[attr-defined]
    for name, value in settings.items():
        if name not in known:
            raise BadOption(f"{shot} has no setting {name!r}; it has {', '.join(known)}, hand, raw and render_mode")
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise BadOption(f"{name}={value!r} must be a number")
    return TASKS[shot](**settings)


def _does(task: Task) -> Box[np.float32]:
    return Box(-1.0, 1.0, (len(task.does),), np.float32)


def _rendered(render_mode: str | None) -> str | None:
    if render_mode not in (None, *MODES):
        raise BadOption(f"no render mode {render_mode!r}; there is {', '.join(MODES)}")
    return render_mode


def _picture(tables: Tables, row: int, shot: bool) -> Picture:
    """A table from above, after its shot where that is made. [height, width, 3]"""
    before = tables.before(row)
    if not shot:
        return paint(before)
    try:
        return paint(settle(before, tables.made(row)).after)
    except FlicksimError:  # it would not come to rest
        return paint(before)


class ShotEnv(gymnasium.Env[Array, Array]):
    """One shot an episode: seen, made, rewarded. What is seen after it is what was seen before; `info` says what came.

    Args:
        shot: one of `shots.TASKS`. hand: a grade, or a `Hand`, whose errors the shot has; None makes it as it is meant.
        raw: observations in metres, instead of in [-1, 1]. render_mode: "rgb_array" or None. settings: of the task.

    Raises:
        BadOption: no such shot, grade, setting or render mode.
    """

    metadata: dict[str, Plain] = {"render_modes": list(MODES), "render_fps": 2}  # noqa: RUF012 - as Gymnasium has it

    def __init__(
        self, shot: str, *, hand: str | Hand | None = None, raw: bool = False, render_mode: str | None = None,
        **settings: Any,
    ) -> None:  # fmt: skip
        self.task = _task(shot, settings)
        self.render_mode = _rendered(render_mode)
        self.scale = Scale(self.task.sees, raw=raw)
        self.action_space = _does(self.task)
        self.observation_space = self.scale.space
        self.tables = _tables(self.task, 1, hand, 1)
        self._seen: Array | None = None
        self._shot = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Plain] | None = None
    ) -> tuple[Array, dict[str, Plain]]:
        """Lay the next shot out; nothing is taken from `options`."""
        super().reset(seed=seed, options=options)
        self.tables.lay(_ONLY, (self.np_random,))
        self._seen, self._shot = self.scale.told(self.tables.look()[0]), False
        return self._seen.copy(), {}

    def step(self, action: Array) -> tuple[Array, float, bool, bool, dict[str, Plain]]:
        """Make the shot; the episode ends with it.

        Raises:
            BadInput: the action is no such array, or no shot lies there; nothing has changed.
        """
        if self._seen is None:
            raise BadInput(_FIRST)
        if self._shot:
            raise BadInput("the shot is made and the episode over; call reset before the next step")
        made = bounded(action, _names(self.task.does))
        rewards, ended, said = self.tables.shoot(made[None], _ONLY, (self.np_random,))
        self._shot = True
        info = {name: _plain(column[0]) for name, (column, here) in said.items() if here[0]}
        return self._seen.copy(), float(rewards[0]), bool(ended[0]), not ended[0], info

    def render(self) -> Picture | None:
        """The table from above as pixels, after the shot as it came to rest. [height, width, 3]

        Raises:
            BadInput: nothing lies there yet.
        """
        if self.render_mode != "rgb_array":
            return None
        if self._seen is None:
            raise BadInput("no shot lies there yet; call reset before rendering")
        return _picture(self.tables, 0, self._shot)


_ONLY = np.zeros(1, np.int64)


def _names(does: Sequence[Doing]) -> tuple[str, ...]:
    return tuple(one.name for one in does)


def _plain(value: Plain) -> Plain:
    """A number of numpy's as Python's own."""
    return value.item() if isinstance(value, np.generic) else value


class ShotVectorEnv(VectorEnv[Array, Array, npt.NDArray[Any]]):
    """Many shots side by side in this process, without the wrappers of single ones, settled all at once.

    The n-th of them does what a `ShotEnv` does that was seeded with `seed + n`.

    Args:
        num_envs: how many.
        autoreset_mode: when the next shot is laid out. "NextStep", as Gymnasium's own vectors: a step of its own, which
            wrappers of vectors expect; "SameStep": at once, so that every step is a shot; "Disabled": by `reset`.
        threads: how many work at the physics; what comes of it is the same.
        shot, hand, raw, render_mode, settings: as for `ShotEnv`.
    """

    def __init__(
        self, shot: str, *, num_envs: int = 1, hand: str | Hand | None = None, raw: bool = False,
        render_mode: str | None = None, autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int = 1, **settings: Any,
    ) -> None:  # fmt: skip
        task = _task(shot, settings)
        if not (isinstance(num_envs, int) and num_envs >= 1 and isinstance(threads, int) and threads >= 1):
            raise BadOption(f"num_envs={num_envs!r} and threads={threads!r} must be 1 or more")
        self.num_envs, self.render_mode = num_envs, _rendered(render_mode)
        try:
            self._mode = AutoresetMode(autoreset_mode)
        except ValueError:
            there = ", ".join(mode.value for mode in AutoresetMode)
            raise BadOption(f"no autoreset mode {autoreset_mode!r}; there are {there}") from None
        self.metadata = {**ShotEnv.metadata, "autoreset_mode": self._mode}
        self.scale, does = Scale(task.sees, raw=raw), _does(task)
        self.single_observation_space, self.single_action_space = self.scale.space, does
        self.observation_space = batch_space(self.scale.space, num_envs)
        self.action_space = batch_space(does, num_envs)
        self._does = _names(task.does)
        self.tables = _tables(task, num_envs, hand, threads)
        self._dice: list[np.random.Generator] = []
        self._due = np.zeros(num_envs, dtype=np.bool_)
        self._seen: Array = np.zeros(self.observation_space.shape or (), np.float32)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Plain] | None = None
    ) -> tuple[Array, dict[str, Plain]]:
        """Lay the next shots out.

        Args:
            seed: of the first, the others follow; or one each. options: "reset_mask" says which, if not all.

        Raises:
            BadOption: seeds or a mask for another number of environments.
        """
        if seed is None or isinstance(seed, int | np.integer):
            seeds: Sequence[int | None] = [None if seed is None else int(seed) + n for n in range(self.num_envs)]
        else:
            seeds = seed
        if len(seeds) != self.num_envs:
            raise BadOption(f"{len(seeds)} seeds cannot seed {self.num_envs} environments; give one each, or one")
        mask = np.asarray((options or {}).get("reset_mask", np.ones(self.num_envs, np.bool_)))
        if mask.shape != (self.num_envs,) or mask.dtype != np.bool_:
            raise BadOption(f"reset_mask must be {self.num_envs} of True or False, not {mask.shape} of {mask.dtype}")
        if not self._dice:
            self._dice, mask = [seeding.np_random(one)[0] for one in seeds], np.ones_like(mask)
        else:
            for n, one in enumerate(seeds):
                if one is not None:
                    self._dice[n], _ = seeding.np_random(one)
        self._lay(np.flatnonzero(mask))
        self._due = self._due & ~mask
        return self._seen.copy(), {}

    def step(
        self, actions: Array
    ) -> tuple[Array, npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], dict[str, Plain]]:
        """Make all shots. Arrays and infos are new each time.

        Raises:
            BadInput: the actions are not one row for each environment, or not of numbers, or a shot is asked of an
                episode that is over; nothing has changed.
        """
        made = all_bounded(actions, self._does, self.num_envs)
        if not self._dice:
            raise BadInput(_FIRST)
        waits = self._due
        if self._mode is AutoresetMode.DISABLED and waits.any():
            raise BadInput(
                f"the shot of environment {int(waits.argmax())} is made and its episode over; "
                "reset it by options={'reset_mask': ...} before the next step"
            )
        rows = np.flatnonzero(~waits)
        rewards, shot = np.zeros(self.num_envs), ~waits
        ended, infos = np.zeros(self.num_envs, np.bool_), dict[str, Plain]()
        if len(rows):
            rewards[rows], ended[rows], said = self.tables.shoot(made[rows], rows, self._dice)
            for name, (column, here) in said.items():
                infos[name], infos[f"_{name}"] = (
                    np.zeros(self.num_envs, column.dtype),
                    np.zeros(self.num_envs, np.bool_),
                )
                if column.dtype == object:
                    infos[name][:] = None
                infos[name][rows], infos[f"_{name}"][rows] = np.where(here, column, infos[name][rows]), here
        if self._mode is AutoresetMode.SAME_STEP:
            last = np.empty(self.num_envs, dtype=object)
            last[:] = list(self._seen)
            infos = {"final_obs": last, "_final_obs": shot, "final_info": infos, "_final_info": shot.copy()}
            self._lay(rows)
        else:
            self._due = shot
            self._lay(np.flatnonzero(waits))
        return self._seen.copy(), rewards, ended, shot & ~ended, infos

    def _lay(self, rows: Ints) -> None:
        """Lay the next shots of these tables out; what is seen of a table changes by nothing else."""
        if len(rows):
            self.tables.lay(rows, self._dice)
            self._seen = self.scale.told(self.tables.look())

    def render(self) -> tuple[Picture, ...] | None:
        """The tables from above, one picture each.

        Raises:
            BadInput: nothing lies there yet.
        """
        if self.render_mode != "rgb_array":
            return None
        if not self._dice:
            raise BadInput("no shot lies there yet; call reset before rendering")
        return tuple(_picture(self.tables, n, bool(self._due[n])) for n in range(self.num_envs))


def register() -> None:
    """Make the shots known to `gymnasium.make` and `gymnasium.make_vec`, as "flicksim/Pot-v1"."""
    for name in TASKS:
        gymnasium.register(
            id=f"flicksim/{name}-v{VERSION}",
            entry_point=f"{__name__}:ShotEnv",
            vector_entry_point=f"{__name__}:ShotVectorEnv",
            kwargs={"shot": name},
        )
