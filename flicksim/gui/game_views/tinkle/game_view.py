"""Game view of Tinkle."""

from __future__ import annotations

from dataclasses import replace

from flicksim.cards import Discard, Draw
from flicksim.games import load
from flicksim.games.tinkle.actions import Tinkle
from flicksim.gui.app.glossary import GlossarySection
from flicksim.gui.app.lesson import Lesson, LessonStep, action_made, beginner_match
from flicksim.gui.card_view.card_game_view import card_game_view
from flicksim.gui.game_views.tinkle.miniature import GroupsMiniature
from flicksim.gui.game_views.tinkle.tinkle_table import TinkleTable

TERMS = GlossarySection(
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
        LessonStep(
            "A turn begins with a card: from the stock, or, for a token, the discard. Take one.",
            action_made(Draw, Tinkle),
            "Each round asks for other sets: the contract stands at the side.",
            beginner_match(_GAME),
        ),
        LessonStep(
            "Lay down what the contract asks once you hold it. For now end your turn: discard a card you can spare.",
            action_made(Discard),
            "Cards on the table count for you, cards left in hand against you.",
        ),
    ),
    "Eight rounds, eight contracts. A set is of one rank, whatever the suits; there are no runs. Once yours is on the "
    "table you may lay more cards to any set there.",
)


GAME_VIEW = replace(card_game_view(TinkleTable, GroupsMiniature, TERMS), lesson=LESSON)
