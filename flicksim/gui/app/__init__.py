"""Application window, overlays over any screen (help, glossary, settings), and game views.

What most screens use is imported from here; the rest from its module.
"""

from flicksim.gui.app.activity_card import ActivityCard, Lesson, action_made
from flicksim.gui.app.application import App, Screen
from flicksim.gui.app.game_view import GameView, GameViews, PracticeMode, ShotPath, TurnRenderer
from flicksim.gui.app.glossary import GlossarySection
from flicksim.gui.app.help import HelpScreen
from flicksim.gui.app.match_session import MatchSession, TableBar
from flicksim.gui.app.overlay import Overlay
from flicksim.gui.app.settings import SettingsScreen
