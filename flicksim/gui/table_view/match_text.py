"""Texts of players and scores of a match of any game."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

import msgspec

from flicksim.ai import GRADES, RandomPlayer, SubprocessPlayer, grade_name
from flicksim.cards import Move
from flicksim.core.type_aliases import Action, State
from flicksim.core.units import format_azimuth, to_degrees
from flicksim.match import Match, Turn
from flicksim.referee import Game
from flicksim.scene import Flick, Launch, Squidge


def format_clock(seconds: float) -> str:
    """Format a time [s] as minutes and seconds."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


def player_text(match: Match, seat: int) -> str:
    """Name of a seat's occupant: their name, "you", "human", "random" or "bot, club"."""
    player = match.players[seat]
    if player is None:
        if not match.game.uses_physics:  # there the name stands on the card
            return "you" if is_you(match, seat) else "here"
        own = match.player_names.get(seat) or ("you" if any(match.players) else "human")
        return f"{own}, {_noise_grade(match, seat)}" if noise_grades(match) else own
    if isinstance(player, RandomPlayer):
        return "random"
    if isinstance(player, SubprocessPlayer):
        return "program"
    grade = _noise_grade(match, seat)
    return f"bot, {grade}" if grade in GRADES else "bot"


def _noise_grade(match: Match, seat: int) -> str:
    """Name of a seat's execution noise; empty for none."""
    name = grade_name(match.noise[seat])
    return name if isinstance(name, str) else "own hand"


def noise_grades(match: Match) -> dict[int, str]:
    """Noise grades of people who chose their own, by seat."""
    sat = {seat: grade_name(match.seated_noise[seat]) for seat, player in enumerate(match.players) if player is None}
    return {seat: name for seat, name in sat.items() if isinstance(name, str) and name in GRADES}


def action_text(match: Match, seat: int, action: str) -> tuple[str, ...]:
    """Texts for a seat's occupant and activity, from long to short."""
    here = player_text(match, seat)
    return (f"{here}: {action}", action, action.removesuffix(" ...")) if action else (here, here.removeprefix("bot, "))


def is_you(match: Match, seat: int) -> bool:
    """Return True if this is the seat of the only person: they are called "you"."""
    here = [k for k, player in enumerate(match.players) if player is None]
    return seat in here and len(here) < len(match.players) and len({match.player_names.get(k, "") for k in here}) == 1


def seat_text(match: Match, seat: int) -> str:
    """Name of a seat; with tiles and cards, of its occupant."""
    own = match.player_names.get(seat, "")
    if own and not match.game.uses_physics:
        return own
    return _seat_name(match.game, seat)


def _seat_name(game: Game, seat: int) -> str:
    names = game.seat_names
    return names[seat] if seat < len(names) else f"Seat {seat + 1}"


def ruling_text(match: Match, text: str) -> str:
    """Text of a ruling: cards by their signs, and, with tiles and cards, seats by the occupants' names."""
    if not match.game.uses_physics and match.player_names:
        called = {_seat_name(match.game, seat): own for seat, own in match.player_names.items() if own}
        found = "|".join(map(re.escape, called))
        text = re.sub(rf"\b({found})\b", lambda one: called[one[1]], text) if found else text
    return with_card_symbols(text)


def prompt_text(match: Match, text: str) -> str:
    """Prompt for a seat; without the name of the only person: "Ann: put down" is "Put down"."""
    said, seat = ruling_text(match, text), match.to_play
    if seat is None or [k for k, player in enumerate(match.players) if player is None] != [seat]:
        return said
    return _capitalize(said.removeprefix(f"{seat_text(match, seat)}: "))


def stage_text(game: Game, state: State) -> str:
    """Present part of the game: "End 2 of 6"; empty when the game has no parts."""
    on = game.progress(state)
    if not on.part_name:
        return ""
    return (
        f"{on.part_name} {on.number} of {on.total}"
        if on.total is not None and on.number <= on.total
        else f"{on.part_name} {on.number}"
    )


def pieces_in_hand(game: Game, state: State, seat: int) -> int | None:
    """Number of pieces a seat has not yet played; None when the game does not count them."""
    left = game.progress(state).pieces_left
    return None if left is None else left[seat]


def pieces_in_hand_after(game: Game, turn: Turn, seat: int) -> int | None:
    """Number of pieces a seat has not yet played after a turn; the last of a part stays played till the next
    part begins."""
    before, after = game.progress(turn.before), game.progress(turn.after)
    if before.pieces_left is None or after.pieces_left is None:
        return None
    if (before.part_name, before.number) == (after.part_name, after.number):
        return after.pieces_left[seat]
    return before.pieces_left[seat] - (seat == turn.seat and getattr(turn.made, "start", None) is not None)


def format_points(points: Fraction) -> str:
    """Format points: "3", "2 1/3"."""
    whole, rest = divmod(points, 1)
    if not rest:
        return str(whole)
    return f"{whole} {rest}" if whole else str(rest)


def turn_text(game: Game, turn: Turn) -> str:
    """Describe a turn in one line."""
    names = game.seat_names
    if not game.uses_physics:
        # what was done names who did it
        return (
            f"{turn.number}. {with_card_symbols(turn.verdict.reasons[0].text)}"
            if turn.verdict.reasons
            else f"{turn.number}."
        )
    gained = [f"{names[s]} +{format_points(p)}" for s, p in enumerate(turn.verdict.ruling.points) if p]
    reasons = turn.verdict.reasons
    if gained:
        what = ", ".join(gained)
        if isinstance(turn.made, Flick):
            what = f"{piece_text(turn.made.piece)} at {turn.made.speed:.2f} m/s: {what}"
    elif isinstance(turn.made, Flick) and len(reasons) <= 1:
        what = f"{piece_text(turn.made.piece)} at {turn.made.speed:.2f} m/s"
    else:
        what = reasons[0].text if reasons else ""
    who = "" if what.startswith(names[turn.seat]) else f"{names[turn.seat]}: "
    return f"{turn.number}. {who}{what}"


def piece_text(name: str) -> str:
    """Name of a piece: "Red 2", "the white"."""
    return "the white" if name == "white" else name.replace("-", " ").capitalize()


def _capitalize(text: str) -> str:
    """Capitalise the first letter."""
    return text[:1].upper() + text[1:]


def with_card_symbols(text: str) -> str:
    """Replace cards in a ruling by their signs, Q♦ for QD, and pieces by their names, "yellow small 3"."""
    text = _PIECE_PATTERN.sub(lambda found: (str if found.start() else _capitalize)(found[0].replace("-", " ")), text)
    return _CARD_PATTERN.sub(lambda found: found[1] + _SUIT_SYMBOLS[found[2]], text).replace("JK", "joker")


_CARD_PATTERN = re.compile(r"\b(10|[2-9AJQK])([CDHS])\b")
_PIECE_PATTERN = re.compile(r"\b[a-z]+(?:-[a-z]+)*-\d+\b")
_SUIT_SYMBOLS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}


def format_action(action: Action) -> str:
    """Format an action with its numbers."""
    if isinstance(action, Squidge):
        more = f", backspin {action.tumble:.0f} rad/s" if action.tumble else ""
        more += (
            f", pressed {action.press:.0%}, drawn on {action.drag * 1000:.0f} mm" if action.press or action.drag else ""
        )
        return (
            f"{_capitalize(piece_text(action.piece))} squidged at {action.speed:.3f} m/s, "
            f"{format_azimuth(action.azimuth)}°, {to_degrees(action.elevation):.1f}° up{more}"
        )
    if isinstance(action, Launch):
        name = _capitalize(piece_text(action.piece))
        return f"{name} launched at {action.speed:.2f} m/s, {format_azimuth(action.azimuth)}°"
    if isinstance(action, Move):
        return with_card_symbols(str(action))
    if not isinstance(action, Flick):
        fields = msgspec.structs.asdict(action) if isinstance(action, msgspec.Struct) else {}
        named = ", ".join(f"{name} {value}" for name, value in fields.items())
        return f"{type(action).__name__}: {named}" if named else str(action)
    nail = (
        f", nail {abs(action.offset):.2f} r to the {'left' if action.offset > 0 else 'right'}" if action.offset else ""
    )
    name = _capitalize(piece_text(action.piece))
    return f"{name} flicked at {action.speed:.3f} m/s, {format_azimuth(action.azimuth, 2)}°{nail}"


@dataclass(frozen=True, slots=True)
class PointsRow:
    """Points gained in one part of the game, by seat."""

    label: str
    points: tuple[Fraction, ...]


def points_table(match: Match) -> list[PointsRow]:
    """Points by part (ends, where the game has them; else every turn that gave any)."""
    found: dict[str, list[Fraction]] = {}
    for turn in match.turns:
        on, gained = match.game.progress(turn.before), turn.verdict.ruling.points
        label = f"{on.part_name} {on.number}" if on.scored_by_part else f"Turn {turn.number}"
        if not any(gained) and not on.scored_by_part:
            continue
        sums = found.setdefault(label, [Fraction(0)] * len(gained))
        found[label] = [a + b for a, b in zip(sums, gained, strict=True)]
    return [PointsRow(label, tuple(points)) for label, points in found.items()]


def result_text(match: Match) -> str:
    """Text for the winner."""
    if match.forfeit is not None:
        return f"{_winner_text(match)}: {seat_text(match, match.forfeit.seat)} forfeits"
    return _winner_text(match)


def _winner_text(match: Match) -> str:
    best = match.winners
    if not best:
        return "The game is not over."
    if 1 < len(best) == len(match.players):
        return "A draw"
    if all(is_you(match, seat) for seat in best):
        return "You win"
    names = [match.player_names.get(seat) or seat_text(match, seat) for seat in best]
    names = list(dict.fromkeys(names))
    if len(names) == 1:
        return f"{names[0]} wins"
    if match.game.has_partners and len(best) == 2:
        return f"{names[0]} and {names[1]} win"
    return f"{' and '.join(names)} share the win"
