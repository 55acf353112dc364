"""Shots in columns are the shots one by one."""

from __future__ import annotations

import msgspec
import pytest

from flicksim.lab import Experiment, Spread, columns, shooter
from flicksim.lab.experiment import Standing
from flicksim.lab.shooter import Shooter
from flicksim.players import Hand

AIMED = Experiment(
    title="aimed, at grids of words and numbers",
    scene="draw",
    hand=Spread(grid=("club", "world", "own")),
    hands={"own": Hand(speed=0.1, azimuth=0.3, offset=0.2)},
    flick={
        "piece": "a", "to": "white", "beyond": Spread(steps=(-0.03, 0.03, 3)), "offset": Spread(normal=(0.0, 0.1)),
        "start": (Spread(uniform=(0.1, 0.2)), 0.04),
    },
    pairings={"bronze|polished": {"friction": Spread(uniform=(0.18, 0.22))}},
    measure=("gap white", "touched white", "rest", "way", "off", "off white", "duration", "made azimuth"),
    shots=60,
)  # fmt: skip
STRAIGHT = Experiment(
    title="given, among pieces that lie elsewhere each time, now and then where none can lie",
    scene="crowd",
    hand="club",
    flick={"piece": "a", "speed": 1.8, "azimuth": 1.57},
    pieces={"p3": {"x": Spread(uniform=(0.05, 0.25)), "y": Spread(uniform=(0.3, 0.5)), "mass": 0.004}},
    settings={"gravity": Spread(uniform=(9.0, 10.0)), "nail_friction": Spread(uniform=(0.2, 0.5))},
    pairings={"bronze|bronze": {"restitution": Spread(uniform=(0.5, 0.9))}},
    measure=("rest p3", "rest", "touched p3"),
    shots=50,
)

RULED = Experiment(
    title="in a game, whose rules answer once for all shots from one place",
    game=Standing(
        name="penny-white",
        options={"first": "first", "jack_mode": "beginner"},
        played=({"do": "place_white", "y": 0.575},),
    ),
    hand=Spread(grid=("beginner", "expert")),
    flick={"to": "white", "beyond": Spread(steps=(-0.06, 0.06, 5))},
    measure=("gap white", "touched white", "off white", "way white", "rest"),
    shots=60,
)


@pytest.mark.parametrize("asked", [AIMED, STRAIGHT, RULED], ids=["aimed", "straight", "ruled"])
def test_rows_are_those_of_single_shots(asked: Experiment, monkeypatch: pytest.MonkeyPatch) -> None:
    ready = Shooter(asked)
    assert ready.one_by_one == ""
    monkeypatch.setattr("flicksim.lab.shooter.MANY", 17)
    together = list(ready.rows(0, asked.shots))
    failed = 0
    for index, row in enumerate(together):
        alone = ready.row(index)
        assert row[-1] == alone[-1]
        failed += row[-1] is not None
        assert [value is None for value in row] == [value is None for value in alone]
        assert [value for value in row if isinstance(value, str)] == [v for v in alone if isinstance(v, str)]
        assert [v for v in row if isinstance(v, float)] == pytest.approx(
            [v for v in alone if isinstance(v, float)], abs=2e-9
        )
        assert [v for v in row if isinstance(v, int)] == [v for v in alone if isinstance(v, int)]
    assert (failed > 0) == (asked is STRAIGHT)  # both kinds of row are seen


def test_what_cannot_be_put_in_columns_is_said() -> None:
    assert Shooter(AIMED).one_by_one == ""
    own = Experiment(title="own", scene="draw", flick={"piece": "a", "speed": 1.0, "azimuth": 1.5}, measure=("squops",))
    assert Shooter(own).one_by_one == "measure 'squops' is asked shot by shot"


def test_rules_are_asked_about_every_shot_where_one_answer_does_not_serve_all() -> None:
    asked = "the rules of a game are asked shot by shot"
    given = {"shots": 20, "measure": ("rest",), "game": RULED.game}
    moved = Experiment(title="start", flick={"to": "white", "start": (Spread(uniform=(0.1, 0.2)), 0.03)}, **given)
    points = Experiment(title="points", **{**given, "measure": ("points",)}, flick={"to": "white"})
    short = Experiment(title="before the line", flick={"to": "white", "start": (0.15, 0.2)}, **given)
    assert Shooter(moved).one_by_one == asked
    assert Shooter(points).one_by_one == "measure 'points' is asked shot by shot"
    assert Shooter(short).one_by_one == asked
    assert "PW-5a" in str(next(Shooter(short).rows(0, 1))[-1])


def test_pieces_of_a_game_lie_where_the_experiment_puts_them() -> None:
    given = {"title": "moved", "shots": 20, "measure": ("touched white",), "game": RULED.game, "hand": "steady"}
    aside = Experiment(flick={"speed": 1.8, "azimuth": 1.5708}, pieces={"white": {"x": 0.03}}, **given)
    ahead = Experiment(flick={"speed": 1.8, "azimuth": 1.5708}, **given)
    assert [row[1] for row in Shooter(aside).rows(0, 1)] == [0]
    assert [row[1] for row in Shooter(ahead).rows(0, 1)] == [1]


@pytest.mark.parametrize("measure", [("squops", "rest"), ("gap white", "rest")], ids=["one by one", "in columns"])
def test_of_a_cell_without_chance_one_shot_is_made(measure: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """The others are the same, row for row as they would be one by one; with any chance all are made."""
    made = list[int]()
    alone, many = shooter.settle, columns.settle_laid
    monkeypatch.setattr(shooter, "settle", lambda *given: made.append(1) or alone(*given))
    monkeypatch.setattr(columns, "settle_laid", lambda *given: made.append(len(given[4].speed)) or many(*given))
    flick = {"piece": "a", "to": "white", "beyond": Spread(steps=(-0.03, 0.03, 7))}
    asked = Experiment(title="exact", scene="draw", hand="steady", flick=flick, measure=measure, shots=30)
    ready = Shooter(asked)
    rows = [*ready.rows(0, 9), *ready.rows(9, 30)]
    assert sum(made) <= 14
    assert [row[:2] for row in rows] == [ready.row(index)[:2] for index in range(30)]
    assert [row[2:] for row in rows] == [rows[index % 7][2:] for index in range(30)]
    made.clear()
    list(Shooter(msgspec.structs.replace(asked, hand="club")).rows(0, 30))
    assert sum(made) == 30
