"""Counts in messages."""

from flicksim.core.counting import count_of


def test_a_noun_is_in_the_number_of_its_count() -> None:
    assert [count_of(number, "turn") for number in (0, 1, 2)] == ["0 turns", "1 turn", "2 turns"]
    assert [count_of(number, "try", "tries") for number in (1, 2)] == ["1 try", "2 tries"]
