"""Tiddly-Wink dominoes: a block game in which a double lets its player add a second tile. American and British."""

from pathlib import Path

from flicksim.games.dominoes import bot, challenges, position, purpose, rules
from flicksim.games.dominoes.deck import NAMES, Options
from flicksim.games.dominoes.state import State
from flicksim.referee import Game, load_texts

GAME = Game(
    name="dominoes",
    category="cards",
    rules_version=1,
    seats=(2, len(NAMES)),
    seat_names=NAMES,
    options=Options,
    action=rules.Action,
    state=State,
    ruling=rules.DominoRuling,
    rules=rules,
    bot=bot,
    challenges=challenges,
    purposes=purpose,
    positions=position,
    position_editor=position,
    progress=rules.progress,
    **load_texts(Path(__file__).parent),
)
