"""Ice Tiddly Winks: pyramids launched off a pyramid, everybody at once."""

from pathlib import Path

from flicksim.games.ice import bot, challenges, position, purpose, rules
from flicksim.games.ice.state import Action, State
from flicksim.games.ice.table_layout import SEATS, Options
from flicksim.referee import Game, load_texts

GAME = Game(
    name="ice",
    category="table",
    rules_version=6,
    seats=(1, 6),
    seat_names=SEATS,
    options=Options,
    action=Action,
    state=State,
    rules=rules,
    bot=bot,
    positions=position,
    position_editor=position,
    challenges=challenges,
    purposes=purpose,
    provisional_points=rules.provisional_points,
    **load_texts(Path(__file__).parent),
)
