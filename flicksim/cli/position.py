"""Positions at the shell: one of the shipped, by name, or one of one's own, by file; checked, drawn, ruled on."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flicksim import ui
from flicksim.base.codec import from_json, from_plain, read_bytes, to_plain
from flicksim.base.errors import BadOption, BadScene
from flicksim.base.kinds import Options, Position
from flicksim.cli.arguments import AsJson
from flicksim.cli.words import out, show_json, show_put_right
from flicksim.games import load, with_positions
from flicksim.referee import Game, Positions, parse_options
from flicksim.table import PyramidScene, Scene


def notation_of(game: Game) -> Positions:
    """The notation of a game's positions.

    Raises:
        BadOption: they cannot be.
    """
    if game.positions is None:
        able = ", ".join(one.name for one, _ in with_positions())
        raise BadOption(f"{game.title} has no notation for positions; there is one for {able}")
    return game.positions


def position_named(game: Game, word: str) -> Position:
    """A position of a game: a shipped one by its name, else a file.

    Raises:
        BadOption: the game has none, or none is called so. BadFile, BadInput: the file cannot be read.
    """
    notation, path = notation_of(game), Path(word)
    if word in notation.names() or (not path.suffix and not path.exists()):
        return notation.shipped(word)  # or says which there are
    return notation.read(path)


def scene_named(word: str) -> Scene | PyramidScene:
    """A scene to settle: a file with one in SI units, or a position, which lies as hands have put it right.

    A file is read once: it may be a pipe.

    Raises:
        BadOption: neither. BadScene, BadFile, BadInput: it cannot be read, or cannot lie so.
    """
    _, notation = with_positions()[0]
    known = notation.names()
    if word in known:
        position = notation.shipped(word)
    else:
        path = Path(word)
        if not path.suffix and not path.exists():
            raise BadOption(f"no scene file and no position {word!r}; positions are {', '.join(known)}")
        text = read_bytes(path)
        plain = from_json(text, dict, name=word)
        if plain.get("scene") == "pyramids":
            return from_json(text, PyramidScene, name=word)
        if "surface" in plain or "winks" not in plain:
            return from_json(text, Scene, name=word).checked()
        position = from_json(text, notation.Position, name=word)
    scene = notation.state_of(position).scene
    assert isinstance(scene, Scene)
    return scene


def begun(game: Game, word: str, options: list[str]) -> tuple[Position, Options]:
    """A position to begin at and its options, those given laid over its own.

    Raises:
        BadOption, BadScene, BadFile, BadInput: it cannot be read or played from.
    """
    position = position_named(game, word)
    given = to_plain(parse_options(game, options))
    named = {option.partition("=")[0].strip().replace("-", "_") for option in options}
    own = to_plain(position.options)
    own.update({name: given[name] for name in named})
    return position, from_plain(own, game.options, name="options")


def position_command(
    which: Annotated[
        str | None, typer.Argument(metavar="[FILE|NAME]", help="A position file, or the name of a shipped one.")
    ] = None,
    game: Annotated[str, typer.Option("--game", help="Whose positions.")] = "tiddlywinks",
    png: Annotated[Path | None, typer.Option("--png", metavar="FILE", help="Draw it.")] = None,
    as_json: AsJson = False,
) -> None:
    """Check a position, draw it and rule on it; without one, list the shipped ones."""
    card = load(game)
    notation = notation_of(card)
    if which is None:
        listed = [(name, notation.shipped(name)) for name in notation.names()]
        if as_json:
            show_json([{"name": name, "title": one.title, "look": one.look} for name, one in listed])
        else:
            for name, one in listed:
                out.print(f"{name}: {one.title}", soft_wrap=True)
        return
    position = position_named(card, which)
    try:
        state, reasons = notation.begin(position)
    except BadScene as wrong:
        if as_json:
            show_json({"title": position.title, "problems": list(wrong.problems)})
        else:
            many = "1 thing is" if len(wrong.problems) == 1 else f"{len(wrong.problems)} things are"
            out.print(f"{position.title}: {many} wrong with it.", soft_wrap=True)
            for problem in wrong.problems:
                out.print(f"- {problem}", soft_wrap=True)
        raise typer.Exit(1) from None
    if png is not None:
        ui.picture(state.scene, png, seats=card.seat_names)
    due, ruling = card.rules.choices(state).says, notation.ruling(state)
    if as_json:
        show_json(
            {
                "title": position.title, "look": position.look, "problems": [], "put_right": reasons,
                "ruling": ruling, "due": due, "scene": state.scene,
            }
        )  # fmt: skip
        return
    out.print(position.title, style="bold", soft_wrap=True)
    if position.look:
        out.print(position.look, soft_wrap=True)
    show_put_right(reasons)
    for reason in ruling:
        if reason not in reasons:
            out.print(f"{reason.says} [{reason.rule}]", soft_wrap=True)
    out.print(due, soft_wrap=True)
    if png is not None:
        out.print(f"Drawn in {png}.")
