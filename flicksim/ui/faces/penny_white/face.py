"""The face of Penny White: as any board, with the white put down where it is usual."""

from __future__ import annotations

from dataclasses import replace

from flicksim.ui.board.face import BOARD
from flicksim.ui.faces.penny_white.lesson import LESSON
from flicksim.ui.faces.penny_white.screen import PennyScreen
from flicksim.ui.faces.penny_white.words import WORDS

FACE = replace(BOARD, screen=PennyScreen, words=WORDS, lesson=LESSON)
