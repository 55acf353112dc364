"""Challenges of Penny White: the white drawn to from near and far, an end won with the last penny."""

from __future__ import annotations

from collections.abc import Sequence
from math import pi

import msgspec
import numpy as np

from flicksim.base.geometry import Point
from flicksim.base.seeding import Seeds
from flicksim.base.units import mm, to_mm
from flicksim.games.penny_white import equipment as kit
from flicksim.games.penny_white import rules
from flicksim.games.penny_white.equipment import WHITE, Options
from flicksim.games.penny_white.outlook import settled
from flicksim.games.penny_white.puzzles import kept, posed
from flicksim.games.penny_white.state import State, penny_id
from flicksim.referee import Came, Challenge, Done
from flicksim.table import Flick, Scene

_TRICK = "Hold your aim still for a second before you let go; a longer way needs only a little more strength."


def shipped() -> tuple[Challenge, ...]:
    """Those that come with the game, easiest first."""
    return (
        *(_draw(f"draw-{cm}", cm * 10, within) for cm, within in ((10, 5), (30, 15), (90, 40))),
        _nearest_of(5, within=5),
        _last_penny("last-penny", red=(150.0, 545.0), white=(150.0, 600.0)),
        _last_penny("round-the-guard", red=(165.0, 560.0), white=(180.0, 600.0)),
        _clear(),
        *(posed(number, puzzle) for number, puzzle in enumerate(kept(), 1)),
    )


def drawn(dice: np.random.Generator, name: str) -> Challenge:
    """A white somewhere, and a red penny beside it that is to be beaten."""
    across, along = int(dice.integers(90, 211)), int(dice.integers(450, 681))
    aside, short = int(dice.integers(-45, 46)), int(dice.integers(35, 61))
    return _last_penny(name, red=(float(across + aside), float(along - short)), white=(float(across), float(along)))


def _laid(options: Options, coins: dict[str, Point], left: tuple[int, int]) -> State:
    """An end under way, Blue to flick: coins where they lie [mm], pennies in hand by seat."""
    opening = rules.start(options, 2, Seeds(seed=0))
    owners = {WHITE: None} | {penny_id(seat, n): seat for seat in range(2) for n in range(1, options.pennies + 1)}
    pieces = tuple(kit.coin(options, name, owners[name], (mm(x), mm(y))) for name, (x, y) in coins.items())
    return msgspec.structs.replace(
        opening, scene=Scene(surface=opening.scene.surface, pieces=pieces), starter=0, to_play=0, phase="penny",
        left=left,
    )  # fmt: skip


def _flicks(turns: Sequence[Done]) -> int:
    return sum(isinstance(turn.made, Flick) for turn in turns)


def _gap(scene: Scene) -> float | None:
    """Distance of the nearest blue penny from the white, edge to edge [mm]; None where one of them is gone."""
    blue = [piece for piece in scene.pieces if piece.owner == 0]
    if not blue or not scene.has(WHITE):
        return None
    white = scene.piece(WHITE)
    apart = min(((piece.x - white.x) ** 2 + (piece.y - white.y) ** 2) ** 0.5 - 2.0 * piece.radius for piece in blue)
    return round(max(0.0, to_mm(apart)), 1)


def _drew(turns: Sequence[Done], within: float, flicks: int) -> Came:
    """Result of drawing so many pennies near the white, by the nearest."""
    if not turns:
        return Came()
    before = turns[-1].account.after if turns[-1].account is not None else turns[-1].after.scene
    gap, ended = _gap(before), _flicks(turns) >= flicks
    if gap is None:
        return Came(says="The white or your penny is off the board.", ended=ended or not before.has(WHITE))
    done = gap <= within and (ended or flicks == 1)
    return Came(says=f"{gap:g} mm from the white.", done=done, ended=ended, measure=gap)


def _draw(name: str, far: int, within: int) -> Challenge:
    """Draw one penny up to a white so far off [mm]."""
    options = Options(pennies=1, ends=1, board_mm=(300.0, max(800.0, far + 350.0)))
    start = to_mm(kit.start_spot(options)[1])
    side = 2.0 * to_mm(kit.radius(options))
    return Challenge(
        name=name, title=f"Draw from {far // 10} cm", ladder="Drawing",
        goal=f"Bring your penny to rest within {within} mm of the white, which lies {far // 10} cm off.",
        trick=_TRICK, options=options, seats=2, unit="mm",
        begin=lambda: _laid(options, {WHITE: (150.0, start + side + far)}, (1, 0)),
        judge=lambda turns: _drew(turns, within, 1),
    )  # fmt: skip


def _nearest_of(pennies: int, within: int) -> Challenge:
    options = Options(pennies=pennies, ends=1)
    return Challenge(
        name=f"nearest-of-{pennies}", title=f"Nearest of {pennies}", ladder="Drawing",
        goal=f"Flick {pennies} pennies; the nearest must end within {within} mm of the white.",
        trick="Short ones are no loss: the next can push them on.", options=options, seats=2, unit="mm",
        begin=lambda: _laid(options, {WHITE: (150.0, 600.0)}, (pennies, 0)),
        judge=lambda turns: _drew(turns, within, pennies),
    )  # fmt: skip


def _last_penny(name: str, *, red: Point, white: Point) -> Challenge:
    """Win an end in which a red penny lies near, with the last penny. Places are in millimetres."""
    options = Options(pennies=1, ends=1)

    def judge(turns: Sequence[Done]) -> Came:
        if not turns or not _flicks(turns):
            return Came()
        after = turns[-1].after
        ended = after.phase in ("over", "remove")
        blue, red = settled(after).scores
        if ended and blue == red:
            return Came(says="Nobody takes the end.", ended=True)
        return Came(says="You take the end." if blue > red else "Red keeps the end.", done=blue > red, ended=ended)

    straight = abs(red[0] - white[0]) < 5.0
    return Challenge(
        name=name, title="The last penny" if straight else "Round the guard", ladder="Ends",
        goal="Red lies near the white and you have one penny: take the end.",
        trick="Draw past it or push it away. If it goes off, Red may take your penny off too; the white must stay on.",
        options=options, seats=2, judge=judge,
        begin=lambda: _laid(options, {WHITE: white, penny_id(1, 1): red}, (1, 0)),
    )  # fmt: skip


def _clear() -> Challenge:
    """Knock a red penny off the board."""
    options = Options(pennies=1, ends=1)
    red = penny_id(1, 1)

    def judge(turns: Sequence[Done]) -> Came:
        if not _flicks(turns):
            return Came()
        lying = turns[-1].account.after if turns[-1].account is not None else turns[-1].after.scene
        done = not lying.has(red) and lying.has(WHITE)
        says = "Red is off, and the white is still there." if done else "Red or the white is not where it should be."
        return Came(says=says, done=done, ended=True)

    def plan(state: State, dice: np.random.Generator) -> Flick:
        del state, dice
        return Flick(piece=penny_id(0, 1), start=(mm(190.0), kit.start_spot(options)[1]), azimuth=pi / 2.0, speed=2.8)

    return Challenge(
        name="clear-the-board", title="Clear the board", ladder="Ends",
        goal="Knock the red penny off the board and leave the white on it.",
        trick="Aim at the side of the penny that looks away from the white, and flick hard.",
        options=options, seats=2, judge=judge, plan=plan,
        begin=lambda: _laid(options, {WHITE: (110.0, 620.0), red: (190.0, 700.0)}, (1, 0)),
    )  # fmt: skip
