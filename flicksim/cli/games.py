"""Commands `flicksim games` and `flicksim rules`."""

from rich.table import Column

from flicksim.cli.arguments import AsJson, GameName
from flicksim.cli.console import out, show_json, show_table
from flicksim.core.type_aliases import JsonValue
from flicksim.games import load, names
from flicksim.referee import Game, options_of


def games_command(as_json: AsJson = False) -> None:
    """List the games."""
    games = [load(name) for name in names()]
    if as_json:
        show_json([_game_info(game) for game in games])
        return
    rows = ((game.name, game.title, player_counts(game), game.summary) for game in games)
    show_table(("game", "title", "players", "summary"), rows)


def _game_info(game: Game) -> dict[str, JsonValue]:
    return {
        "name": game.name, "title": game.title, "blurb": game.summary, "seats": list(game.seats),
        "seat_names": list(game.seat_names), "edition": game.rules_version,
    }  # fmt: skip


def rules_command(game: GameName, as_json: AsJson = False) -> None:
    """Print the rules of a game, with their ids, its options and defaults."""
    loaded = load(game)
    options = options_of(loaded)
    if as_json:
        show_json({**_game_info(loaded), "rules": loaded.rulebook, "options": options, "sources": loaded.sources})
        return
    show_rules(loaded)


def format_value(value: JsonValue) -> str:
    if isinstance(value, tuple | list):
        return ",".join(f"{part:g}" if isinstance(part, float) else str(part) for part in value)
    if isinstance(value, bool) or value is None:
        return str(value).lower()
    return str(value)


def player_counts(game: Game) -> str:
    """Numbers of people that may play a game; partners may be one person each with two seats (TW-1a)."""
    low, high = game.seats
    if game.has_partners and hasattr(game.options(), "seats"):
        return f"2 or {high}"
    return str(low) if low == high else f"{low}-{high}"


def show_rules(game: Game) -> None:
    """Print the rules, options and sources of a game."""
    out.print(f"{game.title} ({player_counts(game)} players)", style="bold")
    out.print(f"{game.description or game.summary}\n")
    show_table(("id", "rule", "option"), ((row.id, row.text, row.option or "") for row in game.rulebook))
    headings = [
        Column(heading, overflow="fold", no_wrap=heading == "option")  # so that names can be copied
        for heading in ("option", "default", "values", "effect")
    ]
    rows = ((option.name, format_value(option.default), option.allowed, option.help) for option in options_of(game))
    show_table(headings, rows, title="Options (--option name=value)")
    out.print("Sources: " + "; ".join(game.sources))
