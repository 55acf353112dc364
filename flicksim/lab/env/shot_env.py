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

from flicksim.base.errors import BadInput, BadOption, Unsettled
from flicksim.lab.env.draws import Draws
from flicksim.lab.env.parts import Bools, Ints, Said, bounded
from flicksim.lab.env.picture import Picture, paint
from flicksim.lab.env.shots import TASKS, Array, Draw, Task
from flicksim.lab.env.winks import Winks
from flicksim.physics import settle
from flicksim.players import GRADES, grade
from flicksim.table import Scene

MODES = ("rgb_array",)


class Shooter:
    """One who shoots again and again at what is laid for him.

    Args:
        task: the kind of shot. hand: how steady, a grade; None: just as meant. sees: the space of what is seen.
    """

    def __init__(self, task: Task, hand: str | None, sees: Box) -> None:
        self._task, self._sees = task, sees
        self._hand = None if hand is None else GRADES[grade(hand)]
        self.rng = np.random.default_rng()
        self.scene: Scene | None = None

    def lay(self) -> Array:
        """Lay the next shot out; what is seen of it."""
        self.scene = self._task.lay(self.rng)
        return self.look()

    def shoot(self, action: Array) -> tuple[Array, float, bool, dict[str, Any]]:
        """What is seen afterwards, the reward, whether it came to rest, and what else is to be said.

        Raises:
            BadInput: the action is no such array.
        """
        assert self.scene is not None, "reset before the first step"
        scene, shot = self._task.shot(self.scene, bounded(action, self._task.does))
        if self._hand is not None:
            shot = self._hand.make(shot, self.rng)
        try:
            motion = settle(scene, shot)
        except Unsettled as restless:
            return self.look(), 0.0, False, {"unsettled": str(restless)}
        reward, said = self._task.worth(motion)
        self.scene = motion.after
        return self.look(), reward, True, said

    def look(self) -> Array:
        """What is seen as it lies."""
        assert self.scene is not None
        seen = np.array(self._task.look(self.scene), dtype=np.float32)
        return np.clip(seen, self._sees.low, self._sees.high)

    def picture(self) -> Picture:
        """The table from above. [height, width, 3]"""
        assert self.scene is not None, "reset before rendering"
        return paint(self.scene)


def _spaces(task: Task) -> tuple[Any, Any]:
    """What is seen, what is done: boxes."""
    low, high = np.array(task.sees, dtype=np.float32).T
    return Box(low, high, dtype=np.float32), Box(-1.0, 1.0, (len(task.does),), np.float32)


def _task(shot: str, settings: dict[str, Any]) -> Task:
    if shot not in TASKS:
        raise BadOption(f"no shot {shot!r}; there are {', '.join(TASKS)}")
    known = TASKS[shot].__dataclass_fields__  # type: ignore[attr-defined]
    for name in settings:
        if name not in known:
            raise BadOption(f"{shot} has no setting {name!r}; it has {', '.join(known)}, hand and render_mode")
    return TASKS[shot](**settings)


def _mode(render_mode: str | None) -> str | None:
    if render_mode not in (None, *MODES):
        raise BadOption(f"no render mode {render_mode!r}; there is {', '.join(MODES)}")
    return render_mode


class ShotEnv(gymnasium.Env[Array, Array]):
    """One shot an episode: seen, made, rewarded.

    Args:
        shot: one of `shots.TASKS`. hand: a grade, whose errors the shot has; None makes it just as it is meant.
        render_mode: "rgb_array" or None. settings: of the task.

    Raises:
        BadOption: no such shot, grade, setting or render mode.
    """

    metadata: dict[str, Any] = {"render_modes": list(MODES), "render_fps": 2}  # noqa: RUF012 - as Gymnasium has it

    def __init__(self, shot: str, *, hand: str | None = None, render_mode: str | None = None, **settings: Any) -> None:
        task = _task(shot, settings)
        self.render_mode = _mode(render_mode)
        sees, does = _spaces(task)
        self.observation_space, self.action_space = sees, does
        self._shooter = Shooter(task, hand, sees)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        """Lay the next shot out; nothing is taken from `options`."""
        super().reset(seed=seed, options=options)
        self._shooter.rng = self.np_random
        return self._shooter.lay(), {}

    def step(self, action: Array) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """Make the shot; the episode ends with it."""
        seen, reward, rested, said = self._shooter.shoot(action)
        return seen, reward, rested, not rested, said

    def render(self) -> Picture | None:
        """The table from above as pixels. [height, width, 3]"""
        return self._shooter.picture() if self.render_mode == "rgb_array" else None


class Tables(Protocol):
    """Tables side by side, at which one shoots again and again. Rows name tables; dice are one generator a table."""

    def lay(self, rows: Ints, dice: Sequence[np.random.Generator]) -> None:
        """Lay the next shots of these tables out."""

    def look(self) -> npt.NDArray[Any]:
        """What is seen of each table. [N, numbers]"""

    def shoot(
        self, actions: npt.NDArray[np.float64], rows: Ints, dice: Sequence[np.random.Generator]
    ) -> tuple[npt.NDArray[np.float64], Bools, Said]:
        """Rewards, which came to rest, and what else is said with the tables of which it is. [R]"""

    def scene(self, row: int) -> Scene:
        """A table as it lies there."""


class ShotVectorEnv(VectorEnv[Array, Array, npt.NDArray[Any]]):
    """Many shots side by side in this process, without the wrappers of single ones, settled all at once.

    The n-th of them does what a `ShotEnv` does that was seeded with `seed + n`.

    Args:
        num_envs: how many. autoreset_mode: when the next shot is laid out; in the same step, unless said.
        shot, hand, render_mode, settings: as for `ShotEnv`.
    """

    def __init__(
        self,
        shot: str,
        *,
        num_envs: int = 1,
        hand: str | None = None,
        render_mode: str | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        **settings: Any,
    ) -> None:
        task = _task(shot, settings)
        self.num_envs, self.render_mode = num_envs, _mode(render_mode)
        self._mode = AutoresetMode(autoreset_mode)
        self.metadata = {**ShotEnv.metadata, "autoreset_mode": self._mode}
        sees, does = _spaces(task)
        self.single_observation_space, self.single_action_space = sees, does
        self.observation_space, self.action_space = batch_space(sees, num_envs), batch_space(does, num_envs)
        self._does, self._sees = task.does, sees
        made_by = None if hand is None else GRADES[grade(hand)]
        self._tables: Tables = (
            Draws(task, num_envs, made_by) if isinstance(task, Draw) else Winks(task, num_envs, made_by)
        )
        self._dice: list[np.random.Generator] = []
        self._due = np.zeros(num_envs, dtype=np.bool_)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """Lay the next shots out.

        Args:
            seed: of the first, the others follow; or one each. options: "reset_mask" says which, if not all.
        """
        if seed is None or isinstance(seed, int):
            seeds: Sequence[int | None] = [None if seed is None else seed + n for n in range(self.num_envs)]
        else:
            seeds = seed
        if len(seeds) != self.num_envs:
            raise BadOption(f"{len(seeds)} seeds cannot seed {self.num_envs} environments; give one each, or one")
        mask = (options or {}).get("reset_mask", np.ones(self.num_envs, dtype=np.bool_))
        if not self._dice:
            self._dice, mask = [seeding.np_random(one)[0] for one in seeds], np.ones_like(mask)
        else:
            for n, one in enumerate(seeds):
                if one is not None:
                    self._dice[n], _ = seeding.np_random(one)
        self._tables.lay(np.flatnonzero(mask), self._dice)
        self._due = self._due & ~mask
        return self._look(), {}

    def step(
        self, actions: Array
    ) -> tuple[Array, npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], dict[str, Any]]:
        """Make all shots. Arrays and infos are new each time.

        Raises:
            BadInput: the actions are not one row for each environment, or not of numbers.
        """
        if np.shape(actions) != self.action_space.shape:
            raise BadInput(f"actions of shape {np.shape(actions)} must be of {self.action_space.shape}, a row each")
        made = np.asarray(actions, dtype=np.float64)
        for row in np.flatnonzero(np.isnan(made).any(axis=1)):
            bounded(made[row], self._does)  # says what is wrong with it
        made = np.clip(made, -1.0, 1.0)
        waits = self._due if self._mode is AutoresetMode.NEXT_STEP else np.zeros_like(self._due)
        rows = np.flatnonzero(~waits)
        rewards = np.zeros(self.num_envs)
        rested, shot = np.zeros(self.num_envs, dtype=np.bool_), ~waits
        rewards[rows], rested[rows], said = self._tables.shoot(made[rows], rows, self._dice)
        infos: dict[str, Any] = {}
        for name, (column, here) in said.items():
            infos[name], infos[f"_{name}"] = np.zeros(self.num_envs, column.dtype), np.zeros(self.num_envs, np.bool_)
            if column.dtype == object:
                infos[name][:] = None
            infos[name][rows], infos[f"_{name}"][rows] = column, here
        if self._mode is AutoresetMode.SAME_STEP:
            last = np.empty(self.num_envs, dtype=object)
            last[:] = list(self._look())
            infos = {"final_obs": last, "_final_obs": shot.copy(), "final_info": infos, "_final_info": shot.copy()}
        self._tables.lay(rows if self._mode is AutoresetMode.SAME_STEP else np.flatnonzero(waits), self._dice)
        restless = shot & ~rested
        self._due = rested | restless
        return self._look(), rewards, rested, restless, infos

    def _look(self) -> Array:
        """What is seen of all tables."""
        seen: Array = np.clip(self._tables.look().astype(np.float32), self._sees.low, self._sees.high)
        return seen

    def render(self) -> tuple[Picture, ...] | None:
        """The tables from above, one picture each."""
        if self.render_mode != "rgb_array":
            return None
        assert self._dice, "reset before rendering"
        return tuple(paint(self._tables.scene(n)) for n in range(self.num_envs))


def register() -> None:
    """Make the shots known to `gymnasium.make` and `gymnasium.make_vec`, as "flicksim/Pot-v0"."""
    for name in TASKS:
        gymnasium.register(
            id=f"flicksim/{name}-v0",
            entry_point=f"{__name__}:ShotEnv",
            vector_entry_point=f"{__name__}:ShotVectorEnv",
            kwargs={"shot": name},
        )
