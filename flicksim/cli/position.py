"""Command `flicksim position`: check, draw and adjudicate a position."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flicksim.cli.arguments import AsJson
from flicksim.cli.console import out, show_json
from flicksim.cli.formatting import show_corrections
from flicksim.cli.picture_file import save_picture
from flicksim.core.errors import InvalidScene
from flicksim.games import load
from flicksim.match import game_of_position, load_position, position_notation


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
    card = load(game) if game is not None else game_of_position(which or "")
    notation = position_notation(card)
    if which is None:
        listed = [(name, notation.load_builtin(name)) for name in notation.builtin_names()]
        if as_json:
            show_json([{"name": name, "title": one.title, "look": one.look} for name, one in listed])
        else:
            for name, one in listed:
                out.print(f"{name}: {one.title}", soft_wrap=True)
        return
    position = load_position(card, which)
    try:
        state, reasons = notation.start_state(position)
    except InvalidScene as wrong:
        if as_json:
            show_json({"title": position.title, "problems": list(wrong.problems)})
        else:
            many = "1 thing is" if len(wrong.problems) == 1 else f"{len(wrong.problems)} things are"
            out.print(f"{position.title}: {many} wrong with it.", soft_wrap=True)
            for problem in wrong.problems:
                out.print(f"- {problem}", soft_wrap=True)
        raise typer.Exit(1) from None
    if png is not None:
        save_picture(state.scene, png, seats=card.seat_names)
    due, ruling = card.rules.legal_actions(state).prompt, notation.ruling_reasons(state)
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
    show_corrections(reasons)
    for reason in ruling:
        if reason not in reasons:
            out.print(f"{reason.text} [{reason.rule}]", soft_wrap=True)
    out.print(due, soft_wrap=True)
    if png is not None:
        out.print(f"Drawn in {png}.")
