"""The client of the documentation, and programs at --stdio."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shlex import quote

import numpy as np
import pytest

from flicksim import net
from flicksim.core.type_aliases import Action
from flicksim.match import Match
from flicksim.net import protocol
from flicksim.net.participants import MAX_WATCHERS
from tests.net.tables import address, hosted, new_table, random_action
from tests.polling import TIMEOUT
from tests.python_process import ROOT, run_code

PAGE = ROOT / "flicksim" / "net" / "README.md"


@contextmanager
def cutting_host(folder: Path) -> Iterator[net.Host]:
    """Host of a person and a bot; the connection of the person is cut once, as the bot first chooses."""
    cuts, rng = list[object](), np.random.default_rng(1)

    def choose(match: Match) -> Action:
        peer = table.participants.chairs[0].peer
        if not cuts and peer is not None:
            cuts.append(peer)
            host.loop.call_soon_threadsafe(peer.socket.transport.abort)  # type: ignore[attr-defined]
        return random_action(match, rng)

    table = new_table(folder, "dominoes", "human", "random", choose=choose)
    with hosted(table) as host:
        yield host
    assert cuts


def example() -> str:
    """The example of a client."""
    (program,) = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.S | re.M)
    assert len(program.splitlines()) <= 60
    return str(program)


@pytest.mark.parametrize("name", ["dominoes", "penny-white"])
def test_the_client_of_sixty_lines_plays_a_whole_game(name: str, tmp_path: Path) -> None:
    table = new_table(tmp_path, name, "human", "random")
    with hosted(table) as host:
        done = run_code(example(), address(host), table.code)
        assert "winners: [" in done.stdout
        assert done.stderr == ""
    assert table.match.is_over


def test_the_client_of_sixty_lines_comes_back_after_a_cut(tmp_path: Path) -> None:
    with cutting_host(tmp_path) as host:
        assert "winners: [" in run_code(example(), address(host), host.tables[0].code).stdout


def test_the_client_of_sixty_lines_says_why_it_is_refused(tmp_path: Path) -> None:
    with hosted(new_table(tmp_path, "dominoes")) as host:
        assert "not the code of a table here" in run_code(example(), address(host), "WRONG", status=1).stderr


def test_a_program_plays_by_lines_of_stdin_and_stdout_and_comes_back_after_a_cut(tmp_path: Path) -> None:
    with cutting_host(tmp_path) as host:
        table = host.tables[0]
        command = [sys.executable, "-m", "flicksim", "join", address(host), table.code, "--stdio"]
        environment = os.environ | {"PYTHONPATH": str(ROOT), "FLICKSIM_HOME": str(tmp_path / "home")}
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
        ) as program:
            kinds = []
            for line in program.stdout:
                message = json.loads(line)
                kinds.append(message["kind"])
                if message["kind"] == "decide":
                    action = {"kind": "act", "turn": message["turn"], "action": message["actions"][0]}
                    print(json.dumps(action), file=program.stdin, flush=True)
                if message["kind"] == "over":
                    break
            program.stdin.close()
            assert program.wait(TIMEOUT) == 0
            assert program.stderr.read() == "The connection is lost; trying again ...\nThe connection is back.\n"
    assert kinds[:2] == ["welcome", "game"]
    assert kinds.count("welcome") == 2
    assert table.match.is_over


def test_the_last_lines_of_a_program_are_sent_and_the_answers_are_passed_on(tmp_path: Path) -> None:
    table = new_table(tmp_path, "dominoes")
    command = [sys.executable, "-m", "flicksim", "join", "", table.code, "--stdio"]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "FLICKSIM_HOME": str(tmp_path / "home")}
    with hosted(table) as host:
        command[4] = address(host)
        typed = '{"kind":"say","phrase":"hello"}\n{"kind":"leave"}\n'
        done = subprocess.run(
            command, input=typed, capture_output=True, text=True, env=environment, timeout=TIMEOUT, check=True
        )
        assert done.stderr == ""
        assert [chair.token_digest for chair in table.participants.chairs] == ["", ""]
    kinds = [json.loads(line)["kind"] for line in done.stdout.splitlines()]
    assert "said" in kinds
    assert kinds[-1] == "error", "the seat was given up"


def test_without_the_extra_a_sentence_says_how_to_install_it() -> None:
    code = (
        "import sys; sys.modules['websockets'] = None; sys.argv = ['flicksim', 'host', 'dominoes']\n"
        "from flicksim.__main__ import run; sys.exit(run())"
    )
    install = f"{quote(sys.executable)} -m pip install 'flicksim[net]'"
    assert f"needs the extra 'net': {install}" in run_code(code, status=2).stderr


def test_the_page_has_the_limits_of_the_code() -> None:
    page, limits = " ".join(PAGE.read_text().split()), net.Limits()
    waiting = limits.waiting
    for text in (
        f"a token bucket of {limits.burst:g}, filled at {limits.rate:g} a second",
        f"After more than {limits.excess} in a row that had to wait", f"when {limits.queue} messages wait for it",
        f"{limits.connections} connections at most, {MAX_WATCHERS} spectators",
        f"{waiting} connections ({waiting // 8} from one address) whose `hello`, due within {limits.hello_time:g} s",
        f"A client's message has {protocol.MAX_CLIENT_BYTES // 1024} kB at most",
        f"A message of the host has {protocol.MAX_HOST_BYTES // 1_000_000} MB at most",
    ):  # fmt: skip
        assert text in page, text
