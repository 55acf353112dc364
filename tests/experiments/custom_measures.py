"""Custom measures, and an experiment that many tests use."""

from collections.abc import Callable
from typing import Any

import msgspec

from flicksim.experiments import Experiment, ParameterSpec, Run, Shot

EXPERIMENT_TOML = Experiment(
    title="a draw",
    scene="draw",
    flick={
        "piece": "a",
        "target": "white",
        "overshoot": ParameterSpec(values=(-0.02, 0.0, 0.03)),
        "offset": ParameterSpec(normal=(0.0, 0.1)),
    },
    hand=ParameterSpec(values=("club", "world")),
    settings={"nail_friction": ParameterSpec(uniform=(0.2, 0.5))},
    measure=("distance white", "off_surface", "rest_position", "touched white"),
    shots=120,
    seed=3,
)


def make_experiment(**changes: Any) -> Experiment:
    """The question with some of it changed."""
    return Experiment(**{name: getattr(EXPERIMENT_TOML, name) for name in EXPERIMENT_TOML.__struct_fields__} | changes)


def plain_experiment(**changes: Any) -> dict[str, Any]:
    """The same as it would stand in a file."""
    return msgspec.to_builtins(EXPERIMENT_TOML, enc_hook=str) | changes


def run_until(run: Run, shots: int, then: Callable[[], object]) -> None:
    """Carry it out; once, with so many shots there, something happens."""
    for process in run:
        if process >= shots:
            shots = run.total + 1
            then()


def sideways(shot: Shot) -> float:
    return shot.motion.after.piece(shot.piece).x - shot.motion.before.piece(shot.piece).x


def to_the_left(shot: Shot) -> bool:
    return sideways(shot) < 0.0


def side(shot: Shot) -> str:
    return "left" if to_the_left(shot) else "right"


def undecided(_: Shot) -> bool:
    return "perhaps"  # type: ignore[return-value]


def broken(_: Shot) -> float:
    raise ArithmeticError("no number")


def unwritable(_: Shot) -> str:
    return "\ud800"


def leaving(_: Shot) -> float:
    raise SystemExit(3)
