"""The lesson of Tinkle: a card drawn, a card discarded."""

from __future__ import annotations

from flicksim.cards import Discard, Draw
from flicksim.games import load
from flicksim.games.tinkle.moves import Tinkle
from flicksim.ui.frame.lesson import Lesson, Step, against, made

_GAME = load("tinkle")

LESSON = Lesson(
    (
        Step(
            "A turn begins with a card: from the stock, or, for a token, the discard. Take one.",
            made(Draw, Tinkle), "Each round asks for other sets: the contract stands at the side.", against(_GAME),
        ),
        Step(
            "Lay down what the contract asks once you hold it. For now end your turn: discard a card you can spare.",
            made(Discard), "Cards on the table count for you, cards left in hand against you.",
        ),
    ),
    "Eight rounds, eight contracts. Sets are equal ranks, runs follow in a suit. Once yours is on the table you may "
    "lay more cards to any set there.",
)  # fmt: skip
