"""Games as text: every game is read back with the same bytes of its record; what cannot be played names its line."""

import re
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from flicksim.ai import GRADES
from flicksim.core.errors import FlicksimError, InvalidInput
from flicksim.games import load, names
from flicksim.match import (
    Forfeit,
    Match,
    MatchLimits,
    format_game,
    load_start,
    open_match,
    open_replay,
    parse_game,
    parse_seat,
    parse_tags,
    read_record,
    write_match,
)
from flicksim.scene import Flick
from tests.matches import new_match
from tests.test_documentation import text

SHORT: dict[str, dict[str, Any]] = {
    "penny-white": {"ends": 1}, "dominoes": {"rounds": 2}, "tinkle": {"max_turns": 5},
}  # fmt: skip


def played(name: str, seats: list[str], turns: int = 20, seed: int = 3, **limits: int) -> Match:
    """First turns of a game."""
    match = new_match(name, *seats, seed=seed, bounds=MatchLimits(**limits), **SHORT.get(name, {}))
    list(islice(match.run(), turns))
    return match


def assert_same_record(match: Match, seats: tuple[str, ...], folder: Path) -> str:
    """Write a match, as a record and as text, and read the text: the record is the same. Returns the text."""
    written = format_game(match, seats)
    again, sitting = parse_game(written)
    assert sitting == seats
    assert format_game(again, sitting) == written
    write_match(folder / "first.jsonl", match, seats)
    write_match(folder / "again.jsonl", again, sitting)
    assert (folder / "again.jsonl").read_bytes() == (folder / "first.jsonl").read_bytes()
    replay, _ = open_replay(read_record(folder / "again.jsonl"))
    assert len(list(replay.run())) == len(match.turns)
    assert replay.divergence is None
    return written


@pytest.mark.parametrize("name", names())
def test_a_game_is_read_back_with_the_same_bytes_of_its_record(name: str, tmp_path: Path) -> None:
    seats = ("bot:club", *["random"] * (max(2, load(name).seats[0]) - 1))
    match = played(name, list(seats), turns=12 if name == "tiddlywinks" else 40)
    written = assert_same_record(match, seats, tmp_path)
    lines = written.splitlines()
    assert lines[:2] == ["[Notation 1]", f'[Game "{name}"]']
    assert sum(line[:1].isdigit() for line in lines) == len(match.turns)
    for turn, line in zip(match.turns, [line for line in lines if line[:1].isdigit()], strict=True):
        assert line.startswith(f"{turn.number}. {match.game.seat_names[turn.seat]} ")
        assert line.endswith(f" ; {turn.verdict}")
        assert ("=>" in line) == (turn.made != turn.meant)


def human_match(noise: str = "steady") -> Match:
    """Match between two people."""
    match = new_match("penny-white", "human", "human", seed=3, ends=1)
    if noise != "steady":
        match.set_noise(GRADES[noise])
    return match


def test_units_are_those_of_people() -> None:
    match = human_match()
    match.play(Flick(piece="white", speed=1.45, azimuth=np.pi / 2.0))
    match.play(Flick(piece="red-1", speed=1.3, azimuth=1.5, offset=-0.25, start=(0.152, 0.03985)))
    lines = format_game(match, ("human", "human"), date="2026-11-25").splitlines()
    assert lines[-2].startswith("1. Red flick white speed=1.45 azimuth=90 ; The white is wholly past")
    assert lines[-1].startswith(
        "2. Red flick red-1 speed=1.3 azimuth=85.94366926962348 offset=-0.25 start=[152,39.85] ; "
    )
    assert '[Date "2026-11-25"]' in lines
    assert '[Options {"ends":1}]' in lines
    assert '[Result "Blue 0, Red 0; not over"]' in lines


def test_every_number_is_exact(tmp_path: Path) -> None:
    rng, match = np.random.default_rng(1), human_match()
    for _ in range(40):
        speed, azimuth, offset = rng.uniform(0.3, 0.5), rng.uniform(1.2, 1.9), rng.uniform(-0.5, 0.5)
        match.play(
            Flick(piece="white", speed=float(speed), azimuth=float(azimuth), offset=float(offset),
                  start=(float(rng.uniform(0.02, 0.28)), float(rng.uniform(0.012, 0.038))))
        )  # fmt: skip
    match.play(Flick(piece="white", speed=1.45, azimuth=float(np.nextafter(np.pi / 2.0, 2.0)), offset=-0.0))
    written = assert_same_record(match, ("human", "human"), tmp_path)
    again, _ = parse_game(written)
    assert [turn.meant for turn in again.turns] == [turn.meant for turn in match.turns]


def test_a_person_may_have_another_hand_in_every_turn(tmp_path: Path) -> None:
    match = human_match("club")
    match.play(Flick(piece="white", speed=1.45, azimuth=1.57))
    match.set_noise(GRADES["world"].scaled(1.3))
    match.play(Flick(piece="red-1", speed=1.3, azimuth=1.57))
    written = assert_same_record(match, ("human", "human"), tmp_path)
    first, second = written.splitlines()[-2:]
    assert " hand=club ;" in first
    assert ' hand={"' in second


def test_position_limits_and_forfeit_are_kept(tmp_path: Path) -> None:
    game = load("tiddlywinks")
    position, options = load_start(game, "pile_of_three", [])
    seats = ("cmd:python3 nobody.py", "random", "own:my player", "random")
    match = open_match(
        game, options, [parse_seat(word) for word in seats], 2, position=position, bounds=MatchLimits(turns=7)
    )
    assert match.to_play is not None
    seat = match.to_play
    match.forfeit_by(Forfeit(seat=seat, reason="had enough; [it] said"))
    written = assert_same_record(match, seats, tmp_path)
    assert '[Limits {"moves":5000,"turns":7}]' in written
    assert f'[Forfeit {{"says":"had enough; [it] said","seat":{seat}}}]' in written
    assert "[Position {" in written


def test_self_reports_are_kept(tmp_path: Path) -> None:
    match = human_match()
    match.play(Flick(piece="white", speed=1.45, azimuth=1.57))
    report = match.self_reports[0]
    match.play(report.action)
    written = assert_same_record(match, ("human", "human"), tmp_path)
    assert "2. Red disturb how=" in written


def test_another_program_may_leave_out_what_is_for_the_reader_and_tags_are_read_alone() -> None:
    tags = '[Game "penny-white"]\n[Seats ["human", "human"]]\n[Seed 3]\n[Site "at home"]\n'
    short = f"{tags}1. Red flick white speed=1.45 azimuth=90"
    match, seats = parse_game(short)
    assert seats == ("human", "human")
    assert match.turns[0].meant == Flick(piece="white", speed=1.45, azimuth=np.pi / 2.0)
    assert parse_game(short + ";\n\n")[0].turns == match.turns
    assert parse_game(f'[Result "Blue 0, Red 0; not over"]\n{short}')[0].turns == match.turns
    tags, lines = parse_tags(GOOD.replace("flick white", "throw it"))
    assert tags == {"Game": "penny-white", "Seats": ["human", "human"], "Seed": 3}
    assert [number for number, _ in lines] == [5]


def test_the_documented_game_is_one() -> None:
    (block,) = re.findall(r"^```\n(\[Notation 1\].*?)^```", text("flicksim/cli/README.md"), re.S | re.M)
    match, _ = parse_game(block)
    assert len(match.turns) == 2
    assert [line.partition(" ; ")[0] for line in format_game(match, ("human", "human")).splitlines()[-2:]] == [
        line.partition(" ; ")[0] for line in block.splitlines()[-2:]
    ]


GOOD = '[Game "penny-white"]\n[Seats ["human","human"]]\n[Seed 3]\n\n1. Red flick white speed=1.45 azimuth=90 ; so\n'


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('[Game "penny-white"]\n', "", "the game has no tag Game"),
        ("penny-white", "chess", "no game 'chess'"),
        ('["human","human"]', '["human"]', "Penny White is for 2 players, not 1"),
        ("[Seed 3]", "[Seed x]", "line 3 of the game: "),
        ("[Seed 3]", "[Seed 3]\n[Seed 4]", "line 4 of the game: a second tag Seed; each is written once"),
        (
            "[Seed 3]",
            '[Seed 3]\n[Options {"ends":1,"size":2,"ends":2}]',
            "line 4 of the game: a second field 'ends' in the object of ends, size, ends; each is written once",
        ),
        ("speed=1.45", 'speed={"x":1,"x":2}', "line 5 of the game: a second field 'x' in the object of x, x; "),
        ("speed=1.45", "speed=1.45 speed=1.4", "line 5 of the game: a second speed, 'speed=1.4'; each is written once"),
        ("speed=1.45", "speed=1.45 speed=", "line 5 of the game: a second speed, 'speed='; "),
        ("speed=1.45", "piece=white speed=1.4", "line 5 of the game: a second piece, 'piece=white'"),
        ("[Seed 3]", "[Seed 3]\n[Notation 2]", "the game is in notation 2; this flicksim reads notation 1"),
        ("[Seed 3]", "[Seed 3]\n[Edition 1]", "ruled by edition 1 of Penny White"),
        ('"penny-white"', "null", "the tag Game: expected a text, got null"),
        ("[Seed 3]", "[Seed 3]\n[Notation null]", "the game is in notation null; this"),
        ("[Seed 3]", '[Seed 3]\n[State "0"]', "comes out otherwise here than its tag State says"),
        ("[Seed 3]", '[Seed 3]\n[State ""]', "comes out otherwise here than its tag State says"),
        ("[Seed 3]", '[Seed 3]\n[Result ""]', "the tag Result says '', but the game as played out is"),
        ("[Seed 3]", "[Seed 3]\n[Result null]", "the tag Result says null, but the game as played out is"),
        (
            "[Seed 3]",
            '[Seed 3]\n[Result "Blue 3, Red 0; won by Blue"]',
            "Result says 'Blue 3, Red 0; won by Blue', but the game as played out is 'Blue 0, Red 0; not over'",
        ),
        ("1. Red", "2. Red", "line 5 of the game: it must begin with '1. ' and the name of a seat"),
        ("1. Red", "1. Blue", "line 5 of the game: it is the turn of Red, not of 'Blue'"),
        ("flick white", "flick black", "line 5 of the game: "),
        ("speed=1.45", "speed=99", "line 5 of the game: the action"),
        ("speed=1.45", "speed=[1", "line 5 of the game: speed: "),
        ("speed=1.45", "velocity=1.45", "line 5 of the game: the action"),
        (" ; so", " so", "line 5 of the game: 'so' is neither a field nor a ruling after ';'"),
        (" ; so", " => speed=1.5", "line 5 of the game: the seed and the hand execute the action otherwise"),
        ("[Seed 3]", f"[Seed {'[' * 100000}]", "line 3 of the game: a tag is written [Name JSON], each once"),
        ("speed=1.45", f"speed={'[' * 100000}", "line 5 of the game: it is nested too deeply"),
        ("azimuth=90", "azimuth=1e9999999999", "line 5 of the game: "),
        ("azimuth=90", "azimuth=400", "line 5 of the game: azimuth 400 must lie in -360 to 360 degrees"),
        ("azimuth=90", "elevation=90.1", "line 5 of the game: elevation 90.1 must lie in 0 to 90 degrees"),
        (" ; so", " => hand=hero", "line 5 of the game: there is no hand 'hero'"),
    ],
)
def test_what_is_no_game_is_refused_by_its_line(old: str, new: str, message: str) -> None:
    parse_game(GOOD)
    with pytest.raises(FlicksimError) as wrong:
        parse_game(GOOD.replace(old, new, 1))
    assert message in str(wrong.value)
    assert "\n" not in str(wrong.value)


def test_an_altered_game_of_bots_is_refused() -> None:
    written = format_game(played("penny-white", ["bot:club", "bot:club"], turns=6), ("bot:club", "bot:club"))
    altered = re.sub(r"=> speed=(\d\.\d)", r"=> speed=\g<1>9", written, count=1)
    assert altered != written
    with pytest.raises(InvalidInput, match="execute the action otherwise"):
        parse_game(altered)
