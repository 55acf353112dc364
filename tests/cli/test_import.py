"""Commands `export` and `import` of games as text."""

import json
from pathlib import Path

from flicksim import play_game
from tests.cli_runner import assert_error, run


def test_a_game_is_exported_and_imported_back(tmp_path: Path) -> None:
    game, text, again = tmp_path / "game.jsonl", tmp_path / "game.fgn", tmp_path / "again.jsonl"
    played = play_game("penny-white", ["bot:club", "random"], seed=3, options={"ends": 1}, record=game)
    assert_error("export", game, text, "--date", "today", message="date 'today' is no day; write it as 2026-11-25")
    done = run("export", game, text, "--date", "2026-11-25")
    assert done.stdout.split() == f"{len(played.turns)} turns written to {text}.".split()
    assert text.read_text() == played.notation(date="2026-11-25")
    done = run("import", text, again, "--json")
    assert json.loads(done.stdout)["points"] == [float(points) for points in played.scores]
    assert again.read_bytes() == game.read_bytes()
    assert_error("import", text, again, message="exists; choose another name\n")
    assert_error("import", text, tmp_path / "no" / "a.jsonl", message=f"make {str(tmp_path / 'no')!r} first")
    for missing in (text.with_name("new.fgn"), "-"):
        said = "none' does not exist; name a recorded game, or a folder of results"
        assert_error("export", tmp_path / "none", missing, message=said)
        assert_error("export", tmp_path, missing, message="is a folder; name a record in it, as ")
    run("experiment", "jack-hugging", "--out", tmp_path / "results", "--shots", "2")
    for wrong in (text.with_name("new.fgn"), "-"):
        message = f"the data set {str(wrong)!r} must be called something.csv or something.parquet"
        assert_error("export", tmp_path / "results", wrong, message=message)
    assert_error("import", "-", tmp_path / "new.jsonl", message="stdin cannot be read: it is empty")
    for command in (("import", text), ("share", game, "--out"), ("replay", game, "--keep"), ("replay", game, "--png")):
        assert_error(*command, "-", message="'-' stands for stdout, where this is not written; give the name of a file")
    assert run("export", game, "-").stdout == played.notation()
    assert_error("export", game, "-", "--json", message="--json does not go with -")
    assert_error("export", game, text, "--date", "2026-W48-3", message="exists; choose another name")
    assert_error("export", game, "-", "--date", "2026-W48-3", message="'2026-W48-3' is no day")
    for existing in (text, game):
        assert_error("export", game, existing, message="exists; choose another name")
    for ending in ("csv", "JSON", "jsonl", "parquet", "fgn2", "txt"):
        better = repr(str(tmp_path / "new.fgn"))
        assert_error("export", game, tmp_path / f"new.{ending}", message=f"written as text; call it {better}")
    for ending in ("csv", "json", "fgn", "Parquet"):
        named, better = tmp_path / f"new.{ending}", repr(str(tmp_path / "new.jsonl"))
        for command in (("import", text), ("replay", game, "--keep"), ("open", "FLICK", "--record")):
            assert_error(*command, named, message=f"{str(named)!r} is no name for a record; call it {better}")
        assert not named.exists()
    words = ("play", "dominoes", "--seat", "random", "--seat", "random", "--headless", "--record")
    unhosted = ("host", "dominoes", "--seat", "nobody", "--record")  # which ends if the name is not refused first
    match = ("match", *words[1:6], "--record")
    for command in (words, unhosted, ("match", "--games", "1", *match[1:])):
        assert_error(*command, tmp_path / "new.csv", message=f"is no name for a record; call it {better}")
    better = repr(str(tmp_path / "new"))
    assert_error(*match, tmp_path / "new.csv", message=f"new.csv' is no name for a folder of records; call it {better}")
    for folder in ("new", "new-2"):
        (tmp_path / folder).mkdir()
    better = repr(str(tmp_path / "new-3"))
    assert_error(*match, tmp_path / "new.csv", message=f"is no name for a folder of records; call it {better}")
    assert not (tmp_path / "new.csv").exists()
    for command in (("import", game, text), ("position", game)):
        assert_error(*command, message="the record of a game, which `flicksim replay` shows (--window: the window)")
    for command in (("replay", text), ("analyse", text), ("position", text)):
        assert_error(*command, message="a game as text, of which `flicksim import` makes a record")


def test_what_is_no_game_is_refused(tmp_path: Path) -> None:
    game, text = tmp_path / "game.jsonl", tmp_path / "game.fgn"
    play_game("dominoes", ["random"] * 2, seed=3, options={"rounds": 1}, record=game)
    game.write_text(game.read_text().replace('"seat":0', '"seat":1', 1))
    different = "diverges at turn 3: seat recorded as 1, replayed as 0, so it is not written as text; `flicksim replay"
    assert_error("export", game, text, message=different)
    assert_error("share", game, message="was altered after it was written: turn 3: digest of line 4 recorded as")
    text.write_text('[Options {"ends":1]')
    assert_error("import", text, tmp_path / "again.jsonl", message="line 1 of the game: a tag is written [Name JSON]")
    text.write_text("1. Ann 6-6")
    assert_error("import", text, tmp_path / "again.jsonl", message=f"{text}: the game has no tag Game")
    (tmp_path / "results").mkdir()
    assert_error(
        "export", tmp_path / "results", "a.csv", "--date", "2026", message="--date 2026 is for a recorded game"
    )
    for existing in ("notes.csv", "notes.csv.md"):
        (tmp_path / existing).write_text("my own notes")
        assert_error("export", tmp_path / "results", tmp_path / "notes.csv", message=f"{existing}' exists; choose")
        (tmp_path / existing).unlink()
