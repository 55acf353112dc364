"""Online games: the same film and hash everywhere, and nothing that a seat may not see."""

import json
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.network_trials import random_action
from flicksim.cards import Zones
from flicksim.core.serialization import to_json
from flicksim.games import names
from flicksim.match import Match, read_record
from flicksim.net import protocol
from tests.net.tables import SEATS, RawClient, event, hosted, joined, new_table, play_on

TURNS = {"penny-white": 12, "tiddlywinks": 6, "ice": 6, "dominoes": 60, "tinkle": 60}


@pytest.mark.parametrize("name", names())
def test_all_see_the_same_turns_and_hash(name: str, tmp_path: Path) -> None:
    people = min(2, SEATS[name])
    table = new_table(tmp_path, name, *["human/club"] * people, *["random"] * (SEATS[name] - people))
    with hosted(table) as host, joined(host, people) as players, joined(host, watch=True) as watchers:
        play_on([*players, *watchers], TURNS[name])
        assert table.match.is_over or len(table.match.turns) >= TURNS[name]
        for client in (*players, *watchers):
            match = client.match
            assert match.differences == []
            assert match.is_over or match.turn_count >= TURNS[name]
            assert match.turns_before <= 1  # a bot may play before the last has come
            played = table.match.turns[match.turns_before : match.turn_count]
            for ours, theirs in zip(match.turns, played, strict=True):
                assert ours.number == theirs.number
                assert (ours.meant, ours.made, str(ours.verdict)) == (theirs.meant, theirs.made, str(theirs.verdict))
                assert ours.verdict.ruling == theirs.verdict.ruling
                seat = match.seats[0] if match.seats else protocol.WATCHER
                view = table.match.rules.view(theirs.after, seat)
                assert to_json(ours.after) == to_json(view)
                if table.hosted.hides:
                    assert (ours.result and ours.result.moved) == (theirs.result and theirs.result.view_for(seat).moved)
                else:
                    assert to_json(ours.result) == to_json(theirs.result) if ours.result else theirs.result is None
    assert protocol.hashes_by_turn(tmp_path / "game.jsonl")[-1] == table.hosted.hashes[-1]


@pytest.mark.parametrize("name", names())
def test_a_client_offers_what_the_host_offers(name: str, tmp_path: Path) -> None:
    table = new_table(tmp_path, name)
    seen = 0

    def choose(match: Match, rng: np.random.Generator) -> object:
        nonlocal seen
        seen += 1
        assert to_json(match.legal_actions()) == to_json(table.match.legal_actions())
        return random_action(match, rng)

    with hosted(table) as host, joined(host, SEATS[name]) as players:
        play_on(players, min(TURNS[name], 30), choose)
        assert seen


def faces(message: object) -> set[str]:
    """Cards or tiles named anywhere in a message."""
    return set(re.findall(r"(?<![\w-])(?:\d{1,2}-\d{1,2}|(?:[2-9AJQKT]|10)[SHDC])(?![\w-])", json.dumps(message)))


def visible(zones: Zones[object], seat: int) -> set[str]:
    return {str(card) for zone in zones.piles.values() if zone.is_visible_to(seat) for card in zone.cards}


HIDING: list[tuple[str, int, dict[str, Any]]] = [
    ("dominoes", 2, {"rounds": 5}),
    ("dominoes", 5, {"rounds": 20, "version": "american"}),
    ("dominoes", 3, {"rounds": 5, "set": 9, "must_play": False, "chain_doubles": True, "british_stake": 2}),
    ("tinkle", 3, {}),
    ("tinkle", 3, {"packs": 1, "jokers": 0, "cut": 5, "max_turns": 100, "tokens_per": "round"}),
    ("tinkle", 4, {"jokers": "players_minus_1", "layoff_scope": "per_turn", "later_melds": False,
                   "single_card": "must_lay", "contract_size": "exactly", "same_rank_groups": False}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "seats", "options"), HIDING)
@pytest.mark.parametrize("watch", [False, True])
def test_no_hidden_card_or_seed_is_ever_sent(
    name: str, seats: int, options: dict[str, Any], watch: bool, tmp_path: Path
) -> None:
    seed = 123_456_789_012_345
    people = seats - 1
    table = new_table(tmp_path, name, *["human"] * people, "random", seed=seed, **options)
    with (
        ThreadPoolExecutor(1) as pool, hosted(table) as host, RawClient(host, watch=watch) as raw,
        joined(host, people - (0 if watch else 1)) as rest,
    ):  # fmt: skip
        raw.read("game")
        rng = np.random.default_rng(1)
        others = pool.submit(play_on, rest, 80) if rest else None
        while len(table.match.turns) < 80 and not table.match.is_over:
            message = raw.read("turn") if watch else raw.read("presence")
            if message.get("to_play") == 0 and not watch and table.match.to_play == 0:
                action = random_action(table.match, rng)
                raw.send("act", turn=len(table.match.turns) + 1, action=json.loads(to_json(action)))
        if others is not None:
            others.result()
        raw.send("resend")
        raw.read("game")
        turns = list(table.match.turns)
    assert str(seed) in to_json(table.match.opening).decode(), "else it could not be sent"
    me = protocol.WATCHER if watch else 0
    now = table.match.opening
    dealt, allowed, number = now.round, visible(now.zones, me), 0
    for message in raw.received:
        assert str(seed) not in json.dumps(message)
        if message["kind"] == "turn":
            turn = turns[number]
            number, now = number + 1, turn.after
            assert message["line"]["number"] == number
            allowed |= visible(now.zones, me)
            if turn.result is not None:  # as they lay before the next round was dealt
                allowed |= visible(turn.result.after, me)
        elif now.round != dealt:  # what was seen in the last round is hidden again
            dealt, allowed = now.round, visible(now.zones, me)
        assert faces(message) <= allowed, message
        if "view" in message:
            assert message["view"].get("seeds") is None
            for zone, pile in message["view"]["zones"]["piles"].items():
                shown = now.zones[zone]
                assert [str(card) for card in shown.cards] * shown.is_visible_to(me) == pile.get("cards", []), zone
    assert number >= 20
    if not watch:
        assert faces(raw.received), "cards of its own were sent"


def test_the_error_of_the_hand_is_made_by_the_host(tmp_path: Path) -> None:
    table = new_table(tmp_path, "penny-white", "human/beginner", "human/beginner")
    with hosted(table) as host, joined(host, 2) as players:
        play_on(players, 4)
    flicks = [turn for turn in table.match.turns if turn.made != turn.meant]
    assert flicks
    replayed = {line.number: line for line in read_record(tmp_path / "game.jsonl").turns}
    assert all(replayed[turn.number].hand == "beginner" for turn in flicks)


def test_two_people_hold_two_seats_each_where_the_option_says_so(tmp_path: Path) -> None:
    table = new_table(tmp_path, "tiddlywinks", "human", "human", seats=2)
    with hosted(table) as host, joined(host, 2) as players:
        assert [client.seats for client in players] == [(0, 2), (1, 3)]
        play_on(players, 5)
        assert len(table.match.turns) >= 5


def test_a_self_report_is_taken_in_anybodys_turn(tmp_path: Path) -> None:
    table = new_table(tmp_path, "penny-white", jack_mode="beginner")
    with hosted(table) as host, joined(host, 2) as players:
        play_on(players, 3)
        idle = next(client for client in players if table.match.to_play not in client.seats)
        report = table.match.self_reports[0]
        assert report.fields == ()
        assert report.seat in idle.seats
        turn = idle.match.play(report.action)
        assert turn.made == report.action
        assert table.match.turns[-1].made == report.action
        busy = next(client for client in players if client is not idle)
        taken = busy.match.play(random_action(busy.match, np.random.default_rng(1)))
        assert taken.made == report.action, "the turn of others comes first"


def test_a_client_with_another_result_says_so_and_gets_the_hosts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = new_table(tmp_path, "penny-white")
    with hosted(table) as host, joined(host, 2) as (one, other):
        actor = one if table.match.to_play in one.seats else other
        watcher = other if actor is one else one
        monkeypatch.setattr(watcher.match, "_make_turn", lambda *_: None)
        play_on([actor], 1)
        assert watcher.match.next_turn(60.0) is None
        assert watcher.match.differences == [1]
        assert event(actor, protocol.Differs).turn == 1
        monkeypatch.undo()
        watcher.match.next_turn(60.0)  # the game as the host has it
        assert to_json(watcher.match.state) == to_json(table.match.state)
        assert watcher.match.turn_count == 1


def test_a_line_with_another_hash_is_told_at_once(tmp_path: Path) -> None:
    table = new_table(tmp_path, "dominoes")
    with hosted(table) as host, joined(host, 2) as players:
        actor = next(client for client in players if table.match.to_play in client.seats)
        actor.hash = "other"
        play_on([actor], 1)
        assert event(actor, protocol.Differs).turn == 1
