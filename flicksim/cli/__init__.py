"""Command-line interface: one module per command, imported on first use. Answers go to stdout, all else to stderr.

Exit codes: 0 success; 1 negative result (a record diverges, a shot does not come to rest, a match was stopped);
2 invalid request. Errors are one sentence.
"""

import os
import sys
from contextlib import suppress
from io import BufferedWriter, FileIO, TextIOWrapper
from typing import Annotated, Any, get_args

import typer

from flicksim.cli.commands import Commands
from flicksim.core.errors import CannotContinue, DidNotSettle, FlicksimError, WorkersLost
from flicksim.core.limits import truncate_middle
from flicksim.core.paths import DirectoryKind, user_dir
from flicksim.core.sanitize import escape_unprintable
from flicksim.core.version import __version__

_UsageError: Any = typer.BadParameter.__base__
"""Usage error of typer, taken from a subclass because it has moved between packages."""

app = typer.Typer(
    name="flicksim", help="Simulate, play and analyse flicking games.", cls=Commands,
    epilog="Example: flicksim play penny-white --seat human --seat bot:club",
    pretty_exceptions_enable=False, no_args_is_help=False, rich_markup_mode=None,
    context_settings={"help_option_names": ["--help", "-h"]},
)  # fmt: skip


class _LossyFile(FileIO):
    """File whose text is lost where it cannot be written, as on a full disk or to a pipe that is full."""

    def write(self, data: Any, /) -> int:
        """Write bytes, and return their number."""
        with suppress(OSError):
            return super().write(data) or len(data)
        return len(data)


def main() -> int:
    """Run the command line and return its exit code."""
    # streams closed by the caller are replaced by the null device: unread output is no error
    sys.stdin = sys.stdin or os.fdopen(os.open(os.devnull, os.O_RDONLY), encoding="utf-8")
    sys.stdout = sys.stdout or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")
    sys.stderr = sys.stderr or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")
    stderr = sys.__stderr__
    if stderr is not None and stderr is sys.stderr and os.name != "nt":  # on Windows consoles are no files
        lossy = BufferedWriter(_LossyFile(stderr.fileno(), "w", closefd=False))
        sys.stderr = TextIOWrapper(lossy, stderr.encoding, stderr.errors, line_buffering=True)
    try:
        if isinstance(sys.stdout, TextIOWrapper):  # letters that its encoding lacks are escaped, as on stderr
            sys.stdout.reconfigure(errors="backslashreplace")  # which flushes it
        for kind in get_args(DirectoryKind):
            user_dir(kind)  # report an invalid folder before doing anything
        code = app(standalone_mode=False)
    except typer.Abort:
        return _exit_with_error("stopped", 1)
    except _UsageError as error:
        return _exit_with_error(error.format_message(), 2)
    except (CannotContinue, DidNotSettle, WorkersLost) as error:
        return _exit_with_error(str(error), 1)
    except FlicksimError as error:
        return _exit_with_error(str(error), 2)
    except KeyboardInterrupt:
        return _exit_with_error("stopped", 1)
    except (BrokenPipeError, SystemExit) as end:  # typer and rich make the one the other
        if BrokenPipeError not in (type(end), type(end.__context__)):
            raise
        _discard_stdout()
        return 0
    except OSError as error:
        _discard_stdout()
        return _exit_with_error(f"cannot write the output: {(error.strerror or str(error)).lower()}", 2)
    if code == 130:  # typer's exit code of Ctrl-C
        return _exit_with_error("stopped", 1)
    return code if isinstance(code, int) else 0


def _discard_stdout() -> None:
    """Redirect stdout to the null device after its reader has closed, so that flushing at exit cannot fail."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _exit_with_error(sentence: str, code: int) -> int:
    # without the console, whose import may be what was interrupted
    print(f"flicksim: {escape_unprintable(truncate_middle(sentence))}", file=sys.stderr)
    return code


@app.callback(invoke_without_command=True)
def root_command(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Open the window; without a display, play a demonstration match."""
    if version:
        print(f"flicksim {__version__}", flush=True)
    elif context.invoked_subcommand is None:
        from flicksim import gui
        from flicksim.cli.compile_progress import show_compiling
        from flicksim.cli.play import run_demo

        reason = gui.display_unavailable_reason()
        if reason is None:
            try:
                raise typer.Exit(gui.run())
            except KeyboardInterrupt:
                kept = "a game that is not over goes on by Continue in the main menu"
                raise typer.Exit(_exit_with_error(f"stopped; {kept}", 1)) from None
        with show_compiling():
            run_demo(reason)
