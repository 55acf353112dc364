"""Penny White: pennies flicked at a white on a board."""

from __future__ import annotations

from flicksim.games.penny_white import bot, rules
from flicksim.games.penny_white.equipment import Options
from flicksim.games.penny_white.rows import ROWS
from flicksim.referee import Game

GAME = Game(
    name="penny-white",
    title="Penny White",
    blurb="Pennies are flicked at a white; whoever lies nearest at the end scores.",
    wing="table",
    edition=1,
    seats=(2, 2),
    seat_names=rules.SEATS,
    options=Options,
    action=rules.Action,
    state=rules.State,
    rules=rules,
    bot=bot,
    rows=ROWS,
    sources=(
        "pennygames.org.uk, the Penny White rules and the flicking rules of Penny Black",
        "restatement with numbered rows: the PW- ledger ids",
    ),
)
