"""Tiddlywinks by the international rules: winks squidged into a pot and on to one another, four seats in two pairs."""

from __future__ import annotations

from flicksim.games.tiddlywinks import bot, rules
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.options import Options
from flicksim.games.tiddlywinks.rows import ROWS
from flicksim.games.tiddlywinks.state import Action, State
from flicksim.referee import Game

GAME = Game(
    name="tiddlywinks",
    title="Tiddlywinks",
    blurb="Two pairs pot their own winks and cover the others'; seven points are shared out.",
    wing="table",
    edition=1,
    seats=(4, 4),
    seat_names=kit.SEATS,
    options=Options,
    action=Action,
    state=State,
    rules=rules,
    bot=bot,
    rows=ROWS,
    sources=(
        "North American Tiddlywinks Association, The International Rules of Tiddlywinks, paragraphs 1 to 13",
        "rules of the English Tiddlywinks Association, 1959 and the 1960s, for the sizes the text leaves unclear",
        "restatement with numbered rows: the TW- ledger ids",
    ),
)
