"""Penny White: pennies flicked at a white on a board."""

from pathlib import Path

from flicksim.games.penny_white import bot, challenges, position, purpose, rules
from flicksim.games.penny_white.equipment import Options
from flicksim.games.penny_white.state import SEATS, Action, State
from flicksim.referee import Game, load_rulebook

GAME = Game(
    name="penny-white",
    title="Penny White",
    summary="Pennies are flicked at a white; whoever lies nearest at the end scores.",
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
    rulebook=load_rulebook(Path(__file__).parent),
    progress=rules.progress,
    description=(
        "A game is a number of ends. An end begins with the white, a coin of nobody's: whoever starts flicks it past "
        "the 45 cm line, and it is moved sideways to the middle. If it stops short or leaves the board, the other "
        "gets a point and the end begins again; beginners place it instead. Then both players flick their pennies at "
        "it in turn, one at a time, from behind the 5 cm line at their edge. When all are flicked, whoever has the "
        "penny nearest the white scores one point for each penny that lies nearer than the other's best. Knock the "
        "white off and you lose the end; knock an opposing penny off and he may take one of yours away. Coins off the "
        "board come back with the next end."
    ),
    sources=(
        "pennygames.org.uk, the Penny White rules and the flicking rules of Penny Black",
        "restatement with numbered rows: the PW- rule ids",
    ),
)
