"""Online games in the window: a host in this process, and other clients of it."""

from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pygame
import pytest
from msgspec.structs import replace

from flicksim import net
from flicksim.core.errors import InvalidOption, MissingExtra
from flicksim.core.file_lock import FileLock
from flicksim.games import load
from flicksim.games.ice.state import Load, Wait
from flicksim.gui.app import App
from flicksim.gui.game_views.ice.ice_controller import IceMatchController
from flicksim.gui.match.match_screen import MatchScreen
from flicksim.gui.match.overlays import EndScreen
from flicksim.gui.online import online_screen, online_table, proposals, table_messages
from flicksim.gui.online.host_screens import HostGameScreen, WaitingScreen
from flicksim.gui.online.online_bar import OnlineBar
from flicksim.gui.online.online_screen import OnlineScreen
from flicksim.gui.online.online_table import OnlineTable, host_game, open_table
from flicksim.gui.online.table_messages import plain_reason, player_reason
from flicksim.gui.online.talk_screen import TalkScreen
from flicksim.gui.toolkit import Canvas, clipboard, translation
from flicksim.match import Forfeit, Warmup, warmup_targets
from flicksim.net import protocol
from flicksim.referee import parse_options
from flicksim.scene import Launch
from tests.gui.conftest import Driver
from tests.polling import TIMEOUT, wait_until

Seated = Callable[..., tuple[MatchScreen, OnlineBar, net.Client]]
Joining = Callable[[OnlineTable], OnlineScreen]


_opened: list[OnlineTable | net.Client] = []
"""Tables and clients to be closed after a test."""


@pytest.fixture(autouse=True)
def _closed_after(monkeypatch: pytest.MonkeyPatch, home: Path) -> Iterator[None]:
    """Hosts listen on any free port, and are closed with all clients; the user's files are in a temporary folder."""
    del home
    monkeypatch.setattr(net, "DEFAULT_PORT", 0)
    yield
    while _opened:
        _opened.pop().close()


def joined(table: OnlineTable) -> OnlineTable:
    """The table, once its own client is at it: else another might take its seat."""
    _opened.append(table)
    assert table.client.wait_joined(TIMEOUT), table.client.reason
    return table


def host(game: str = "penny-white", *seats: str, own_seat: int | None = 0, **options: object) -> OnlineTable:
    loaded = load(game)
    chosen = parse_options(loaded, [f"{name}={value}" for name, value in options.items()])
    return joined(host_game(loaded, chosen, seats or ("human",) * 2, name="Ada", own_seat=own_seat, beyond=False))


def other_client(table: OnlineTable, name: str = "Bob", **given: Any) -> net.Client:
    client = net.Client(f"127.0.0.1:{table.host.port}", table.invitation.code, name=name, **given).start()
    _opened.append(client)
    assert client.wait_joined(TIMEOUT), client.reason
    return client


def open_in(app: App, table: OnlineTable) -> MatchScreen:
    """Open a table in the window; returns its screen."""
    open_table(app, table)
    assert isinstance(app.top, MatchScreen)
    return app.top


@pytest.fixture
def seated(app: App) -> Seated:
    """Opens a table in the window, with another client at the other seat."""

    def sit(*game_and_seats: str, **options: object) -> tuple[MatchScreen, OnlineBar, net.Client]:
        table = host(*game_and_seats, **options)
        client, screen = other_client(table), open_in(app, table)
        assert isinstance(screen.bar, OnlineBar)
        return screen, screen.bar, client

    return sit


@pytest.fixture
def joining(app: App) -> Joining:
    """Opens the page of joining with the invitation of a table."""

    def join(table: OnlineTable) -> OnlineScreen:
        app.push(screen := OnlineScreen(app))
        screen.address.text, screen.code.text = table.invitation.address, table.invitation.code
        return screen

    return join


def until(drive: Driver, condition: Callable[[], object]) -> None:
    drive.until(condition, 0.1)


def play_aimed(drive: Driver) -> None:
    """Play the shot that is aimed, by Space."""
    screen = drive.top(MatchScreen)
    until(drive, lambda: screen.controller.phase == "choose")
    count = len(screen.match.turns)
    drive.keys(pygame.K_RIGHT, pygame.K_SPACE)
    until(drive, lambda: len(screen.match.turns) > count)


def play_other(client: net.Client, action: object) -> None:
    match = client.match
    while match.incoming is not None:
        match.apply_incoming()
    wait_until(lambda: match.incoming is None or match.apply_incoming())
    match.play(action)


def play_when_due(client: net.Client, action: object = None) -> None:
    """Play an action of another client, by default its first legal one, once it has the turn."""
    match = client.match
    while not match.is_own_turn:
        assert match.next_turn(TIMEOUT) is not None
    match.play(action or match.legal_actions().actions[0])


def test_the_main_menu_leads_to_hosting_and_joining(app: App, drive: Driver) -> None:
    app.show_main_menu()
    drive.key(pygame.K_n)
    assert isinstance(app.top, OnlineScreen)
    drive.key(pygame.K_1)
    assert isinstance(app.top, HostGameScreen)
    drive.keys(pygame.K_ESCAPE, pygame.K_ESCAPE)
    assert not isinstance(app.top, OnlineScreen)


def test_without_the_extra_the_menu_says_what_to_install(drive: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_app: App) -> Any:
        raise MissingExtra("online play", "net")

    drive.app.show_main_menu()
    monkeypatch.setattr(type(drive.app.routes), "online", property(lambda _self: missing), raising=False)
    drive.key(pygame.K_n)
    assert "pip install 'flicksim[net]'" in drive.screen_text()


def test_a_hosted_game_opens_when_everybody_is_there(app: App, drive: Driver) -> None:
    app.show_main_menu()
    screen = HostGameScreen(app, load("penny-white"))
    screen.reach.index = 1
    app.push(screen)
    assert "random seed" not in drive.screen_text().lower()
    screen.start()
    waiting = drive.top(WaitingScreen)
    table = waiting.table
    until(drive, lambda: table.people)
    text = drive.screen_text()
    assert table.invitation.code in text
    assert "is awaited" in text
    other_client(table)
    until(drive, lambda: isinstance(app.top, MatchScreen))
    until(drive, lambda: "Bob" in drive.screen_text())
    assert "you" in drive.screen_text()


def test_an_invitation_is_pasted_and_joined_and_what_is_none_is_told(
    app: App, drive: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = host()
    app.push(screen := OnlineScreen(app))
    for text, part in (("", "copy the invitation once more"), ("hello", "one begins with")):
        monkeypatch.setattr(clipboard, "paste", lambda text=text: text)
        drive.key(pygame.K_v, pygame.KMOD_CTRL)
        assert part in screen.error
    monkeypatch.setattr(clipboard, "paste", lambda: str(table.invitation))
    drive.key(pygame.K_v, pygame.KMOD_CTRL)
    assert screen.code.value == table.invitation.code
    drive.key(pygame.K_RETURN)
    until(drive, lambda: isinstance(app.top, MatchScreen))
    assert drive.top(MatchScreen).match.players.count(None) == 1
    again = OnlineScreen(app)
    assert (again.address.value, again.code.value) == (table.invitation.address, table.invitation.code), "filled in"


def test_a_wrong_code_and_a_host_that_is_away_are_told_in_a_sentence(drive: Driver, joining: Joining) -> None:
    screen = joining(table := host())

    def error_of(code: str) -> str:
        screen.code.text, screen.error = code, ""
        screen.join()
        until(drive, lambda: screen.error)
        return screen.error

    assert "not the code of a table" in error_of("0000-0000-0000-0000")
    assert "needs the address" in error_of("")
    table.close()
    assert error_of(table.invitation.code).startswith("Nobody answers at 127.0.0.1")


def test_who_stops_joining_does_not_wait_for_a_name_server(drive: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, may_answer = Event(), Event()

    def find(*_: object, **_options: object) -> list[Any]:
        asked.set()
        may_answer.wait(TIMEOUT)
        return []

    clients: list[net.Client] = []
    start = net.Client.start
    monkeypatch.setattr(net.Client, "start", lambda client: clients.append(client) or start(client))
    monkeypatch.setattr("socket.getaddrinfo", find)
    drive.app.push(screen := OnlineScreen(drive.app))
    screen.address.text, screen.code.text = "box.example", "0000-0000-0000-0000"
    screen.join()
    assert asked.wait(TIMEOUT)
    drive.key(pygame.K_ESCAPE)
    assert clients[0].status == "connecting"
    assert "Joining" not in drive.screen_text()
    may_answer.set()
    wait_until(lambda: clients[0].status == "ended")


def test_a_taken_seat_is_told_without_the_option_of_the_shell(drive: Driver, joining: Joining) -> None:
    screen = joining(host("penny-white", "human", "random"))
    for seat, which in (("any", "Every seat"), ("1", "Seat 2")):
        screen.seat.index, screen.error = screen.seat.values.index(seat), ""
        screen.join()
        until(drive, lambda: screen.error)
        assert screen.error == f"{which} is taken, or not for people; you can look on."


REFUSALS = [
    "every seat is taken, or not for people; theirs are 0 (Blue), 1 (Red); --watch looks on",
    "seat 1 is taken, or not for people; theirs are 0 (Blue); --watch looks on",
    "99 spectators are here; no more can come in",
    "the token is of no seat here",
    "no hello within 10 s",
    "the host has failed (OSError)",
    "the host's certificate is not trusted (unable to get local issuer certificate); "
    "give the fingerprint that the host prints",
    "the host's certificate is not trusted (Hostname mismatch, certificate is not valid for 'a.b'.); "
    "give the fingerprint that the host prints",
    "the code 'ä' has characters that no code has; one is K7QF-M2XD-9RTA-3PWE",
    "there can be no connection to 'a..b' (UnicodeError: label empty or too long)",
]


def test_refusals_are_german(untranslated: set[str]) -> None:
    texts = list(map(plain_reason, REFUSALS))
    assert [text for text in texts if translation.translate(text) == text] == []
    told = translation.translate(f"You are no longer at the table: {player_reason(REFUSALS[0])}.")
    assert "jeder Platz ist besetzt" in told
    assert not untranslated, sorted(untranslated)
    assert plain_reason("the token is of no seat here") == "The token is of no seat here."


def test_turns_of_both_are_shown(drive: Driver, seated: Seated) -> None:
    screen, _, client = seated(first="first")
    match = client.match
    for _ in range(2):  # the white, then a penny of the same seat
        play_aimed(drive)
        wait_until(lambda: match.incoming)
        assert match.next_turn() is not None
        assert not match.differences
        assert [turn.after for turn in match.turns] == [turn.after for turn in screen.match.turns]
    meant = match.turns[1].meant
    play_other(client, type(meant)(piece=meant.piece.replace("blue", "red"), **_stroke(meant)))
    until(drive, lambda: len(screen.match.turns) == 3)
    assert [turn.seat for turn in screen.match.turns] == [0, 0, 1]
    assert screen.match.turns[2].after == match.turns[2].after


def _stroke(flick: Any) -> dict[str, Any]:
    return {"speed": flick.speed, "azimuth": flick.azimuth, "start": flick.start}


def test_undo_is_proposed_and_comes_by_agreement(drive: Driver, seated: Seated) -> None:
    screen, bar, client = seated(first="first")
    play_aimed(drive)
    drive.key(pygame.K_u)
    drive.until(lambda: client.proposal is not None)
    assert len(screen.match.turns) == 1, "undo never acts alone"
    client.send(protocol.Answer(agree=False))
    until(drive, lambda: "no agreement" in str(bar.messages.lines))
    assert len(screen.match.turns) == 1
    bar.messages.lines.clear()
    drive.key(pygame.K_u)
    until(drive, lambda: bar.proposals.is_own)
    drive.key(pygame.K_F10, pygame.KMOD_SHIFT)
    until(drive, lambda: bar.messages.lines and client.proposal is None)
    assert list(bar.messages.lines) == [("", "What was asked was withdrawn.")]
    drive.key(pygame.K_u)
    drive.until(lambda: client.proposal is not None)
    client.send(protocol.Answer(agree=True))
    until(drive, lambda: not screen.match.turns)
    until(drive, lambda: screen.controller.phase == "choose")


def test_a_proposal_of_others_is_answered_by_a_key(drive: Driver, seated: Seated) -> None:
    screen, bar, client = seated(first="first")
    play_aimed(drive)
    client.send(protocol.Propose(what="undo", turns=0))
    until(drive, lambda: "asks to take turn 1 back" in drive.screen_text())
    for count, turns in ((2, "turns 1 and 2"), (4, "turns 1 to 4")):  # all of them are lost
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(type(screen.match), "turn_count", count)
            assert f"asks to take {turns} back" in drive.screen_text()
    drive.keys(pygame.K_F10, pygame.K_F10)
    until(drive, lambda: not screen.match.turns)
    bar.client.send(protocol.Say(phrase="thanks"))  # told after the answer to a second press, if any
    until(drive, lambda: "Thank you!" in str(bar.messages.lines))
    assert "No proposal is open" not in str(bar.messages.lines)


def test_a_message_of_the_table_replaces_the_one_before_and_none_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(table_messages, "monotonic", lambda: now)
    messages = table_messages.TableMessages(("Blue", "Red"))
    messages.take_event(protocol.Said(seat=1, name="Bob", phrase="hello"))
    now += table_messages.MESSAGE_TIME / 2
    messages.take_event(protocol.Settled(what="undo", agreed=False))
    messages.take_event(protocol.Settled(what="undo", agreed=True))
    assert list(messages.lines) == [("Bob", "Hello!"), ("", "It was taken back.")]
    messages.take_event(protocol.Proposal(what="undo", seat=1, turns=0))
    assert list(messages.lines) == [("Bob", "Hello!")], "the result of the proposal before"
    messages.take_event(protocol.Settled(what="undo", agreed=True))
    for left in ([("", "It was taken back.")], []):
        now += table_messages.MESSAGE_TIME / 2
        messages.drop_old()
        assert list(messages.lines) == left


def test_phrases_go_both_ways_and_a_lost_line_comes_back_by_itself(app: App, drive: Driver, seated: Seated) -> None:
    screen, bar, client = seated(first="first")
    client.send(protocol.Say(phrase="good_luck"))
    until(drive, lambda: ("Bob", "Good luck!") in bar.messages.lines)
    drive.key(pygame.K_F4)
    assert isinstance(app.top, TalkScreen)
    drive.keys(pygame.K_DOWN, pygame.K_DOWN, pygame.K_RETURN)
    until(drive, lambda: ("Ada", "Nice shot!") in bar.messages.lines)
    assert isinstance(app.top, MatchScreen)
    bar.client.cut()
    until(drive, lambda: "is back" in str(bar.messages.lines))
    play_aimed(drive)
    assert len(screen.match.turns) == 1


def test_who_is_gone_is_not_thinking(app: App, drive: Driver) -> None:
    table = host(own_seat=1, first="first")
    screen = open_in(app, table)
    client = other_client(table)
    until(drive, lambda: "Bob" in screen.match.player_names.values())
    until(drive, lambda: screen.controller.prompt == "Blue is to play.")
    drive.frames(5, 0.5)
    assert "thinking" not in drive.screen_text(), "of a person nobody knows"
    client.close()
    until(drive, lambda: screen.controller.prompt == "Bob is disconnected. The game waits.")
    assert "thinking" not in drive.screen_text()
    assert translation.set_language("de") == ""
    assert translation.translate(screen.controller.prompt) == "Bob ist getrennt. Das Spiel wartet."


@pytest.mark.parametrize("is_asked", [False, True])
def test_another_game_opens_when_all_agree(app: App, drive: Driver, seated: Seated, is_asked: bool) -> None:
    screen, bar, client = seated("dominoes", rounds=1)
    wait_until(lambda: client.match)

    def play_on() -> bool:
        drive.frames(1, 0.5)
        match = screen.match
        if app.top is not screen and not isinstance(app.top, EndScreen):
            drive.key(pygame.K_RETURN)
        if screen.controller.phase == "choose" and match.to_play is not None:
            screen.controller.perform(match.legal_actions().actions[0])
        theirs = client.match
        while theirs.incoming is not None:
            theirs.apply_incoming()
        if theirs.is_own_turn:
            theirs.play(theirs.legal_actions().actions[0])
        return isinstance(app.top, EndScreen)

    wait_until(play_on)
    if is_asked:
        client.send(protocol.Propose(what="rematch"))
        until(drive, lambda: bar.client.proposal is not None)
    drive.button("Play again").action()
    if not is_asked:
        wait_until(lambda: client.proposal is not None)
        assert isinstance(app.top, EndScreen)
        client.send(protocol.Answer(agree=True))
    until(drive, lambda: isinstance(app.top, MatchScreen))
    assert app.top is not screen
    assert not drive.top(MatchScreen).match.is_over


def test_the_host_is_asked_before_the_connections_of_the_others_end(app: App, drive: Driver, seated: Seated) -> None:
    screen, _, client = seated()
    for label, question in (("Main menu", "Leave the table? You host"), ("Quit", "Close the window? You host")):
        screen.open_menu()
        drive.button(label).action()
        assert question in drive.screen_text()
        drive.key(pygame.K_n)
        assert client.status == "joined"
    drive.button("Main menu").action()
    drive.key(pygame.K_y)
    assert not isinstance(app.top, MatchScreen)
    wait_until(lambda: client.status == "lost")


def test_a_spectator_looks_on_without_acting(app: App, drive: Driver) -> None:
    table = host(own_seat=None, first="first")
    screen = open_in(app, table)
    drive.keys(pygame.K_SPACE, pygame.K_u, pygame.K_F7)
    drive.frames(5)
    assert screen.controller.phase == "think"
    assert not screen.analysis.is_visible
    other_client(table, "Cid", watch=True)
    until(drive, lambda: "looks on" in drive.screen_text())


@pytest.mark.parametrize("is_open", [False, True])
def test_closing_the_window_of_a_host_asks_first(app: App, drive: Driver, is_open: bool) -> None:
    def close() -> None:
        pygame.event.post(pygame.event.Event(pygame.QUIT))
        drive.frames(2)

    table = host()
    if is_open:
        open_table(app, table)
    else:
        app.push(WaitingScreen(app, table))
    for _ in range(2):
        close()
        assert app.running
        assert ("the connections of all others end" if is_open else "Stop hosting?") in drive.screen_text()
        drive.key(pygame.K_n)
    close()
    close()
    assert not app.running


def test_spectators_without_a_name_are_told_one_by_one(app: App, drive: Driver) -> None:
    table = host(own_seat=None)
    bar = open_in(app, table).bar
    nameless = [other_client(table, "", watch=True) for _ in range(2)]
    until(drive, lambda: ("", "A spectator looks on.") in bar.messages.lines)
    until(drive, lambda: table.client.presence and len(table.client.presence.watchers) == 3)
    drive.frames(1)  # in which the bar takes note of them; who came and left between two frames is not told of
    nameless[0].close()
    until(drive, lambda: ("", "A spectator looks on no longer.") in bar.messages.lines)


def test_the_noise_is_the_hosts(drive: Driver, seated: Seated) -> None:
    screen, _, _ = seated("penny-white", "human/expert", "human", first="first")
    assert screen.noise_grade == "expert"
    before = screen.match.noise
    drive.key(pygame.K_y)
    drive.frames(2)
    assert screen.match.noise == before
    assert "at the host" in drive.screen_text()


@pytest.mark.parametrize(("game", "seats"), [("tiddlywinks", 4), ("ice", 2), ("tinkle", 3)])
def test_other_games_open(app: App, drive: Driver, game: str, seats: int) -> None:
    open_in(app, host(game, *["human"] * seats))
    drive.frames(5)
    until(drive, lambda: "free" in drive.screen_text())


@pytest.mark.parametrize("size", [(640, 480), (800, 600), (1920, 1080)])
def test_screens_have_the_bar_below_them(
    drive: Driver, seated: Seated, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    screen, bar, _ = seated()
    pygame.display.set_mode(size)
    boxes, draw_box = list[pygame.Rect](), Canvas.box
    monkeypatch.setattr(Canvas, "box", lambda *args: boxes.append(args[1]) or draw_box(*args))
    drive.frames(3)
    names = [said.rect for said in drive.app.tooltips.drawn_texts if said.text in ("Ada", "Bob")]
    in_bar = [name for name in names if bar.area.contains(name)]
    assert in_bar
    for name in in_bar:
        assert any(bar.area != box and box.inflate(-6, -6).contains(name) for box in boxes), "clear of the frame"
    for widget in screen.form.widgets:
        assert widget.rect.bottom <= bar.area.y
    assert bar.area.w == size[0]


def test_a_hosted_game_is_hosted_again_or_on_the_side_of_hosting_it_is_told_why_not(
    app: App, drive: Driver, seated: Seated
) -> None:
    def fail(*_: object) -> None:
        raise InvalidOption("the port is taken")

    screen, _, client = seated(first="first")
    play_aimed(drive)
    client.close()
    after = screen.match.state
    app.show_main_menu()
    app.push(page := OnlineScreen(app))
    until(drive, lambda: page.host_again.enabled)
    assert page.last_record is not None
    with FileLock(page.last_record):  # another window hosts it
        page.host_again.action()
        until(drive, lambda: page.host_error)
    assert page.host_error == "The last game cannot be hosted again: it is open in another window or command."
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(online_screen, "resume_hosting", fail)
        page.host_again.action()
        until(drive, lambda: page.host_error)
    assert page.host_error == "The last game cannot be hosted again: the port is taken."
    assert not page.error
    page.host_again.action()
    assert app.top is page, "the record is not replayed in the window's thread"
    until(drive, lambda: isinstance(app.top, WaitingScreen))
    joined(app.top.table)
    app.top.open()
    match = drive.top(MatchScreen).match
    assert match.state == after
    assert match.players[0] is None, "the own seat"


def test_only_an_unfinished_game_is_offered_to_be_hosted_again(app: App, drive: Driver, seated: Seated) -> None:
    def is_offered() -> bool:
        screen = OnlineScreen(app)
        wait_until(lambda: screen.search.is_done)
        screen.update(0.0)
        return screen.host_again.enabled

    assert not is_offered()
    seated(first="first")
    play_aimed(drive)
    app.show_main_menu()
    assert is_offered()
    _, _, recorder, _ = net.resume_match(online_table.last_hosted())
    recorder.write_end()
    recorder.close()
    assert online_table.last_hosted() is None
    assert not is_offered()


def test_a_turn_of_others_that_fails_is_begun_anew_once(
    drive: Driver, seated: Seated, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen, _, _ = seated(first="second")
    starts: list[str] = []
    begin = screen.controller.start_turn

    def start_turn() -> None:
        starts.append(screen.controller.phase)
        begin()

    monkeypatch.setattr(screen.controller, "start_turn", start_turn)
    for _ in range(3):
        screen.controller.fail(InvalidOption("the cause lasts"))
        drive.frames(3)
    assert starts == ["stuck"]
    assert screen.controller.phase == "stuck"
    assert "the cause lasts" in drive.screen_text()


@pytest.mark.usefixtures("german")
def test_a_seat_without_an_owner_is_named_in_german(app: App, drive: Driver) -> None:
    assert translation.set_language("de") == "", "the window begins in English"
    screen = open_in(app, host())
    drive.frames(2)
    assert screen.match.player_names == {0: "Ada", 1: "noch niemand"}


def test_screens_phrases_and_proposals_are_german(drive: Driver, seated: Seated, untranslated: set[str]) -> None:
    """A failure lists the texts without German."""
    table = host("dominoes")
    for screen in (
        OnlineScreen(drive.app),
        HostGameScreen(drive.app, load("penny-white")),
        WaitingScreen(drive.app, table),
    ):
        drive.app.push(screen)
        for k in range(len(screen.form.widgets)):
            screen.form.focus = k
            drive.frames(1)
        drive.app.pop()
    seated(first="first")
    drive.frames(2)
    drive.key(pygame.K_F4)
    drive.frames(2)
    undone = ("turn 1", "turns 1 and 2", "turns 1 to 4")
    asked = ["for another game", "to take a launch back", *(f"to take {turns} back" for turns in undone)]
    proposals = [f"{who} {what}." for who in ("Bob asks", "You have asked") for what in asked]
    proposals += ["Bob is to play.", "What was asked was withdrawn."]
    for text in (*protocol.PHRASES.values(), *proposals):
        translation.translate(text)
    assert not untranslated, sorted(untranslated)


def test_a_next_game_that_cannot_be_shown_is_told(drive: Driver, seated: Seated) -> None:
    def fail() -> None:
        raise InvalidOption("the board is unknown")

    _, bar, client = seated("dominoes")
    bar.on_rematch, on_close = fail, bar.on_close
    bar.client.match = client.match
    assert "The next game cannot be shown: the board is unknown." in drive.screen_text()
    assert bar.on_close == on_close, "the table is closed with the screen"


def test_a_taken_seat_whose_line_is_lost_is_told(app: App, drive: Driver) -> None:
    table = host(own_seat=None)
    app.push(WaitingScreen(app, table))
    client = other_client(table)
    until(drive, lambda: [state for _, state in table.people] == ["is there", "is awaited ..."])
    client.close()
    until(drive, lambda: [state for _, state in table.people] == ["connection lost", "is awaited ..."])
    assert "connection lost" in drive.screen_text()


@pytest.mark.parametrize(
    ("address", "fingerprint", "warns"),
    [("", "", False), ("a..b", "", False), ("localhost:99", "", False), ("192.0.2.1", "", True), ("a.b", "00", False)],
)
def test_a_line_in_the_clear_to_another_machine_is_warned_of(
    app: App, drive: Driver, address: str, fingerprint: str, warns: bool
) -> None:
    app.push(screen := OnlineScreen(app))
    screen.address.text, screen.fingerprint.text = address, fingerprint
    assert ("the connection is not encrypted" in drive.screen_text()) == warns


def test_turns_before_a_game_is_hosted_again_are_listed_as_the_own_seat_sees_them(
    app: App, drive: Driver, seated: Seated
) -> None:
    screen, _, client = seated("dominoes", rounds=1)
    for count in range(4):
        if screen.match.to_play == 0:
            until(drive, lambda: screen.controller.phase == "choose")
            screen.controller.perform(screen.match.legal_actions().actions[0])
        else:
            play_when_due(client)
        until(drive, lambda count=count: len(screen.match.turns) > count)  # type: ignore[misc]
    seen = [(turn.seat, turn.made, turn.before, turn.after) for turn in screen.match.turns]
    client.close()
    app.show_main_menu()
    match = open_in(app, joined(online_table.resume_hosting(online_table.last_hosted(), "Ada"))).match
    assert [(turn.seat, turn.made, turn.before, turn.after) for turn in match.turns] == seen
    assert len(seen) >= 4
    assert match.state == match.turns[-1].after


def test_a_game_that_cannot_be_hosted_leaves_no_record(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: net.Host) -> None:
        raise InvalidOption("no")

    monkeypatch.setattr(net.Host, "start", fail)
    with pytest.raises(InvalidOption, match="no"):
        host("dominoes")
    folder = net.hosted_folder()
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("choice", ["off", "file"])
def test_a_game_hosted_in_the_shell_keeps_its_choice_of_tls(choice: str, tmp_path: Path) -> None:
    host("dominoes").close()
    record = online_table.last_hosted()
    cert, key = net.self_signed(tmp_path)
    tls = net.TlsChoice(is_off=True) if choice == "off" else net.TlsChoice(certificate=str(cert), key=str(key))
    replace(net.HostFile.read(record), tls=tls, listen=net.ANY_ADDRESS).write(record)
    table = joined(online_table.resume_hosting(record, "Ada"))
    assert table.invitation.fingerprint == ("" if choice == "off" else net.certificate_fingerprint(cert))


def test_who_comes_later_is_told_that_turns_before_are_not_listed(app: App, drive: Driver) -> None:
    table = host("dominoes", rounds=1)
    client, invitation = other_client(table), table.invitation
    mover = next(one for one in (client, table.client) if one.match is not None and one.match.is_own_turn)
    play_when_due(mover)
    open_in(app, joined(OnlineTable(net.Client(invitation.address, invitation.code, watch=True), invitation)))
    assert "You came at turn 2; the turns before are not listed here." in drive.screen_text()


def test_a_finished_game_counts_in_the_statistics_of_the_own_seat(app: App, seated: Seated) -> None:
    screen, _, client = seated("penny-white", "human", "human")
    assert client.match is not None
    screen.match.forfeit_by(Forfeit(seat=1, reason="left"))
    app.show_main_menu()
    entry = app.player.history[-1]
    assert (entry.who, entry.game, entry.against, entry.share) == ("Ada", "penny-white", "friends", 1.0)


Launching = tuple[MatchScreen, IceMatchController, net.Client]


@pytest.fixture
def launching(drive: Driver, seated: Seated) -> Launching:
    """A game of pyramids whose clock runs; the seat at the other machine is asked first."""
    screen, _, client = seated("ice")
    controller = screen.controller
    assert isinstance(controller, IceMatchController)
    hands = controller.rules_state.hands
    assert controller.request(0, Load(piece=hands[0][0]))
    play_when_due(client, Load(piece=hands[1][0]))
    until(drive, lambda: controller.can_act(0) and screen.match.to_play == 1)
    return screen, controller, client


def test_the_clock_follows_that_of_people_at_other_machines(drive: Driver, launching: Launching) -> None:
    _, controller, client = launching
    play_when_due(client, Wait(until=50.0))
    until(drive, lambda: controller.time >= 50.0)
    assert "to play" not in drive.screen_text()


def test_a_launch_that_is_not_played_yet_is_withdrawn_without_asking(drive: Driver, launching: Launching) -> None:
    screen, controller, client = launching
    drive.key(pygame.K_SPACE)
    until(drive, lambda: not controller.can_act(0))
    count = len(screen.match.turns)
    drive.key(pygame.K_u)
    assert controller.can_act(0), "it is loaded again"
    drive.frames(10, 0.1)
    assert (len(screen.match.turns), client.proposal, controller.is_paused) == (count, None, False)


def test_the_last_decision_is_taken_back_not_a_wait_after_it(drive: Driver, launching: Launching) -> None:
    screen, _, client = launching
    play_when_due(client, Wait(until=50.0))
    waits = lambda: [turn.seat for turn in screen.match.turns if isinstance(turn.made, Wait)]  # noqa: E731
    until(drive, lambda: waits()[-2:] == [1, 0])
    drive.key(pygame.K_u)
    drive.until(lambda: client.proposal is not None)
    assert isinstance(screen.match.turns[client.proposal.turns].made, Load)


def test_waiting_does_not_overtake_a_proposal(drive: Driver, launching: Launching) -> None:
    screen, _, client = launching
    assert isinstance(screen.bar, OnlineBar)
    play_when_due(client, Wait(until=50.0))
    client.send(protocol.Propose(what="undo"))
    wait_until(lambda: screen.bar.client.proposal is not None)  # before the window's clock goes on, and it waits too
    drive.frames(10, 0.1)
    proposal = screen.bar.client.proposal
    assert proposal is not None
    assert "asks to take a launch back" in drive.screen_text()
    drive.key(pygame.K_F10)
    until(drive, lambda: len(screen.match.turns) == proposal.turns)


def test_an_unanswered_proposal_holds_the_game_up_for_a_limited_time(
    drive: Driver, launching: tuple[MatchScreen, IceMatchController, net.Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    screen, controller, client = launching
    assert isinstance(screen.bar, OnlineBar)
    now = 100.0
    monkeypatch.setattr(proposals, "monotonic", lambda: now)
    play_when_due(client, Wait(until=50.0))
    client.send(protocol.Propose(what="undo"))
    wait_until(lambda: screen.bar.client.proposal is not None)
    until(drive, lambda: controller.is_held)
    until(drive, lambda: controller.time >= 50.0)  # what the host has told is shown all the same
    assert controller.is_held
    now += proposals.ANSWER_TIME
    until(drive, lambda: "There was no agreement" in str(screen.bar.messages.lines))
    until(drive, lambda: screen.match.turns[-1].seat == 0)
    for wait, is_held in ((1.0, False), (proposals.HOLD_INTERVAL, True)):
        now += wait
        screen.bar.client.proposal = protocol.Proposal(what="undo", seat=1, turns=0, waiting=(0,))
        drive.frames()
        assert controller.is_held == is_held
        screen.bar.client.proposal = None


def test_a_launch_is_withdrawn_without_asking_while_a_turn_comes_in(
    drive: Driver, launching: tuple[MatchScreen, IceMatchController, net.Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    screen, controller, client = launching
    is_wanted, apply = Event(), screen.match.apply_incoming
    monkeypatch.setattr(screen.match, "apply_incoming", lambda: apply() if is_wanted.wait(TIMEOUT) else None)
    drive.key(pygame.K_SPACE)
    until(drive, lambda: not controller.can_act(0))
    play_when_due(client, Wait(until=50.0))
    until(drive, lambda: controller.turn_job is not None)
    drive.key(pygame.K_u)
    assert controller.can_act(0), "it is loaded again"
    is_wanted.set()
    until(drive, lambda: controller.time >= 50.0)
    assert not any(isinstance(turn.made, Launch) for turn in screen.match.turns)


def test_host_and_window_make_shots_elsewhere_while_the_physics_is_compiled(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[object] = []
    monkeypatch.setattr(warmup_targets, "numba_njit", object())
    monkeypatch.setattr(Warmup, "is_missing", True)
    monkeypatch.setattr(Warmup, "start", lambda _self: None)
    monkeypatch.setattr(Warmup, "simulate", lambda _self, _before, action, _simulator: made.append(action))
    table = host("tiddlywinks", *["human"] * 4)
    for match in (table.host.tables[0].match, open_in(app, table).match):
        match.simulator.simulate(None, "a shot")
    assert made == ["a shot", "a shot"]
