"""How Tiddly-Wink dominoes are shown."""

from __future__ import annotations

from flicksim.ui.faces.dominoes.words import WORDS
from flicksim.ui.felt.domino_cloth import DominoCloth
from flicksim.ui.felt.face import card_face
from flicksim.ui.felt.miniature import Line

FACE = card_face(DominoCloth, Line, WORDS)
