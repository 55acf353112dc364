"""Parsing of typed integers."""

import pytest

from flicksim.core.limits import MAX_INT, parse_int

NO_NUMBERS = ["", "-", "--5", "²", "٣", "1e3", "1.0", " 1", "+1", str(2**63), "9" * 5000]


@pytest.mark.parametrize(
    ("text", "number"),
    [("7", 7), ("-12", -12), ("007", 7), ("9223372036854775807", MAX_INT), *((text, None) for text in NO_NUMBERS)],
)
def test_digits_are_parsed_and_other_text_is_not(text: str, number: int | None) -> None:
    assert parse_int(text) == number
