"""Player at the terminal: typed actions and self-reports."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from math import isfinite

from flicksim.cards import Move, Zones, parse_move
from flicksim.cli.console import out
from flicksim.cli.trajectory_text import format_number
from flicksim.core.errors import FlicksimError, InvalidInput
from flicksim.core.geometry import wrap_angle
from flicksim.core.limits import parse_int
from flicksim.core.type_aliases import Action, JsonValue
from flicksim.core.units import degrees, mm, to_mm
from flicksim.match import Match, immediate_interrupts
from flicksim.referee import ActionField, FlickRange, LaunchRange, LegalActions, SelfReport, SquidgeRange
from flicksim.scene import Flick, Launch, Squidge

_MAX_LINE = 4096
"""Letters of a line that are read."""
_UNITS = {
    "speed": ("m/s", 1.0), "azimuth": ("degrees", degrees(1.0)), "elevation": ("degrees", degrees(1.0)),
    "tumble": ("rad/s", 1.0), "height": ("mm", mm(1.0)), "slant": ("degrees", degrees(1.0)),
}  # fmt: skip
"""Unit in which each part of a flick is typed, and its size in SI."""
_DEGREE_LIMITS = {"azimuth": (-360.0, 360.0), "elevation": (0.0, 90.0)}
"""Ranges checked as they were typed, not as they are reckoned with [degrees]."""
_MAX_COORDINATE = 100_000.0
"""Nothing is put farther off, each way [mm]."""
_HELP = """\
NUMBER                    decide so
NUMBER SPEED AZIMUTH ...  flick so; a direction counts from the right, counter-clockwise, so 90 is straight ahead
NUMBER ... at X Y         put the piece, or hold the launcher, there first [mm]
own                       own up to what the referee did not see
table                     what lies where
?                         these words
quit                      stop; a recorded game can be gone on with"""


class SelectionCancelled(Exception):
    """The person thinks better of it."""


class InputEnded(KeyboardInterrupt):
    """The input has ended: nothing more will be typed."""


class TerminalPlayer:
    """Whoever sits at the shell, for every seat that is played from outside.

    Args:
        match: the game. read_line: gives the next line, without its end; it raises InputEnded when there is none.
    """

    def __init__(self, match: Match, read_line: Callable[[str], str] | None = None) -> None:
        self._match, self._read_line = match, _read_line if read_line is None else read_line

    def choose(self) -> Action:
        """The action of the seat to play, or somebody owns up to: allowed by the rules."""
        match = self._match
        seat = match.to_play
        assert seat is not None
        choices = match.legal_actions()
        out.print(choices.prompt, soft_wrap=True)
        if not match.game.uses_physics:
            self._show_table(seat)
        self._list_choices(choices)
        while True:
            try:
                action = self._read_action(choices, seat)
                if action is not None:
                    match.rules.check_action(match.state, action)
                    return action
            except FlicksimError as wrong:
                _show_error(wrong)

    def self_report(self) -> Action:
        """The owning up before others play on; None when nothing is, as where the input ends after the game."""
        try:
            while self._match.self_reports:
                said = self._read_line("Enter goes on; own: something happened that the referee did not see > ")
                if said.strip().lower() == "own":
                    if (action := self._read_self_report()) is not None:
                        return action
                elif not said.strip():
                    return None
        except InputEnded:
            if not self._match.is_over:
                raise
        return None

    def _list_choices(self, choices: LegalActions) -> None:
        for number, span in enumerate(choices.flicks, 1):
            out.print(f"{number:3d}  {_range_text(span)}", soft_wrap=True)
        for number, action in enumerate(choices.actions, len(choices.flicks) + 1):
            out.print(f"{number:3d}  {self._action_text(action)}", soft_wrap=True)
        if self._match.self_reports:
            out.print("own  own up to what the referee did not see")

    def _action_text(self, action: Action) -> str:
        """A decision in words: a move as it is written, else what the rules would say to it."""
        if isinstance(action, Move):
            return str(action)
        reasons = self._match.rules.judge(self._match.state, action, None).reasons
        return reasons[0].text if reasons else str(action)

    def _read_action(self, choices: LegalActions, seat: int) -> Action:
        """One line's answer; None when it was none yet."""
        words = self._read_line(f"{self._match.game.seat_names[seat]} > ").lower().split()
        match words:
            case []:
                return None
            case ["?" | "help"]:
                out.print(_HELP)
                self._list_choices(choices)
            case ["table"]:
                self._show_table(seat)
            case ["own", *_]:
                return self._read_self_report()
            case ["quit"]:
                raise KeyboardInterrupt
            case [word, *rest] if word.isascii() and word.isdigit():
                return _parse_choice(choices, word, rest)
            case _ if not self._match.game.uses_physics:
                return parse_move(" ".join(words), self._match.game.action)
            case _:
                raise InvalidInput(f"{' '.join(words)!r} is no answer; type a number of the list, or ? for help")
        return None

    def _show_table(self, seat: int) -> None:
        """The table as that seat sees it."""
        view = self._match.rules.view(self._match.state, seat)
        zones = getattr(view, "zones", None)
        if isinstance(zones, Zones):
            for name, pile in zones.piles.items():
                hidden = f"{pile.hidden} hidden" if pile.hidden else ""
                out.print(f"     {name}: {' '.join(map(str, pile.cards)) or hidden or 'empty'}", soft_wrap=True)
        for piece in getattr(getattr(view, "scene", None), "pieces", ()):
            out.print(f"     {piece.id} at {format_number(to_mm(piece.x), 1)}, {format_number(to_mm(piece.y), 1)} mm")

    # -- owning up ------------------------------------------------------------------------------------------------

    def _read_self_report(self) -> Action:
        """An owning up, chosen step by step; None when it is called off, or the rules do not have it."""
        offered = self._match.self_reports
        if not offered:
            out.print("There is nothing to own up to now.")
            return None
        for number, one in enumerate(offered, 1):
            out.print(f"{number:3d}  {one.text}", soft_wrap=True)
        try:
            one = offered[self._read_index("which? (Enter: nothing after all) > ", len(offered)) - 1]
            action = one.with_choices({name: value for name, value in self._read_fields(one) if value is not None})
            self._match.rules.check_action(self._match.state, action)
        except SelectionCancelled:
            return None
        except (FlicksimError, ValueError) as wrong:
            _show_error(wrong)
            return None
        return action

    def _read_fields(self, one: SelfReport) -> list[tuple[str, JsonValue]]:
        return [(pick.field, self._read_field(pick)) for pick in one.fields]

    def _read_field(self, pick: ActionField) -> JsonValue:
        """The value chosen for a field; None when it is left out."""
        names = [display_name(self._match, one) for one in pick.options]
        for number, name in enumerate(names, 1):
            out.print(f"{number:3d}  {name}")
        hint = {"one": "number", "some": "numbers", "point": "x y in mm", "number": "a number"}[pick.kind]
        empty = pick.none_label or "nothing after all"
        while True:
            words = self._read_line(f"{pick.prompt} ({hint}; Enter: {empty}) > ").replace(",", " ").split()
            if not words:
                if pick.none_label is None:
                    raise SelectionCancelled
                return None
            try:
                return _parse_value(pick, words)
            except InvalidInput as wrong:
                _show_error(wrong)

    def _read_index(self, prompt: str, maximum: int) -> int:
        while True:
            word = self._read_line(prompt).strip()
            if not word:
                raise SelectionCancelled
            try:
                return _parse_index(word, maximum)
            except InvalidInput as wrong:
                _show_error(wrong)


def display_name(match: Match, one: JsonValue) -> str:
    """Something to be chosen, in words: a seat by its name, all else as it is called."""
    return match.game.seat_names[one] if isinstance(one, int) else str(one)


def _show_error(error: Exception) -> None:
    out.print(f"No: {error}", soft_wrap=True)


def _read_line(prompt: str) -> str:
    """The next line typed.

    Raises:
        InputEnded: there is none. KeyboardInterrupt: Ctrl-C.
    """
    out.print(prompt, end="")
    with immediate_interrupts():
        try:
            line = sys.stdin.readline(_MAX_LINE)
        except UnicodeDecodeError:
            return "?"
    if not line:
        out.print()
        raise InputEnded
    return line.rstrip("\n")


def _parse_index(word: str, maximum: int) -> int:
    number = parse_int(word)
    if number is None or not 1 <= number <= maximum:
        raise InvalidInput(f"{word!r} is none of the numbers 1 to {maximum}")
    return number


def _parse_float(word: str) -> float:
    try:
        value = float(word)
    except ValueError:
        value = float("nan")
    if not isfinite(value):
        raise InvalidInput(f"{word!r} is no number")
    return value


def _parse_value(pick: ActionField, words: Sequence[str]) -> JsonValue:
    """The value that these words choose.

    Raises:
        InvalidInput: nothing that may be chosen.
    """
    match pick.kind:
        case "one" if len(words) == 1:
            return pick.options[_parse_index(words[0], len(pick.options)) - 1]
        case "some":
            return tuple(dict.fromkeys(pick.options[_parse_index(word, len(pick.options)) - 1] for word in words))
        case "point" if len(words) == 2:
            x, y = (mm(_parse_float(word)) for word in words)
            return (x, y)
        case "number" if len(words) == 1:
            return _parse_float(words[0])
    raise InvalidInput(f"{' '.join(words)!r} is not {'two numbers' if pick.kind == 'point' else 'one number'}")


# -- flicks -----------------------------------------------------------------------------------------------------------


def _parameters(span: FlickRange) -> tuple[str, ...]:
    """The numbers typed of a flick, in order; the first two always."""
    match span:
        case SquidgeRange():
            return ("speed", "azimuth", "elevation", "tumble")
        case LaunchRange():
            return ("speed", "azimuth", "height", "slant")
    return ("speed", "azimuth")


def _range_text(span: FlickRange) -> str:
    told = []
    for part in _parameters(span):
        unit, one = _UNITS[part]
        low, high = (end / one for end in getattr(span, part))
        told.append(f"{part} {low:.4g} to {high:.4g} {unit}")
    zone = ""
    if span.start:
        xs, ys = zip(*span.start, strict=True)
        zone = f"; at x {to_mm(min(xs)):.0f} to {to_mm(max(xs)):.0f}, y {to_mm(min(ys)):.0f} to {to_mm(max(ys)):.0f} mm"
    return f"{span.piece}: {', '.join(told)}{zone}"


def _parse_choice(choices: LegalActions, word: str, rest: Sequence[str]) -> Action:
    """The flick or decision of that number."""
    number = _parse_index(word, len(choices.flicks) + len(choices.actions))
    if number <= len(choices.flicks):
        return _parse_flick(choices.flicks[number - 1], rest)
    if rest:
        raise InvalidInput(f"decision {number} takes no more words than its number")
    return choices.actions[number - 1 - len(choices.flicks)]


def _parse_flick(span: FlickRange, words: Sequence[str]) -> Flick | Squidge | Launch:
    """The flick these words tell of.

    Raises:
        InvalidInput: they tell of none.
    """
    start: tuple[float, float] | None = None
    if "at" in words:
        cut = list(words).index("at")
        words, there = words[:cut], words[cut + 1 :]
        if len(there) != 2:
            raise InvalidInput(f"a place is two numbers, as in 'at 150 25', not {' '.join(there)!r}")
        x, y = map(_parse_float, there)
        if max(abs(x), abs(y)) > _MAX_COORDINATE:
            raise InvalidInput(
                f"a place at {x:g}, {y:g} mm is far off any table; {_MAX_COORDINATE:.0f} mm each way is the most"
            )
        start = (mm(x), mm(y))
    parts = _parameters(span)
    if not 2 <= len(words) <= len(parts):
        raise InvalidInput(f"a flick of {span.piece} is its number, then {' '.join(parts)}, not {' '.join(words)!r}")
    typed = {part: _parse_float(word) for part, word in zip(parts, words, strict=False)}
    for part, (low, high) in _DEGREE_LIMITS.items():
        if not low <= typed.get(part, low) <= high:
            raise InvalidInput(f"{part} {typed[part]:g} degrees must lie in {low:g} to {high:g}")
    given: dict[str, JsonValue] = {part: value * _UNITS[part][1] for part, value in typed.items()}
    given["azimuth"] = wrap_angle(typed["azimuth"] * _UNITS["azimuth"][1])
    try:
        match span:
            case SquidgeRange():
                return Squidge(piece=span.piece, start=start, **given)
            case LaunchRange():
                return Launch(piece=span.piece, size=span.size, hold=start or span.hold, lift=span.lift, **given)
        return Flick(piece=span.piece, start=start, **given)
    except ValueError as wrong:
        raise InvalidInput(str(wrong)) from None
