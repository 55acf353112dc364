"""Which cloth a card game is played on: the one place that knows."""

from __future__ import annotations

from collections.abc import Callable

from flicksim.referee import Game
from flicksim.ui.felt.cloth import Cloth
from flicksim.ui.felt.domino_cloth import HELP as DOMINO_HELP
from flicksim.ui.felt.domino_cloth import DominoCloth
from flicksim.ui.felt.tinkle_cloth import HELP as TINKLE_HELP
from flicksim.ui.felt.tinkle_cloth import TinkleCloth
from flicksim.ui.keys import Lines
from flicksim.ui.sounds import Sounds
from flicksim.ui.taste import Taste

CLOTHS: dict[str, type[Cloth]] = {"dominoes": DominoCloth, "tinkle": TinkleCloth}
_HELP = {"dominoes": DOMINO_HELP, "tinkle": TINKLE_HELP}


def own_keys(game: Game) -> Lines:
    """The keys of a card game, as the help shows them."""
    suits = (("S   C", "sort the hand by rank or suit; four colours"),) if CLOTHS[game.name].suited else ()
    return (*_HELP[game.name], *suits, ("F", "how fast the others play: calm, brisk, at once"))


def cloth_for(game: Game, who: Callable[[int], str], taste: Taste, sounds: Sounds) -> Cloth:
    """The cloth of a game."""
    return CLOTHS[game.name](game, who, taste, sounds)
