"""File locks: one writer at a time, the holder is named, and a dead one's lock is free."""

import errno
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from flicksim.core import file_lock as module
from flicksim.core.errors import FileLocked, InvalidFile
from flicksim.core.file_lock import FileLock

HOLD = (
    "import sys; from pathlib import Path; from flicksim.core.file_lock import FileLock; "
    "lock = FileLock(Path(sys.argv[1]));"
)


@contextmanager
def lock_holder_process(path: Path, then: str = "input()") -> Iterator[subprocess.Popen[str]]:
    """Another process that holds the lock until it is ended."""
    code = f"{HOLD} print('held', flush=True); {then}"
    with subprocess.Popen(
        [sys.executable, "-c", code, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout.readline() == "held\n"
        try:
            yield process
        finally:
            process.kill()


def is_unlocked(path: Path) -> bool:
    """Return True if nobody holds it."""
    try:
        FileLock(path).release()
    except FileLocked:
        return False
    return True


def test_another_process_is_named_and_dead_holders_are_replaced(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    with lock_holder_process(path) as process:
        with pytest.raises(FileLocked, match=rf"game.jsonl' is being written by .*process {process.pid}, since 20"):
            FileLock(path)
        process.kill()
        process.wait()
        assert (tmp_path / ".game.jsonl.lock").exists()
        assert is_unlocked(path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing is forked here")
def test_a_forked_child_holds_no_lock(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    # the child speaks for itself, so it is there before its parent ends; it lives on after it, and ends by itself
    then = "import os, time; input() if os.fork() else (print(os.getpid(), flush=True), time.sleep(20))"
    with lock_holder_process(path, then) as process:
        child = int(process.stdout.readline())
        assert not is_unlocked(path)
        process.kill()
        process.wait()
        assert is_unlocked(path)
        os.kill(child, 9)


@pytest.mark.parametrize("way", ["itself", "a link", "another spelling"])
def test_one_lock_for_all_names_of_a_file(tmp_path: Path, way: str) -> None:
    path = tmp_path / "game.jsonl"
    path.touch()
    (tmp_path / "a link").symlink_to(path)
    (tmp_path / "below").mkdir()
    other = {"itself": path, "a link": tmp_path / "a link", "another spelling": tmp_path / "below" / ".." / path.name}
    with FileLock(path):
        assert not is_unlocked(other[way])
    assert is_unlocked(other[way])


def test_files_beside_each_other_have_locks_of_their_own(tmp_path: Path) -> None:
    with FileLock(tmp_path / "a.jsonl"), FileLock(tmp_path / "b.jsonl"), FileLock(tmp_path):
        assert len(list(tmp_path.iterdir())) == 3
    assert list(tmp_path.iterdir()) == []


def test_a_collected_lock_is_released_and_releasing_twice_has_no_effect(tmp_path: Path) -> None:
    held = FileLock(tmp_path / "a")
    assert not is_unlocked(tmp_path / "a")
    del held
    assert is_unlocked(tmp_path / "a")
    held = FileLock(tmp_path / "a")
    held.release()
    with FileLock(tmp_path / "a"):
        held.release()
        assert not is_unlocked(tmp_path / "a")


@pytest.mark.parametrize("note", [b"", b"\xff\x00", b"{}", b'{"process": 1}', b"x" * 5000])
def test_an_empty_lock_file_means_another_process(tmp_path: Path, note: bytes) -> None:
    with FileLock(tmp_path / "a"):
        (tmp_path / ".a.lock").write_bytes(note)
        with pytest.raises(FileLocked, match="being written by another process"):
            FileLock(tmp_path / "a")


def test_the_holder_is_escaped_and_truncated(tmp_path: Path) -> None:
    with FileLock(tmp_path / "a"):
        who = module.LockHolder(process=1, program="\x1b[31m" + "long " * 300, since="\n", host="h")
        (tmp_path / ".a.lock").write_bytes(msgspec.json.encode(who))
        with pytest.raises(FileLocked) as wrong:
            FileLock(tmp_path / "a")
        assert str(wrong.value).isprintable()
        assert len(str(wrong.value)) < 500


@pytest.mark.parametrize("way", ["soft", "hard"])
def test_a_link_in_place_of_the_lock_is_not_followed(tmp_path: Path, way: str) -> None:
    mine = tmp_path / "mine"
    mine.write_text("precious")
    side = tmp_path / ".a.lock"
    side.symlink_to(mine) if way == "soft" else side.hardlink_to(mine)
    with pytest.raises(InvalidFile, match="cannot write"):
        FileLock(tmp_path / "a")
    assert mine.read_text() == "precious"


def test_circular_links_are_reported(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(InvalidFile, match="cannot write"):
        FileLock(tmp_path / "a")


def test_an_unwritable_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidFile, match=r"cannot write '.*nowhere.a': no such file"):
        FileLock(tmp_path / "nowhere" / "a")


# -- file systems that know no locks: the note is all there is --------------------------------------------------------


@pytest.fixture
def no_lock_support(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_handle: int) -> None:
        raise OSError(errno.ENOLCK, "no locks available")

    monkeypatch.setattr(module, "_lock_fd", refuse)


def write_holder_note(path: Path, process: int, host: str = "") -> None:
    who = module.LockHolder(
        process=process, program="flicksim play", since="1", host=host or module.socket.gethostname()
    )
    path.write_bytes(msgspec.json.encode(who))


@pytest.mark.usefixtures("no_lock_support")
def test_without_locks_only_living_holders_count(tmp_path: Path) -> None:
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    write_holder_note(tmp_path / ".a.lock", dead.pid)
    assert is_unlocked(tmp_path / "a")
    write_holder_note(tmp_path / ".a.lock", os.getppid())
    assert not is_unlocked(tmp_path / "a")
    write_holder_note(tmp_path / ".a.lock", dead.pid, host="elsewhere")
    with pytest.raises(FileLocked, match="on elsewhere"):
        FileLock(tmp_path / "a")


@pytest.mark.usefixtures("no_lock_support")
def test_without_locks_this_process_has_its_own(tmp_path: Path) -> None:
    with FileLock(tmp_path / "a"):
        assert not is_unlocked(tmp_path / "a")
    write_holder_note(tmp_path / ".a.lock", os.getpid())
    assert is_unlocked(tmp_path / "a")


@pytest.mark.skipif(module.fcntl is None, reason="files are locked by their path alone here")
def test_a_file_of_two_names_has_one_writer(tmp_path: Path) -> None:
    path, other = tmp_path / "game.jsonl", tmp_path / "other.jsonl"
    path.write_bytes(b"{}\n")
    other.hardlink_to(path)
    with lock_holder_process(path):
        with pytest.raises(FileLocked, match=r"other.jsonl' is being written by another process, by another name"):
            FileLock(other)
        assert not (tmp_path / ".other.jsonl.lock").exists()
    assert is_unlocked(other)
    assert is_unlocked(path)
