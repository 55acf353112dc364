"""Ice Tiddly Winks: pyramids launched off a pyramid, everybody at once."""

from pathlib import Path

from flicksim.games.ice import bot, challenges, position, purpose, rules
from flicksim.games.ice.state import Action, State
from flicksim.games.ice.table_layout import SEATS, Options
from flicksim.referee import Game, load_rulebook

GAME = Game(
    name="ice",
    title="Ice Tiddly Winks",
    summary="Pyramids are launched off a pyramid, everybody at once; what stands at the end counts.",
    category="table",
    rules_version=4,
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
    rulebook=load_rulebook(Path(__file__).parent),
    description=(
        "Everybody has fifteen hollow pyramids of one colour and a start line in front of him. One large pyramid is "
        "the launcher: hold it upright behind the line, stack one of the other fourteen on it, and flick its base from "
        "below, so that the missile flies up in an arc and comes down beyond the line. There are no turns; all launch "
        "as they like, one missile after the other. What falls short or off the table is used again. When all are "
        "launched, each piece that stands counts its pips, 1, 2 or 3, and twice that if its base rests on a piece "
        "that lies. So knock the others' over, and make yours lean."
    ),
    sources=(
        "Karl von Laudermann, Ice Tiddly Winks (2001, as of 2004)",
        "looneypyramids.wiki and oocities.com: sizes and sets of Icehouse pieces",
        "restatement with numbered rows: the ITW- rule ids",
    ),
)
