"""Squidges in columns are the squidges one by one, to the bit."""

from __future__ import annotations

import msgspec
import pytest

from flicksim.lab import Experiment, Measure, Spread, read_experiment
from flicksim.lab.shooter import Shooter

POTS = msgspec.structs.replace(read_experiment("pot-chance"), shots=56, measure=(Measure("potted"), Measure("way")))
SQUOPS = Experiment(
    title="at another, that lies elsewhere each time, and by words and numbers",
    scene=read_experiment("squop-landscape").scene,
    flick={
        "do": "squidge", "piece": "blue-3", "to": "red-1", "elevation": 1.0,
        "effort": Spread(steps=(0.9, 1.1, 2)), "tumble": Spread(uniform=(0.0, 80.0)),
    },
    hand=Spread(grid=("steady", "club")),
    pieces={"red-1": {"x": Spread(uniform=(-0.02, 0.02))}},
    settings={"drag": Spread(uniform=(0.5, 1.5))},
    measure=(
        "potted", "potted red-1", "squops", "squopped", "squops red-1", "touched red-1", "turned", "landing",
        "rest red-1", "gap red-1", "way", "off", "duration", "made tumble", "made drag",
    ),
    shots=32,
)  # fmt: skip


def alike(asked: Experiment, shooter: Shooter) -> list[tuple[object, ...]]:
    """The rows, which are those of single shots."""
    together = list(shooter.rows(0, asked.shots))
    for index, row in enumerate(together):
        assert row == shooter.row(index)
    return together


@pytest.mark.parametrize("asked", [POTS, SQUOPS], ids=["pots", "squops"])
def test_rows_are_those_of_single_shots(asked: Experiment, monkeypatch: pytest.MonkeyPatch) -> None:
    shooter = Shooter(asked)
    assert shooter.one_by_one == ""
    monkeypatch.setattr("flicksim.lab.shooter.MANY", 23)
    assert all(row[-1] is None for row in alike(asked, shooter))


def test_what_is_told_at_the_verdict_is_told_at_rest() -> None:
    asked = msgspec.structs.replace(POTS, measure=(Measure("potted"), Measure("made speed")))
    shooter = Shooter(asked)
    assert all(gauge.soon for gauge in shooter.gauges)
    alike(asked, shooter)


def test_shots_that_cannot_be_say_so_as_single_ones_do() -> None:
    asked = msgspec.structs.replace(POTS, flick={**POTS.flick, "to": "nobody"}, shots=4)
    assert all("nothing called 'nobody'" in str(row[-1]) for row in alike(asked, Shooter(asked)))
    far = msgspec.structs.replace(
        POTS,
        flick={"do": "squidge", "piece": "blue-3", "speed": 1.0, "azimuth": 3.0, "elevation": 0.8},
        settings={"max_flight": Spread(grid=(0.02, 6.0))},
        pieces={},
        shots=16,
        marks=(),
    )
    rows = alike(far, Shooter(far))
    assert any(row[-1] for row in rows)
    assert not all(row[-1] for row in rows)


def test_what_winks_cannot_be_put_in_columns_is_said() -> None:
    launch = read_experiment("pyramids")
    assert Shooter(launch).one_by_one == "a launch is settled by itself"
