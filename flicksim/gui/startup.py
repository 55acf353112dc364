"""Window start-up: the first screen according to the arguments."""

from collections.abc import Callable, Sequence

from flicksim.core.errors import InvalidOption
from flicksim.core.type_aliases import Position
from flicksim.gui.app import MatchSession
from flicksim.gui.app.application import App, Routes, Screen
from flicksim.gui.app.help import WordListScreen
from flicksim.gui.game_views import discover_game_views
from flicksim.gui.match.lesson_card import start_lesson
from flicksim.gui.match.start_match import has_beginner_bot, names_by_seat, restarted_match, start_match
from flicksim.gui.match_recorder import MatchRecorder
from flicksim.gui.menus.main_menu import MainMenuScreen
from flicksim.gui.toolkit import Preferences
from flicksim.match import Match, Turn
from flicksim.referee import Game


def create_window(
    size: tuple[int, int] = (1280, 800),
    make_recorder: Callable[[Match], MatchRecorder] | None = None,
    preferences: Preferences | None = None,
) -> App:
    """Create the window without a screen (see `App`)."""
    views = discover_game_views()

    def play(app: App, session: MatchSession) -> Screen:
        match = session.match
        return views.view_of(match.game, match.state).screen(app, session)

    def replay(app: App, game: Game, turns: Sequence[Turn], back: Callable[[int], None] | None) -> Screen:
        return views.view_of(game, turns[0].before if turns else None).replay(app, game, turns, back)

    def teach(app: App, game: Game) -> Callable[[], None] | None:
        lesson = None if views.unavailable_reason(game) else views.view_of(game).lesson
        return None if lesson is None else lambda: start_lesson(app, game, lesson)

    def study(app: App, game: Game, position: Position | None) -> Screen | None:
        has_none = game.position_editor is None or views.unavailable_reason(game)
        board = None if has_none else views.view_of(game).position_editor
        return None if board is None else board(app, game, position)

    def play_online(app: App) -> Screen:
        from flicksim.gui.online.online_screen import OnlineScreen  # needs an extra

        return OnlineScreen(app)

    routes = Routes(
        main_menu=lambda app: MainMenuScreen(app, views),
        word_list=WordListScreen,
        match_screen=play,
        replay_screen=replay,
        start_lesson=teach,
        position_editor=study,
        online=play_online,
    )
    return App(routes, views.glossary, size, make_recorder, preferences)


def open_window(
    game: Game | None,
    match: Match | None,
    recorder: MatchRecorder | Callable[[Match], MatchRecorder] | None,
    turns: Sequence[Turn] | None,
    seats: Sequence[str] = (),
) -> App:
    """Create the window, ready to run (see `flicksim.gui.run`).

    Raises:
        InvalidOption: turns without their game, or a game the window has no table for.
        FlicksimError: no window can be opened.
    """
    game = match.game if match is not None else game
    if turns is not None and game is None:
        raise InvalidOption("turns can only be looked through together with their game")
    if game is not None and (reason := discover_game_views().unavailable_reason(game)):
        raise InvalidOption(reason)
    make_recorder = recorder if callable(recorder) else None
    app = create_window(make_recorder=make_recorder)
    if turns is not None and game is not None:
        app.push(app.routes.replay_screen(app, game, list(turns), None))
    elif match is not None and recorder is None and seats:
        start_match(app, match, seats, bots_wait=has_beginner_bot(seats))
    elif match is not None:
        match.player_names = names_by_seat(match, app.player.name)
        keeper, is_own = recorder(match) if callable(recorder) else recorder, callable(recorder)
        session = MatchSession(match, keeper, lambda: start_match(app, restarted_match(match)), owns_recorder=is_own)
        app.push(app.routes.match_screen(app, session))
    else:
        app.show_main_menu()
        menu = app.top
        assert isinstance(menu, MainMenuScreen)
        if game is not None:
            menu.open_new_game(game)
        else:
            menu.show_welcome()
    return app
