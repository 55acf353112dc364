"""Strict decoding: every error gives path and value."""

import json
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any, Literal

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flicksim.core import serialization
from flicksim.core.errors import InvalidFile, InvalidInput
from flicksim.referee import Ruling
from flicksim.scene import Flick, Line, Piece, Scene, Surface

PENNY = {"id": "a", "kind": "penny", "x": 0.1, "y": 0.2, "radius": 0.01, "mass": 0.003, "material": "bronze"}


def piece_json(**changes: Any) -> str:
    return json.dumps({**PENNY, **changes})


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        (piece_json(colour="blue"), "colour"),
        (piece_json(x="far"), '"far"'),
        (piece_json(x=None), "null"),
        (piece_json(radius=-3.25), "-3.25"),
        (piece_json(ring=1.5), "1.5"),
        (piece_json(id=7), "(found 7)"),
        (piece_json(owner=1.5), "1.5"),
        (piece_json(owner=3.5), "3.5"),
        (piece_json(x=True), "true"),
        (piece_json(x=[[{}]]), "[[{}]]"),
        (piece_json().replace("0.1", "NaN"), "NaN"),
        (piece_json().replace("0.1", "Infinity"), "Infinity"),
        (piece_json().replace("0.1", "1e999"), "1e999"),
        (piece_json().replace("0.1", "0x10"), "0x10"),
        ("{", ""),
        ("", ""),
        ("[]", "a list"),
        ("null", "null"),
        ('"a"', "a text"),
        ("not json", "not json"),
        (piece_json() + "x", "x"),
        ("[" * 5000 + "]" * 5000, ""),
        ('{"id": ' + "[" * 5000 + "]" * 5000 + "}", ""),
        (piece_json().replace('"mass": 0.003, ', ""), "mass"),
        (b"\xff\xfe{", ""),
        (b'{"id": "\xff"}', ""),
    ],
)
def test_a_wrong_piece_is_refused_and_quoted(text: str | bytes, quoted: str) -> None:
    with pytest.raises(InvalidInput) as wrong:
        serialization.from_json(text, Piece, name="line 3")
    assert "line 3" in str(wrong.value)
    assert quoted in str(wrong.value)


def test_nested_errors_give_path_and_value() -> None:
    surface = {"material": "wood", "outline": [[0, 0], [1, 0], [1, 1]]}
    text = json.dumps({"surface": surface, "pieces": [PENNY, {**PENNY, "id": "b", "mass": "heavy"}]})
    with pytest.raises(InvalidInput, match=r'"heavy"') as wrong:
        serialization.from_json(text, Scene)
    assert "pieces" in str(wrong.value)


def test_an_invalid_enum_value_or_field_lists_the_allowed_ones() -> None:
    class Leaf(serialization.Value, frozen=True, kw_only=True):
        face: Literal[-1, 1] | None = None
        names: tuple[tuple[int, Literal["a", "b"]], ...] = ()
        by_name: dict[str, Annotated[Literal["c", "d"], msgspec.Meta(description="x")]] = {}  # noqa: RUF012

    for text, message in (
        ('{"face": 2}', r"found 2\); it may be -1 \| 1$"),
        ('{"names": [[1, "b"], [2, "e"]]}', r'found "e"\); it may be a \| b$'),
        ('{"by_name": {"x": "e"}}', r"it may be c \| d$"),
        ('{"colour": 2}', r"its fields are by_name, face, names$"),
    ):
        with pytest.raises(InvalidInput, match=message):
            serialization.from_json(text, Leaf)
        with pytest.raises(InvalidInput, match=message):
            serialization.from_builtins(json.loads(text), Leaf)


def test_builtins_are_decoded_strictly() -> None:
    assert serialization.from_builtins(PENNY, Piece) == serialization.from_json(piece_json(), Piece)
    for wrong in ({**PENNY, "colour": 1}, {**PENNY, "x": float("nan")}, [], None, 3):
        with pytest.raises(InvalidInput):
            serialization.from_builtins(wrong, Piece)
    with pytest.raises(InvalidInput, match='found "far"'):
        serialization.from_builtins({**PENNY, "x": "far"}, Piece)


finite = st.floats(min_value=-1e6, max_value=1e6, allow_nan=False)
pieces = st.builds(
    Piece,
    id=st.text(min_size=1, max_size=8), kind=st.text(max_size=8), material=st.text(max_size=8),
    x=finite, y=finite, angle=finite, radius=st.floats(1e-4, 1.0), mass=st.floats(1e-6, 1.0),
    owner=st.none() | st.integers(0, 99), thickness=st.floats(0.0, 1.0), ring=st.floats(0.0, 1.0),
)  # fmt: skip
flicks = st.builds(
    Flick, piece=st.text(max_size=8), speed=st.floats(1e-9, 20.0), azimuth=st.floats(-6.28, 6.28),
    offset=st.floats(-0.95, 0.95), start=st.none() | st.tuples(finite, finite),
)  # fmt: skip


@given(st.lists(pieces, max_size=4))
def test_scenes_round_trip(those: list[Piece]) -> None:
    surface = Surface(
        material="wood",
        outline=((0.0, 0.0), (1.0, 0.0), (1.0, 2.0)),
        lines=(Line(name="l", a=(0.0, 0.0), b=(1.0, 1.0)),),
    )
    scene = Scene(surface=surface, pieces=tuple(those))
    again = serialization.from_json(serialization.to_json(scene), Scene)
    assert again == scene
    assert serialization.to_json(again) == serialization.to_json(scene)
    assert serialization.from_builtins(serialization.to_builtins(scene), Scene) == scene
    assert serialization.fingerprint(again) == serialization.fingerprint(scene)


@given(flicks)
def test_flicks_round_trip(flick: Flick) -> None:
    assert serialization.from_json(serialization.to_json(flick), Flick) == flick


@given(st.lists(st.fractions(), min_size=2, max_size=2))
def test_points_stay_exact(points: list[Fraction]) -> None:
    """X-3: averaged points are written as fractions, never as floats."""
    ruling = Ruling(points=tuple(points), next=None)
    again = serialization.from_json(serialization.to_json(ruling), Ruling)
    assert again == ruling
    assert all(isinstance(point, Fraction) for point in again.points)


@pytest.mark.parametrize("point", ["1/0", "1e99999999", "0.5", "half", "nan", " 1/2", "1_0", True, 0.5, None, [], ""])
def test_points_are_read_strictly(point: Any) -> None:
    """X-3: only whole numbers and "a/b" are points."""
    with pytest.raises(InvalidInput):
        serialization.from_json(json.dumps({"points": [point], "next": None}), Ruling)


def test_values_cannot_be_changed() -> None:
    flick = Flick(piece="a", speed=1.0, azimuth=0.0)
    with pytest.raises(AttributeError):
        flick.speed = 2.0  # type: ignore[misc]


def test_a_fingerprint_changes_with_any_bit() -> None:
    one = Flick(piece="a", speed=1.0, azimuth=0.0)
    other = Flick(piece="a", speed=float(np.nextafter(1.0, 2.0)), azimuth=0.0)
    minus = Flick(piece="a", speed=1.0, azimuth=-0.0)
    assert len({serialization.fingerprint(flick) for flick in (one, other, minus)}) == 3
    assert len(serialization.fingerprint(one)) == 16


@dataclass(frozen=True)
class Account:
    numbers: np.ndarray
    share: Fraction


def test_arrays_and_fractions_are_encoded_and_others_refused() -> None:
    account = Account(numbers=np.array([[1.0, 2.5]]), share=Fraction(3, 4))
    assert serialization.to_json(account) == b'{"numbers":[[1.0,2.5]],"share":"3/4"}'
    again = serialization.from_json(serialization.to_json(account), Account)
    assert again.share == account.share
    assert np.array_equal(again.numbers, account.numbers)
    with pytest.raises(NotImplementedError, match="object"):
        serialization.to_json({"a": object()})


def test_a_missing_file_is_reported_in_a_sentence(tmp_path: Any) -> None:
    with pytest.raises(InvalidFile, match=r"cannot read .*no-such': no such file or directory"):
        serialization.read_bytes(tmp_path / "no-such")
    with pytest.raises(InvalidFile, match=r"cannot read .*: that is a folder; name a file in it"):
        serialization.read_bytes(tmp_path)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain words, \u00e9 \U0001f3b2", "plain words, \u00e9 \U0001f3b2"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("turned \u202e round\x00", "turned \\u202e round\\x00"),
        ("half \ud800", "half \\ud800"),
        ("two\nlines", "two\\nlines"),
    ],
)
def test_unprintable_characters_are_escaped(text: str, shown: str) -> None:
    assert serialization.escape_unprintable(text) == shown
    assert serialization.escape_unprintable(text, multiline=True) == shown.replace("\\n", "\n")


@pytest.mark.parametrize("key", ["\x1b[2J", "two\nlines", "\ufeffid", "long " * 2000])
def test_errors_escape_control_characters_and_truncate_long_names(key: str) -> None:
    with pytest.raises(InvalidInput) as wrong:
        serialization.from_json(json.dumps({key: 1}), Scene)
    assert str(wrong.value).isprintable()
    assert len(str(wrong.value)) < 200


def test_errors_quote_nothing_of_malformed_text() -> None:
    with pytest.raises(InvalidInput, match="unknown field '"):
        serialization.from_json(b'{"colour": 3, "\xfb": 1}', Scene)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (piece_json(x="far"), 'input: expected a number, got a text at x (found "far")'),
        (piece_json(owner="me"), 'input: expected a whole number or null, got a text at owner (found "me")'),
        ("{}", "input: missing required field 'id' (found {})"),
        ('{"kind":"penny"}', """input: missing required field 'id' (found {"kind":"penny"})"""),
        (json.dumps({"kind": "p" * 60}), "input: missing required field 'id'"),
        ("[]", "input: expected an object, got a list (found [])"),
        (piece_json(lies_on=[1]), "input: expected a text, got a whole number at lies_on[0] (found 1)"),
    ],
)
def test_errors_name_types_and_places_in_plain_words(text: str, says: str) -> None:
    with pytest.raises(InvalidInput) as wrong:
        serialization.from_json(text, Piece)
    assert str(wrong.value) == says
