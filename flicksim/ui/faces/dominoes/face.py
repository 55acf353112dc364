"""The face of Tiddly-Wink dominoes."""

from __future__ import annotations

from dataclasses import replace

from flicksim.cards import Lay
from flicksim.games import load
from flicksim.ui.cards.face import card_face
from flicksim.ui.faces.dominoes.cloth import DominoCloth
from flicksim.ui.faces.dominoes.miniature import Line
from flicksim.ui.frame.glossary import Words
from flicksim.ui.frame.lesson import Lesson, Step, against, made

WORDS = Words(
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
        Step(
            "A tile goes where its end fits the end of the line. Those that fit stand out in your hand: drag one "
            "there, or choose it with the arrows and press Enter.",
            made(Lay), "Laid. Whoever has none that fits passes.", against(_GAME),
        ),
        Step(
            "A double earns you a second tile. Get rid of high numbers early: where nobody can go on, they count "
            "against you. Lay another.",
            made(Lay), "That is how it goes until somebody is out.",
        ),
    ),
    "Whoever is out first wins the round. Where nobody can go on, the fewest pips win it.",
)  # fmt: skip


FACE = replace(card_face(DominoCloth, Line, WORDS), lesson=LESSON)
