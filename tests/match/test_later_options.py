"""Records and share codes from before an option was added to the same edition."""

import shutil
from pathlib import Path

import pytest

from flicksim.core.errors import InvalidFile, InvalidInput
from flicksim.core.serialization import to_json
from flicksim.core.type_aliases import Action
from flicksim.games import load, names
from flicksim.match import append_to, decode_share_code, encode_match, open_replay, read_record, state_fingerprint
from flicksim.referee import GameOptions, options_of
from flicksim.scene import Flick
from tests.games.ice.ice_helpers import initial_state

OLD = Path(__file__).parent / "records"


@pytest.mark.parametrize(
    ("name", "turns", "more"),
    [
        pytest.param(
            "penny-white-before-overhang", 3, Flick(piece="blue-2", speed=1.4, azimuth=1.5, start=(0.003, 0.03)),
            id="PW-5a start_overhang",
        ),
    ],
)  # fmt: skip
def test_record_and_share_code_without_a_later_option_replay(
    name: str, turns: int, more: Action, tmp_path: Path
) -> None:
    """PW-5a: their header has no such option, their states no such field; the record is resumed too."""
    path = tmp_path / "game.jsonl"
    shutil.copy(OLD / f"{name}.jsonl", path)
    for count in (turns, turns + 1):
        replay, _ = open_replay(read_record(path))
        assert len(list(replay.run())) == count
        assert replay.divergence is None
        assert isinstance(switches := replay.match.options, GameOptions)
        assert all(getattr(switches, one) == getattr(type(switches)(), one) for one in switches.ADDED_LATER)
        if count == turns:
            with append_to(replay.record, durable=False) as recorder:
                recorder.write_turn(replay.match.play(more))
    text = (OLD / f"{name}.txt").read_text()
    shared = decode_share_code(text)
    match = shared.open()
    assert len(list(shared.replay_turns(match))) == turns
    assert shared.mismatch(match) == ""
    assert encode_match(match) == text


def test_record_and_share_code_of_an_earlier_edition_are_refused() -> None:
    """Of Ice before its pieces bounced as their restitution says."""
    with pytest.raises(InvalidFile, match=r"was ruled by edition 3 of Ice Tiddly Winks; this flicksim has edition 6"):
        open_replay(read_record(OLD / "ice-edition-3.jsonl"))
    shared = decode_share_code((OLD / "ice-edition-3.txt").read_text())
    with pytest.raises(InvalidInput, match=r"was ruled by edition 3 of Ice Tiddly Winks; this flicksim has edition 6"):
        shared.open()


def test_non_default_later_option_changes_the_fingerprint() -> None:
    """Also in the states a state remembers."""
    usual, other = initial_state(prop="scoreless"), initial_state(prop="not_upright")
    assert state_fingerprint(usual) != state_fingerprint(other)
    assert b'"prop"' in to_json(other)


@pytest.mark.parametrize("name", names())
def test_later_options_are_options_and_none_is_the_first(name: str) -> None:
    switches = load(name).options
    assert issubclass(switches, GameOptions)
    assert {option.name for option in options_of(load(name))[1:]} >= switches.ADDED_LATER
