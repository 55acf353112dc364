"""A person at the shell: told what may be done, answers in typed lines, and owns up to what nobody saw."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from math import isfinite

from flicksim.base.bounds import whole
from flicksim.base.errors import BadInput, FlicksimError
from flicksim.base.geometry import half_turn
from flicksim.base.kinds import Action, Plain
from flicksim.base.units import degrees, mm, to_mm
from flicksim.cards import Move, Zones, read_move
from flicksim.cli.motion import figure
from flicksim.cli.sheet import out
from flicksim.play import Match, heard_at_once
from flicksim.referee import Choices, FlickRange, LaunchRange, OwnUp, Pick, SquidgeRange
from flicksim.table import Flick, Launch, Squidge

_LONGEST = 4096
"""Letters of a line that are read."""
_UNITS = {
    "speed": ("m/s", 1.0), "azimuth": ("degrees", degrees(1.0)), "elevation": ("degrees", degrees(1.0)),
    "tumble": ("rad/s", 1.0), "height": ("mm", mm(1.0)), "slant": ("degrees", degrees(1.0)),
}  # fmt: skip
"""Unit in which each part of a flick is typed, and its size in SI."""
_WITHIN = {"azimuth": (-360.0, 360.0), "elevation": (0.0, 90.0)}
"""Ranges checked as they were typed, not as they are reckoned with [degrees]."""
_REACH = 100_000.0
"""Nothing is put farther off, each way [mm]."""
_HELP = """\
NUMBER                    decide so
NUMBER SPEED AZIMUTH ...  flick so; a direction counts from the right, counter-clockwise, so 90 is straight ahead
NUMBER ... at X Y         put the piece, or hold the launcher, there first [mm]
own                       own up to what the referee did not see
table                     what lies where
?                         these words
quit                      stop; a recorded game can be gone on with"""


class CalledOff(Exception):
    """The person thinks better of it."""


class NoMore(KeyboardInterrupt):
    """The input has ended: nothing more will be typed."""


class AtShell:
    """Whoever sits at the shell, for every seat that is played from outside.

    Args:
        match: the game. read: gives the next line, without its end; it raises NoMore when there is none.
    """

    def __init__(self, match: Match, read: Callable[[str], str] | None = None) -> None:
        self._match, self._read = match, _line if read is None else read

    def choose(self) -> Action:
        """The action of the seat to play, or somebody owns up to: allowed by the rules."""
        match = self._match
        seat = match.to_play
        assert seat is not None
        choices = match.choices()
        out.print(choices.says, soft_wrap=True)
        if not match.game.flicked:
            self._table(seat)
        self._list(choices)
        while True:
            try:
                action = self._read_action(choices, seat)
                if action is not None:
                    match.rules.check(match.state, action)
                    return action
            except FlicksimError as wrong:
                _no(wrong)

    def afterwards(self) -> Action:
        """The owning up before others play on; None when nothing is, as where the input ends after the game."""
        try:
            while self._match.own_up:
                said = self._read("Enter goes on; own: something happened that the referee did not see > ")
                if said.strip().lower() == "own":
                    if (action := self._own_up()) is not None:
                        return action
                elif not said.strip():
                    return None
        except NoMore:
            if not self._match.over:
                raise
        return None

    def _list(self, choices: Choices) -> None:
        for number, span in enumerate(choices.flicks, 1):
            out.print(f"{number:3d}  {_spelt(span)}", soft_wrap=True)
        for number, action in enumerate(choices.actions, len(choices.flicks) + 1):
            out.print(f"{number:3d}  {self._said(action)}", soft_wrap=True)
        if self._match.own_up:
            out.print("own  own up to what the referee did not see")

    def _said(self, action: Action) -> str:
        """A decision in words: a move as it is written, else what the rules would say to it."""
        if isinstance(action, Move):
            return str(action)
        reasons = self._match.rules.judge(self._match.state, action, None).reasons
        return reasons[0].says if reasons else str(action)

    def _read_action(self, choices: Choices, seat: int) -> Action:
        """One line's answer; None when it was none yet."""
        words = self._read(f"{self._match.game.seat_names[seat]} > ").lower().split()
        match words:
            case []:
                return None
            case ["?" | "help"]:
                out.print(_HELP)
                self._list(choices)
            case ["table"]:
                self._table(seat)
            case ["own", *_]:
                return self._own_up()
            case ["quit"]:
                raise KeyboardInterrupt
            case [word, *rest] if word.isascii() and word.isdigit():
                return _chosen(choices, word, rest)
            case _ if not self._match.game.flicked:
                return read_move(" ".join(words), self._match.game.action)
            case _:
                raise BadInput(f"{' '.join(words)!r} is no answer; type a number of the list, or ? for help")
        return None

    def _table(self, seat: int) -> None:
        """The table as that seat sees it."""
        view = self._match.rules.view(self._match.state, seat)
        zones = getattr(view, "zones", None)
        if isinstance(zones, Zones):
            for name, pile in zones.piles.items():
                hidden = f"{pile.hidden} hidden" if pile.hidden else ""
                out.print(f"     {name}: {' '.join(map(str, pile.cards)) or hidden or 'empty'}", soft_wrap=True)
        for piece in getattr(getattr(view, "scene", None), "pieces", ()):
            out.print(f"     {piece.id} at {figure(to_mm(piece.x), 1)}, {figure(to_mm(piece.y), 1)} mm")

    # -- owning up ------------------------------------------------------------------------------------------------

    def _own_up(self) -> Action:
        """An owning up, chosen step by step; None when it is called off, or the rules do not have it."""
        offered = self._match.own_up
        if not offered:
            out.print("There is nothing to own up to now.")
            return None
        for number, one in enumerate(offered, 1):
            out.print(f"{number:3d}  {one.says}", soft_wrap=True)
        try:
            one = offered[self._number("which? (Enter: nothing after all) > ", len(offered)) - 1]
            action = one.filled({name: value for name, value in self._picked(one) if value is not None})
            self._match.rules.check(self._match.state, action)
        except CalledOff:
            return None
        except (FlicksimError, ValueError) as wrong:
            _no(wrong)
            return None
        return action

    def _picked(self, one: OwnUp) -> list[tuple[str, Plain]]:
        return [(pick.field, self._asked(pick)) for pick in one.pick]

    def _asked(self, pick: Pick) -> Plain:
        """The value chosen for a field; None when it is left out."""
        names = [named(self._match, one) for one in pick.among]
        for number, name in enumerate(names, 1):
            out.print(f"{number:3d}  {name}")
        hint = {"one": "number", "some": "numbers", "point": "x y in mm", "number": "a number"}[pick.kind]
        empty = pick.none or "nothing after all"
        while True:
            words = self._read(f"{pick.says} ({hint}; Enter: {empty}) > ").replace(",", " ").split()
            if not words:
                if pick.none is None:
                    raise CalledOff
                return None
            try:
                return _value(pick, words)
            except BadInput as wrong:
                _no(wrong)

    def _number(self, ask: str, most: int) -> int:
        while True:
            word = self._read(ask).strip()
            if not word:
                raise CalledOff
            try:
                return _index(word, most)
            except BadInput as wrong:
                _no(wrong)


def named(match: Match, one: Plain) -> str:
    """Something to be chosen, in words: a seat by its name, all else as it is called."""
    return match.game.seat_names[one] if isinstance(one, int) else str(one)


def _no(wrong: Exception) -> None:
    out.print(f"No: {wrong}", soft_wrap=True)


def _line(ask: str) -> str:
    """The next line typed.

    Raises:
        NoMore: there is none. KeyboardInterrupt: Ctrl-C.
    """
    out.print(ask, end="")
    with heard_at_once():
        try:
            line = sys.stdin.readline(_LONGEST)
        except UnicodeDecodeError:
            return "?"
    if not line:
        out.print()
        raise NoMore
    return line.rstrip("\n")


def _index(word: str, most: int) -> int:
    number = whole(word)
    if number is None or not 1 <= number <= most:
        raise BadInput(f"{word!r} is none of the numbers 1 to {most}")
    return number


def _float(word: str) -> float:
    try:
        value = float(word)
    except ValueError:
        value = float("nan")
    if not isfinite(value):
        raise BadInput(f"{word!r} is no number")
    return value


def _value(pick: Pick, words: Sequence[str]) -> Plain:
    """The value that these words choose.

    Raises:
        BadInput: nothing that may be chosen.
    """
    match pick.kind:
        case "one" if len(words) == 1:
            return pick.among[_index(words[0], len(pick.among)) - 1]
        case "some":
            return tuple(dict.fromkeys(pick.among[_index(word, len(pick.among)) - 1] for word in words))
        case "point" if len(words) == 2:
            x, y = (mm(_float(word)) for word in words)
            return (x, y)
        case "number" if len(words) == 1:
            return _float(words[0])
    raise BadInput(f"{' '.join(words)!r} is not {'two numbers' if pick.kind == 'point' else 'one number'}")


# -- flicks -----------------------------------------------------------------------------------------------------------


def _parts(span: FlickRange) -> tuple[str, ...]:
    """The numbers typed of a flick, in order; the first two always."""
    match span:
        case SquidgeRange():
            return ("speed", "azimuth", "elevation", "tumble")
        case LaunchRange():
            return ("speed", "azimuth", "height", "slant")
    return ("speed", "azimuth")


def _spelt(span: FlickRange) -> str:
    told = []
    for part in _parts(span):
        unit, one = _UNITS[part]
        low, high = (end / one for end in getattr(span, part))
        told.append(f"{part} {low:.4g} to {high:.4g} {unit}")
    zone = ""
    if span.start:
        xs, ys = zip(*span.start, strict=True)
        zone = f"; at x {to_mm(min(xs)):.0f} to {to_mm(max(xs)):.0f}, y {to_mm(min(ys)):.0f} to {to_mm(max(ys)):.0f} mm"
    return f"{span.piece}: {', '.join(told)}{zone}"


def _chosen(choices: Choices, word: str, rest: Sequence[str]) -> Action:
    """The flick or decision of that number."""
    number = _index(word, len(choices.flicks) + len(choices.actions))
    if number <= len(choices.flicks):
        return _aimed(choices.flicks[number - 1], rest)
    if rest:
        raise BadInput(f"decision {number} takes no more words than its number")
    return choices.actions[number - 1 - len(choices.flicks)]


def _aimed(span: FlickRange, words: Sequence[str]) -> Flick | Squidge | Launch:
    """The flick these words tell of.

    Raises:
        BadInput: they tell of none.
    """
    start: tuple[float, float] | None = None
    if "at" in words:
        cut = list(words).index("at")
        words, there = words[:cut], words[cut + 1 :]
        if len(there) != 2:
            raise BadInput(f"a place is two numbers, as in 'at 150 25', not {' '.join(there)!r}")
        x, y = map(_float, there)
        if max(abs(x), abs(y)) > _REACH:
            raise BadInput(f"a place at {x:g}, {y:g} mm is far off any table; {_REACH:.0f} mm each way is the most")
        start = (mm(x), mm(y))
    parts = _parts(span)
    if not 2 <= len(words) <= len(parts):
        raise BadInput(f"a flick of {span.piece} is its number, then {' '.join(parts)}, not {' '.join(words)!r}")
    typed = {part: _float(word) for part, word in zip(parts, words, strict=False)}
    for part, (low, high) in _WITHIN.items():
        if not low <= typed.get(part, low) <= high:
            raise BadInput(f"{part} {typed[part]:g} degrees must lie in {low:g} to {high:g}")
    given: dict[str, Plain] = {part: value * _UNITS[part][1] for part, value in typed.items()}
    given["azimuth"] = half_turn(typed["azimuth"] * _UNITS["azimuth"][1])
    try:
        match span:
            case SquidgeRange():
                return Squidge(piece=span.piece, start=start, **given)
            case LaunchRange():
                return Launch(piece=span.piece, size=span.size, hold=start or span.hold, lift=span.lift, **given)
        return Flick(piece=span.piece, start=start, **given)
    except ValueError as wrong:
        raise BadInput(str(wrong)) from None
