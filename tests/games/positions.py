"""Checks of position notations that several games share."""

from types import ModuleType
from typing import Any

import pytest

from flicksim.core.errors import InvalidScene


def check_problem(notation: ModuleType, position: Any, message: str | None) -> None:
    """A position is refused with the message of its problem; one without (None) can be continued from."""
    if message is None:
        notation.to_state(position)
        return
    with pytest.raises(InvalidScene, match=message):
        notation.start_state(position)
