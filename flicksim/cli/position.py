"""Command `flicksim position`: check, draw and adjudicate a position."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, cast

import typer

from flicksim.cards import Card, Tile
from flicksim.cli.arguments import AsJson, argument, check_picture, option
from flicksim.cli.console import out, show_json
from flicksim.cli.formatting import show_corrections, show_zones
from flicksim.core.counting import count_of
from flicksim.core.errors import InvalidOption, InvalidScene
from flicksim.core.type_aliases import Position, State
from flicksim.games import games_with_positions, load
from flicksim.match import game_of_position, load_position, position_notation
from flicksim.referee import CardPositionEditor, Game, PositionNotation
from flicksim.render import PlaceOfCards, draw, draw_card_places
from flicksim.render.pillow_backend import save_png


def position_command(
    which: Annotated[str | None, argument("FILE|NAME", "Position file, or name of a built-in position.")] = None,
    game: Annotated[str | None, option("--game", "GAME", "Game of the position. [default: from the file]")] = None,
    png: Annotated[Path | None, option("--png", "FILE", "Draw the position to a file.")] = None,
    as_json: AsJson = False,
) -> None:
    """Check, draw and adjudicate a position, or list the built-in ones."""
    if which is None:
        if png is not None:
            raise InvalidOption(f"--png {str(png)!r} draws a position; name it, or a file with it")
        _list_positions([(load(game), position_notation(load(game)))] if game else games_with_positions(), as_json)
        return
    check_picture(png)
    loaded = load(game) if game is not None else game_of_position(which)
    notation = position_notation(loaded)
    position = load_position(loaded, which)
    try:
        state, reasons = notation.start_state(position)
    except InvalidScene as error:
        if as_json:
            show_json({"title": position.title, "problems": list(error.problems)})
        else:
            out.print_line(f"{position.title}: {count_of(len(error.problems), 'problem')}.")
            for problem in error.problems:
                out.print_line(f"- {problem}")
        raise typer.Exit(1) from None
    if png is not None:
        if loaded.uses_physics:
            save_png(draw(state.scene, seats=loaded.seat_names, with_ids=True), png)
        else:
            save_png(draw_card_places(_card_places(loaded, position, state)), png)
    prompt, ruling = loaded.rules.legal_actions(state).prompt, notation.ruling_reasons(state)
    if as_json:
        table = {"scene": state.scene} if loaded.uses_physics else {"zones": state.zones}
        show_json({"title": position.title, "look": position.look, "problems": [], "put_right": reasons,
                   "ruling": ruling, "due": prompt, **table})  # fmt: skip
        return
    out.print_line(position.title, style="bold")
    if position.look:
        out.print_line(position.look)
    if not loaded.uses_physics:
        show_zones(state.zones, loaded.seat_names)
    show_corrections(reasons)
    for reason in ruling:
        if reason not in reasons:
            out.print_line(f"{reason.text} [{reason.rule}]")
    out.print_line(prompt)
    if png is not None:
        out.print(f"Drawn in {png}.")


def _card_places(game: Game, position: Position, state: State) -> list[PlaceOfCards]:
    """Places of a position of cards or tiles, as the study board has them."""
    editor, seat = cast(CardPositionEditor, game.position_editor), game.rules.to_play(state)
    return [
        PlaceOfCards(
            zone.label,
            zone.halves or cast(Sequence[Card | Tile], zone.cards),
            zone.seat == seat and zone.name.startswith("hand:"),
        )
        for zone in editor.zones(position)
        if zone.cards or zone.seat is not None
    ]


def _list_positions(games: Sequence[tuple[Game, PositionNotation]], as_json: bool) -> None:
    """List the built-in positions of games."""
    listed = [
        (game, name, notation.load_builtin(name)) for game, notation in games for name in notation.builtin_names()
    ]
    if as_json:
        show_json([{"game": game.name, "name": name, "title": position.title, "look": position.look}
                   for game, name, position in listed])  # fmt: skip
        return
    for game, name, position in listed:
        out.print_line(f"{name}: {position.title} ({game.title})")
