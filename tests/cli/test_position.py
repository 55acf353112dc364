"""Positions on the command line: checked, listed, played from, recorded, resumed, simulated."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from flicksim.games import load
from flicksim.match import header_position, read_record
from flicksim.render import draw
from flicksim.render.pillow_backend import to_png
from tests.cli_runner import ROOT, assert_error, run
from tests.matches import record_match

FOUR = ("--seat", "random") * 4
SHORT = ("-o", "time_limit_s=30", "-o", "rounds=0")
GAME = load("tiddlywinks")


def _write(folder: Path, **more: object) -> Path:
    path = folder / "mine.json"
    winks = [{"wink": "green-1", "at": [180, 60]}, {"wink": "blue-3", "at": [186, 64]}]
    path.write_text(json.dumps({"title": "Mine", "winks": winks, **more}))
    return path


@pytest.mark.parametrize(
    ("command", "content"),
    [(("simulate", "sample:draw", "--png"), "a picture"), (("play", "dominoes", "--record"), "a record")],
)
def test_a_file_within_a_folder_is_proposed_where_a_file_is_to_be_named(
    command: tuple[str, ...], content: str, tmp_path: Path
) -> None:
    suffix = ".png" if content == "a picture" else ".jsonl"
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / f"new{suffix}").touch()
    better = repr(str(Path("d") / f"new-2{suffix}"))
    assert_error(*command, "d/", message=f"'d' is a folder; name a file for {content}, as {better}", cwd=tmp_path)


def test_custom_position_is_played_recorded_verified_and_resumed(tmp_path: Path) -> None:
    mine, kept = _write(tmp_path, to_play="red", options={"rounds": 1}), tmp_path / "game.jsonl"
    words = ("play", "tiddlywinks", "--position", mine, *FOUR, "-o", "time_limit_s=60", "--record", kept, "--headless")
    played = run(*words)
    assert played.stdout.startswith("  1 Red:")
    header = json.loads(kept.read_text().split("\n")[0])
    assert header["position"]["title"] == "Mine"
    assert (header["options"]["rounds"], header["options"]["time_limit_s"]) == (1, 60.0)
    assert "is the same" in run("replay", kept, "--verify").stdout
    whole = kept.read_bytes()
    kept.write_bytes(b"\n".join(whole.split(b"\n")[:3]) + b"\n")
    run("play", "--resume", kept, "--headless")
    assert kept.read_bytes() == whole


def test_record_without_a_position_has_no_field(tmp_path: Path) -> None:
    record_match(tmp_path / "game.jsonl", "tiddlywinks", *["random"] * 4, turns=0)
    assert b"position" not in (tmp_path / "game.jsonl").read_bytes()
    assert header_position(read_record(tmp_path / "game.jsonl").header, GAME) is None


def test_problems_of_a_position_are_listed_and_control_characters_escaped(tmp_path: Path) -> None:
    mine = _write(tmp_path, extra=9, laps=99)
    done = run("position", mine, code=1)
    assert done.stdout.splitlines()[0] == "Mine: 2 problems."
    assert [line[:8] for line in done.stdout.splitlines()[1:]] == ["- extra ", "- laps 9"]
    assert len(json.loads(run("position", mine, "--json", code=1).stdout)["problems"]) == 2
    for command in (("play", "tiddlywinks", *FOUR, "--headless", "--position"), ("analyse",), ("share",)):
        assert_error(*command, mine, message=f"flicksim: {mine}: extra 9 must lie in 0 to 6; laps 99")
    done = run("position", _write(tmp_path, look="one\x1b[31mtwo\u202ethree\nünï"))
    assert done.stdout.splitlines()[1:3] == ["one\\x1b[31mtwo\\u202ethree", "ünï"]


def test_builtin_position_is_adjudicated_and_corrected(tmp_path: Path) -> None:
    """TW-7i: winks leaning on the pot are laid flat on loading, with a correction printed."""
    done = run("position", "leaning_on_the_pot", "--png", tmp_path / "there.png")
    assert "Before play: Yellow 3 leaned against the pot" in done.stdout
    assert "[TW-7i]" in done.stdout
    picture = (tmp_path / "there.png").read_bytes()
    state, _ = GAME.positions.start_state(GAME.positions.load_builtin("leaning_on_the_pot"))
    assert picture == to_png(draw(state.scene, with_ids=True))
    for command in (("position", "shut_out"), ("simulate", "sample:draw"), ("replay", "game.jsonl")):
        assert_error(*command, "--png", tmp_path / "there.png", message="there.png' exists; choose another name")
    assert (tmp_path / "there.png").read_bytes() == picture
    told = json.loads(run("position", "leaning_on_the_pot", "--json").stdout)
    assert told["put_right"][0]["rule"] == "TW-7i"
    begun = run("play", "tiddlywinks", "--position", "leaning_on_the_pot", *FOUR, *SHORT, "--headless").stdout
    assert begun.startswith("Before play: Yellow 3 leaned")
    assert "pile_of_three: A pile of three" in run("position").stdout


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("position", "pile_of_four"), "no position 'pile_of_four'"),
        (("position", "none.json"), "cannot read 'none.json'"),
        (("simulate", "pile_of_four", ROOT / "assets" / "flicks" / "squidge.json"), "no position 'pile_of_four'"),
        (("match", "tiddlywinks", "--team-match", "--games", "3"), "leave out --games 3"),
        (("match", "tiddlywinks", "--team-match", "--seat", "human", "--seat", "random"), "seat 'human' plays by"),
        (("replay", "game.jsonl", "--turn", "2", "--verify"), "--turn 2 prints or draws one turn; leave it out for"),
        (("position", "pile_of_three", "--game", "tinkle"), "no position 'pile_of_three'; there are keep_the_king"),
        (
            ("play", "dominoes", "--position", "x", *(("--seat", "random") * 4)),
            "no position 'x'; there are second_tile",
        ),
        (
            ("play", "penny-white", "--position", "x", "--seat", "random", "--seat", "random"),
            "of Penny White is shipped",
        ),
        (("play", "--resume", "x", "--position", "y"), "leave the others out"),
        (("position", "shut_out", "--png", "x.jpg"), "'x.jpg' is no name for a picture; call it 'x.png'"),
        (("position", "shut_out", "--png", "no/x.png"), "the folder of 'no/x.png' does not exist; make 'no' first"),
        (("position", "shut_out", "--png", "."), "'.' is a folder; name a file for a picture"),
        (("position", "shut_out", "--png", "x" * 300), "cannot read 'xxx"),
        (("position", "shut_out", "--png", ROOT / "README.md" / "x.png"), "README.md/x.png' is a file: "),
        (("position", "--png", "x.png"), "--png 'x.png' draws a position; name it, or a file with it"),
        (("simulate", "shut_out", ROOT / "assets" / "flicks" / "squidge.json"), "has no pieces to flick"),
        (("play", "tinkle", "--position", "keep_the_king", *FOUR), "that position is for 3 seats, not 4"),
    ],
)
def test_invalid_position_options_are_refused(words: tuple[str, ...], says: str) -> None:
    assert_error(*words, message=says)


def test_positions_of_tiles_and_cards_are_checked_and_shared(tmp_path: Path) -> None:
    """DO-B9, TK-6a: all hands are told, and every game's positions are listed."""
    done = run("position", "shut_out").stdout
    assert "hand of Bob: 3-0 3-1" in done
    assert done.endswith("Ann: a tile on 2 or 1.\n")
    listed = set(run("position").stdout.splitlines())
    assert {"shut_out: Shut out (Tiddly-Wink dominoes)", "keep_the_king: Keep the king back (Tinkle)"} <= listed
    file = ROOT / "assets" / "positions" / "tinkle" / "keep_the_king.json"
    run("share", file, "--out", tmp_path / "code.txt")
    assert json.loads(run("open", tmp_path / "code.txt", "--json").stdout)["game"] == "tinkle"
    assert json.loads(run("position", file, "--json").stdout)["zones"]["piles"]["discard"]["cards"] == ["3H", "7C"]


@pytest.mark.parametrize("name", ["shut_out", "keep_the_king"])
def test_positions_of_tiles_and_cards_are_drawn(name: str, tmp_path: Path) -> None:
    assert run("position", name, "--png", tmp_path / "x.png").stdout.endswith("x.png.\n")
    assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")


def test_a_squidge_needs_its_tag_and_from_a_pile_separates(tmp_path: Path) -> None:
    plain = json.loads((ROOT / "assets" / "flicks" / "squidge.json").read_text())
    del plain["do"]
    (tmp_path / "s.json").write_text(json.dumps(plain))
    assert_error("simulate", "pile_of_three", tmp_path / "s.json", message='and begins with "do": "squidge"')
    squidge = {"do": "squidge", "piece": "red-3", "speed": 1.0, "azimuth": 0.0, "elevation": 1.0}
    (tmp_path / "s.json").write_text(json.dumps(squidge))
    done = run("simulate", "pile_of_three", tmp_path / "s.json")
    assert "separates from red-3 at 0." in done.stdout
    assert "at -" not in done.stdout


def test_squidge_summary_and_picture(tmp_path: Path) -> None:
    scene, squidge = (ROOT / "assets" / folder / "squidge.json" for folder in ("scenes", "flicks"))
    assert f"Drawn in {tmp_path / 'shot.png'}" in run("simulate", scene, squidge, "--png", tmp_path / "shot.png").stdout
    done = run("simulate", scene, squidge)
    assert "squidged off at 1.250 m/s, 65.0 degrees up, backspin 50.0 rad/s" in done.stdout
    assert "comes down on the pot" in done.stdout
    assert "in the pot" in done.stdout
    assert "2 other pieces did not move" in done.stdout
    assert "-0.0" not in done.stdout
    assert done.stdout.splitlines()[-1].startswith("red-3 rose ")


@pytest.mark.parametrize(
    ("scene", "shot", "told"),
    [
        ("sample:squidge", {"do": "squidge", "piece": "red-3", "speed": 20.0, "azimuth": 1.5},
         "what moved has left the mat.\n2 other pieces did not move.\n"),
        ("sample:squidge", {"do": "squidge", "piece": "red-3", "speed": 1e-5, "azimuth": 1.5},
         "nothing has moved by more than 0.001 mm.\nred-3 rose 0.0 mm"),
        ("sample:draw", {"piece": "a", "speed": 1e-5, "azimuth": 1.5}, "nothing has moved"),
    ],
)  # fmt: skip
def test_simulate_says_that_nothing_moved_or_is_left(
    scene: str, shot: dict[str, Any], told: str, tmp_path: Path
) -> None:
    (tmp_path / "s.json").write_text(json.dumps(shot))
    shown = run("simulate", scene, tmp_path / "s.json").stdout
    assert told in shown
    assert ("x [mm]" in shown) == (scene == "sample:draw"), "no table without a row"


def test_simulate_position_reports_supports(tmp_path: Path) -> None:
    squidge = {"do": "squidge", "piece": "yellow-4", "speed": 0.2, "azimuth": -2.0, "elevation": 1.4}
    (tmp_path / "s.json").write_text(json.dumps(squidge))
    done = run("simulate", "pile_of_three", tmp_path / "s.json")
    assert "on red-3" in done.stdout or "on green-1" in done.stdout
    after = json.loads(run("simulate", "pile_of_three", tmp_path / "s.json", "--json").stdout)
    assert len(after["tracks"]["air"]) == len(after["tracks"]["times"])


def test_two_players_hold_two_colours_each() -> None:
    """TW-1a: two --seat words do for two people; partners who differ are refused, and a hint tells of the option."""
    two = ("-o", "seats=2", "-o", "time_limit_s=30", "-o", "rounds=0", "--headless")
    played = run("play", "tiddlywinks", "--seat", "random", "--seat", "bot:beginner", *two)
    assert [line.split(":")[0] for line in played.stdout.splitlines()[-4:]] == [
        "Blue (random)", "Green (bot", "Red (random)", "Yellow (bot"]  # fmt: skip
    mixed = ("--seat", "random", "--seat", "bot:club", "--seat", "bot:club", "--seat", "bot:club")
    assert_error("play", "tiddlywinks", *mixed, *two, message="both colours of a pair, not random, bot:club")
    assert_error("play", "tiddlywinks", *mixed[:4], message="with the option seats=2 two people hold two each (TW-1a)")
    for count in (1, 3):
        hint = f"is for 4 players, not {count}; with the option seats=2 two people hold two each (TW-1a)"
        assert_error("match", "tiddlywinks", *mixed[: 2 * count], message=hint)


def test_option_names_are_complete_at_80_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    from io import StringIO

    from rich.console import Console

    from flicksim.cli import console, games

    sheet = StringIO()
    monkeypatch.setattr(console, "out", Console(file=sheet, width=80, markup=False, highlight=False))
    games.show_rules(GAME)
    assert "…" not in sheet.getvalue()
    for name in GAME.options.__struct_fields__:
        assert f" {name} " in sheet.getvalue()


def test_options_that_the_rules_recommend_against_are_told_on_stderr() -> None:
    """TW-2a: bare wood is advised against; it is played all the same."""
    bare = ("-o", "mat_material=bare", *SHORT)
    for words in (("match", "--games", "1", "--json"), ("play", "--headless")):
        done = run(words[0], "tiddlywinks", *FOUR, *bare, *words[1:])
        assert "bare wood is not (TW-2a)" in done.stderr
        assert "TW-2a" not in done.stdout


def test_points_in_json_are_numbers() -> None:
    """TW-11j: averages of ties are thirds and halves; other programs want numbers all the same."""
    done = run("match", "tiddlywinks", *FOUR, *SHORT, "--games", "2", "--json")
    points = [seat["points"] for seat in json.loads(done.stdout)["seats"]]
    assert all(isinstance(one, int | float) for one in points)
    assert sum(points) == pytest.approx(14.0)
    table = run("match", "tiddlywinks", *FOUR, *SHORT, "--games", "2").stdout
    rows = [[cell.strip() for cell in line.split("│")[1:-1]] for line in table.splitlines() if line.startswith("│")]
    assert [Fraction(row[4]) for row in rows] == [Fraction(point).limit_denominator(6) for point in points]


def test_team_match_lists_its_games() -> None:
    """TW-13b: each pair meets each opposing pair once, and every game is listed."""
    words = ("match", "tiddlywinks", "--team-match", *["--seat", "random"] * 2, *SHORT, "-o", "match_pairs=2")
    done = run(*words)
    assert sum(" : " in line and line.strip().startswith("│") for line in done.stdout.splitlines()) == 4
    told = json.loads(run(*words, "--json").stdout)
    assert {(game["home_pair"], game["away_pair"]) for game in told["games"]} == {(1, 1), (2, 2), (1, 2), (2, 1)}
    points = zip(*(game["points"] for game in told["games"]), strict=True)
    assert [sum(side) for side in points] == pytest.approx(told["points"])


def test_bench_winks_fails_only_with_enough_shots(monkeypatch: pytest.MonkeyPatch) -> None:
    import typer

    from flicksim.cli import bench
    from flicksim.validation.winks import ValidationCase

    def rows(shots: int) -> list[ValidationCase]:
        return [ValidationCase(claim="c", oracle=0.5, measured=0.9, difference=0.4, tolerance=0.1, n=shots)]

    said: list[str] = []
    monkeypatch.setattr(bench, "_validate_winks", rows)
    monkeypatch.setattr(bench.out, "print", lambda *words, **_: said.append(str(words[0])))
    bench.bench_command("winks", repeats=60)
    assert "too few for a verdict" in said[-1]
    with pytest.raises(typer.Exit) as left:
        bench.bench_command("winks", repeats=150)
    assert left.value.exit_code == 1
    assert "too few" not in said[-1]


def test_an_unknown_name_and_a_cut_file_are_told_without_guessing_a_game(tmp_path: Path) -> None:
    missing = run("position", "nosuch", code=2).stderr
    assert "no position 'nosuch'; there are " in missing
    assert "shut_out, keep_the_king, or give a file" in missing
    cut = tmp_path / "cut.json"
    cut.write_bytes(b'{"title": "x", "hands": [["0-0"')
    told = run("position", str(cut), code=2).stderr
    assert "truncated" in told
    assert "fields are" not in told
