"""Records and shared games from before a switch of the same edition: they come out as they did."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from flicksim.base.codec import to_json
from flicksim.games import load, names
from flicksim.games.ice.options import Options
from flicksim.games.ice.state import Wait
from flicksim.play import go_on, read_record, read_shared, reopened, share_match
from flicksim.play.lines import state_fingerprint
from flicksim.play.sharing import SharedGame
from flicksim.referee import Switches, options_of
from tests.games.ice.ice_table import begin

OLD = Path(__file__).parent / "records"


def test_a_record_from_before_the_prop_of_ice_replays_and_goes_on(tmp_path: Path) -> None:
    """ITW-7f: its header has no such option, its states no such field."""
    path = tmp_path / "game.jsonl"
    shutil.copy(OLD / "ice-before-prop.jsonl", path)
    for turns in (4, 5):
        replay, _ = reopened(read_record(path))
        assert len(list(replay.run())) == turns
        assert replay.divergence is None
        assert replay.match.options == Options()
        if turns == 4:
            with go_on(replay.record, durable=False) as recorder:
                recorder.turn(replay.match.play(Wait(until=3.5)))


def test_a_game_shared_before_the_prop_of_ice_comes_out_as_it_did() -> None:
    """ITW-7f."""
    text = (OLD / "ice-before-prop.txt").read_text()
    shared = read_shared(text)
    assert isinstance(shared, SharedGame)
    match = shared.opened()
    assert len(list(shared.played(match))) == 4
    assert shared.amiss(match) == ""
    assert share_match(match) == text


def test_a_later_switch_that_is_not_as_usual_is_part_of_the_state() -> None:
    """Also in the states a state remembers."""
    usual, other = begin(prop="scoreless"), begin(prop="not_upright")
    assert state_fingerprint(usual) != state_fingerprint(other)
    assert b'"prop"' in to_json(other)


@pytest.mark.parametrize("name", names())
def test_later_switches_are_switches_and_none_is_the_first(name: str) -> None:
    switches = load(name).options
    assert issubclass(switches, Switches)
    assert {option.name for option in options_of(load(name))[1:]} >= switches.LATER
