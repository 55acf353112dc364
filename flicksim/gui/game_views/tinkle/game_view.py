"""Game view of Tinkle."""

from __future__ import annotations

from flicksim.cards import Discard, Draw
from flicksim.games.tinkle.actions import Tinkle
from flicksim.gui.app.lesson import action_made
from flicksim.gui.card_view.card_game_view import card_game_view
from flicksim.gui.game_view_kit.texts import load_texts
from flicksim.gui.game_views.tinkle.miniature import GroupsMiniature
from flicksim.gui.game_views.tinkle.tinkle_table import TinkleTable

_CONDITIONS = {"draw": action_made(Draw, Tinkle), "discard": action_made(Discard)}
GAME_VIEW = card_game_view(TinkleTable, GroupsMiniature, *load_texts(__package__, _CONDITIONS))
