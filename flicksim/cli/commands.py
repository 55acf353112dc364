"""Table of the commands and the lazy command group: a command's module is imported when the command is first used."""

import sys
from collections.abc import Iterator, MutableMapping
from importlib import import_module
from typing import Any, NamedTuple, TypeAlias

import typer
from typer.core import TyperCommand, TyperGroup

from flicksim.core.type_aliases import Unchecked

ClickCommand: TypeAlias = Any
"""A click command."""


class CommandEntry(NamedTuple):
    """Command before its module is imported: module, summary in a line, example."""

    module: str
    summary: str
    example: str


COMMANDS = {
    "games": CommandEntry("games", "List the games.", "flicksim games"),
    "rules": CommandEntry(
        "games", "Print the rules of a game, with their ids, its options and defaults.", "flicksim rules tiddlywinks"
    ),
    "play": CommandEntry(
        "play",
        "Play one game in the window or, headless, in the terminal.",
        "flicksim play penny-white --seat human --seat bot:club",
    ),
    "match": CommandEntry(
        "match",
        "Play many games between bots, with progress and a table of results.",
        "flicksim match penny-white --seat bot:club --seat random --games 20",
    ),
    "simulate": CommandEntry(
        "simulate",
        "Simulate a flick, squidge or launch of a scene and print its events.",
        "flicksim simulate sample:draw",
    ),
    "position": CommandEntry(
        "position",
        "Check, draw and adjudicate a position, or list the built-in ones.",
        "flicksim position pile_of_three",
    ),
    "challenges": CommandEntry(
        "challenges",
        "List the challenges, or let a bot attempt one.",
        "flicksim challenges penny-white/draw-30 --seat bot:club --attempts 5",
    ),
    "replay": CommandEntry("replay", "Show or verify a recorded game.", "flicksim replay game.jsonl --verify"),
    "share": CommandEntry(
        "share", "Encode a recorded game or a position as a share code, one short text.", "flicksim share game.jsonl"
    ),
    "open": CommandEntry(
        "share",
        "Open a shared position or game in the window, or as a record.",
        "flicksim open shared.flicksim --record game.jsonl",
    ),
    "analyse": CommandEntry(
        "analyse",
        "Evaluate a position and list its best actions, or review a recorded game.",
        "flicksim analyse game.jsonl",
    ),
    "puzzles": CommandEntry(
        "puzzles",
        "Find positions in games of bots with one clearly best flick, and save them.",
        "flicksim puzzles penny-white --count 3 --out mine -o ends=1",
    ),
    "bench": CommandEntry(
        "bench",
        "Measure the simulation: its speed against bare pymunk, or its errors against references.",
        "flicksim bench validation",
    ),
    "experiment": CommandEntry(
        "experiments",
        "Run an experiment of many shots and save its results.",
        "flicksim experiment pot-chance --shots 2000 --out pots",
    ),
    "report": CommandEntry(
        "experiments", "Make a page of tables and plots of an experiment's results.", "flicksim report pots"
    ),
    "export": CommandEntry(
        "experiments",
        "Write an experiment's results as one file, CSV or Parquet, with a data sheet beside it.",
        "flicksim export pots shots.csv",
    ),
    "tournament": CommandEntry(
        "experiments",
        "Play a round robin between players: ratings with 95 % intervals.",
        "flicksim tournament penny-white --seat bot:club --seat random",
    ),
    "train": CommandEntry(
        "train",
        "Train a policy on a shot or a game by reinforcement learning (extra 'learn').",
        "flicksim train pot --seed 1 --out pot-1",
    ),
}
"""Commands by name; the command NAME is the function `NAME_command` of its module."""


GROUPS = {
    "Play": ("games", "rules", "play", "match", "challenges"),
    "Records and positions": ("replay", "share", "open", "position", "analyse", "puzzles"),
    "Shots and experiments": ("simulate", "experiment", "report", "export", "tournament", "train", "bench"),
}
"""Commands by topic, as the help lists them."""

DEPRECATED_COMMANDS = {"settle": "simulate", "ladder": "tournament", "learn": "train"}
"""Deprecated commands and their replacements; accepted with a warning, and not listed."""
DEPRECATED_OPTIONS = {
    "challenges": {"--tries": "--attempts"},
    "experiment": {"--store": "--format", "--chunk": "--batch-size"},
    "tournament": {"--bots": "--seat"},
}
"""Deprecated options of a command and their replacements; accepted likewise."""


class Command(TyperCommand):
    """Command whose help shows a placeholder for each value, as FILE or N, instead of its Python type."""

    def __init__(self, *args: Unchecked, **kwargs: Unchecked) -> None:
        super().__init__(*args, **kwargs)
        for param in self.params:
            if param.param_type_name == "argument":  # whose type the help would show otherwise
                setattr(param, "display_type", _no_type)  # noqa: B010

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
            return super().parse_args(ctx, args)
        except typer.BadParameter as error:
            values = self.make_parser(ctx).parse_args(args=given)[0]
            if error.param is None or (given_value := values.get(error.param.name)) is None:
                raise
            raise typer.BadParameter(f"{given_value!r}: {error.message}", ctx, error.param) from None

    def invoke(self, ctx: Unchecked) -> Unchecked:
        """Run the command, with compile progress if it may compile anything."""
        if "flicksim.match" not in sys.modules:
            return super().invoke(ctx)
        with import_module("flicksim.cli.compile_progress").show_compiling():
            return super().invoke(ctx)


def warn_deprecated(old: str, new: str) -> None:
    """Warn on stderr of a deprecated command or option and its replacement."""
    typer.echo(f"flicksim: {old!r} is deprecated; use {new!r}", err=True)


def _no_type(*_: Unchecked, **__: Unchecked) -> str:
    return ""


class _LazyCommands(MutableMapping[str, ClickCommand]):
    """Mapping of command names to commands; the module of a command is imported when it is first looked up."""

    def __init__(self) -> None:
        self._loaded: dict[str, ClickCommand] = {}

    def __getitem__(self, name: str) -> ClickCommand:
        if name not in self._loaded:
            entry = COMMANDS[name]
            single = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
            function = getattr(import_module(f"flicksim.cli.{entry.module}"), f"{name}_command")
            single.command(name, cls=Command, epilog=f"Example: {entry.example}")(function)
            self._loaded[name] = typer.main.get_command(single)
        return self._loaded[name]

    def __setitem__(self, name: str, command: ClickCommand) -> None:
        self._loaded[name] = command

    def __delitem__(self, name: str) -> None:
        del self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


class Commands(TyperGroup):
    """Group of all commands, which lists them without importing them."""

    def __init__(self, *args: Unchecked, **kwargs: Unchecked) -> None:
        super().__init__(*args, **kwargs)
        self.commands = _LazyCommands()
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

    def get_command(self, ctx: Unchecked, cmd_name: str) -> ClickCommand:
        """Command of that name; None if there is none."""
        if cmd_name in DEPRECATED_COMMANDS:
            warn_deprecated(cmd_name, DEPRECATED_COMMANDS[cmd_name])
            cmd_name = DEPRECATED_COMMANDS[cmd_name]
        if self._completing and cmd_name in COMMANDS:
            return TyperCommand(cmd_name, short_help=COMMANDS[cmd_name].summary)
        return super().get_command(ctx, cmd_name)
