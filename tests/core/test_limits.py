"""Parsing of typed integers."""

import pytest

from flicksim.core.limits import MAX_INT, parse_int


@pytest.mark.parametrize(("text", "number"), [("7", 7), ("-12", -12), ("007", 7), ("9223372036854775807", MAX_INT)])
def test_digits_are_parsed(text: str, number: int) -> None:
    assert parse_int(text) == number


@pytest.mark.parametrize("text", ["", "-", "--5", "²", "٣", "1e3", "1.0", " 1", "+1", str(2**63), "9" * 5000])
def test_other_text_is_not_parsed(text: str) -> None:
    assert parse_int(text) is None
