"""Position editors whose analysis only records the states that it is given."""

from typing import Any

import pytest

from flicksim.core.type_aliases import State
from flicksim.games import load
from flicksim.gui.app.application import App

analysed: list[State] = []
"""States given to the analysis, the latest last."""


def open_editor(app: App, name: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Open the position editor of a game."""
    screen = app.routes.position_editor(app, load(name), None)
    monkeypatch.setattr(screen.analysis, "set_state", lambda state, _: analysed.append(state))
    app.replace_all(screen)
    return screen
