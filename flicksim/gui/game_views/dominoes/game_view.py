"""Game view of Tiddly-Wink dominoes."""

from __future__ import annotations

from dataclasses import replace

from flicksim.cards import PlaceTile
from flicksim.games import load
from flicksim.gui.app.glossary import GlossarySection
from flicksim.gui.app.lesson import Lesson, LessonStep, action_made, beginner_match
from flicksim.gui.card_view.card_game_view import card_game_view
from flicksim.gui.game_views.dominoes.domino_table import DominoTable
from flicksim.gui.game_views.dominoes.miniature import LineMiniature

TERMS = GlossarySection(
    "Dominoes",
    (
        ("tile", "A domino: two halves with a number of pips each."),
        ("pips", "The dots on a tile."),
        ("lead", "To put down the first tile of a round."),
        ("arm", "A branch of the line that tiles are put to."),
        ("double", "A tile whose two halves are the same."),
        (
            "boneyard",
            "Tiles that nobody was dealt. None is drawn to a hand; the American game turns one up to lead if nobody "
            "has a double.",
        ),
        ("blocked", "Nobody can go on: the fewest pips in hand win."),
        ("open end", "The number at which the line can be continued."),
    ),
)


_GAME = load("dominoes")

LESSON = Lesson(
    (
        LessonStep(
            "A tile goes where its end fits the end of the line. Those that fit stand out in your hand: drag one "
            "there, or choose it with the arrows and press Enter.",
            action_made(PlaceTile), "Laid. Whoever has none that fits passes.", beginner_match(_GAME),
        ),
        LessonStep(
            "A double earns you a second tile. Get rid of high numbers early: where nobody can go on, they count "
            "against you. Lay another.",
            action_made(PlaceTile), "That is how it goes until somebody is out.",
        ),
    ),
    "Whoever is out first wins the round. Where nobody can go on, the fewest pips win it.",
)  # fmt: skip


GAME_VIEW = replace(card_game_view(DominoTable, LineMiniature, TERMS), lesson=LESSON)
