"""The players and the standing, in words: read from a match without knowing its game."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

import msgspec

from flicksim.base.kinds import Action, State
from flicksim.base.units import direction, to_degrees
from flicksim.cards import Move
from flicksim.play import Match, Turn
from flicksim.players import GRADES, ProgramPlayer, RandomPlayer, name_of
from flicksim.referee import Game
from flicksim.table import Flick, Launch, Squidge


def clock(seconds: float) -> str:
    """A time in minutes and seconds [s]."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


def who(match: Match, seat: int) -> str:
    """The one who sits there: their name or "you" (among others) or "human" (among people), "random", "bot, club"."""
    player = match.players[seat]
    if player is None:
        if not match.game.flicked:  # there the name stands on the card
            return "you" if yours(match, seat) else "here"
        own = match.people.get(seat) or ("you" if any(match.players) else "human")
        return f"{own}, {_grade(match, seat)}" if handicaps(match) else own
    if isinstance(player, RandomPlayer):
        return "random"
    if isinstance(player, ProgramPlayer):
        return "program"
    grade = _grade(match, seat)
    return f"bot, {grade}" if grade in GRADES else "bot"


def _grade(match: Match, seat: int) -> str:
    """The name of a seat's hand; nothing for one that has none."""
    name = name_of(match.hands[seat])
    return name if isinstance(name, str) else "own hand"


def handicaps(match: Match) -> dict[int, str]:
    """The grades of people who sat down with a hand of their own, by seat."""
    sat = {seat: name_of(match.own_hands[seat]) for seat, player in enumerate(match.players) if player is None}
    return {seat: name for seat, name in sat.items() if isinstance(name, str) and name in GRADES}


def doing(match: Match, seat: int, does: str) -> tuple[str, ...]:
    """The one who sits there and what they do, in ever fewer words."""
    here = who(match, seat)
    return (f"{here}: {does}", does, does.removesuffix(" ...")) if does else (here, here.removeprefix("bot, "))


def yours(match: Match, seat: int) -> bool:
    """True where one person sits among others, and this is their seat: they are called "you"."""
    here = [k for k, player in enumerate(match.players) if player is None]
    return seat in here and len(here) < len(match.players) and len({match.people.get(k, "") for k in here}) == 1


def name(match: Match, seat: int) -> str:
    """The name of a seat; with tiles and cards, of whoever sits there."""
    own = match.people.get(seat, "")
    if own and not match.game.flicked:
        return own
    return _seat_name(match.game, seat)


def _seat_name(game: Game, seat: int) -> str:
    names = game.seat_names
    return names[seat] if seat < len(names) else f"Seat {seat + 1}"


def told(match: Match, words: str) -> str:
    """A ruling as people here say it: cards by their signs, and, with tiles and cards, whoever sits there by name."""
    if not match.game.flicked and match.people:
        called = {_seat_name(match.game, seat): own for seat, own in match.people.items() if own}
        found = "|".join(map(re.escape, called))
        words = re.sub(rf"\b({found})\b", lambda one: called[one[1]], words) if found else words
    return said(words)


def due(match: Match, words: str) -> str:
    """The deed due of a seat; the only person here needs no name for it: "Ann: put down" is "Put down"."""
    said, seat = told(match, words), match.to_play
    if seat is None or [k for k, player in enumerate(match.players) if player is None] != [seat]:
        return said
    return _first(said.removeprefix(f"{name(match, seat)}: "))


def stretch(game: Game, state: State) -> str:
    """Part of the game that is on: "End 2 of 6"; empty when the game has no parts."""
    on = game.progress(state)
    if not on.part:
        return ""
    return f"{on.part} {on.number} of {on.of}" if on.of is not None and on.number <= on.of else f"{on.part} {on.number}"


def in_hand(game: Game, state: State, seat: int) -> int | None:
    """The number of pieces a seat has not yet played; None when the game does not count them."""
    left = game.progress(state).left
    return None if left is None else left[seat]


def still_in_hand(game: Game, turn: Turn, seat: int) -> int | None:
    """The number of pieces a seat has not yet played once this turn is; the last of a part stays played till the next
    part begins."""
    before, after = game.progress(turn.before), game.progress(turn.after)
    if before.left is None or after.left is None:
        return None
    if (before.part, before.number) == (after.part, after.number):
        return after.left[seat]
    return before.left[seat] - (seat == turn.seat and getattr(turn.made, "start", None) is not None)


def number(points: Fraction) -> str:
    """Points as people write them: "3", "2 1/3"."""
    whole, rest = divmod(points, 1)
    if not rest:
        return str(whole)
    return f"{whole} {rest}" if whole else str(rest)


def line(game: Game, turn: Turn) -> str:
    """One line about a turn."""
    names = game.seat_names
    if not game.flicked:
        # what was done names who did it
        return f"{turn.number}. {said(turn.verdict.reasons[0].says)}" if turn.verdict.reasons else f"{turn.number}."
    gained = [f"{names[s]} +{number(p)}" for s, p in enumerate(turn.verdict.ruling.points) if p]
    reasons = turn.verdict.reasons
    if gained:
        what = ", ".join(gained)
        if isinstance(turn.made, Flick):
            what = f"{piece(turn.made.piece)} at {turn.made.speed:.2f} m/s: {what}"
    elif isinstance(turn.made, Flick) and len(reasons) <= 1:
        what = f"{piece(turn.made.piece)} at {turn.made.speed:.2f} m/s"
    else:
        what = reasons[0].says if reasons else ""
    who = "" if what.startswith(names[turn.seat]) else f"{names[turn.seat]}: "
    return f"{turn.number}. {who}{what}"


def piece(name: str) -> str:
    """A piece as people call it: "Red 2", "the white"."""
    return "the white" if name == "white" else name.replace("-", " ").capitalize()


def _first(words: str) -> str:
    """The words as a sentence begins."""
    return words[:1].upper() + words[1:]


def said(words: str) -> str:
    """A ruling with cards by their signs, Q♦ for QD, and pieces by their names, "yellow small 3"."""
    words = _PIECE.sub(lambda found: (str if found.start() else _first)(found[0].replace("-", " ")), words)
    return _CARD.sub(lambda found: found[1] + _SIGNS[found[2]], words).replace("JK", "joker")


_CARD = re.compile(r"\b(10|[2-9AJQK])([CDHS])\b")
_PIECE = re.compile(r"\b[a-z]+(?:-[a-z]+)*-\d+\b")
_SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}


def action(made: Action) -> str:
    """An action with its numbers."""
    if isinstance(made, Squidge):
        more = f", backspin {made.tumble:.0f} rad/s" if made.tumble else ""
        more += f", pressed {made.press:.0%}, drawn on {made.drag * 1000:.0f} mm" if made.press or made.drag else ""
        return (
            f"{_first(piece(made.piece))} squidged at {made.speed:.3f} m/s, {direction(made.azimuth)}°, "
            f"{to_degrees(made.elevation):.1f}° up{more}"
        )
    if isinstance(made, Launch):
        return f"{_first(piece(made.piece))} launched at {made.speed:.2f} m/s, {direction(made.azimuth)}°"
    if isinstance(made, Move):
        return said(str(made))
    if not isinstance(made, Flick):
        fields = msgspec.structs.asdict(made) if isinstance(made, msgspec.Struct) else {}
        named = ", ".join(f"{name} {value}" for name, value in fields.items())
        return f"{type(made).__name__}: {named}" if named else str(made)
    nail = f", nail {abs(made.offset):.2f} r to the {'left' if made.offset > 0 else 'right'}" if made.offset else ""
    return f"{_first(piece(made.piece))} flicked at {made.speed:.3f} m/s, {direction(made.azimuth, 2)}°{nail}"


@dataclass(frozen=True, slots=True)
class Row:
    """Points gained in one part of the game, by seat."""

    label: str
    points: tuple[Fraction, ...]


def table(match: Match) -> list[Row]:
    """Points part by part (ends, where the game has them; else every turn that gave any)."""
    found: dict[str, list[Fraction]] = {}
    for turn in match.turns:
        on, gained = match.game.progress(turn.before), turn.verdict.ruling.points
        label = f"{on.part} {on.number}" if on.tallied else f"Turn {turn.number}"
        if not any(gained) and not on.tallied:
            continue
        sums = found.setdefault(label, [Fraction(0)] * len(gained))
        found[label] = [a + b for a, b in zip(sums, gained, strict=True)]
    return [Row(label, tuple(points)) for label, points in found.items()]


def result(match: Match) -> str:
    """A line for who has won."""
    if match.forfeit is not None:
        return f"{_won(match)}: {name(match, match.forfeit.seat)} forfeits"
    return _won(match)


def _won(match: Match) -> str:
    best = match.winners
    if not best:
        return "The game is not over."
    if 1 < len(best) == len(match.players):
        return "A draw"
    if all(yours(match, seat) for seat in best):
        return "You win"
    names = [match.people.get(seat) or name(match, seat) for seat in best]
    names = list(dict.fromkeys(names))
    if len(names) == 1:
        return f"{names[0]} wins"
    if match.game.partners and len(best) == 2:
        return f"{names[0]} and {names[1]} win"
    return f"{' and '.join(names)} share the win"
