"""Player at the terminal: typed actions and self-reports."""

import sys
from collections.abc import Callable, Sequence
from itertools import groupby, zip_longest
from math import isfinite

import msgspec

from flicksim.cards import Move, Zones, parse_move
from flicksim.cli.console import out
from flicksim.cli.formatting import provisional_text, show_zones
from flicksim.cli.trajectory_text import format_number
from flicksim.core.errors import FlicksimError, InvalidInput
from flicksim.core.geometry import Point, wrap_angle
from flicksim.core.limits import parse_int, truncate_middle
from flicksim.core.type_aliases import Action, JsonValue
from flicksim.core.units import deg2rad, mm, to_mm
from flicksim.match import Match, immediate_interrupts
from flicksim.referee import ActionField, FlickRange, LaunchRange, LegalActions, SquidgeRange, aim_limits
from flicksim.scene import FULL_TURN, Flick, Launch, Piece, Pyramid, Squidge

_MAX_LINE = 4096
"""Longest line that is read [characters]."""
_MAX_ERROR = 240
"""Longest error that is shown [characters]: what was typed may be no text at all."""
_UNITS = {
    "speed": ("m/s", 1.0), "azimuth": ("degrees", deg2rad(1.0)), "elevation": ("degrees", deg2rad(1.0)),
    "tumble": ("rad/s", 1.0), "height": ("mm", mm(1.0)), "slant": ("degrees", deg2rad(1.0)), "offset": ("radii", 1.0),
    "press": ("", 1.0), "drag": ("mm", mm(1.0)),
}  # fmt: skip
"""Unit in which each parameter of a flick is typed, and its factor to SI."""
_MAX_COORDINATE = 100_000.0
"""Largest absolute coordinate [mm]."""
_CHOICE_HELP = "NUMBER                    choose this decision"
_FLICK_HELP = """\
NUMBER SPEED AZIMUTH ...  flick, with the values of the list in its order, or by name as in elevation=70; those after
                          the azimuth may be left out; it counts from the right, counter-clockwise: 90 is straight ahead
                          offset: where the nail strikes a coin, in radii left of its middle; in a pile press: the share
                          of the push that goes into the winks below, drag: how far the squidger is drawn on over them
NAME SPEED AZIMUTH ...    the same by the name of a piece in the list
NUMBER ... at X Y         place the piece, or hold the launcher, there first [mm]
table                     show points and positions"""
_MOVE_HELP = """\
MOVE                      any legal move in words, as the list writes them; it may leave some out
table                     show the table"""
_COMMON_HELP = """\
own                       own up to what the referee did not see
?                         show this help"""


class SelectionCancelled(Exception):
    """The person has cancelled a selection."""


class InputEnded(KeyboardInterrupt):
    """The input has ended."""


class TerminalPlayer:
    """Person at the terminal, for every seat that is played from outside.

    Args:
        match: to be played. read_line: returns the next line, without its end; raises InputEnded when there is none.
        seat_label: text for a seat in the prompt; its name by default. quit_help: what `quit` does.
    """

    def __init__(
        self, match: Match, read_line: Callable[[str], str] | None = None, *,
        seat_label: Callable[[int], str] | None = None, quit_help: str = "stop; a recorded game can be resumed",
    ) -> None:  # fmt: skip
        self._match, self._read_line = match, _read_line if read_line is None else read_line
        self._seat_label = seat_label or match.game.seat_names.__getitem__
        self._quit_help = quit_help

    def choose(self) -> Action:
        """Read a legal action of the seat to play, or a self-report."""
        match = self._match
        seat = match.to_play
        assert seat is not None
        choices = match.legal_actions()
        out.print_line(choices.prompt)
        if not match.game.uses_physics:
            self.show_table(seat)
        self._list_choices(choices, seat)
        while True:
            try:
                action = self._read_action(choices, seat)
                if action is not None:
                    match.rules.check_action(match.state, action)
                    return action
            except FlicksimError as error:
                _show_error(error)

    def self_report(self) -> Action:
        """Read a self-report before other players act; None without one, or when the input ends after the game."""
        try:
            while self._match.self_reports:
                line = self._read_line("Enter goes on; own: something happened that the referee did not see > ").strip()
                if line.lower() == "own":
                    if (action := self._read_self_report()) is not None:
                        return action
                elif not line:
                    return None
                elif not self._run_command(line.lower(), self._match.turns[-1].seat):
                    _show_error(InvalidInput(f"{line!r} is no answer here; Enter goes on, 'own', or ? for help"))
        except InputEnded:
            if not self._match.is_over:
                raise
        return None

    def _list_choices(self, choices: LegalActions, seat: int) -> None:
        positions = {piece.id: _position_text(piece) for piece in self._pieces(seat)}
        for ranges, numbered in groupby(enumerate(choices.flicks, 1), key=lambda item: _range_text(item[1])):
            for number, span in numbered:
                place = f" at {positions[span.piece]}" if span.piece in positions else ""
                out.print_line(f"{number:3d}  {span.piece}{place}")
            out.print_line(f"     {ranges}")
        for number, action in enumerate(choices.actions, len(choices.flicks) + 1):
            out.print_line(f"{number:3d}  {self._action_text(action)}")
        if self._match.game.uses_physics:
            out.print("table  show points and positions")
        if self._match.self_reports:
            out.print("own    own up to what the referee did not see")

    def _action_text(self, action: Action) -> str:
        """Text of a decision: a move in its notation, else the ruling on it."""
        if isinstance(action, Move):
            return str(action)
        reasons = self._match.rules.judge(self._match.state, action, None).reasons
        return reasons[0].text if reasons else str(action)

    def _read_action(self, choices: LegalActions, seat: int) -> Action:
        """Read a line and parse its action; None where it has none."""
        words = self._read_line(f"{self._seat_label(seat)} > ").lower().split()
        match words:
            case []:
                raise InvalidInput("nothing was typed; begin with a number of the list, or type ? for help")
            case [command] if self._run_command(command, seat):
                if command != "table":
                    self._list_choices(choices, seat)
            case ["own", *_]:
                return self._read_self_report()
            case [word, *rest] if word.isascii() and word.isdigit():
                return _parse_choice(choices, word, rest)
            case [name, *rest] if self._match.game.uses_physics and (number := _number_of_piece(choices, name)):
                return _parse_choice(choices, str(number), rest)
            case [name, *_] if any(piece.id == name for piece in self._pieces(seat)):
                raise InvalidInput(f"{name} cannot be played now; the list has what can")
            case _ if not self._match.game.uses_physics:
                return parse_move(" ".join(words), self._match.game.action)
            case _:
                raise InvalidInput(
                    f"{' '.join(words)!r} is no answer; begin with a number of the list, or type ? for help"
                )
        return None

    def _run_command(self, command: str, seat: int) -> bool:
        """Run a command that is no action; False if it is none."""
        match command:
            case "?" | "help":
                self.show_help()
            case "table":
                self.show_table(seat)
            case "quit":
                raise KeyboardInterrupt
            case _:
                return False
        return True

    def show_help(self) -> None:
        """Print what can be typed in this game."""
        ways = _FLICK_HELP if self._match.game.uses_physics else _MOVE_HELP
        for text in (_CHOICE_HELP, ways, _COMMON_HELP, f"quit                      {self._quit_help}"):
            out.print_line(text)

    def show_table(self, seat: int) -> None:
        """Print the points, the part of the game, and the positions of pieces or cards as the seat sees them."""
        match = self._match
        view, progress = match.rules.view(match.state, seat), match.game.progress(match.state)
        if progress.text:
            out.print_line(f"     {progress.text}" + (f": {progress.goal}" if progress.goal else ""))
        names = zip(match.game.seat_names, match.scores, strict=False)
        out.print_line(f"     points: {', '.join(f'{name} {points}' for name, points in names)}")
        if text := provisional_text(match):
            out.print_line(f"     {text}")
        zones = getattr(view, "zones", None)
        if isinstance(zones, Zones):
            show_zones(zones, match.game.seat_names, "     ")
        pieces = self._pieces(seat)
        for piece in pieces:
            out.print(f"     {piece.id} at {_position_text(piece)}")
        if match.game.uses_physics and not pieces:
            out.print("     nothing lies there yet")

    def _pieces(self, seat: int) -> Sequence[Piece | Pyramid]:
        """Pieces on the table as the seat sees it."""
        view = self._match.rules.view(self._match.state, seat)
        return getattr(getattr(view, "scene", None), "pieces", ())

    # -- self-reports --------------------------------------------------------------------------------------------

    def _read_self_report(self) -> Action:
        """Read a self-report step by step; None when it is cancelled, or illegal."""
        offered = self._match.self_reports
        if not offered:
            out.print("There is nothing to own up to now.")
            return None
        for number, report in enumerate(offered, 1):
            out.print_line(f"{number:3d}  {report.text}")
        try:
            report = offered[self._read_index("which? (Enter: nothing after all) > ", len(offered)) - 1]
            read = ((field.field, self._read_field(field)) for field in report.fields)
            action = report.with_choices({name: value for name, value in read if value is not None})
            self._match.rules.check_action(self._match.state, action)
        except SelectionCancelled:
            return None
        except (FlicksimError, ValueError) as error:
            _show_error(error)
            return None
        return action

    def _read_field(self, pick: ActionField) -> JsonValue:
        """Read the value of a field; None when it is left out."""
        names = [display_name(self._match, option) for option in pick.options]
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
            except InvalidInput as error:
                _show_error(error)

    def _read_index(self, prompt: str, maximum: int) -> int:
        while True:
            word = self._read_line(prompt).strip()
            if not word:
                raise SelectionCancelled
            try:
                return _parse_index(word, maximum)
            except InvalidInput as error:
                _show_error(error)


def display_name(match: Match, option: JsonValue) -> str:
    """Text of an option: a seat by its name, other values as they are."""
    return match.game.seat_names[option] if isinstance(option, int) else str(option)


def _show_error(error: Exception) -> None:
    out.print_line(f"No: {truncate_middle(str(error), _MAX_ERROR)}")


def _read_line(prompt: str) -> str:
    """Read the next line.

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
    """Parse the value of a field.

    Raises:
        InvalidInput: it is not an option of the field.
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


def _position_text(piece: Piece | Pyramid) -> str:
    return f"{format_number(to_mm(piece.x), 1)}, {format_number(to_mm(piece.y), 1)} mm"


def _range_text(span: FlickRange) -> str:
    ranges = []
    for name, limits in aim_limits(span).items():
        allowed, usual = _bounds_text(name, limits), _bounds_text(name, getattr(span, name, limits))
        unit = f" {_UNITS[name][0]}".rstrip()
        ranges.append(f"{name} {allowed}{unit}" + (f" (usually {usual})" if usual != allowed else ""))
    zone = ""
    if span.start:
        xs, ys = zip(*span.start, strict=True)
        zone = f"; at x {to_mm(min(xs)):.0f} to {to_mm(max(xs)):.0f}, y {to_mm(min(ys)):.0f} to {to_mm(max(ys)):.0f} mm"
    return ", ".join(ranges) + zone


def _bounds_text(name: str, bounds: tuple[float, float]) -> str:
    low, high = (bound / _UNITS[name][1] for bound in bounds)
    return f"{low:.4g} to {high:.4g}"


def _parse_parameter(name: str, word: str, limits: tuple[float, float]) -> float:
    """Parse a parameter of a flick into SI units; an azimuth may be typed whole turns away from its limits.

    Raises:
        InvalidInput: it is no number, or beyond the limits.
    """
    (low, high), (unit, factor), typed = limits, _UNITS[name], _parse_float(word)
    value = typed * factor
    if name == "azimuth" and abs(value) <= FULL_TURN:
        middle = (low + high) / 2.0
        value = middle + wrap_angle(value - middle)
    # the unit's factor may round
    if not low - 1e-9 <= value <= high + 1e-9:
        raise InvalidInput(f"{name} {f'{typed:g} {unit}'.rstrip()} must lie in {_bounds_text(name, limits)}")
    return min(max(value, low), high)


def _parse_choice(choices: LegalActions, word: str, rest: Sequence[str]) -> Action:
    """Parse the flick or decision of a number."""
    number = _parse_index(word, len(choices.flicks) + len(choices.actions))
    if number <= len(choices.flicks):
        return _parse_flick(choices.flicks[number - 1], rest)
    if rest:
        raise InvalidInput(f"decision {number} takes no more words than its number")
    return choices.actions[number - 1 - len(choices.flicks)]


def _number_of_piece(choices: LegalActions, name: str) -> int | None:
    """Number of the flick or decision of a piece; None if the list has none, as of a word that is no piece."""
    flicks = [span.piece == name for span in choices.flicks]
    decisions = [name in msgspec.structs.astuple(action) for action in choices.actions]
    return next((number for number, is_of_piece in enumerate(flicks + decisions, 1) if is_of_piece), None)


def _parse_place(words: Sequence[str]) -> Point:
    """Parse the place of a piece, in millimetres, into metres.

    Raises:
        InvalidInput: it is no place on any table.
    """
    if len(words) != 2:
        raise InvalidInput(f"a place is two numbers, as in 'at 150 25', not {' '.join(words)!r}")
    x, y = map(_parse_float, words)
    if max(abs(x), abs(y)) > _MAX_COORDINATE:
        raise InvalidInput(
            f"a place at {x:g}, {y:g} mm is far off any table; {_MAX_COORDINATE:.0f} mm each way is the most"
        )
    return mm(x), mm(y)


def _parse_flick(span: FlickRange, words: Sequence[str]) -> Flick | Squidge | Launch:
    """Parse the parameters of a flick.

    Raises:
        InvalidInput: they are invalid.
    """
    start: Point | None = None
    if "at" in words:
        index = list(words).index("at")
        words, start = words[:index], _parse_place(words[index + 1 :])
    limits, texts = aim_limits(span), dict[str, str]()
    for name, word in zip_longest(limits, words, fillvalue=""):
        given, equals, value = word.partition("=")
        if word:
            texts[given if equals else name] = value if equals else word
    if unknown := [name for name in texts if name and name not in limits]:
        raise InvalidInput(f"a flick of {span.piece} has no {unknown[0]!r}; it has {', '.join(limits)}")
    if not {"speed", "azimuth"} <= texts.keys() or len(texts) < len(words) or "" in texts:
        found = f", not {' '.join(words)!r}" if words else ""
        raise InvalidInput(
            f"a flick of {span.piece} takes {' '.join(limits)} after its number, as in '1 1.4 90'{found}"
        )
    typed = {name: _parse_parameter(name, text, limits[name]) for name, text in texts.items()}
    values: dict[str, JsonValue] = {**typed, "azimuth": wrap_angle(typed["azimuth"])}
    try:
        match span:
            case SquidgeRange():
                return Squidge(piece=span.piece, start=start, **values)
            case LaunchRange():
                return Launch(piece=span.piece, size=span.size, hold=start or span.hold, lift=span.lift, **values)
        return Flick(piece=span.piece, start=start, **values)
    except ValueError as error:
        raise InvalidInput(str(error)) from None
