"""Tinkle: a contract rummy in which a token in the jar buys discards, and everything on the table counts."""

from pathlib import Path

from flicksim.games.tinkle import bot, position, purpose, rules
from flicksim.games.tinkle.deck import NAMES, Options
from flicksim.games.tinkle.state import Action, State
from flicksim.referee import Game, load_texts

GAME = Game(
    name="tinkle",
    category="cards",
    rules_version=2,
    seats=(3, len(NAMES)),
    seat_names=NAMES,
    options=Options,
    action=Action,
    state=State,
    ruling=rules.TinkleRuling,
    rules=rules,
    bot=bot,
    purposes=purpose,
    positions=position,
    position_editor=position,
    progress=rules.progress,
    **load_texts(Path(__file__).parent),
)
