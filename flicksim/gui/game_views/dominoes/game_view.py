"""Game view of Tiddly-Wink dominoes."""

from __future__ import annotations

from flicksim.cards import PlaceTile
from flicksim.gui.app.lesson import action_made
from flicksim.gui.card_view.card_game_view import card_game_view
from flicksim.gui.game_view_kit.texts import load_texts
from flicksim.gui.game_views.dominoes.domino_table import DominoTable
from flicksim.gui.game_views.dominoes.miniature import LineMiniature

GAME_VIEW = card_game_view(DominoTable, LineMiniature, *load_texts(__package__, {"tile": action_made(PlaceTile)}))
