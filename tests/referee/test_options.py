"""Options of a game: their bounds in words."""

from dataclasses import replace
from typing import Annotated, Literal

import msgspec
import pytest

from flicksim.core.errors import InvalidOption
from flicksim.core.serialization import Value
from flicksim.games.penny_white import GAME
from flicksim.referee import options_of, parse_options


class Options(Value, frozen=True, kw_only=True):
    """Options of every kind."""

    many: int = 3
    few: Annotated[int, msgspec.Meta(ge=1, le=9)] = 2
    far: Annotated[float, msgspec.Meta(ge=0.5, le=2.0)] = 1.0
    free: float = 1.0
    how: Literal["near", "far"] = "near"
    both: tuple[int, bool] = (1, True)
    late: int | None = None


ALLOWED = {
    "many": "whole number", "few": "whole number 1 to 9", "far": "number 0.5 to 2.0", "free": "number",
    "how": "far | near", "both": "whole number,true | false", "late": "whole number | none",
}  # fmt: skip


def test_what_may_be_is_said() -> None:
    game = replace(GAME, options=Options)
    assert {option.name: option.allowed for option in options_of(game)} == ALLOWED
    assert parse_options(game, ["many=7", "how=far", "late=none"]) == Options(many=7, how="far")


@pytest.mark.parametrize(
    ("word", "may_be"),
    [
        ("many=much", "a whole number"), ("few=10", "a whole number 1 to 9"), ("far=0.1", "a number 0.5 to 2.0"),
        ("how=here", "far | near"), ("both=1", "a whole number, true | false"), ("late=soon", "a whole number | none"),
    ],
)  # fmt: skip
def test_what_may_not_be_is_answered_by_what_may(word: str, may_be: str) -> None:
    game = replace(GAME, options=Options)
    with pytest.raises(InvalidOption) as wrong:
        parse_options(game, [word])
    assert str(wrong.value).endswith(f"is not allowed; it may be {may_be}")


def test_unknown_option_is_answered_by_near_ones() -> None:
    with pytest.raises(InvalidOption, match=r"has no option 'end'; it has coin, .*; did you mean 'ends'"):
        parse_options(GAME, {"end": 3})
    with pytest.raises(InvalidOption, match=r"has no option 'seats'; .*; how many play is told by the seats"):
        parse_options(GAME, {"seats": 4})
    with pytest.raises(InvalidOption, match=r"ends=\[3\] is not allowed; it may be a whole number"):
        parse_options(GAME, {"ends": [3]})
