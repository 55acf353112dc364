"""Actions on an edited position: save it, share it, set up one that was shared, and play from it."""

from flicksim import match
from flicksim.core.atomic_files import write_atomic
from flicksim.core.errors import FlicksimError
from flicksim.core.serialization import to_json
from flicksim.gui.app.application import App
from flicksim.gui.match.edited_position import EditedPosition
from flicksim.gui.match.share import ShareScreen
from flicksim.gui.match.start_match import start_match
from flicksim.gui.toolkit import clipboard
from flicksim.gui.toolkit.user_folders import keep_file
from flicksim.referee import Game


class PositionActions:
    """Actions on the position of an editor.

    Args:
        app: the application. game: of the position. edited: the position.
    """

    def __init__(self, app: App, game: Game, edited: EditedPosition) -> None:
        self._app, self._game, self._edited = app, game, edited

    def _is_valid(self) -> bool:
        """Return True if the position is valid; else show why not."""
        if self._edited.state is None:
            self._app.show_notice(self._edited.error)
        return self._edited.state is not None

    def save(self) -> None:
        """Save the position in the player's folder, where "Open" finds it; only if it is valid."""
        if not self._is_valid():
            return
        text = to_json(self._edited.position) + b"\n"
        try:
            path = keep_file("data", self._game.name, ".json", lambda path: write_atomic(path, text), "positions")
        except FlicksimError as error:
            self._app.show_notice(f"No position was kept: {error}.")
            return
        self._app.show_notice(f"The position is kept as {path}. O in the main menu opens it.")

    def share(self) -> None:
        """Show the position as a share code, if it is valid."""
        if not self._is_valid():
            return
        text = match.encode_position(self._game, self._edited.position)
        self._app.push(ShareScreen(self._app, self._game.name, [("position", text)]))

    def paste(self) -> None:
        """Set up the position of a share code on the clipboard."""
        try:
            shared = match.decode_share_code(clipboard.paste())
            if not isinstance(shared, match.SharedPosition):
                self._app.show_notice("That is a whole game: O in the main menu opens it.")
                return
            game, position = shared.decode()
        except FlicksimError as error:
            self._app.show_notice(error.sentence)
            return
        if game is self._game:
            self._edited.replace(position)
        elif (screen := self._app.routes.position_editor(self._app, game, position)) is not None:
            self._app.pop()
            self._app.push(screen)

    def play(self) -> None:
        """Start a match from this position, every seat a human."""
        if not self._is_valid():
            return
        seats = ("human",) * len(self._game.rules.scores(self._edited.state))
        players = [match.parse_seat(seat) for seat in seats]
        start_match(
            self._app,
            match.open_match(self._game, self._edited.position.options, players, 1, position=self._edited.position),
            seats,
        )
