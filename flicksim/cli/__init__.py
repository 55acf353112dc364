"""The door from the shell; each command has a file, which is loaded when it is asked for. Answers go to stdout,
everything else to stderr.

Exit codes: 0 done; 1 the answer is no (a record diverges, a world would not settle, a match was interrupted);
2 what was asked for cannot be done as asked. Errors are one plain sentence.
"""

from __future__ import annotations

import os
import sys
from typing import Annotated, Any, get_args

import typer

from flicksim.base.bounds import bounded
from flicksim.base.errors import CannotGoOn, FlicksimError, Unsettled, WorkersLost
from flicksim.base.legible import legible
from flicksim.base.places import Kind, own_place
from flicksim.base.version import __version__
from flicksim.cli.commands import Commands

_UsageError: Any = typer.BadParameter.__base__
"""Error of typer for a wrong command line; it has moved between packages, so it is asked of typer itself."""

app = typer.Typer(
    name="flicksim", help="Flicking games played and studied properly.", cls=Commands,
    epilog="Example: flicksim play penny-white --seat human --seat bot:club",
    pretty_exceptions_enable=False, no_args_is_help=False, rich_markup_mode=None,
    context_settings={"help_option_names": ["--help", "-h"]},
)  # fmt: skip


def main() -> int:
    """Run the command line and return its exit code."""
    if sys.stdout is None or sys.stderr is None:  # one was closed before we began
        _open_nowhere()
    try:
        for kind in get_args(Kind):
            own_place(kind)  # a folder that cannot be is told of before anything is done
        code = app(standalone_mode=False)
    except typer.Abort:
        return _fail("stopped", 1)
    except _UsageError as wrong:
        return _fail(wrong.format_message(), 2)
    except (CannotGoOn, Unsettled, WorkersLost) as wrong:
        return _fail(str(wrong), 1)
    except FlicksimError as wrong:
        return _fail(str(wrong), 2)
    except KeyboardInterrupt:
        return _fail("stopped", 1)
    except BrokenPipeError:
        _drop_stdout()
        return 0
    except OSError as wrong:
        _drop_stdout()
        return _fail(f"cannot write the answer: {(wrong.strerror or str(wrong)).lower()}", 2)
    if code == 130:  # how typer reports Ctrl-C
        return _fail("stopped", 1)
    return code if isinstance(code, int) else 0


def _open_nowhere() -> None:
    """Give closed streams a place to go to: what nobody can read is no error."""
    sys.stdout = sys.stdout or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")
    sys.stderr = sys.stderr or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")


def _drop_stdout() -> None:
    """Whoever read us is gone, or cannot take more: what is left in the buffer must not raise again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(sentence: str, code: int) -> int:
    from flicksim.cli.sheet import err

    err.print(f"flicksim: {legible(bounded(sentence))}", soft_wrap=True)
    return code


@app.callback(invoke_without_command=True)
def front_door(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Say which version this is.")] = False,
) -> None:
    """Open the window; without a display, play a demonstration match."""
    if version:
        print(f"flicksim {__version__}")
    elif context.invoked_subcommand is None:
        from flicksim import ui
        from flicksim.cli.compiling import compiling_shown
        from flicksim.cli.demonstration import demonstrate

        why_not = ui.why_no_window()
        if why_not is None:
            raise typer.Exit(ui.run())
        with compiling_shown():
            demonstrate(why_not)
