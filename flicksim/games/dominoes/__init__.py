"""Tiddly-Wink dominoes: a block game in which a double lets its player add a second tile. American and British."""

from pathlib import Path

from flicksim.games.dominoes import bot, challenges, position, purpose, rules
from flicksim.games.dominoes.deck import NAMES, Options
from flicksim.games.dominoes.state import State
from flicksim.referee import Game, load_rulebook

GAME = Game(
    name="dominoes",
    title="Tiddly-Wink dominoes",
    summary="Tiles are put to the line, a double earns a second; first out wins, or the fewest pips when blocked.",
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
    rulebook=load_rulebook(Path(__file__).parent),
    progress=rules.progress,
    sources=(
        "Joe Celko's page on pagat.com, the American and the British game",
        "restatement with numbered rows: the DO- rule ids",
    ),
)
