"""What a club player would do here: asked of the same search the bots think with."""

from __future__ import annotations

from typing import Any

import numpy as np

from flicksim.play import Match
from flicksim.play.open_match import GameModel
from flicksim.players import GRADES, SearchPlayer
from flicksim.players.search import THOUGHTS
from flicksim.ui.later import Later

_GRADE = "club"


def hint(match: Match, seat: int) -> Later[Any]:
    """The action a club player would choose for a seat, thought out beside the window; the match is left as it is."""
    player = SearchPlayer(GameModel(match.game, match.stage), seat, GRADES[_GRADE], THOUGHTS[_GRADE])
    rng = np.random.Generator(np.random.PCG64(len(match.turns)))
    view, choices = match.rules.view(match.state, seat), match.choices()
    return Later(lambda: player.choose(view, choices, rng))
