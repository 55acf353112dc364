"""Messages, what is public of a record, and its hash."""

import pytest

from flicksim.core.errors import InvalidInput
from flicksim.core.serialization import to_json
from flicksim.games import load
from flicksim.match import ForfeitLine, UndoLine, load_position, match_header, open_match
from flicksim.net import protocol
from tests.matches import new_match


@pytest.mark.parametrize(
    "text",
    [
        "", "[]", "null", "{}", '{"kind":"fly"}', '{"kind":7}', '{"kind":"say"}',
        '{"kind":"say","phrase":"' + "a" * 200 + '"}',
        '{"kind":"act","turn":"1","action":{}}',
        '{"kind":"act","turn":-5,"action":{}}', '{"kind":"answer","agree":1}',
        '{"kind":"hello","version":1,"code":"A","rights":"all"}', "[" * 5000, "\ud800", '{"kind":"leave"}x',
    ],
)  # fmt: skip
def test_a_malformed_message_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        protocol.decode_client_message(text.encode(errors="surrogatepass"))
    assert str(refused.value).startswith("the message")
    assert "\n" not in str(refused.value)


def test_a_long_message_is_refused_unread_and_kind_and_version_are_found_in_what_is_not_decoded() -> None:
    with pytest.raises(InvalidInput, match=r"has 17,000 bytes; 16,384 is the most"):
        protocol.decode_client_message("x" * 17_000)
    assert protocol.peek('{"kind":"act","turn":"x"}') == ("act", None, None)
    assert protocol.peek("[1]") == protocol.peek("{") == protocol.peek('{"kind":1}') == ("", None, None)
    assert protocol.peek('{"kind":"hello","version":9,"new":1}') == ("hello", 9, None)
    assert protocol.peek("[]") == ("", None, None)


def test_messages_are_read_as_they_were_written() -> None:
    for message in (
        protocol.Hello(version=1, code="AB", seat=2, watch=True, token="t", turn=3, hash="h"),
        protocol.Act(turn=3, action={"do": "pass"}),
        protocol.Propose(what="undo", turns=4),
        protocol.Leave(),
    ):
        assert protocol.decode_client_message(to_json(message)) == message


def test_the_public_header_has_neither_seed_nor_commands_nor_hands_of_a_start_position() -> None:
    match = new_match("dominoes", "cmd/club:cat /etc/secret", "bot:club", seed=987654321)
    public = protocol.public_header(match_header(match, ("cmd/club:cat /etc/secret", "bot:club")))
    assert public.seats == ("cmd/club", "bot:club")
    assert b"secret" not in to_json(public)
    assert b"987654321" not in to_json(public)
    game = load("dominoes")
    position = load_position(game, "shut_out")
    match = open_match(game, position.options, ["human", "human"], 1, position=position)
    header = match_header(match, ("human", "human"))
    assert b"hands" in to_json(header)
    assert b"hands" not in to_json(protocol.public_header(header))
    assert protocol.first_hash(header) == protocol.first_hash(protocol.public_header(header))


def test_lines_are_as_documented() -> None:
    assert protocol.public_line(UndoLine(turns=4, chain="ab")) == b'{"line":"undo","turns":4}'
    forfeit = protocol.public_line(ForfeitLine(seat=1, reason="left"))
    assert forfeit == b'{"line":"forfeit","seat":1,"says":"left"}'
    assert protocol.line_hash("a", b"b") != protocol.line_hash("b", b"b")
