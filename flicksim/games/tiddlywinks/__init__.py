"""Tiddlywinks by the international rules: winks squidged into a pot and on to one another, four seats in two pairs."""

from pathlib import Path

from flicksim.games.tiddlywinks import bot, challenges, position, purpose, rules, team_match
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.equipment import Options
from flicksim.games.tiddlywinks.state import Action, State
from flicksim.referee import Game, load_texts

GAME = Game(
    name="tiddlywinks",
    category="table",
    rules_version=11,
    seats=(4, 4),
    seat_names=kit.SEATS,
    options=Options,
    action=Action,
    state=State,
    rules=rules,
    bot=bot,
    challenges=challenges,
    purposes=purpose,
    has_partners=True,
    team_match=team_match,
    positions=position,
    position_editor=position,
    provisional_points=rules.provisional_points,
    option_warnings=kit.option_warnings,
    **load_texts(Path(__file__).parent),
)
