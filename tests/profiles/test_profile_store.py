"""Storage of profile and history, also with damaged files."""

import os
from datetime import date
from pathlib import Path

import msgspec
import pytest

from flicksim.core.errors import FlicksimError
from flicksim.profiles import (
    MAX_NAME_LENGTH,
    AttemptEntry,
    GameEntry,
    Profile,
    ProfileStore,
    best_attempts,
    clean_name,
    current_streak,
    daily_challenge_dates,
    game_tallies,
)
from flicksim.profiles.profile_store import HISTORY_FILENAME, PROFILE_FILENAME


def named_profile(name: str) -> Profile:
    return Profile(name=name, greeted=True)


def won_game(who: str = "Ada", share: float = 1.0, against: str = "club") -> GameEntry:
    return GameEntry(day="2025-01-02", who=who, game="penny-white", against=against, share=share)


def attempt_entry(
    day: str | None = None, stars: int = 1, measure: float | None = None, *, more: bool = False
) -> AttemptEntry:
    return AttemptEntry(day="2025-01-02", who="Ada", challenge="a/b", tried=1, stars=stars, measure=measure, unit="mm",
                   more=more, daily=day)  # fmt: skip


def test_profile_round_trip(tmp_path: Path) -> None:
    ProfileStore(tmp_path / "new").update_profile(lambda _: named_profile("Ada"))
    store = ProfileStore(tmp_path / "new")
    assert (store.profile.name, store.take_warning()) == ("Ada", "")


def test_two_windows_keep_each_others_updates(tmp_path: Path) -> None:
    one, other = ProfileStore(tmp_path), ProfileStore(tmp_path)
    one.update_profile(lambda had: msgspec.structs.replace(had, name="Ada"))
    other.update_profile(lambda had: msgspec.structs.replace(had, lessons=("ice",)))
    one.add_entry(won_game())
    other.add_entry(won_game(share=0.0))
    store = ProfileStore(tmp_path)
    assert (store.profile.name, store.profile.lessons, len(store.entries)) == ("Ada", ("ice",), 2)


@pytest.mark.parametrize(
    "text", [b"", b"{", b'{"name": 3}', b"\xff", b'{"name": "' + b"x" * 200 + b'"}', b'{"name": "a\\u202eb"}', b"[]"]
)
def test_invalid_profile_is_quarantined(tmp_path: Path, text: bytes) -> None:
    for number in (1, 2):
        (tmp_path / PROFILE_FILENAME).write_bytes(text)
        store = ProfileStore(tmp_path)
        assert store.profile == Profile()
        told = store.take_warning()
        assert told.startswith("Your profile is reset: ")
        assert told.endswith(f"profile-broken-{number}.json.")
        assert store.take_warning() == ""
        assert (tmp_path / f"profile-broken-{number}.json").read_bytes() == text


def test_newer_profile_is_not_changed(tmp_path: Path) -> None:
    text = b'{"version": 9, "name": "Ada", "mood": "good"}'
    (tmp_path / PROFILE_FILENAME).write_bytes(text)
    store = ProfileStore(tmp_path)
    assert "of version 9, from a newer flicksim" in store.take_warning()
    store.update_profile(lambda _: named_profile("Bo"))
    assert store.profile.name == "Bo"
    assert (tmp_path / PROFILE_FILENAME).read_bytes() == text


def test_profile_updated_by_a_newer_version_is_not_changed(tmp_path: Path) -> None:
    store = ProfileStore(tmp_path)
    store.update_profile(lambda _: named_profile("Ada"))
    text = b'{"version": 9, "name": "Ada", "mood": "good"}'
    (tmp_path / PROFILE_FILENAME).write_bytes(text)
    store.update_profile(lambda had: msgspec.structs.replace(had, lessons=("ice",)))
    assert (store.profile.name, store.profile.lessons) == ("Ada", ("ice",))
    assert (tmp_path / PROFILE_FILENAME).read_bytes() == text
    assert "from a newer flicksim" in store.take_warning()


def test_unreadable_folder_is_reported(tmp_path: Path) -> None:
    store = ProfileStore(tmp_path / ("x" * 300))
    assert store.profile == Profile()
    assert "Your profile is reset: cannot read" in store.take_warning()


def test_short_write_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = os.write
    monkeypatch.setattr(os, "write", lambda handle, text: write(handle, text[:5]))
    with pytest.raises(FlicksimError, match="no space left"):
        ProfileStore(tmp_path).add_entry(won_game())


def test_truncated_line_is_skipped(tmp_path: Path) -> None:
    ProfileStore(tmp_path).add_entry(won_game())
    path = tmp_path / HISTORY_FILENAME
    path.write_bytes(path.read_bytes() + b'{"line":"game","day":"20')
    ProfileStore(tmp_path).add_entry(won_game(share=0.5))
    store = ProfileStore(tmp_path)
    assert [line.share for line in store.entries if isinstance(line, GameEntry)] == [1.0, 0.5]
    assert store.take_warning() == "1 line of history.jsonl could not be read; it stays in the file and does not count."


def test_lines_of_a_newer_version_are_kept(tmp_path: Path) -> None:
    (tmp_path / HISTORY_FILENAME).write_bytes(b'{"line":"tournament"}\n')
    store = ProfileStore(tmp_path)
    store.add_entry(won_game())
    assert len(store.entries) == 1
    assert (tmp_path / HISTORY_FILENAME).read_bytes().startswith(b'{"line":"tournament"}\n{"line":"game"')


def test_unwritable_store_works_in_memory(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    store = ProfileStore(tmp_path / "file")
    for write in (lambda: store.add_entry(won_game()), lambda: store.update_profile(lambda _: named_profile("Ada"))):
        with pytest.raises(FlicksimError, match="cannot be saved"):
            write()
    assert (store.profile.name, len(store.entries)) == ("Ada", 1)


def test_store_without_a_folder_writes_nothing() -> None:
    store = ProfileStore(None)
    store.add_entry(won_game())
    store.update_profile(lambda _: named_profile("Ada"))
    assert (store.profile.name, len(store.entries)) == ("Ada", 1)


@pytest.mark.parametrize(
    ("typed", "name"),
    [("", ""), ("   ", ""), ("  Ada \n Byron ", "Ada Byron"), ("x" * 200, "x" * MAX_NAME_LENGTH), ("a\u202eb\0", "ab")],
)
def test_clean_name_is_printable(typed: str, name: str) -> None:
    assert clean_name(typed) == name
    assert Profile(name=clean_name(typed)).name == name


def test_streak_ignores_future_days() -> None:
    lines = [attempt_entry(f"2025-03-0{day}") for day in (1, 2, 3, 9)] + [
        attempt_entry("2025-03-04", stars=0),
        attempt_entry("2025-02-30"),
    ]
    done = daily_challenge_dates(lines, "Ada")
    assert [current_streak(done, date(2025, 3, day)) for day in (2, 3, 4, 5)] == [2, 3, 3, 0]


def test_best_measure_is_minimum_or_maximum() -> None:
    lines = [attempt_entry(measure=measure, stars=stars) for measure, stars in ((9.0, 1), (4.0, 0), (6.0, 2))]
    best = best_attempts(lines, "Ada")["a/b"]
    assert (best.stars, best.attempts, best.format_measure()) == (2, 3, "4 mm")
    assert best_attempts([attempt_entry(measure=m, more=True) for m in (3.0, 8.0, 5.0)], "Ada")["a/b"].measure == 8.0
    assert best_attempts(lines, "Bo") == {}


def test_tallies_by_opponent() -> None:
    found = game_tallies(
        [won_game(), won_game(share=0.5), won_game(against="friends", share=0.0), won_game("Bo")], "Ada"
    )
    assert {against: (one.played, one.won) for (_, against), one in found.items()} == {
        "club": (2, 1.5), "friends": (1, 0.0),
    }  # fmt: skip
