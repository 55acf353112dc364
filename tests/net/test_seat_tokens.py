"""Tokens of seats: which one a connection takes, and what is kept where the file cannot be written."""

from pathlib import Path

import pytest

from flicksim import net
from flicksim.core.errors import InvalidFile
from flicksim.net import seat_tokens
from tests.net.tables import hosted, joined, new_table


@pytest.mark.parametrize("seat", [None, 1])
def test_a_second_client_of_the_same_user_gets_a_seat_of_its_own(seat: int | None, tmp_path: Path) -> None:
    table = new_table(tmp_path, "dominoes")
    with hosted(table) as host, joined(host, tokens=net.TokenStore(tmp_path / "user")) as (first,):
        with joined(host, seat=seat, tokens=net.TokenStore(tmp_path / "user")) as (second,):
            assert (first.seats, second.seats) == ((0,), (1,))
            assert first.status == "joined"
        with joined(host, tokens=net.TokenStore(tmp_path / "user")) as (again,):
            assert again.seats == (1,)


def test_a_token_of_another_seat_is_not_used_for_the_one_asked_for(tmp_path: Path) -> None:
    tokens = net.TokenStore(tmp_path / "user")
    with hosted(new_table(tmp_path, "dominoes")) as host:
        for seat in (0, 1, 0):
            with joined(host, seat=seat, tokens=tokens) as (client,):
                assert client.seats == (seat,)


def test_tokens_that_cannot_be_written_are_kept_beside_those_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_args: object, **_options: object) -> None:
        raise InvalidFile("the disk is full")

    tokens = net.TokenStore(tmp_path / "user")
    tokens.put("A", "a" * 22)
    with monkeypatch.context() as patch:
        patch.setattr(seat_tokens, "write_atomic", fail)
        tokens.put("B", "b" * 22)
        assert (tokens.get("A"), tokens.get("B")) == ("a" * 22, "b" * 22)
    other = net.TokenStore(tmp_path / "user")
    other.put("C", "c" * 22)
    tokens.remove("a" * 22)
    assert [other.get(code) for code in "ABC"] == ["", "b" * 22, "c" * 22]


def test_the_latest_tokens_are_kept_and_one_used_again_is_the_latest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seat_tokens, "_MAX_TOKENS", 2)
    tokens = net.TokenStore(tmp_path / "user")
    for code in "ABAC":
        tokens.put(code, code * 22, (0,))
    assert [tokens.get(code) for code in "ABC"] == ["A" * 22, "", "C" * 22]


def test_wrong_codes_push_out_no_token_of_a_seat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seat_tokens, "_MAX_TOKENS", 2)
    tokens = net.TokenStore(tmp_path / "user")
    tokens.put("A", "a" * 22, (0,))
    for code in ("WRONG", "AWRY", "FALSE"):
        tokens.release(tokens.take(code))
    assert tokens.get("A") == "a" * 22
    assert tokens.get("FALSE"), "a cut before the host's answer would lose the seat"
