"""Share codes of positions and games."""

from base64 import urlsafe_b64encode
from pathlib import Path
from zlib import compress, crc32

import pytest
from msgspec import structs

from flicksim.ai import GRADES
from flicksim.core.errors import FlicksimError
from flicksim.games import load, names
from flicksim.match import (
    Forfeit,
    Match,
    Record,
    Recorder,
    SharedGame,
    Turn,
    current_position,
    decode_share_code,
    encode_match,
    encode_position,
    encode_record,
    match_header,
    read_record,
    turn_line,
)
from flicksim.match.record_format import TurnLine
from flicksim.scene import Launch
from tests.matches import new_match


def play_game(name: str, turns: int) -> Match:
    """Start of a game between people with execution noise and random actions."""
    seats = max(2, load(name).seats[0])
    match, draws = (new_match(name, *[player] * seats, seed=5) for player in ("human", "random"))
    for _ in range(turns):
        draws.set_opening(match.state) if not draws.turns else draws.turns.append(match.turns[-1])
        match.play(draws.ask_player(), noise=GRADES["club"].scaled(1.37))
    return match


def record_of(match: Match, seats: tuple[str, ...], lines: list[TurnLine], lost: Forfeit | None = None) -> Record:
    """A record of these lines, as if it had been read."""
    return Record(
        path=Path("a.jsonl"),
        header=match_header(match, seats),
        turns=tuple(lines),
        forfeit=lost,
        is_complete=True,
        trailing_bytes=0,
        tampering=None,
        digest_chain=None,
    )


def describe(turn: Turn) -> tuple[object, ...]:
    """Fields of a turn to be compared."""
    return turn.seat, turn.meant, turn.made, turn.after


@pytest.mark.parametrize("name", names())
def test_game_round_trip(name: str) -> None:
    match = play_game(name, 4)
    text = encode_match(match)
    assert text.isascii()
    assert " " not in text
    assert len(text) < 1500
    shared = decode_share_code(f"Look at this:\n{text[:50]}\n{text[50:]}")
    again = shared.open()
    assert [describe(turn) for turn in shared.replay_turns(again)] == [describe(turn) for turn in match.turns]
    assert shared.mismatch(again) == ""
    launches = sum(isinstance(turn.meant, Launch) for turn in match.turns)
    assert shared.title == f"{match.game.title}, {f'{launches} launches' if launches else '4 turns'}"


def test_record_is_shared_without_its_programs(tmp_path: Path) -> None:
    match = new_match("penny-white", "bot:beginner", "random", seed=3)
    seats = ("bot:beginner", "cmd:rm -rf /")
    with Recorder(tmp_path / "a.jsonl", match_header(match, seats)) as recorder:
        for _ in range(4):
            recorder.write_turn(match.play(match.ask_player()))
    shared = decode_share_code(encode_record(read_record(tmp_path / "a.jsonl")))
    assert shared.seats == ("bot:beginner", "human")
    again = shared.open()
    assert [describe(turn) for turn in shared.replay_turns(again)] == [describe(turn) for turn in match.turns]


def test_forfeit_of_a_program_is_shared_without_its_message() -> None:
    match = new_match("penny-white", "random", "random", seed=3)
    match.play(match.ask_player())
    says = "ended (RuntimeError: cannot open /home/somebody/private/model.bin)"
    lines = [turn_line(turn) for turn in match.turns]
    record = record_of(match, ("cmd:python mine.py", "random"), lines, Forfeit(seat=0, reason=says))
    shared = decode_share_code(encode_record(record))
    assert shared.lost == (0, "its player could not go on")


def test_turn_of_an_unknown_seat_is_refused() -> None:
    match = play_game("penny-white", 2)
    lines = [structs.replace(turn_line(turn), seat=7) for turn in match.turns]
    with pytest.raises(FlicksimError, match="a turn of seat 7 cannot be shared: there are 2 seats"):
        encode_record(record_of(match, ("human", "human"), lines))


def test_record_without_noise_is_shared_with_executed_actions() -> None:
    match = play_game("penny-white", 3)
    lines = [structs.replace(turn_line(turn), hand="steady") for turn in match.turns]
    shared = decode_share_code(encode_record(record_of(match, ("human", "human"), lines)))
    again = shared.open()
    assert [describe(turn) for turn in shared.replay_turns(again)] == [describe(turn) for turn in match.turns]


def test_position_round_trip() -> None:
    game = load("tiddlywinks")
    position = game.positions.load_builtin("pile_of_three")
    shared = decode_share_code(encode_position(game, position))
    assert shared.decode() == (game, position)
    state, _ = game.positions.start_state(position)
    assert current_position(game, state, "here") is not None
    match = new_match("dominoes", "random", "random")
    dominoes, opening = match.game, match.state
    assert current_position(dominoes, opening, "here") is not None
    assert current_position(dominoes, dominoes.rules.view(opening, 0), "here") is None, "the other hand is hidden"


GOOD = encode_match(play_game("dominoes", 2))


def pack(plain: bytes, number: int = 1) -> str:
    """A text that is whole, whatever is in it."""
    inner = compress(plain)
    return f"flicksim{number}." + urlsafe_b64encode(crc32(inner).to_bytes(4, "big") + inner).decode()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "is no shared position or game"), ("hello", "'hello' is no shared position or game"),
        ("x" * 9999, "is no shared position or game"), ("flicksim1.", "cut short or altered"),
        (GOOD[:-7], "cut short or altered"),
        ("Hi Ann, look at this game of ours: flicksim1.AAAA", "'flicksim1.AAAA' was cut short or altered"),
        (GOOD[:40] + ("A" if GOOD[40] != "A" else "B") + GOOD[41:], "cut short or altered"),
        ("flicksim2." + GOOD.partition(".")[2], "by a newer flicksim (format 2)"),
        (pack(b"nonsense"), "holds no position or game"), (pack(b"\xc0"), "holds no position or game"),
        (pack(b"\x91" * 100_000), "holds no position or game"),
    ],
)  # fmt: skip
def test_invalid_share_code_is_refused(text: str, says: str) -> None:
    with pytest.raises(FlicksimError) as told:
        decode_share_code(text)
    assert says in str(told.value)
    assert len(str(told.value)) < 400


def test_other_edition_or_unplayable_game_is_refused() -> None:
    shared = decode_share_code(GOOD)
    older = SharedGame(game=shared.game, edition=0, seed=1, seats=shared.seats, turns=())
    with pytest.raises(FlicksimError, match="edition 0"):
        older.open()
    with pytest.raises(FlicksimError, match="game of 'chess'"):
        SharedGame(game="chess", edition=1, seed=1, seats=(), turns=()).open()
    with pytest.raises(FlicksimError, match="start a program"):
        SharedGame(game="ice", edition=load("ice").rules_version, seed=1, seats=("cmd:ls", "human"), turns=()).open()
    other = new_match("tinkle", *["human"] * 3, seed=99)
    with pytest.raises(FlicksimError, match="turn 1 of the shared game cannot be played here"):
        list(shared.replay_turns(other))
