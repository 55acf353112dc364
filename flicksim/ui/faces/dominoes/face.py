"""The face of Tiddly-Wink dominoes."""

from __future__ import annotations

from dataclasses import replace

from flicksim.ui.cards.face import card_face
from flicksim.ui.faces.dominoes.cloth import DominoCloth
from flicksim.ui.faces.dominoes.lesson import LESSON
from flicksim.ui.faces.dominoes.miniature import Line
from flicksim.ui.faces.dominoes.words import WORDS

FACE = replace(card_face(DominoCloth, Line, WORDS), lesson=LESSON)
