"""Table of the commands (`commands.json`) and the lazy command group: a module is imported when its command is used."""

import json
import re
import sys
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import typer
from typer.core import TyperCommand, TyperGroup

from flicksim.core.suggestions import did_you_mean
from flicksim.core.type_aliases import Unchecked

ClickCommand: TypeAlias = Any
"""A click command."""


class CommandEntry(NamedTuple):
    """Command before its module is imported: module, summary in a line, example."""

    module: str
    summary: str
    example: str


_TABLE = json.loads(Path(__file__).with_name("commands.json").read_text(encoding="utf-8"))
GROUPS: Mapping[str, tuple[str, ...]] = {topic: tuple(entries) for topic, entries in _TABLE["topics"].items()}
"""Commands by topic, as the help lists them."""
COMMANDS: Mapping[str, CommandEntry] = {
    name: CommandEntry(entry.get("module", name), entry["summary"], entry["example"])
    for entries in _TABLE["topics"].values()
    for name, entry in entries.items()
}
"""Commands by name; the command NAME is the function `NAME_command` of its module."""
DEPRECATED_COMMANDS: Mapping[str, str] = _TABLE["deprecated_commands"]
"""Deprecated commands and their replacements; accepted with a warning, and not listed."""
DEPRECATED_OPTIONS: Mapping[str, Mapping[str, str]] = _TABLE["deprecated_options"]
"""Deprecated options of a command and their replacements; accepted likewise."""
_PATH_PLACEHOLDERS = {"DIR", "DIR|FILE", "DIR|RECORD", "FILE", "FILE|NAME", "FLICK", "RECORD", "SCENE"}
"""Placeholders of values that are paths."""
_NUMBER = re.compile(r"[-+]?[0-9.]+(e[-+]?[0-9]+)?", re.IGNORECASE)
"""A number in plain digits."""
_PLAIN_WORDS = {
    r".* is not a valid int.*": "it must be a whole number",
    r".* is not a valid float.*": "it must be a number",
    r".* is not in the range (\S+?)<=x<=(\S+)\.": r"it must be from \1 to \2",
    r".* is not in the range x>=(\S+)\.": r"it must be at least \1",
}
"""Words for errors of the library of arguments, by their patterns."""


class Command(TyperCommand):
    """Command that replaces deprecated options, quotes values in errors, and shows the progress of compilation."""

    def parse_args(self, ctx: Unchecked, args: list[str]) -> list[str]:
        """Parse the command line, with deprecated options replaced; errors quote the value."""
        replaced = DEPRECATED_OPTIONS.get(str(self.name), {})
        options = args.index("--") if "--" in args else len(args)
        used = set()
        for index, word in enumerate(args[:options]):
            name, equals, value = word.partition("=")
            if name in replaced:
                used.add(name)
                args[index] = f"{replaced[name]}{equals}{value}"
        for name in sorted(used):
            warn_deprecated(name, replaced[name])
        given = list(args)
        try:
            rest = super().parse_args(ctx, args)
            self._check_values(ctx, given)
            return rest
        except typer.BadParameter as error:
            if error.param is not None and error.param.metavar == "GAME":  # it is missing
                import_module("flicksim.games").load("")
            values = self.make_parser(ctx).parse_args(args=given)[0]
            if error.param is None:
                raise
            if (given_value := values.get(str(error.param.name))) is None:
                ctx.fail(f"{error.param.metavar} is missing, as in: {COMMANDS[str(self.name)].example}")
            message = error.message
            for jargon, plain in _PLAIN_WORDS.items():
                message = re.sub(jargon, plain, message)
            raise typer.BadParameter(f"{given_value!r}: {message}", ctx, error.param) from None

    def _check_values(self, ctx: Unchecked, args: list[str]) -> None:
        """Raise `BadParameter` for a value that the library of arguments takes: an empty path, which `pathlib` reads as
        the present folder, or a number in other than plain digits, as 1_0 or NaN, which is in every range."""
        values = self.make_parser(ctx).parse_args(args=list(args))[0]
        param: Unchecked
        for param in self.params:
            given, value = values.get(param.name), ctx.params[param.name]
            if given == "" and param.metavar in _PATH_PLACEHOLDERS:
                raise typer.BadParameter("give the path of a file or folder", ctx, param)
            if isinstance(given, str) and isinstance(value, int | float) and not _NUMBER.fullmatch(given.strip()):
                whole = "whole " if isinstance(value, int) else ""
                raise typer.BadParameter(f"it must be a {whole}number", ctx, param)

    def invoke(self, ctx: Unchecked) -> Unchecked:
        """Run the command, with compile progress if it may compile anything."""
        if "flicksim.match" not in sys.modules:
            return super().invoke(ctx)
        with import_module("flicksim.cli.compile_progress").show_compiling():
            return super().invoke(ctx)


def warn_deprecated(old: str, new: str) -> None:
    """Warn on stderr of a deprecated command or option and its replacement."""
    typer.echo(f"flicksim: {old!r} is deprecated; use {new!r}", err=True)


class Commands(TyperGroup):
    """Group of all commands, which lists them without importing them."""

    def __init__(self, *args: Unchecked, **kwargs: Unchecked) -> None:
        super().__init__(*args, **kwargs)
        self._completing = False

    def format_commands(self, ctx: Unchecked, formatter: Unchecked) -> None:
        """Write the commands by topic, each with its summary."""
        del ctx
        for title, names in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(name, COMMANDS[name].summary) for name in names])

    def shell_complete(self, ctx: Unchecked, incomplete: str) -> list[Unchecked]:
        """Completions for the shell, without importing commands."""
        self._completing = True
        try:
            return super().shell_complete(ctx, incomplete)
        finally:
            self._completing = False

    def list_commands(self, ctx: Unchecked) -> list[str]:
        """Names of all commands."""
        del ctx
        return list(COMMANDS)

    def resolve_command(self, ctx: Unchecked, args: list[str]) -> Unchecked:
        """Command of the first word; a usage error that names close ones if there is none."""
        if not args[0].startswith("-") and args[0] not in (*COMMANDS, *DEPRECATED_COMMANDS):
            ctx.fail(f"no command {args[0]!r}; flicksim --help lists them{did_you_mean(args[0], COMMANDS)}")
        return super().resolve_command(ctx, args)

    def get_command(self, ctx: Unchecked, cmd_name: str) -> ClickCommand:
        """Command of that name, whose module is now imported; None if there is none."""
        if cmd_name in DEPRECATED_COMMANDS:
            warn_deprecated(cmd_name, DEPRECATED_COMMANDS[cmd_name])
            cmd_name = DEPRECATED_COMMANDS[cmd_name]
        del ctx
        if cmd_name not in COMMANDS:
            return None
        entry = COMMANDS[cmd_name]
        if self._completing:
            return TyperCommand(cmd_name, short_help=entry.summary)
        if cmd_name not in self.commands:
            single = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
            function = getattr(import_module(f"flicksim.cli.{entry.module}"), f"{cmd_name}_command")
            single.command(cmd_name, cls=Command, epilog=f"Example: {entry.example}")(function)
            self.commands[cmd_name] = typer.main.get_command(single)
        return self.commands[cmd_name]
