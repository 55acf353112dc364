"""What the menu offers for tiddlywinks beside a game."""

from __future__ import annotations

from flicksim.referee import Game
from flicksim.ui.app import App
from flicksim.ui.widgets import Button


def beside(app: App, game: Game) -> list[Button]:
    """Buttons for the menu; none for games without a pot."""
    if game.name != "tiddlywinks":
        return []
    from flicksim.ui.winks import positions
    from flicksim.ui.winks.practice_screen import PracticeScreen

    found = [Button("Practice", lambda: app.push(PracticeScreen(app)), says="Pot or squop from any distance, counted.")]
    if positions.there():
        found.append(
            Button("Positions", lambda: app.push(positions.PositionsScreen(app)), says="Play on from a position.")
        )
    return found
