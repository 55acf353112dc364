"""Python players: errors and forfeits."""

import numpy as np
import pytest

from flicksim.ai.python_player import PythonPlayer
from flicksim.cards import Draw, Pass
from flicksim.core.errors import Forfeited, IllegalAction, PlayerError
from flicksim.core.type_aliases import Action, Unchecked, View

VIEW, RNG = {"seat": 0}, np.random.default_rng(1)


def own(player: Unchecked) -> PythonPlayer:
    """The player, who may draw and nothing else."""

    def check(view: View, action: Action) -> None:
        assert view is VIEW
        if isinstance(action, Pass):
            raise IllegalAction("X-1", "nobody passes here")

    return PythonPlayer(player, "mine", Draw | Pass, check)


def test_returned_action_is_played() -> None:
    assert own(lambda _view, _choices, _rng: Draw()).choose(VIEW, None, RNG) == Draw()


def test_forfeited_passes_through() -> None:
    def gives_up(_view: View, _choices: Unchecked, _rng: Unchecked) -> Action:
        raise Forfeited("no hope")

    with pytest.raises(Forfeited, match="no hope"):
        own(gives_up).choose(VIEW, None, RNG)


def _fails(_view: View, _choices: Unchecked, _rng: Unchecked) -> Action:
    raise KeyError("white")


def _looks_away(_view: View, _choices: Unchecked, _rng: Unchecked) -> Action:
    VIEW["seat"] += 1
    return Draw()


@pytest.mark.parametrize(
    ("player", "says"),
    [
        (lambda _view, _choices, _rng: None, "the player 'mine' returned nothing; it returns Draw or Pass"),
        (lambda _view, _choices, _rng: "draw", "returned 'draw'; it returns Draw or Pass"),
        (lambda _view, _choices, _rng: Pass(), "returned an illegal action: .*nobody passes here"),
        (_fails, "raised KeyError: 'white'"),
        (_looks_away, "changed the view"),
    ],
)
def test_player_mistakes_raise_player_error(player: Unchecked, says: str) -> None:
    with pytest.raises(PlayerError, match=says):
        own(player).choose(VIEW, None, RNG)
