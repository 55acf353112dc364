"""Tests of the public functions for games: seats are words, players or functions; errors are one sentence."""

import sys
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from flicksim import Flick, load_game, play_game, read_record, replay
from flicksim.core.errors import FlicksimError, Forfeited, InvalidFile, InvalidOption, PlayerError, RecordTampered
from flicksim.match import parse_seat
from flicksim.referee import LegalActions

ONE_END = {"ends": 1}


def function_player(view: Any, choices: LegalActions, rng: np.random.Generator) -> Any:
    """Flick straight ahead, or take the first decision."""
    if not choices.flicks:
        return choices.actions[0]
    span = choices.flicks[0]
    start = tuple(np.mean(span.start, axis=0).tolist()) if span.start else None
    return Flick(piece=span.piece, speed=1.3, azimuth=1.5708, start=start)


class ClassPlayer:
    """The same player as an object with execution noise."""

    hand = "club"
    closed = 0

    def choose(self, view: Any, choices: LegalActions, rng: np.random.Generator) -> Any:
        """Choose as the function does."""
        return function_player(view, choices, rng)

    def close(self) -> None:
        """Note the end of the game."""
        self.closed += 1


def test_seats_may_be_words_functions_or_players(tmp_path: Path) -> None:
    played = play_game("penny-white", [function_player, "random"], seed=3, options=ONE_END, record=tmp_path / "a.jsonl")
    assert played.seats == ("own:function_player", "random")
    assert played.is_over
    assert played.winners
    assert repr(played).startswith(f"<penny-white, seed 3, {len(played.turns)} turns: Blue (own:function_player) ")
    again = replay(str(tmp_path / "a.jsonl"))
    assert [turn.after for turn in again.turns] == [turn.after for turn in played.turns]
    assert "Penny White" in played.transcript()


def test_a_player_has_execution_noise_and_is_notified_of_the_end() -> None:
    player = ClassPlayer()
    played = play_game("penny-white", [player, "random"], options=ONE_END)
    assert played.seats[0] == "own/club:ClassPlayer"
    assert any(turn.meant != turn.made for turn in played.turns if turn.seat == 0)
    assert player.closed
    assert str(parse_seat("own/club:ClassPlayer")) == "own/club:ClassPlayer"


def test_turns_are_a_table(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    played = play_game("penny-white", [ClassPlayer(), "random"], options=ONE_END, record=path)
    table = played.table()
    assert len(table) == len(played.turns)
    assert table["player"][0] in played.seats
    assert table.units["made_speed"] == "m/s"
    written = read_record(path).table()
    frame = table.to_pandas()
    assert written.to_pandas().equals(frame)
    assert frame["turn"].tolist()[:2] == [1, 2]
    assert {frame[name].dtype.kind for name in ("turn", "seat")} == {"i"}
    cards = play_game("tinkle", ["bot:club"] * 3, seed=3, max_turns=6).table()
    assert "speed" not in cards
    assert len(cards) == 6


def mutating_player(view: Any, choices: LegalActions, rng: np.random.Generator) -> Any:
    """Move a piece instead of returning an action."""
    view.end = 0
    return function_player(view, choices, rng)


class HeldState(msgspec.Struct):
    """Return something that is no action."""


@pytest.mark.parametrize(
    ("player", "message"),
    [
        (lambda view, choices, rng: None, "returned nothing; it returns Flick or PlaceWhite"),
        (lambda view, choices, rng: 3, "returned 3; it returns Flick or"),
        (lambda view, choices, rng: HeldState(), "returned a HeldState; it returns Flick or"),
        (lambda view, choices, rng: 1 / 0, "raised ZeroDivisionError: division by zero (line "),
        (lambda *_: sys.exit(3), "raised SystemExit: 3 (line "),
        (mutating_player, "the player 'mutating_player' tried to change a frozen value; msgspec.structs.replace"),
        (
            lambda view, choices, rng: Flick(piece="x", speed=1.0, azimuth=0.0),
            "returned an illegal action: 'x' may not be",
        ),
        (lambda *_: Flick(piece="x", speed=99.0, azimuth=0.0), "raised speed 99.0 m/s must be above 0"),
    ],
)
def test_a_faulty_player_is_refused_in_a_sentence(player: Any, message: str) -> None:
    with pytest.raises(PlayerError) as wrong:
        play_game("penny-white", [player, player], options=ONE_END)
    assert message in str(wrong.value)
    assert "\n" not in str(wrong.value)


def test_a_player_that_mutates_its_view_is_detected() -> None:
    def thief(view: Any, choices: LegalActions, rng: np.random.Generator) -> Any:
        view.zones.piles.clear()
        return choices.actions[0]

    with pytest.raises(PlayerError, match="changed the view"):
        play_game("dominoes", [thief, thief, thief, thief])


def test_a_player_may_give_up() -> None:
    def tired(view: Any, choices: LegalActions, rng: np.random.Generator) -> Any:
        raise Forfeited("has had enough")

    played = play_game("penny-white", [tired, tired], options=ONE_END)
    assert played.forfeit.reason == "has had enough"
    first, other = ("Blue", "Red") if played.forfeit.seat == 0 else ("Red", "Blue")
    assert repr(played).endswith(f"; {first} forfeits, won by {other}>")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"game": "chess"}, "no game 'chess'; there are penny-white"),
        ({"game": ["random"]}, "no game ['random']; there are penny-white"),
        ({"seats": ["random"]}, "Penny White is for 2 players, not 1"),
        ({"seats": "random"}, "seats cannot be 'random'; name one for each seat"),
        ({"seats": 3}, "seats cannot be 3; name one for each seat"),
        ({"seats": ["random", 3]}, "3 is no player; a player has choose(view, legal_actions, rng)"),
        ({"seats": ["random", ClassPlayer]}, "ClassPlayer is a class; pass an instance: ClassPlayer()"),
        ({"seats": ["random", lambda view: None]}, "the player 'lambda' takes (view); a player has choose(view"),
        ({"seats": ["random", "bot:hero"]}, "no grade 'hero'; grades are beginner"),
        ({"seats": ["random", "human"]}, "a human seat needs the window or the shell"),
        ({"seats": ["random", "cmd:no-such-program"]}, "no-such-program"),
        ({"options": {"ends": "many"}}, "option ends='many' is not allowed; it may be a whole number 1 to 100"),
        ({"options": {"end": 1}}, "penny-white has no option 'end'; it has coin"),
        ({"options": "ends=1"}, "options cannot be the word 'ends=1'; give them by name"),
        ({"options": [3]}, "the name of an option cannot be 3"),
        ({"seed": "x"}, "seed cannot be 'x'; it is a whole number"),
        ({"seed": True}, "seed cannot be True"),
        ({"max_turns": 0}, "max_turns cannot be 0; it is a whole number, 1 to"),
        ({"position": "here"}, "no position 'here' of Penny White is shipped"),
        ({"record": 3}, "record cannot be 3; name it by a string or a Path"),
    ],
)
def test_invalid_arguments_are_refused_in_a_sentence(given: dict[str, Any], message: str) -> None:
    with pytest.raises(FlicksimError) as wrong:
        play_game(**{"game": "penny-white", "seats": ["random", "random"], **given})
    assert message in str(wrong.value)


def test_options_made_in_python_are_checked_too() -> None:
    for made in ({"ends": "many"}, {"ends": -3}):
        with pytest.raises(InvalidOption, match=r"it may be a whole number 1 to 100"):
            load_game("penny-white").options(**made)
    with pytest.raises(InvalidOption, match="leaves no middle to land on"):
        load_game("ice").options(table_mm=(400.0, 400.0), start_line_mm=190.0)
    assert play_game("penny-white", ["random"] * 2, options=load_game("penny-white").options(ends=1)).is_over


def test_an_altered_record_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    play_game("penny-white", ["random"] * 2, options=ONE_END, record=path)
    path.write_text(path.read_text().replace('"speed":1.', '"speed":2.', 1))
    with pytest.raises(RecordTampered, match="diverges at turn"):
        replay(path)
    with pytest.raises(FlicksimError, match="the record cannot be 3"):
        read_record(3)  # type: ignore[arg-type]
    with pytest.raises(InvalidFile, match="cannot read"):
        replay(tmp_path / "b.jsonl")


def test_a_game_begins_at_a_position() -> None:
    played = play_game("tiddlywinks", ["random"] * 4, position="pile_of_three", options={"seats": 4}, max_turns=1)
    assert played.match.custom_start is not None
    assert played.is_truncated
    assert "1 turn: " in repr(played)
    assert "; cut short after 1 turn, " in repr(played)


def test_an_existing_record_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("mine")
    with pytest.raises(InvalidFile, match="choose another name, or, if its game is not over, go on with it by"):
        play_game("penny-white", ["random"] * 2, record=tmp_path / "a.jsonl")
