"""Tiddlywinks by the international rules: winks squidged into a pot and on to one another, four seats in two pairs."""

from pathlib import Path

from flicksim.games.tiddlywinks import bot, challenges, position, purpose, rules, team_match
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.equipment import Options
from flicksim.games.tiddlywinks.state import Action, State
from flicksim.referee import Game, load_rulebook

GAME = Game(
    name="tiddlywinks",
    title="Tiddlywinks",
    summary="Two pairs pot their own winks and cover the others'; seven points are shared out.",
    category="table",
    rules_version=7,
    seats=(4, 4),
    seat_names=kit.SEATS,
    options=Options,
    action=Action,
    state=State,
    rules=rules,
    bot=bot,
    challenges=challenges,
    purposes=purpose,
    rulebook=load_rulebook(Path(__file__).parent),
    description=(
        "Four players sit at the corners, those facing each other are partners. Each has six winks of one colour "
        "behind the base line and presses them with a squidger, so that they jump: into the pot, where they stay, or "
        "on to another wink, which then may not be played (it is squopped). One shot a turn, and one more for each "
        "own wink potted. Whoever pots all six first gets 4 points, and his pair one from the other; the next gets 2, "
        "then 1; if time runs out, winks in the pot count 3 and those in play that are not squopped 1, and the "
        "ranking gives 4, 2, 1. Partners add their points: seven in all."
    ),
    has_partners=True,
    team_match=team_match,
    positions=position,
    position_editor=position,
    sources=(
        "North American Tiddlywinks Association, The International Rules of Tiddlywinks, paragraphs 1 to 13",
        "rules of the English Tiddlywinks Association, 1959 and the 1960s, for the sizes the text leaves unclear",
        "restatement with numbered rows: the TW- rule ids",
    ),
)
