"""The commands there are, each loaded when it is asked for: what is said of them all needs none of them."""

from __future__ import annotations

import sys
from collections.abc import Iterator, MutableMapping
from importlib import import_module
from typing import Any, NamedTuple, TypeAlias

import typer
from typer.core import TyperCommand, TyperGroup

from flicksim.base.kinds import Given

Clicked: TypeAlias = Any
"""A command as click has it."""


class Known(NamedTuple):
    """A command as it is known before it is loaded: where it stands, what it does in a line, an example of it."""

    module: str
    function: str
    says: str
    example: str


COMMANDS = {
    "games": Known("listing", "games_command", "List the games.", "flicksim games"),
    "rules": Known(
        "listing", "rules_command", "A game's rules in our own words, with ledger ids, options and defaults.",
        "flicksim rules tiddlywinks",
    ),
    "play": Known(
        "play", "play_command", "Play one game: in a window, or headless; people type in the shell then.",
        "flicksim play penny-white --seat human --seat bot:club",
    ),
    "match": Known(
        "match", "match_command", "Play many games between bots, with progress and a table of results.",
        "flicksim match penny-white --seat bot:club --seat random --games 20",
    ),
    "settle": Known(
        "settle", "settle_command", "Flick a piece of a scene, or launch a pyramid, and say what happens.",
        "flicksim settle sample:draw",
    ),
    "position": Known(
        "position", "position_command", "Check a position, draw it and rule on it; without one, list the shipped ones.",
        "flicksim position pile_of_three",
    ),
    "challenges": Known(
        "challenges", "challenges_command", "List the challenges; with a name, have a bot try one.",
        "flicksim challenges penny-white/draw-30 --seat bot:club --tries 5",
    ),
    "replay": Known(
        "replay", "replay_command", "Show a recorded game, or check it turn by turn.",
        "flicksim replay game.jsonl --verify",
    ),
    "share": Known(
        "share", "share_command", "Print a recorded game or a position as one short text that another copy opens.",
        "flicksim share game.jsonl",
    ),
    "open": Known(
        "share", "open_command", "Open a shared position or game: in the window, or as a record of one's own.",
        "flicksim open shared.flicksim --record game.jsonl",
    ),
    "analyse": Known(
        "analyse", "analyse_command", "Say what a position is worth and which flicks are best, or review a record.",
        "flicksim analyse game.jsonl",
    ),
    "puzzles": Known(
        "puzzles", "puzzles_command",
        "Find positions in bots' games in which one flick is clearly the best, and keep them.",
        "flicksim puzzles penny-white --count 3 --out mine -o ends=1",
    ),
    "bench": Known(
        "bench", "bench_command", "Measure the physics: what it costs beside bare pymunk, or how true it is.",
        "flicksim bench truths",
    ),
    "experiment": Known(
        "lab", "experiment", "Put a question to many shots and keep the answers.",
        "flicksim experiment pot-chance --shots 2000 --out pots",
    ),
    "report": Known(
        "lab", "report",
        "Make a page of tables and pictures of an experiment's results; those of others are only read, never run.",
        "flicksim report pots",
    ),
    "export": Known(
        "lab", "export", "Write an experiment's results as one file, CSV or Parquet, with a data sheet beside it.",
        "flicksim export pots shots.csv",
    ),
    "ladder": Known(
        "lab", "ladder", "Everybody plays everybody: ratings of bots, with 95 % intervals.",
        "flicksim ladder penny-white --seat bot:club --seat random --games 20",
    ),
    "learn": Known(
        "learn", "learn_command", "Have a policy learn a shot or a game (extra 'learn').",
        "flicksim learn pot --seed 1 --out pot-1",
    ),
}  # fmt: skip


GROUPS = {
    "Play": ("games", "rules", "play", "match", "challenges"),
    "Records and positions": ("replay", "share", "open", "position", "analyse", "puzzles"),
    "Shots and experiments": ("settle", "experiment", "report", "export", "ladder", "learn", "bench"),
}
"""The commands as help lists them, by what somebody is after."""


class Command(TyperCommand):
    """A command whose help names what is to be put in a place, as FILE or N, and no types of Python."""

    def __init__(self, *given: Given, **named: Given) -> None:
        super().__init__(*given, **named)
        for param in self.params:
            if param.param_type_name == "argument":  # beside its name the help would tell its type
                setattr(param, "display_type", _nothing)  # noqa: B010

    def invoke(self, ctx: Given) -> Given:
        """Do it; where it may have something compiled, that is shown meanwhile."""
        if "flicksim.play" not in sys.modules:
            return super().invoke(ctx)
        with import_module("flicksim.cli.compiling").compiling_shown():
            return super().invoke(ctx)


def _nothing(*_: Given, **__: Given) -> str:
    return ""


class _Loaded(MutableMapping[str, Clicked]):
    """The commands by name; one is loaded when it is first looked up."""

    def __init__(self) -> None:
        self._made: dict[str, Clicked] = {}

    def __getitem__(self, name: str) -> Clicked:
        if name not in self._made:
            known = COMMANDS[name]
            alone = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
            function = getattr(import_module(f"flicksim.cli.{known.module}"), known.function)
            alone.command(name, cls=Command, epilog=f"Example: {known.example}")(function)
            self._made[name] = typer.main.get_command(alone)
        return self._made[name]

    def __setitem__(self, name: str, command: Clicked) -> None:
        self._made[name] = command

    def __delitem__(self, name: str) -> None:
        del self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


class Commands(TyperGroup):
    """All commands."""

    def __init__(self, *given: Given, **named: Given) -> None:
        super().__init__(*given, **named)
        self.commands = _Loaded()
        self._naming = False

    def format_commands(self, ctx: Given, formatter: Given) -> None:
        """List them, with what each does."""
        del ctx
        for title, names in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(name, COMMANDS[name].says) for name in names])

    def shell_complete(self, ctx: Given, incomplete: str) -> list[Given]:
        """The names that begin so, for the shell to complete; no command is loaded for that."""
        self._naming = True
        try:
            return super().shell_complete(ctx, incomplete)
        finally:
            self._naming = False

    def list_commands(self, ctx: Given) -> list[str]:
        """All names."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: Given, cmd_name: str) -> Clicked:
        """The command of that name; None when there is none."""
        if self._naming and cmd_name in COMMANDS:
            return TyperCommand(cmd_name, short_help=COMMANDS[cmd_name].says)
        return super().get_command(ctx, cmd_name)
