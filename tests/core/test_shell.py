"""Commands in messages."""

import shlex
import sys

import pytest

from flicksim.core.shell import command_line, install_command


def test_a_command_is_quoted_for_the_shell_of_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("flicksim", "replay", "Bob's last game.jsonl")
    assert shlex.split(command_line(*words)) == list(words)
    assert install_command("net") == f"{shlex.quote(sys.executable)} -m pip install 'flicksim[net]'"
    monkeypatch.setattr("os.name", "nt")
    windows = command_line(*words), install_command("net")
    monkeypatch.undo()
    assert windows[0] == """flicksim replay "Bob's last game.jsonl\""""
    assert windows[1].endswith(" -m pip install flicksim[net]")
