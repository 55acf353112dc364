"""The face of Tinkle."""

from __future__ import annotations

from dataclasses import replace

from flicksim.ui.cards.face import card_face
from flicksim.ui.faces.tinkle.cloth import TinkleCloth
from flicksim.ui.faces.tinkle.lesson import LESSON
from flicksim.ui.faces.tinkle.miniature import Groups
from flicksim.ui.faces.tinkle.words import WORDS

FACE = replace(card_face(TinkleCloth, Groups, WORDS), lesson=LESSON)
