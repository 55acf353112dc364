"""Atomic writes: a file is complete, or as before."""

import errno
import os
import stat
from pathlib import Path

import pytest

from flicksim.core.atomic_files import open_atomic, write_atomic
from flicksim.core.errors import InvalidFile


def test_files_are_written_completely(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    write_atomic(path, b"first")
    write_atomic(path, b"second")
    assert path.read_bytes() == b"second"
    assert [entry.name for entry in tmp_path.iterdir()] == ["game.jsonl"]
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~umask


def test_a_failed_write_leaves_the_old_file_only(tmp_path: Path) -> None:
    path = tmp_path / "there"
    path.mkdir()
    with pytest.raises(InvalidFile, match="there': it is there and no file"):
        write_atomic(path, b"data")
    assert [entry.name for entry in tmp_path.iterdir()] == ["there"]
    with pytest.raises(InvalidFile, match=r"nowhere.*no such file or directory"):
        write_atomic(tmp_path / "nowhere" / "game.jsonl", b"data")


@pytest.mark.parametrize("old", [b"", b"as it was"])
def test_a_full_disk_leaves_the_old_file(tmp_path: Path, old: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "picture.png"
    if old:
        path.write_bytes(old)

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with (
        pytest.raises(InvalidFile, match=r"cannot write .*picture\.png': no space left on device"),
        open_atomic(path) as out,
    ):
        out.write(b"new")
    assert [(one.name, one.read_bytes()) for one in tmp_path.iterdir()] == ([("picture.png", old)] if old else [])


def test_an_interrupt_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "long.gif"
    path.write_bytes(b"as it was")

    def stopped() -> None:
        with open_atomic(path) as out:
            out.write(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stopped()
    assert [(one.name, one.read_bytes()) for one in tmp_path.iterdir()] == [("long.gif", b"as it was")]


def test_a_link_is_replaced_and_a_pipe_left_alone(tmp_path: Path) -> None:
    """Whoever laid the link does not decide what is written over."""
    precious, link, pipe = tmp_path / "precious", tmp_path / "report.html", tmp_path / "pipe.png"
    precious.write_bytes(b"mine")
    link.symlink_to(precious)
    write_atomic(link, b"page")
    assert (precious.read_bytes(), link.read_bytes(), link.is_symlink()) == (b"mine", b"page", False)
    os.mkfifo(pipe)
    link.unlink()
    link.symlink_to(pipe)
    for path in (pipe, link):
        with pytest.raises(InvalidFile, match="it is there and no file"):
            write_atomic(path, b"picture")
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert link.is_symlink()


def test_a_name_as_long_as_the_system_takes_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / ("n" * 251 + ".png")
    write_atomic(path, b"picture")
    assert path.read_bytes() == b"picture"
