"""Which cloth a card game is played on: the one place that knows."""

from __future__ import annotations

from collections.abc import Callable

from flicksim.referee import Game
from flicksim.ui.felt.cloth import Cloth
from flicksim.ui.felt.domino_cloth import HELP as DOMINO_HELP
from flicksim.ui.felt.domino_cloth import DominoCloth
from flicksim.ui.felt.sounds import Sounds
from flicksim.ui.felt.taste import Taste
from flicksim.ui.felt.tinkle_cloth import HELP as TINKLE_HELP
from flicksim.ui.felt.tinkle_cloth import TinkleCloth

CLOTHS: dict[str, type[Cloth]] = {"dominoes": DominoCloth, "tinkle": TinkleCloth}
_HELP = {"dominoes": DOMINO_HELP, "tinkle": TINKLE_HELP}
_ALWAYS = (
    ("Always", ""),
    ("Q", "sounds on or off"),
    ("F", "how fast the others play: calm, brisk, at once"),
    ("U   H", "undo to your last decision; hint"),
    ("Tab, Shift + Tab", "go through the buttons; Space and Enter press them"),
    ("Esc   F11   ?", "menu; whole screen; these keys"),
)


def keys(game: Game) -> tuple[tuple[str, str], ...]:
    """What the help lists for a card game."""
    suits = (("S   C", "sort the hand by rank or suit; four colours"),) if CLOTHS[game.name].suited else ()
    return (*_HELP[game.name], *suits, *_ALWAYS)


def cloth_for(game: Game, who: Callable[[int], str], taste: Taste, sounds: Sounds) -> Cloth:
    """The cloth of a game."""
    return CLOTHS[game.name](game, who, taste, sounds)
