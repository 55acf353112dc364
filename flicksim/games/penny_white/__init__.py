"""Penny White: pennies flicked at a white on a board."""

from pathlib import Path

from flicksim.games.penny_white import bot, challenges, position, purpose, rules
from flicksim.games.penny_white.equipment import Options
from flicksim.games.penny_white.state import SEATS, Action, State
from flicksim.referee import Game, load_texts

GAME = Game(
    name="penny-white",
    category="table",
    rules_version=2,
    seats=(2, 2),
    seat_names=SEATS,
    options=Options,
    action=Action,
    state=State,
    rules=rules,
    bot=bot,
    challenges=challenges,
    purposes=purpose,
    positions=position,
    position_editor=position,
    progress=rules.progress,
    **load_texts(Path(__file__).parent),
)
