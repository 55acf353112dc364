"""The face of Tinkle."""

from __future__ import annotations

from dataclasses import replace

from flicksim.cards import Discard, Draw
from flicksim.games import load
from flicksim.games.tinkle.moves import Tinkle
from flicksim.ui.cards.face import card_face
from flicksim.ui.faces.tinkle.cloth import TinkleCloth
from flicksim.ui.faces.tinkle.miniature import Groups
from flicksim.ui.frame.glossary import Words
from flicksim.ui.frame.lesson import Lesson, Step, against, made

WORDS = Words(
    "Tinkle",
    (
        ("contract", "What you must put down to open in a round, as “two groups of three”."),
        ("wild", "A card that stands for any other: twos and jokers."),
        ("to tinkle", "To pay a token into the jar for the top discard and three cards of the stock."),
        ("lay off", "To add a card to a group that lies on the table."),
        ("token", "What tinkling costs, in your own turn only. Everybody begins with the same number."),
        ("stock", "The cards face down that one draws from."),
        ("natural", "A card that stands for itself, not a wild."),
        ("group", "Three or more cards of one rank, with fewer wilds than naturals."),
        ("open", "To put down the contract of the round for the first time."),
        ("provisional", "Put down in this turn: it may still be taken up again."),
        ("jar", "The jar the tokens drop into; the game is named after their ring."),
    ),
)


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
    "Eight rounds, eight contracts. A set is of one rank, whatever the suits; there are no runs. Once yours is on the "
    "table you may lay more cards to any set there.",
)  # fmt: skip


FACE = replace(card_face(TinkleCloth, Groups, WORDS), lesson=LESSON)
