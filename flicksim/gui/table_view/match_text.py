"""Texts of players and scores of a match of any game."""

import re
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

import msgspec

from flicksim.ai import GRADES, RandomPlayer, SubprocessPlayer, grade_name
from flicksim.cards import Draw, Move, PlaceTile
from flicksim.core.type_aliases import Action, State
from flicksim.core.units import format_azimuth, to_degrees
from flicksim.gui.toolkit import Untranslated, palette, translate
from flicksim.match import Match, Turn
from flicksim.referee import Game, Verdict
from flicksim.scene import Flick, Launch, Squidge

_LEAST_LETTERS = 3
"""Least number of letters to which a name is shortened."""


def format_clock(seconds: float) -> str:
    """Format a time [s] as minutes and seconds."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


def player_text(match: Match, seat: int) -> str:
    """Name of a seat's occupant: their name, "you", "human", "random" or "bot, club"."""
    player = match.players[seat]
    if player is None:
        if not match.game.uses_physics:  # the card shows the name
            return "you" if is_you(match, seat) else "here"
        name = match.player_names.get(seat, "you" if any(match.players) or len(match.players) == 1 else "human")
        name = Untranslated(name) if name in match.game.seat_names else name
        return (
            Untranslated(f"{translate(name)}, {translate(_noise_grade(match, seat))}") if noise_grades(match) else name
        )
    if isinstance(player, RandomPlayer):
        return "random"
    if remote := match.player_names.get(seat):  # somebody at another machine
        return remote if match.game.uses_physics else "online"
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
    grades = {seat: grade_name(match.seated_noise[seat]) for seat, player in enumerate(match.players) if player is None}
    return {seat: name for seat, name in grades.items() if isinstance(name, str) and name in GRADES}


def action_text(match: Match, seat: int, action: str) -> tuple[str, ...]:
    """Texts for a seat's occupant and activity, from long to short."""
    occupant = player_text(match, seat)
    if not (action and occupant):
        return occupant or action, "bot" if occupant.startswith("bot, ") else occupant or action
    name = match.player_names.get(seat, "")
    lengths = range(len(name) - 4, _LEAST_LETTERS - 1, -1)  # shorter than the name with the dots
    names = [translate(occupant), name or translate(occupant), *(f"{name[:k].rstrip()}..." for k in lengths)]
    texts = (Untranslated(f"{one}: {translate(action)}") for one in dict.fromkeys(names))
    return *texts, action, action.removesuffix(" ...")


def is_you(match: Match, seat: int) -> bool:
    """Return True if this is the seat of the only person: they are called "you"."""
    humans = [k for k, player in enumerate(match.players) if player is None]
    is_one_person = len({match.player_names.get(k, "") for k in humans}) == 1
    return seat in humans and is_one_person and len(humans) < len(match.players)


def seat_text(match: Match, seat: int) -> str:
    """Name of a seat; with tiles and cards, of its occupant."""
    return occupant_name(match.game, match.player_names, seat)


def occupant_name(game: Game, player_names: Mapping[int, str], seat: int) -> str:
    """Name of a seat; with tiles and cards, of its occupant.

    Where a person is called like the seat of one without a name, the two swap: a bot at Bob's seat is Ann where Bob
    sits at Ann's.
    """
    if game.uses_physics:
        return _seat_name(game, seat)
    if name := player_names.get(seat, ""):
        return name
    seats_by_name = {name: seat for seat, name in player_names.items() if name}
    name = _seat_name(game, seat)
    while name in seats_by_name:
        name = _seat_name(game, seats_by_name[name])
    return name


def _seat_name(game: Game, seat: int) -> str:
    names = game.seat_names
    return names[seat] if seat < len(names) else f"Seat {seat + 1}"


def ruling_text(match: Match, text: str) -> str:
    """Text of a ruling: cards by their signs, and, with tiles and cards, seats by the occupants' names."""
    return with_card_symbols(with_player_names(match.game, match.player_names, text))


def with_player_names(game: Game, player_names: Mapping[int, str], text: str) -> str:
    """Text of a game of tiles or cards with its seats called by the names of their occupants; others unchanged.

    To be applied once: a person called like another seat swaps names with it.
    """
    if game.uses_physics:
        return text
    names = {name: occupant_name(game, player_names, seat) for seat, name in enumerate(game.seat_names)}
    return re.sub(rf"\b({'|'.join(map(re.escape, names))})\b", lambda hit: names[hit[1]], text)


def named_game(game: Game, player_names: Mapping[int, str]) -> Game:
    """Game whose seats, with tiles and cards, are called by the names of their occupants; others unchanged."""
    return replace(
        game, seat_names=tuple(occupant_name(game, player_names, seat) for seat in range(len(game.seat_names)))
    )


def seat_key(game: Game, seat: int) -> str | None:
    """Colour key of a seat, of a `named_game` too: with tiles and cards by its number, as one may be called Blue."""
    return palette.seat_key(seat, game.seat_names if game.uses_physics else ())


def named_replay(match: Match) -> tuple[Game, list[Turn]]:
    """Game and turns of a match to be looked through; with tiles and cards, occupants' names stand in all texts."""
    if match.game.uses_physics:
        return match.game, list(match.turns)

    def named(verdict: Verdict) -> Verdict:
        reasons = tuple(
            msgspec.structs.replace(reason, text=with_player_names(match.game, match.player_names, reason.text))
            for reason in verdict.reasons
        )
        return msgspec.structs.replace(verdict, reasons=reasons)

    turns = [replace(turn, verdict=named(turn.verdict)) for turn in match.turns]
    return named_game(match.game, match.player_names), turns


def prompt_text(match: Match, text: str) -> str:
    """Prompt for a seat; without the name of the only person: "Ann: put down" is "Put down"."""
    sentence, seat = ruling_text(match, text), match.to_play
    if seat is None or [k for k, player in enumerate(match.players) if player is None] != [seat]:
        return sentence
    return _capitalize(sentence.removeprefix(f"{seat_text(match, seat)}: "))


def stage_text(game: Game, state: State) -> str:
    """Present part of the game: "End 2 of 6"; empty when the game has no parts."""
    return game.progress(state).text


def pieces_in_hand_after(game: Game, turn: Turn, seat: int) -> int | None:
    """Number of pieces a seat has not yet played after a turn, None when the game does not count them; the last of a
    part stays played till the next part begins."""
    before, after = game.progress(turn.before), game.progress(turn.after)
    if before.pieces_left is None or after.pieces_left is None:
        return None
    if (before.part_name, before.number) == (after.part_name, after.number):
        return after.pieces_left[seat]
    return before.pieces_left[seat] - (seat == turn.seat and getattr(turn.made, "start", None) is not None)


def format_points(points: Fraction) -> str:
    """Format points: "3", "2 1/3"."""
    integer, remainder = divmod(points, 1)
    if not remainder:
        return str(integer)
    return f"{integer} {remainder}" if integer else str(remainder)


def format_gain(points: Fraction) -> str:
    """Format points won or lost, with their sign."""
    return f"{'+' if points > 0 else ''}{format_points(points)}"


def turn_text(game: Game, turn: Turn) -> str:
    """Describe a turn in one line, distances to hundredths of a millimetre in whole ones."""
    names = game.seat_names
    if not game.uses_physics:
        # the reason names the player
        text = with_card_symbols(turn.verdict.reasons[0].text) if turn.verdict.reasons else ""
        return f"{turn.number}. {text}".rstrip()
    gained = [f"{names[s]} +{format_points(p)}" for s, p in enumerate(turn.verdict.ruling.points) if p]
    reasons = turn.verdict.reasons
    if gained:
        text = ", ".join(gained)
        if isinstance(turn.made, Flick):
            text = f"{piece_text(turn.made.piece)} at {turn.made.speed:.2f} m/s: {text}"
    elif isinstance(turn.made, Flick) and len(reasons) <= 1:
        text = f"{piece_text(turn.made.piece)} at {turn.made.speed:.2f} m/s"
    else:
        text = reasons[0].text if reasons else ""
    prefix = "" if text.startswith(names[turn.seat]) else f"{names[turn.seat]}: "
    rounded = _MM_PATTERN.sub(lambda hit: f"{float(hit[0]):.0f}", text)
    return f"{turn.number}. {prefix}{rounded}"


def undone_text(first: int, last: int, *, has_turns: bool) -> str:
    """Text on the turns that are taken back, by their numbers; without turns they are not told."""
    turns = f"turns {first} {'and' if last == first + 1 else 'to'} {last}" if last > first else f"turn {first}"
    return turns if has_turns else "a launch"


def piece_text(name: str) -> str:
    """Name of a piece: "Red 2", "the white"."""
    return "the white" if name == "white" else name.replace("-", " ").capitalize()


def _capitalize(text: str) -> str:
    """Capitalise the first letter."""
    return text[:1].upper() + text[1:]


def with_card_symbols(text: str) -> str:
    """Replace cards in a ruling by their signs, Q♦ for QD, and pieces by their names, "yellow small 3"."""
    text = _PIECE_PATTERN.sub(lambda hit: (str if hit.start() else _capitalize)(hit[0].replace("-", " ")), text)
    text = _JOKER_GAP_PATTERN.sub(", ", text)
    return _CARD_PATTERN.sub(lambda hit: hit[1] + _SUIT_SYMBOLS[hit[2]], text).replace("JK", "joker")


_MM_PATTERN = re.compile(r"\b\d+\.\d{2,}(?= mm\b)")
_CARD_PATTERN = re.compile(r"\b(10|[2-9AJQK])([CDHS])\b")
_JOKER_GAP_PATTERN = re.compile(r"(?<=[0-9AJQK][CDHS]) (?=JK\b)|(?<=\bJK) (?=(?:JK|(?:10|[2-9AJQK])[CDHS])\b)")
"""Pattern of the space between a joker and a card beside it, which without a comma read as one."""
_PIECE_PATTERN = re.compile(r"\b[a-z]+(?:-[a-z]+)*-\d+\b")
_SUIT_SYMBOLS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}


def format_action(action: Action) -> str:
    """Format an action with its numbers."""
    if isinstance(action, Draw):
        return "draw a card"
    if isinstance(action, Move):
        return with_card_symbols(f"play {action}" if isinstance(action, PlaceTile) else str(action))
    if not isinstance(action, Flick | Squidge | Launch):
        fields = msgspec.structs.asdict(action) if isinstance(action, msgspec.Struct) else {}
        fields_text = ", ".join(f"{name} {value}" for name, value in fields.items())
        return f"{type(action).__name__}: {fields_text}" if fields_text else str(action)
    name, azimuth = _capitalize(piece_text(action.piece)), f"{format_azimuth(action.azimuth)}°"
    if isinstance(action, Launch):
        return f"{name} launched at {action.speed:.2f} m/s, {azimuth}"
    if isinstance(action, Squidge):
        extras = f", backspin {action.tumble:.0f} rad/s" if action.tumble else ""
        if action.press or action.drag:
            extras += f", pressed {action.press:.0%}, drawn on {action.drag * 1000:.0f} mm"
        elevation = f"{to_degrees(action.elevation):.1f}° up"
        return f"{name} squidged at {action.speed:.3f} m/s, {azimuth}, {elevation}{extras}"
    side = "left" if action.offset > 0 else "right"
    nail = f", nail {abs(action.offset):.2f} r to the {side}" if action.offset else ""
    return f"{name} flicked at {action.speed:.3f} m/s, {format_azimuth(action.azimuth, 2)}°{nail}"


def points_table(match: Match) -> list[tuple[str, tuple[str, ...]]]:
    """Points by part (ends, where the game has them; else every turn that gave any): a label, and a text by seat."""
    table: dict[str, list[Fraction]] = {}
    for turn in match.turns:
        progress, gained = match.game.progress(turn.before), turn.verdict.ruling.points
        label = f"{progress.part_name} {progress.number}" if progress.scored_by_part else f"Turn {turn.number}"
        if not any(gained) and not progress.scored_by_part:
            continue
        sums = table.setdefault(label, [Fraction(0)] * len(gained))
        table[label] = [a + b for a, b in zip(sums, gained, strict=True)]
    return [(label, tuple(format_points(one) if one else "–" for one in row)) for label, row in table.items()]


def result_text(match: Match) -> str:
    """Text for the winner."""
    if match.forfeit is not None:
        return f"{_winner_text(match)}: {seat_text(match, match.forfeit.seat)} forfeits"
    return _winner_text(match)


def _winner_text(match: Match) -> str:
    winners = match.winners
    if not winners:
        return "The game is not over."
    if 1 < len(winners) == len(match.players):
        return "A draw"
    if all(is_you(match, seat) for seat in winners):
        return "You win"
    names = [match.player_names.get(seat) or seat_text(match, seat) for seat in winners]
    names = list(dict.fromkeys(names))
    if len(names) == 1:
        return f"{names[0]} wins"
    if match.game.has_partners and len(winners) == 2:
        return f"{names[0]} and {names[1]} win"
    return f"{' and '.join(names)} share the win"
