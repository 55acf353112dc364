"""Positions at the shell: one of the shipped, by name, or one of one's own, by file; checked, drawn, ruled on."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flicksim.base.errors import BadScene
from flicksim.cli.arguments import AsJson
from flicksim.cli.drawn import draw
from flicksim.cli.sheet import out, show_json
from flicksim.cli.words import show_put_right
from flicksim.games import load
from flicksim.play import notation_of, position_named, whose


def position_command(
    which: Annotated[
        str | None, typer.Argument(metavar="FILE|NAME", help="A position file, or the name of a shipped one.")
    ] = None,
    game: Annotated[
        str | None, typer.Option("--game", metavar="GAME", help="Whose positions; told by the file without.")
    ] = None,
    png: Annotated[Path | None, typer.Option("--png", metavar="FILE", help="Draw it.")] = None,
    as_json: AsJson = False,
) -> None:
    """Check a position, draw it and rule on it; without one, list the shipped ones."""
    card = load(game) if game is not None else whose(which or "")
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
        draw(state.scene, png, seats=card.seat_names)
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
