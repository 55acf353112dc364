"""Commands of the shell, each a process of its own, forked off one in which all is loaded: loading takes longer than
most commands. Where nothing can be forked, and where the environment differs, a process is begun from nothing.
"""

import atexit
import json
import os
import socket
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

from typer.testing import CliRunner, Result

from flicksim.cli import app
from flicksim.core.errors import FlicksimError
from flicksim.core.paths import HOME_VARIABLE
from tests.background_process import start_in_background
from tests.polling import TIMEOUT

ROOT = Path(__file__).resolve().parents[1]


_SERVER = """
import atexit, faulthandler, gc, json, os, socket, sys, threading
fileno, limit = int(sys.argv[1]), float(sys.argv[2])
from importlib import import_module
from typer.testing import CliRunner
import flicksim.__main__ as shell
from flicksim.cli import app
from flicksim.cli.commands import COMMANDS
for command in COMMANDS.values():
    import_module(f"flicksim.cli.{command.module}")
for name in ("cli.compile_progress", "experiments.report", "engine", "render", "match"):
    import_module(f"flicksim.{name}")
from flicksim.games import load, names
for name in names():
    load(name)
from flicksim.match.warmup_targets import warm_up_disc_batch, warm_up_launch, warm_up_squidge
for load_compiled in (warm_up_disc_batch, warm_up_launch, warm_up_squidge):
    load_compiled()  # here, not in a thread as commands do: a child forked meanwhile lacks the thread, and may hang
CliRunner().invoke(app, ["--version"])  # with its first command line typer imports more
assert threading.active_count() == 1, threading.enumerate()
gc.freeze()  # else the first collection of a child would copy all that was loaded
asked = socket.socket(fileno=fileno)
while True:
    sent, streams, _, _ = socket.recv_fds(asked, 1 << 20, 2)
    if not sent:
        break
    given = json.loads(sent)
    if child := os.fork():
        for stream in streams:
            os.close(stream)
        asked.send(str(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])).encode())
        continue
    asked.close()
    for place, stream in enumerate(streams, 1):
        os.dup2(stream, place)
        os.close(stream)
    faulthandler.dump_traceback_later(limit, exit=True, file=2)
    os.chdir(given["cwd"])
    os.environ.clear()
    os.environ.update(given["environment"])
    sys.argv = [shell.__file__, *given["words"]]
    try:
        code = shell.run()
    except SystemExit as ended:
        code = ended.code
    threading._shutdown()
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code or 0)  # freeing all that was loaded would take longer than most commands
"""


def captured_output() -> dict[str, str]:
    """The environment of a command: no screen, lines of a known length, this checkout's code."""
    environment = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
    environment.pop("SDL_VIDEODRIVER", None)
    return environment | {"PYTHONPATH": str(ROOT), "COLUMNS": "160"}


@cache
def _server() -> tuple[socket.socket, dict[str, str]] | None:
    """The process that forks, and the environment in which it was begun."""
    if not hasattr(os, "fork") or not hasattr(socket, "send_fds"):
        return None
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    environment = captured_output()
    server = subprocess.Popen(
        [sys.executable, "-c", _SERVER, str(theirs.fileno()), str(TIMEOUT)], env=environment,
        pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL,
    )  # fmt: skip
    atexit.register(server.wait)
    atexit.register(server.kill)
    atexit.register(ours.close)
    theirs.close()
    ours.settimeout(4 * TIMEOUT)  # all may have to be compiled; a command that hangs ends itself, and says where
    return ours, environment


def run(*words: str | Path, cwd: Path | None = None, code: int | None = 0) -> subprocess.CompletedProcess[str]:
    """Run a command and return its answer; it must end with this code, or with any."""
    done = _run(list(map(str, words)), cwd)
    assert code in (done.returncode, None), (words, done.stderr)
    return done


def _run(command: list[str], cwd: Path | None) -> subprocess.CompletedProcess[str]:
    environment = captured_output()
    server = _server()
    if server is None or _loaded(server[1]) != _loaded(environment):
        return subprocess.run(
            [sys.executable, "-m", "flicksim", *command], capture_output=True, text=True, cwd=cwd, env=environment,
            timeout=TIMEOUT, check=False,
        )  # fmt: skip
    with TemporaryFile() as out, TemporaryFile() as err:
        given = {"words": command, "cwd": str(cwd or Path.cwd()), "environment": environment}
        try:
            socket.send_fds(server[0], [json.dumps(given).encode()], [out.fileno(), err.fileno()])
            code = int(server[0].recv(64))
        except (OSError, ValueError):  # it hangs, or is gone: another one for the commands that follow
            _server.cache_clear()
            raise
        return subprocess.CompletedProcess(command, code, _decode(out), _decode(err))


def begin(*words: object, cwd: Path | None = None, deaf: bool = False) -> subprocess.Popen[str]:
    """Begin a command in a process of its own; `deaf`: as a shell begins one with "&"."""
    return subprocess.Popen(
        [sys.executable, "-m", "flicksim", *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        cwd=cwd, env=os.environ | {"PYTHONPATH": str(ROOT)}, preexec_fn=start_in_background if deaf else None,
    )  # fmt: skip


def invoke(*words: object, code: int | None = 0) -> Result:
    """Run a command in this process; it must end with this code, or with any."""
    done = CliRunner().invoke(app, [str(word) for word in words])
    assert code in (done.exit_code, None), done.output
    return done


def refused(*words: object) -> str:
    """The sentence of the error by which a command ends, in this process."""
    done = invoke(*words, code=None)
    assert isinstance(done.exception, FlicksimError), done.output
    return str(done.exception)


def _loaded(environment: dict[str, str]) -> dict[str, str]:
    """Names read of an environment while modules are loaded; that a compiler was announced here is not one of them."""
    read_later = (HOME_VARIABLE, "FLICKSIM_COMPILES", "FLICKSIM_NO_CACHE_SHOWN")
    return {
        key: value
        for key, value in environment.items()
        if key.startswith(("FLICKSIM_", "NUMBA_", "PYTHON")) and key not in read_later
    }


def _decode(stream: IO[bytes]) -> str:
    stream.seek(0)
    return stream.read().decode().replace("\r\n", "\n")


def assert_error(*words: str | Path, message: str, code: int = 2, cwd: Path | None = None) -> None:
    """It must fail with this code and one sentence on stderr that quotes what was wrong."""
    done = run(*words, cwd=cwd, code=code)
    assert done.stdout == ""
    assert done.stderr.startswith("flicksim: "), done.stderr
    assert done.stderr.count("\n") == 1, done.stderr
    assert message in done.stderr, done.stderr
    assert "Traceback" not in done.stderr
