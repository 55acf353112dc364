"""Person at the terminal: typed flicks, decisions and self-reports."""

import io
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from flicksim.cards import Draw, Move
from flicksim.cli import main
from flicksim.cli.formatting import show_score
from flicksim.cli.terminal_player import TerminalPlayer
from flicksim.core.units import deg2rad, mm, to_mm
from flicksim.games import load
from flicksim.games.ice.state import Disturb as Swept
from flicksim.games.penny_white.state import Disturb, PlaceWhite
from flicksim.games.tiddlywinks.state import Interfere, Obstruct
from flicksim.match import Forfeit, Match, load_start, open_match, read_record
from flicksim.referee import ActionField, SelfReport
from flicksim.scene import Flick, Launch, Squidge
from tests.matches import new_match


def typing(match: Match, *lines: str) -> tuple[TerminalPlayer, list[str]]:
    """Reader of these lines, which then ends; and the remaining ones."""
    left = list(lines)

    def read(_ask: str) -> str:
        if not left:
            raise KeyboardInterrupt
        return left.pop(0)

    return TerminalPlayer(match, read), left


def chosen(match: Match, *lines: str) -> Any:
    shell, left = typing(match, *lines)
    action = shell.choose()
    assert not left
    return action


def test_flicks_in_display_units() -> None:
    white = chosen(new_match("penny-white", "human", "human", first="first"), "1 1.5 95 at 140 25")
    assert white == Flick(piece="white", speed=1.5, azimuth=deg2rad(95.0), start=(mm(140.0), mm(25.0)))
    aside = chosen(new_match("penny-white", "human", "human", first="first"), "white 1.5 95 offset=-0.2 at 140 25")
    assert aside == msgspec.structs.replace(white, offset=-0.2)
    winks = new_match("tiddlywinks", *["human"] * 4)
    first = winks.legal_actions().flicks[0].piece
    meant = Squidge(piece=first, speed=1.2, azimuth=deg2rad(45.0), elevation=deg2rad(60.0), tumble=10.0)
    for typed in ("1 1.2 45 60 10", "1 1.2 45 tumble=10 elevation=60", f"{first} 1.2 45 60 10"):
        assert chosen(winks, typed) == meant
    assert chosen(winks, "1 1.2 45 60 10 press=.5 drag=20") == msgspec.structs.replace(meant, press=0.5, drag=mm(20.0))
    ice = new_match("ice", "human", "human")
    for _ in range(2):
        ice.play(ice.legal_actions().actions[0])
    launch = chosen(ice, "1 3 90")
    assert isinstance(launch, Launch)
    assert launch.hold == ice.legal_actions().flicks[0].hold
    turned = chosen(new_match("penny-white", "human", "human", first="first"), "1 1.5 -265 at 140 25")
    assert isinstance(turned, Flick)
    assert turned.azimuth == pytest.approx(deg2rad(95.0)), "however it was typed, a direction is kept in one way"


def test_decisions_by_number_and_moves_by_notation() -> None:
    placing = new_match("penny-white", "human", "human", first="first", jack_mode="beginner")
    assert chosen(placing, "1") == PlaceWhite(y=mm(565.0))
    ice = new_match("ice", "human", "human")
    stacked = chosen(ice, ice.legal_actions().actions[4].piece)
    assert stacked == ice.legal_actions().actions[4]
    cards = new_match("tinkle", *["human"] * 3)
    assert chosen(cards, "draw") == Draw()
    assert isinstance(chosen(cards, "1"), Move)


def test_the_table_has_points_the_part_of_the_game_and_what_is_staked(capsys: pytest.CaptureFixture[str]) -> None:
    for game, options, lines in (
        ("tinkle", {}, ["Round 1: the contract is one group of 3 or more", "points: Ann 0, Bob 0, Cy 0", "jar: 0",
                        "tokens of Cy: 10"]),
        ("dominoes", {"british_stake": 2}, ["Round 1 of 5", "chips of Bob: -2", "pool: 4"]),
        ("dominoes", {}, ["Round 1 of 5", "layout: empty"]),
        ("penny-white", {"ends": 3}, ["End 1 of 3", "points: Blue 0, Red 0"]),
        ("tiddlywinks", {}, ["points: Blue 0, Green 0, Red 0, Yellow 0"]),
    ):  # fmt: skip
        match = new_match(game, *["human"] * {"tinkle": 3, "tiddlywinks": 4}.get(game, 2), **options)
        TerminalPlayer(match).show_table(match.to_play or 0)
        shown = [line.strip() for line in capsys.readouterr().out.splitlines()]
        assert [line for line in lines if line not in shown] == [], game
        assert any("pool" in line for line in shown) == ("british_stake" in options)


def test_a_word_that_is_no_piece_plays_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """An end of the line is a part of moves, and names none of them."""
    match = new_match("dominoes", "human", "human")
    match.play(match.legal_actions().actions[0])
    end = match.legal_actions().actions[0]
    assert chosen(match, "left", str(end)) == end
    assert "No: " in capsys.readouterr().out


def test_tiles_of_the_line_are_turned_to_match_their_neighbours(capsys: pytest.CaptureFixture[str]) -> None:
    dominoes = load("dominoes")
    start, options = load_start(dominoes, "shut_out", [])
    TerminalPlayer(open_match(dominoes, options, ["human"] * 2, 1, position=start)).show_table(0)
    shown = capsys.readouterr().out
    assert (
        "layout: 2-5 5-1 1-1 1-6 6-4 4-3 3-2 2-2 2-6 6-0 0-5 5-5 5-6 6-6 6-3 3-3 3-5 5-4 4-4 4-2 2-0 0-4 4-1\n" in shown
    )


def test_a_game_that_its_rules_have_not_ended_says_what_it_would_count(capsys: pytest.CaptureFixture[str]) -> None:
    """TW-11i, ITW-7b: before their end both have scores of 0; the pile counts 14/3 and 7/3 as it lies."""
    tiddlywinks = load("tiddlywinks")
    start, options = load_start(tiddlywinks, "pile_of_three", [])
    pile = open_match(tiddlywinks, options, ["human"] * 4, 1, position=start)
    counts = "If it ended as it lies, it would count: Blue 7/3, Green 0, Red 7/3, Yellow 7/3; Blue and Red 14/3, Green"
    show_score(pile, "abcd")
    TerminalPlayer(pile).show_table(0)
    assert capsys.readouterr().out.count(counts) == 2
    pile.forfeit_by(Forfeit(seat=1, reason="left"))
    show_score(pile, "abcd")
    assert "would count" not in capsys.readouterr().out
    for match in (new_match("tiddlywinks", *["human"] * 4), new_match("penny-white", "human", "human")):
        show_score(match, "abcd"[: len(match.players)])
        assert "would count" not in capsys.readouterr().out, "nothing lies there yet, or the score has it"
    show_score(new_match("ice", "human", "human"), "ab")
    assert capsys.readouterr().out.endswith("it would count: Red 0, Yellow 0.\n")


@pytest.mark.parametrize(
    "wrong",
    [
        "", "?", "table", "0", "2", "1", "1 fast 90", "1 1.5 90 7", "1 nan 90", "1 1e9 90", "1 -1 90", "1 1.5 90 at 1",
        "1 1.5 90 at 150 500", "flick it", "-1", "1" * 400, "own\n", "²", "1 1.5 ninety", "\x00",
    ],
)  # fmt: skip
def test_invalid_input_is_asked_again(wrong: str, capsys: pytest.CaptureFixture[str]) -> None:
    match = new_match("penny-white", "human", "human", first="first")
    extra = ("",) if wrong.startswith("own") else ()
    action = chosen(match, wrong, *extra, "1 1.5 90")
    assert isinstance(action, Flick)
    assert "Traceback" not in capsys.readouterr().out


def test_self_report_before_other_players_act(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """PW-13d: after his own flick; nothing of the random player's is asked. The record verifies."""
    kept = tmp_path / "game.jsonl"
    typed = "1 1.5 90\n1 1.6 91\nown\n1\n1 1.5 90\n\n"
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    words = ("play", "penny-white", "--headless", "--seat", "human", "--seat", "random", "-o", "first=first")
    monkeypatch.setattr(sys, "argv", ["flicksim", *words, "--record", str(kept)])
    assert main() == 1
    told = capsys.readouterr()
    assert "own up to what the referee did not see" in told.out
    assert "everything is put back and Blue plays again. [PW-13d]" in told.out
    assert f"--resume {kept}" in told.err
    turns = read_record(kept).turns
    assert [turn.meant["do"] for turn in turns] == ["flick", "flick", "disturb", "flick", "flick"]
    monkeypatch.setattr(sys, "argv", ["flicksim", "replay", str(kept), "--verify"])
    assert main() == 0


def test_self_report_fields_are_read_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """TW-12b, TW-12h, ITW-3a: each field as it is to be filled, in millimetres and numbers of lists."""
    match = new_match("tiddlywinks", *["human"] * 4)
    monkeypatch.setattr(match.rules, "check_action", lambda _state, _action: None)
    wink = ActionField(field="wink", prompt="Which wink?", kind="one", options=("red-1", "blue-5"))
    spot = ActionField(field="at", prompt="Where?", kind="point", none_label="no agreement")
    some = ActionField(
        field="pieces", prompt="Which?", kind="some", options=("red-small-1", "red-small-2", "red-small-3")
    )
    seat = ActionField(field="seat", prompt="Who?", kind="one", options=(0, 1, 2, 3))
    offered = (
        SelfReport(text="Obstructed.", action=Obstruct(wink=""), fields=(wink, spot)),
        SelfReport(text="Swept.", action=Swept(pieces=()), fields=(some,)),
        SelfReport(text="Interfered.", action=Interfere(seat=0), fields=(seat,)),
    )
    monkeypatch.setattr(Match, "self_reports", offered)
    assert chosen(match, "own", "1", "2", "12.5, -30") == Obstruct(wink="blue-5", at=(mm(12.5), mm(-30.0)))
    assert chosen(match, "own", "1", "9", "x", "1", "12", "here and there", "") == Obstruct(wink="red-1", at=None)
    assert chosen(match, "own", "2", "3 1 3") == Swept(pieces=("red-small-3", "red-small-1"))
    assert chosen(match, "own", "7", "3", "4") == Interfere(seat=3)
    called_off = chosen(match, "own", "", "own", "1", "", "own", "2", "", "1 1.0 45")
    assert isinstance(called_off, Squidge)


def test_self_report_after_the_last_turn(capsys: pytest.CaptureFixture[str]) -> None:
    """PW-13d: the game is over, and goes on; what is no answer is not taken for one."""
    match = new_match("penny-white", "human", "human", first="first", pennies=1, ends=1, jack_mode="beginner")
    shell, left = typing(match, "1", "1 1.5 90", "1 1.5 80", "own", "1", "1 1.5 85", "1 1.4 90", "table", "?", "")
    for _ in match.run(shell.choose):
        while match.is_over and (owned := shell.self_report()) is not None:
            assert owned == Disturb(how="touched")
            match.play(owned)
    assert not left
    told = capsys.readouterr().out
    assert "No: '1 1.4 90' is no answer here; Enter goes on, 'own', or ? for help" in told
    assert told.count("     points: Blue ") == told.count("own                       own up to") == 1
    assert match.is_over
    assert [turn.seat for turn in match.turns] == [0, 0, 1, 1, 1]


def run_session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, typed: str) -> int:
    """Exit code of a game of one turn that is recorded and typed; afterwards it can be owned up to."""
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    words = ("play", "penny-white", "--headless", "--seat", "human", "--seat", "random", "-o", "first=first")
    kept = ("--max-turns", "1", "--record", str(tmp_path / "game.jsonl"))
    monkeypatch.setattr(sys, "argv", ["flicksim", *words, *kept])
    return main()


@pytest.mark.parametrize("typed", ["", "own\n", "perhaps\n"])
def test_end_of_input_after_the_game_is_no_self_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], typed: str
) -> None:
    assert run_session(tmp_path, monkeypatch, "1 1.5 90\n" + typed) == 0
    told = capsys.readouterr()
    assert told.err == ""
    assert "The bound of 1 turn is reached" in told.out
    assert told.out.splitlines()[-1].startswith("Red (random): ")


def test_interrupt_after_the_end_names_the_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def pressed(_shell: TerminalPlayer) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(TerminalPlayer, "self_report", pressed)
    assert run_session(tmp_path, monkeypatch, "1 1.5 90\n") == 1
    assert f"Stopped after turn 1; its record is {tmp_path / 'game.jsonl'}." in capsys.readouterr().err


_WRONG_COUNT = "a flick of blue-1 takes speed azimuth elevation tumble press drag after its number, as in '1 1.4 90'"


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("1 1.2 400", "azimuth 400 degrees must lie in -360 to 360"),
        ("1 1.2 45 100", "elevation 100 degrees must lie in 0 to 90"),
        ("1 25 45", "speed 25 m/s must lie in 0.1 to 20"),
        ("1", _WRONG_COUNT),
        ("1 2", f"{_WRONG_COUNT}, not '2'"),
        *(
            (f"1 {typed}", f"{_WRONG_COUNT}, not '{typed}'")
            for typed in ("1.2 45 60 elevation=60", "1.2 elevation=60", "1.2 45 =3", "1.2 45 60 0 0 0 0")
        ),
        ("1 1.2 45 elevation=", "'' is no number"),
        ("1 1.2 45 spin=3", "a flick of blue-1 has no 'spin'; it has speed, azimuth, elevation, tumble, press, drag"),
        ("1 1.2 45 press=2", "press 2 must lie in 0 to 1"),
        ("1 1.2 45 drag=200", "drag 200 mm must lie in 0 to 100"),
        ("", "nothing was typed; begin with a number of the list, or type ? for help"),
        ("red-1 1.2 45", "red-1 cannot be played now; the list has what can"),
        ("blue-1", _WRONG_COUNT),
        ("1 1.2 45 60 0 at 1e9 0", "a place at 1e+09, 0 mm is far off any table; 100000 mm each way is the most"),
    ],
)
def test_errors_use_display_units(typed: str, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    chosen(new_match("tiddlywinks", *["human"] * 4), typed, "1 1.2 45")
    assert f"No: {says}\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("game", "slip", "says"),
    [
        ("penny-white", "1 9 90", "speed 9 m/s must lie in 0.05 to 3"),
        ("penny-white", "1 0.01 90", "speed 0.01 m/s must lie in 0.05 to 3"),
        ("ice", "1 9 90", "speed 9 m/s must lie in 1 to 6"),
        ("ice", "1 3 180", "azimuth 180 degrees must lie in 10 to 170"),
        ("ice", "1 3 90 30", "height 30 mm must lie in 0 to 8"),
    ],
)
def test_a_slip_of_the_keys_beyond_the_printed_limits_is_asked_again(
    game: str, slip: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    match = new_match(game, "human", "human", **({"first": "first"} if game == "penny-white" else {}))
    while not match.legal_actions().flicks:
        match.play(match.legal_actions().actions[0])
    assert chosen(match, slip, "1 2 -270").speed == 2.0
    told = capsys.readouterr().out
    assert f"No: {says}\n" in told
    assert says.partition(" must lie in ")[2] in told.partition("No: ")[0], "what is refused was printed before"


def test_pieces_are_listed_with_their_positions_and_equal_ranges_once(capsys: pytest.CaptureFixture[str]) -> None:
    match = new_match("tiddlywinks", *["human"] * 4)
    chosen(match, "1 1.2 45")
    told = capsys.readouterr().out
    wink = match.state.scene.piece("blue-1")
    assert f"  1  blue-1 at {to_mm(wink.x):.1f}, {to_mm(wink.y):.1f} mm\n  2  blue-2 at " in told
    assert told.count("  speed 0.1 to 20 m/s") == 2, "large and small winks"


def test_whatever_the_window_aims_at_can_be_typed(capsys: pytest.CaptureFixture[str]) -> None:
    match = new_match("penny-white", "human", "human", first="first")
    assert chosen(match, "1 0.05 -180").speed == 0.05
    printed = "speed 0.05 to 3 m/s (usually 0.3 to 3), azimuth -360 to 360 degrees (usually 60 to 120), offset -0.9"
    assert printed in capsys.readouterr().out


def test_a_line_that_is_no_text_is_answered_in_a_short_line(capsys: pytest.CaptureFixture[str]) -> None:
    chosen(new_match("penny-white", "human", "human", first="first"), "\udc80\udcff " * 1000, "1 1.5 90")
    answer = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("No: "))
    assert len(answer) < 250
    assert answer.endswith("or type ? for help")


def test_bots_alone_read_no_input() -> None:
    match = new_match("penny-white", "random", "random", ends=1)
    shell, _ = typing(match)
    assert sum(1 for _ in match.run(shell.choose)) == len(match.turns)
    assert match.self_reports == ()
    assert msgspec.structs.replace(match.legal_actions(), self_reports=()) != match.legal_actions()
    assert shell.self_report() is None
