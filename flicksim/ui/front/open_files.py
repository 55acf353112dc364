"""The things that can be opened: positions that are shipped or the player's own, recorded games, and any file by its
path."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path

import pygame

from flicksim import games
from flicksim.base.codec import read_notation
from flicksim.base.errors import FlicksimError
from flicksim.base.kinds import Position, State
from flicksim.play import (
    Background,
    Match,
    SharedGame,
    looks_shared,
    notation_of,
    open_match,
    parse_seat,
    read_record,
    read_shared,
    share_position,
    share_record,
    whose,
    why_nothing_shared,
)
from flicksim.referee import Game, Positions
from flicksim.table import PyramidScene, Scene
from flicksim.ui.frame.app import App, Screen
from flicksim.ui.frame.face import Faces
from flicksim.ui.kit import clipboard, palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.kit.form import Form
from flicksim.ui.kit.places import place
from flicksim.ui.kit.widgets import Button, Entry, ListBox
from flicksim.ui.match import kept_games
from flicksim.ui.match.share import ENDING, HIDDEN, ShareScreen
from flicksim.ui.match.starting import begin, go_on, look_through
from flicksim.ui.table import standing

_WAYS = ("Play against bots", "Play every seat")
"""Ways to go on from a position."""


@dataclass(frozen=True, slots=True)
class Found:
    """Something that can be opened.

    Args:
        title: in the list. says: what it is. game, position, state: of a position, and how it stands there.
        path: of a record. card: the same at a glance. wrong: why it cannot be.
        over: whether a record is of a game played to its end.
        shared: a game that somebody shared. study: whether every seat is played here, unless one wants otherwise.
    """

    title: str
    says: str = ""
    game: Game | None = None
    position: Position = None
    state: State = None
    path: Path | None = None
    card: kept_games.Card | None = None
    wrong: str = ""
    over: bool = False
    shared: SharedGame | None = None
    study: bool = False

    @property
    def ended(self) -> bool:
        """True of a game that is looked through: it was played to its end, or shared."""
        return self.shared is not None or self.over


def _position(game: Game, notation: Positions, read: Callable[[], Position], name: str) -> Found:
    try:
        position = read()
        state, _ = notation.begin(position)
        return Found(position.title or name, position.look, game, position, state)
    except FlicksimError as wrong:
        return Found(name, wrong=str(wrong))


def _record(path: Path) -> Found:
    try:
        when = datetime.fromtimestamp(path.stat().st_mtime)
        over = kept_games.ended(path)
        ended = "Played to the end, kept" if over else "A game that can be gone on with, kept"
        says = f"{ended} as {path.name}. {kept_games.sat(path)}"
        card = kept_games.card(path)
        title = " · ".join(filter(None, (kept_games.told(path), card.short if card is not None else "")))
        game = kept_games.game_of(path)
        return Found(f"{title}  ·  {when:%Y-%m-%d}", says, game, path=path, card=card, over=over)
    except OSError as wrong:
        return Found(path.name, wrong=f"{path.name!r} cannot be read: {wrong.strerror}", path=path)
    except FlicksimError as wrong:
        return Found(path.name, wrong=str(wrong), path=path)


def shared(text: str) -> Found:
    """A game or position that somebody shared as a text."""
    if not text.strip():
        return Found("Nothing that was shared", wrong="The clipboard is empty: copy a shared text first.")
    try:
        one = read_shared(text)
        if isinstance(one, SharedGame):
            game = one.opened().game
            says = "To be looked through, or gone on with from where it stands."
            return Found(f"Shared: {one.title}", says if game.flicked else f"{says} {HIDDEN}", game, shared=one)
        game, position = one.read()
        state, _ = notation_of(game).begin(position)
        title = position.title if position.title != game.title else one.title
        return Found(f"Shared: {title}", position.look, game, position, state, study=True)
    except FlicksimError as wrong:
        return Found("Nothing that was shared", wrong=f"{str(wrong)[:1].upper()}{str(wrong)[1:]}.")


def opened(path: Path) -> Found:
    """A file by its path: a record, a shared text, or a position of any game."""
    if wrong := why_nothing_shared(str(path)):
        return Found(path.name, wrong=wrong)
    if path.suffix == ".jsonl":
        return _record(path)
    if path.suffix == ENDING:
        try:
            return shared(read_notation(path).decode(errors="replace"))
        except FlicksimError as wrong:
            return Found(path.name, wrong=str(wrong))
    game = whose(str(path))
    notation = notation_of(game)
    found = _position(game, notation, partial(notation.read, path), path.name)
    return found if found.wrong else replace(found, title=_called(found, game, path))


def _called(found: Found, game: Game, path: Path) -> str:
    """A position of somebody's own in the list: its title, its game, whose turn it is, and the day it was kept."""
    due = game.rules.to_play(found.state)
    turn = "" if due is None else f"{game.seat_names[due]} to play"
    called = " · ".join(filter(None, (found.title, game.title, turn)))
    with suppress(OSError):
        return f"{called}  ·  {datetime.fromtimestamp(path.stat().st_mtime):%Y-%m-%d}"
    return called


def everything() -> list[Found]:
    """Games that were left or finished, the player's positions, and those that are shipped."""
    found = [_record(path) for path in kept_games.kept()[:30]]
    folder = place("data")
    own = sorted((folder / "positions").glob("*.json")) if folder is not None else []
    found += [opened(path) for path in own]
    for game, notation in games.with_positions():
        found += [_position(game, notation, partial(notation.shipped, name), name) for name in notation.names()]
    return found


class OpenScreen(Screen):
    """The list on the left, what is chosen on the right, two ways to begin under it.

    Args:
        faces: of all games. path, text: a file, or a shared text, to be opened first.
    """

    def __init__(self, app: App, faces: Faces, path: Path | None = None, text: str | None = None) -> None:
        super().__init__(app)
        self._faces = faces
        brought = [opened(path)] if path is not None else [shared(text)] if text is not None else []
        self.found = brought + everything()
        self.list = ListBox("To open", [one.title for one in self.found], chosen=lambda _: self._changed(),
                            picked=self._picked, row=30.0)  # fmt: skip
        self.path = Entry("File", "", says="A path to type in.", most=400)
        self._fetch = Button("Open file", self.fetch)
        self._paste = Button("Paste", self.paste, key="Ctrl + V", says="Open a text that somebody shared.")
        self._share = Button("Share", self.share, says="The chosen one as a short text.")
        self.first = Button("Play on", self.play, key="Enter", main=True)
        self.second = Button("", self.other)
        self._set_up = Button("Set up", self.set_up, says="On the study board.")
        self._back = Button("Back", app.pop, key="Esc")
        self.form = Form(
            [
                self.list,
                self.first,
                self.second,
                self._set_up,
                self._share,
                self.path,
                self._fetch,
                self._paste,
                self._back,
            ]
        )
        self.picture = pygame.Rect(0, 0, 10, 10)
        self._job: Background[kept_games.Resumed] | None = None
        self._looking = False
        self._loading: Found | None = None
        """The one that is played again, whatever is chosen meanwhile."""
        self.notice = ""
        self._stands: dict[tuple[str, Path | None], kept_games.Card] = {}
        """Games at a glance, by title and file, as soon as they have been played again."""
        self._over: SharedGame | None = None
        """The shared game last seen to be over: nobody plays on there."""
        self._clicked = -1
        self.drawn: tuple[object, pygame.Surface | None] | None = None
        self._sight: tuple[object, Background[pygame.Surface | None]] | None = None
        self._changed()

    @property
    def chosen(self) -> Found | None:
        """The one chosen in the list."""
        return self.found[self.list.index] if self.found else None

    def _changed(self) -> None:
        one = self.chosen
        able = one is not None and not one.wrong
        self.first.enabled = able
        self.second.enabled = able and (one is not None and (one.shared is not None or not one.ended))
        self._share.enabled = able and one is not None and one.shared is None
        self._set_up.enabled = self._share.enabled and one is not None and one.path is None
        if one is not None and (one.path is not None or one.shared is not None):
            ways = ("Look through", "Play on") if one.ended else ("Play on", "Look through")
            if one.shared is not None and one.shared == self._over:
                self.second.enabled = False
        else:
            ways = ("Play every seat", "Play against bots") if one is not None and one.study else _WAYS
        self.first.label, self.second.label = ways
        self.notice = ""

    def _picked(self, index: int) -> None:
        """Enter opens; a click only chooses, a second click opens."""
        if pygame.mouse.get_pressed()[0] and self._clicked != index:
            self._clicked = index
            return
        self.play()

    def fetch(self) -> None:
        """The file whose path is typed in, put at the head of the list."""
        if looks_shared(self.path.value):
            self._head(shared(self.path.value))
        elif self.path.value:
            path = Path(self.path.value)
            with suppress(RuntimeError):  # a "~" that stands for nothing
                path = path.expanduser()
            self.take(path)

    def take(self, path: Path) -> None:
        """Put a file at the head of the list and choose it."""
        self._head(opened(path))

    def paste(self) -> None:
        """Put what somebody shared, and lies on the clipboard, at the head of the list."""
        self._head(shared(clipboard.pasted()))

    def set_up(self) -> None:
        """Set the chosen position up on the study board."""
        one = self.chosen
        if one is None or one.wrong or one.game is None or one.path is not None:
            return
        screen = self.app.routes.study(self.app, one.game, one.position)
        if screen is None:
            self.notice = f"Positions of {one.game.title} are not set up by hand."
        else:
            self.app.push(screen)

    def share(self) -> None:
        """Show the chosen one as a text."""
        one = self.chosen
        if one is None or one.wrong or one.game is None:
            return
        try:
            if one.path is not None:
                text = "game", share_record(read_record(one.path))
            else:
                text = "position", share_position(one.game, one.position)
        except FlicksimError as wrong:
            self.notice = str(wrong)
            return
        self.app.push(ShareScreen(self.app, one.game.name, [text]))

    def _head(self, one: Found) -> None:
        if self.found[:1] != [one]:  # a key that is held, or pressed again, brings it once
            self.found.insert(0, one)
        self.list.show([one.title for one in self.found], 0)
        self._changed()

    def can(self) -> str:
        """The line at the foot: what can be done now."""
        ways = ["Up Down choose", f"Enter: {self.first.label.lower()}", "Tab to the buttons and the path", "Esc back"]
        return "   ·   ".join(ways)

    def stands(self, one: Found) -> kept_games.Card | None:
        """A game at a glance: as it was noted, or as it stood when it was played again; None as long as neither is."""
        return one.card or self._stands.get((one.title, one.path))

    # -- ways to begin --------------------------------------------------------------------------------------------

    def play(self) -> None:
        """Go on with a recorded game, or look through it; play a position, oneself and one's partner against bots."""
        one = self.chosen
        if one is None or one.wrong:
            return
        if one.shared is not None:
            self._load(partial(_played, one.shared), looking=True)
        elif one.path is not None:
            self._load(partial(kept_games.resumed, one.path, writing=not one.ended), looking=one.ended)
        elif one.study:
            self._study(one)
        else:
            self._against(one)

    def _against(self, one: Found) -> None:
        """Play a position, oneself and one's partner against bots."""
        assert one.game is not None
        first = one.game.rules.to_play(one.state) or 0
        bot = f"bot:{self.app.preferences.grade}"
        self._begin(one, tuple("human" if (seat - first) % 2 == 0 else bot for seat in range(_seats(one))))

    def other(self) -> None:
        """Look through a recorded game; play every seat of a position oneself."""
        one = self.chosen
        if one is None or one.wrong:
            return
        if one.shared is not None:
            self._load(partial(_gone_on, one.shared), looking=False)
        elif one.path is not None:
            self._load(partial(kept_games.resumed, one.path, writing=False), looking=True)
        elif one.study:
            self._against(one)
        else:
            self._study(one)

    def _study(self, one: Found) -> None:
        """Play every seat of a position oneself."""
        self._begin(one, ("human",) * _seats(one))

    def _load(self, load: Callable[[], kept_games.Resumed], *, looking: bool) -> None:
        if self._job is None:
            self._looking, self._loading = looking, self.chosen
            self.notice = "The game is played again up to there ..."
            self._job = Background(load)

    def _begin(self, one: Found, seats: tuple[str, ...]) -> None:
        """Play on from a position."""
        assert one.game is not None
        sitting, seed = [parse_seat(word) for word in seats], secrets.randbelow(10**6)
        begin(self.app, open_match(one.game, one.position.options, sitting, seed, position=one.position), seats)

    # -- events, picture ------------------------------------------------------------------------------------------

    def handle(self, event: pygame.event.Event) -> None:
        """Keys and mouse; a file dropped here is opened."""
        if event.type == pygame.DROPFILE:
            self.take(Path(event.file))
        elif clipboard.pastes(event):
            self.paste()
        elif event.type == pygame.KEYDOWN and event.key == pygame.K_ESCAPE:
            self.app.pop()
        elif event.type == pygame.KEYDOWN and event.key == pygame.K_RETURN and self.form.focused is self.path:
            self.fetch()
        elif (
            event.type == pygame.KEYDOWN
            and event.key in (pygame.K_LEFT, pygame.K_RIGHT)
            and (self.form.focused in (self.first, self.second))
        ):
            self.form.focus = 2 if self.form.focus == 1 else 1
        else:
            self.form.handle(event)

    def update(self, dt: float) -> None:
        """A recorded game that was asked for comes."""
        del dt
        if self._job is None or not self._job.done:
            return
        job, self._job = self._job, None
        try:
            found = job.result()
        except FlicksimError as wrong:
            self.notice = str(wrong)
            return
        self.notice = ""
        one = self._loading
        if one is not None and one.shared is not None and (amiss := one.shared.amiss(found.match)):
            self.app.say(amiss)
        if self._looking or found.match.over:
            look_through(self.app, found)
        else:
            go_on(self.app, found)

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """List left, picture right."""
        w, h = size
        pad, top, high, gap = round(20 * scale), round(70 * scale), round(38 * scale), round(8 * scale)
        wide = round(w * 0.4)
        foot = h - pad - high
        self.list.rect = pygame.Rect(pad, top, wide, foot - gap - top)
        fetch, paste = round(96 * scale), round(126 * scale)
        self.path.share = 46 * scale / max(1, wide - fetch - paste - 2 * gap)
        self.path.rect = pygame.Rect(pad, foot, wide - fetch - paste - 2 * gap, high)
        self._fetch.rect = pygame.Rect(pad + wide - fetch - paste - gap, foot, fetch, high)
        self._paste.rect = pygame.Rect(pad + wide - paste, foot, paste, high)
        x = pad * 2 + wide
        self.picture = pygame.Rect(x, top, w - x - pad, round((h - top) * 0.5))
        room = w - x - pad - 4 * gap
        shares = (
            (self.first, 0.27),
            (self.second, 0.27),
            (self._set_up, 0.16),
            (self._share, 0.15),
            (self._back, 0.15),
        )
        for button, share in shares:
            button.rect = pygame.Rect(x, foot, round(room * share), high)
            x = button.rect.right + gap

    def draw(self, canvas: Canvas) -> None:
        """The chosen position, large enough for its pieces to be seen, and what to look at in it."""
        head = canvas.text("Open", (self.list.rect.x, canvas.px(18)), 26, bold=True)
        canvas.text("Recorded games and positions. A file can also be dropped on the window.",
                    (head.right + canvas.px(20), canvas.px(30)), 13, palette.FAINT)  # fmt: skip
        one, shown = self.chosen, self.picture
        y = shown.bottom + canvas.px(12)
        if not self.draw_position(canvas, shown):
            y = shown.y
        words = pygame.Rect(shown.x, y, shown.w, max(canvas.high(16), self.first.rect.y - y - canvas.px(10)))
        if one is None:
            canvas.paragraph("There is nothing to open yet.", words, 15, palette.FAINT)
        else:
            end = canvas.paragraph(one.title, words, 19, bold=True)
            card = self.stands(one)
            end = _draw_scores(canvas, pygame.Rect(words.x, end, words.w, words.bottom - end), card)
            if one.game is not None and one.state is not None:
                told = "   ·   ".join(_standing(one.game, one.position, one.state))
                end = canvas.paragraph(told, pygame.Rect(words.x, end, words.w, canvas.high(15) * 2), 15)
            words = pygame.Rect(words.x, end + canvas.px(4), words.w, max(canvas.high(15), words.bottom - end))
            said = one.wrong or self.notice or one.says
            canvas.paragraph(
                said, words, 15, palette.BAD if one.wrong else palette.TEXT if self.notice else palette.FAINT
            )
        self.form.draw(canvas)

    def draw_position(self, canvas: Canvas, rect: pygame.Rect) -> bool:
        """The chosen position as its game's table is drawn; False when none is chosen or it is not shown."""
        one = self.chosen
        if one is None or one.game is None or self._faces.missing(one.game):
            return False
        if one.state is None or one.study:
            picture = self._last_seen(one, one.game, rect.size)
            if picture is not None:
                canvas.surface.blit(picture, picture.get_rect(center=rect.center))
            return picture is not None
        look = self._faces.of(one.game, one.state).look
        if look is not None:
            look(canvas, rect, one.game, one.state)
        return look is not None

    def _last_seen(self, one: Found, game: Game, size: tuple[int, int]) -> pygame.Surface | None:
        """The table of a game as it lay at last; None until it is known. Tiles and cards are played again for it."""
        key = (self.list.index, one.title, size, palette.name)
        if self.drawn is not None and self.drawn[0] == key:
            return self.drawn[1]
        lying = one.card.lying if one.card is not None else getattr(one.state, "scene", None)
        if lying is not None:  # of what somebody shared the whole table is shown
            self.drawn = (key, self._faces.picture(lying, size, game.seat_names))
            return self.drawn[1]
        if self._sight is None or self._sight[0] != key:
            self._forget_sight()
            load = partial(_played, one.shared) if one.shared is not None else _again(one)
            if load is None:
                return None
            self._sight = (key, Background(lambda: self._seen(one, load().match, size)))
        job = self._sight[1]
        if not job.done:
            return None
        self._sight = None
        try:
            self.drawn = (key, job.result())
            self.second.enabled = self.second.enabled and not (one.shared is not None and one.shared == self._over)
        except FlicksimError:  # what is wrong is said when it is opened
            self.drawn = (key, None)
        return self.drawn[1]

    @property
    def replayed(self) -> Background[pygame.Surface | None] | None:
        """The work that plays the chosen game again, so that it can be seen; None where none is under way."""
        return self._sight[1] if self._sight is not None else None

    def _seen(self, one: Found, match: Match, size: tuple[int, int]) -> pygame.Surface | None:
        """The table of a game that was played again; how it stands is kept in mind."""
        self._stands[one.title, one.path] = kept_games.glance(match)
        if one.shared is not None and match.over:
            self._over = one.shared
        return _pictured(self._faces, match, size)

    def _forget_sight(self) -> None:
        if self._sight is not None:
            self._sight[1].leave()
        self._sight = None

    def close(self) -> None:
        """It is left for good."""
        self._forget_sight()


def _again(one: Found) -> Callable[[], kept_games.Resumed] | None:
    """Plays a kept game again, to be seen; None where it cannot be."""
    return None if one.path is None or one.wrong else partial(kept_games.resumed, one.path, writing=False)


def _pictured(faces: Faces, match: Match, size: tuple[int, int]) -> pygame.Surface | None:
    """The table of a match as it lies, in a picture of at most that size [pixels]; None before the first turn."""
    scene = getattr(match.state, "scene", None)
    if isinstance(scene, Scene | PyramidScene):
        return faces.picture(scene, size, match.game.seat_names)
    if not match.turns:
        return None
    drawn, _ = next(iter(faces.of(match.game, match.state).prints.frames(match.game, match.turns[-1:], fine=False)))
    share = min(size[0] / drawn.get_width(), size[1] / drawn.get_height(), 1.0)
    return pygame.transform.smoothscale_by(drawn, share)


def _standing(game: Game, position: Position, state: State) -> list[str]:
    """The seat to play in a position, what is left, and the points, in words."""
    due, names = game.rules.to_play(state), game.seat_names
    points = [f"{name} {standing.number(one)}" for name, one in zip(names, game.rules.scores(state), strict=False)]
    counts = () if game.setting is None else game.setting.counts(position)
    left = [f"{count.label}: {count.value}" for count in counts]
    scored = any("points" in count.label for count in counts)  # then they stand there already
    return [*([] if due is None else [f"{names[due]} to play"]), *left, *([] if scored else points)]


def _draw_scores(canvas: Canvas, rect: pygame.Rect, card: kept_games.Card | None) -> int:
    """Write how a kept game ended, or stands, and the points by name. Returns where it ends [pixels]."""
    if card is None:
        return rect.y
    y = canvas.text(card.result, (rect.x, rect.y + canvas.px(2)), 17, palette.ACCENT, bold=True, within=rect.w).bottom
    scores = "   ·   ".join(f"{name} {points}" for name, points in card.scores)
    return canvas.paragraph(scores, pygame.Rect(rect.x, y, rect.w, canvas.px(44)), 15)


def _played(one: SharedGame) -> kept_games.Resumed:
    """A shared game, played again up to where it was left."""
    match = one.opened()
    for _ in one.played(match):
        pass
    return kept_games.Resumed(match, one.seats, None)


def _gone_on(one: SharedGame) -> kept_games.Resumed:
    """A shared game to be gone on with, written down here from its first turn on."""
    found = _played(one)
    if found.match.over:
        return found
    keeper = kept_games.Kept(found.match, found.seats)
    for turn in found.match.turns:
        keeper.turn(turn)
    return kept_games.Resumed(found.match, found.seats, keeper)


def _seats(one: Found) -> int:
    """The number that sit down to a position: as many as its state says, else as few as make a game."""
    assert one.game is not None
    many = getattr(one.state, "seats", None)
    return many if isinstance(many, int) else one.game.seats[0]
