"""How Tinkle is shown."""

from __future__ import annotations

from flicksim.ui.faces.tinkle.words import WORDS
from flicksim.ui.felt.face import card_face
from flicksim.ui.felt.miniature import Groups
from flicksim.ui.felt.tinkle_cloth import TinkleCloth

FACE = card_face(TinkleCloth, Groups, WORDS)
