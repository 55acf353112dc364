"""Values and their notation: strict JSON in, canonical JSON out, fingerprints of both.

`Value` is the base of everything that has a notation: frozen, slotted, keyword-only, with fields checked when read
(msgspec's frozen struct: a frozen dataclass that brings its own strict reader).
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
from codecs import BOM_UTF8
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from math import isinf
from pathlib import Path
from typing import Self, TypeVar

import msgspec
import numpy as np
from msgspec import inspect

from flicksim.base.bounds import FILE, WHOLE
from flicksim.base.errors import BadFile, BadInput
from flicksim.base.files import reason
from flicksim.base.kinds import Plain
from flicksim.base.legible import legible
from flicksim.base.recognised import recognised

T = TypeVar("T")


class Value(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A frozen value with a notation. Unknown fields are refused when it is read.

    Subclasses say `frozen=True, kw_only=True` again: msgspec does not hand `kw_only` down, nor type checkers `frozen`.
    """

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle without the defaults that are left out of the notation: msgspec knows them by identity, which would be
        lost, and a copy written otherwise than what it is a copy of."""
        if not self.__struct_config__.omit_defaults:
            return tuple(super().__reduce__())
        kind = type(self)
        defaults = _defaults(kind)
        fields = {name: getattr(self, name) for name in self.__struct_fields__}
        return _rebuilt, (kind, {name: one for name, one in fields.items() if one is not defaults[name]})


def _rebuilt(kind: type[Value], fields: dict[str, object]) -> Value:
    return kind(**fields)


@cache
def _defaults(kind: type[Value]) -> dict[str, object]:
    return {field.name: field.default for field in msgspec.structs.fields(kind)}


class Word:
    """A thing written as one word, like a playing card: `str` writes it, `read` takes it back.

    `Value`s may have fields of such kinds; their JSON holds the word.
    """

    __slots__ = ()

    @classmethod
    def read(cls, text: str) -> Self:
        """The thing of that name.

        Raises:
            ValueError: there is none; quotes the word.
        """
        raise NotImplementedError


def _encode(thing: object) -> Plain:
    if isinstance(thing, Word):
        return str(thing)
    if isinstance(thing, Fraction):
        return int(thing) if thing.denominator == 1 else str(thing)
    if isinstance(thing, np.ndarray):
        return thing.tolist()
    if isinstance(thing, np.generic):
        return thing.item()
    raise NotImplementedError(f"{type(thing).__name__} has no notation")


def _decode(kind: type, thing: Plain) -> object:
    if issubclass(kind, Word):
        if not isinstance(thing, str):
            raise ValueError(f"{thing!r} is not the name of a {kind.__name__.lower()}")
        return kind.read(thing)
    if kind is Fraction:
        if isinstance(thing, int) and not isinstance(thing, bool):
            return Fraction(thing)
        if isinstance(thing, str) and _FRACTION.fullmatch(thing):
            return Fraction(thing)
        raise ValueError(f'expected a whole number or a fraction like "3/2", got {thing!r}')
    if kind is np.ndarray and isinstance(thing, list):
        return np.array(thing, dtype=float)
    raise ValueError(f"expected {kind.__name__}, got {thing!r}")


_FRACTION = re.compile(r"-?[0-9]{1,300}/0*[1-9][0-9]{0,299}")
"""No more than two whole numbers: Python would also read "1e99999999", and work at it for hours."""


def _number(thing: object) -> Plain:
    return float(thing) if isinstance(thing, Fraction) and thing.denominator != 1 else _encode(thing)


_encoder = msgspec.json.Encoder(enc_hook=_encode, order="deterministic")
_numbers = msgspec.json.Encoder(enc_hook=_number, order="deterministic")


def to_json(thing: object) -> bytes:
    """The one canonical JSON line of a value (no newline)."""
    return _encoder.encode(thing)


def to_json_run(things: Sequence[object]) -> bytes:
    """The canonical JSON lines of many values, one right after the other."""
    return _encoder.encode_lines(things).replace(b"\n", b"")  # within a line a break is written as two characters


def to_json_numbers(thing: object) -> bytes:
    """The same for other programs, which want every number as one: 7/3 is 2.3333333333333335. Not to be read back."""
    return _numbers.encode(thing)


def to_plain(thing: object) -> Plain:
    """The same as dicts, lists, strings and numbers."""
    return msgspec.to_builtins(thing, enc_hook=_encode, order="deterministic")


def from_json(text: bytes | str, kind: type[T], *, name: str = "input") -> T:
    """Read a value strictly.

    Args:
        name: what is read, for messages: a file's name, "line 3 of game.jsonl".

    Raises:
        BadInput: not JSON, a wrong or unknown field, a value out of range; says where and quotes it.
    """
    raw = text.encode() if isinstance(text, str) else text
    try:
        return msgspec.json.decode(raw, type=kind, dec_hook=_decode)
    except msgspec.ValidationError as wrong:
        message = _placed(raw, str(wrong))
        raise BadInput(f"{name}: {_sentence(message)}{_quoted(raw, message)}{_may_be(kind, message)}") from None
    except UnicodeDecodeError as wrong:
        raise BadInput(f"{name} cannot be read: {_undecoded(raw) or _sentence(str(wrong))}") from None
    except (msgspec.DecodeError, RecursionError) as wrong:
        raise BadInput(f"{name} cannot be read: {_sentence(str(wrong))}{_near(raw, str(wrong))}") from None


def from_plain(thing: Plain, kind: type[T], *, name: str = "input") -> T:
    """As `from_json`, from dicts, lists, strings and numbers."""
    _must_count(thing, name)
    try:
        return msgspec.convert(thing, kind, dec_hook=_decode)
    except msgspec.ValidationError as wrong:
        may_be = _may_be(kind, str(wrong))
        raise BadInput(f"{name}: {_sentence(str(wrong))}{_found(thing, str(wrong))}{may_be}") from None
    except UnicodeEncodeError as wrong:
        raise BadInput(f"{name}: {legible(wrong.object)!r} holds letters that cannot be written") from None


def _must_count(thing: Plain, name: str) -> None:
    """See that every whole number is of a size that computers count in.

    Raises:
        BadInput: one is not.
    """
    left = [thing]
    for one in left:  # grows while it is walked
        if isinstance(one, dict):
            left += one.values()
        elif isinstance(one, list | tuple):
            left += one
        elif isinstance(one, int) and not -WHOLE <= one <= WHOLE:
            raise BadInput(
                f"{name}: a whole number of {one.bit_length() * 3 // 10 + 1} digits; no more than 18 are read"
            )


def _sentence(text: str) -> str:
    text = _LONG.sub(r"\1...`", legible(text))
    return text if text.startswith("JSON") else text[:1].lower() + text[1:]


_LONG = re.compile(r"(`[^`]{57})[^`]{4,}`")
"""A name a message quotes that is too long for a sentence."""


def _near(raw: bytes, message: str) -> str:
    """The bytes at which a parser stumbled, quoted."""
    _, found, rest = message.rpartition("(byte ")
    if not found:
        return ""
    at = int(rest.rstrip(")"))
    return f", near {raw[max(0, at - 12) : at + 12].decode(errors='replace')!r}"


_verbatim = msgspec.json.Decoder(float_hook=lambda text: msgspec.Raw(text.encode()))
"""Keeps numbers as they were written, for quoting them: also those that are none, like 1e999."""


def _quoted(raw: bytes, message: str) -> str:
    """The value at the path a message names (`$.pieces[0].x`), quoted from the text."""
    try:
        return _found(_verbatim.decode(raw), message)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return ""


def _undecoded(raw: bytes) -> str:
    """Place in a text at which its letters cannot be read."""
    try:
        raw.decode()
    except UnicodeDecodeError as wrong:
        return _sentence(str(wrong))
    return ""


def _placed(raw: bytes, message: str) -> str:
    """A message that a number is out of range, with its whole path: msgspec knows no keys of free objects."""
    if not message.startswith("Number out of range"):
        return message
    try:
        left: list[tuple[str, Plain]] = [("$", _verbatim.decode(raw))]
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return message
    for path, one in left:  # grows while it is walked
        if isinstance(one, dict):
            left += [(f"{path}.{key}", part) for key, part in one.items()]
        elif isinstance(one, list):
            left += [(f"{path}[{at}]", part) for at, part in enumerate(one)]
        elif isinstance(one, msgspec.Raw) and isinf(float(bytes(one))):
            return f"Number out of range - at `{path}`"
    return message


def _found(thing: Plain, message: str) -> str:
    """The value at the path a message names, quoted."""
    for step in _steps(message):
        if step.startswith("[") and step[1:-1].isdigit() and isinstance(thing, list | tuple):
            thing = thing[int(step[1:-1])]
        elif isinstance(thing, dict) and step in thing:
            thing = thing[step]
        else:
            return ""
    try:
        shown = msgspec.json.encode(thing).decode()
    except (TypeError, ValueError, RecursionError):
        shown = repr(thing)
    shown = legible(shown)
    return f" (found {shown if len(shown) <= 60 else shown[:57] + '...'})"


def _steps(message: str) -> list[str]:
    """The path a message names: `$.pieces[0].x` is pieces, [0], x."""
    _, found, path = message.rpartition(" - at `$")
    return re.findall(r"\[[^]]*\]|[^].[]+", path.rstrip("`")) if found else []


def _may_be(kind: type, message: str) -> str:
    """The words allowed at the path a message names, when it is one of several that was expected there."""
    if not message.startswith(("Invalid enum value", "Invalid value")):
        return ""
    nodes: list[inspect.Type] = [inspect.type_info(kind)]
    values: list[Plain] = []
    for step in _steps(message):
        structs = [one for node in nodes for one in _either(node) if isinstance(one, inspect.StructType)]
        values = [one.tag for one in structs if one.tag_field == step]
        nodes = [below for node in nodes for below in _below(node, step)]
    values += [value for node in nodes for one in _either(node) for value in getattr(one, "values", ())]
    return f"; it may be {' | '.join(map(str, values))}" if values else ""


def _below(node: inspect.Type, step: str) -> list[inspect.Type]:
    """The types that may stand at a step below a type."""
    found: list[inspect.Type] = []
    for one in _either(node):
        if isinstance(one, inspect.StructType | inspect.DataclassType):
            found += [field.type for field in one.fields if field.encode_name == step]
        elif isinstance(one, inspect.TupleType):
            found += [one.item_types[int(step[1:-1])]] if step.startswith("[") and step[1:-1].isdigit() else []
        else:
            found += [below for name in ("item_type", "value_type") if (below := getattr(one, name, None)) is not None]
    return found


def _either(node: inspect.Type) -> list[inspect.Type]:
    """The types a union is of, or the one type; without what is only said about them."""
    while isinstance(node, inspect.Metadata):
        node = node.type
    return [one for part in node.types for one in _either(part)] if isinstance(node, inspect.UnionType) else [node]


def fingerprint(thing: object) -> str:
    """Sixteen hex digits that change with any bit of the value."""
    return hashlib.sha256(to_json(thing)).hexdigest()[:16]


def _named_pipe(path: Path) -> bool:
    """True for a pipe that lies in a folder; what a shell hands over as <(...) or as its input is none."""
    if path.absolute().is_relative_to("/dev") or path.absolute().is_relative_to("/proc") or not path.is_fifo():
        return False
    return Path(os.path.realpath(path)).is_fifo()


def read_bytes(path: Path, most: int = FILE) -> bytes:
    """A file's bytes, without a mark of byte order before them.

    Args:
        most: so large a file of its kind may be [bytes]; a device never ends.

    Raises:
        BadFile: it cannot be read, or is larger; says why.
    """
    try:
        if _named_pipe(path):
            raise BadFile(f"cannot read {str(path)!r}: it is a named pipe, which may wait for ever; name a file")
        with path.open("rb") as file:
            there = os.fstat(file.fileno())
            size = min(there.st_size, most) if stat.S_ISREG(there.st_mode) else most
            data = file.read(size + 1)
    except OSError as wrong:
        raise BadFile(f"cannot read {str(path)!r}: {reason(wrong)}") from None
    except ValueError:  # a name that no file can have
        raise BadFile(f"cannot read {str(path)!r}: no file is called so") from None
    if len(data) > most:
        raise BadFile(f"{str(path)!r} is larger than {most:,} bytes; nothing that is read here is")
    return data.removeprefix(BOM_UTF8)


def read_notation(path: Path) -> bytes:
    """The bytes of a file in which a value is written, as JSON or TOML.

    Raises:
        BadFile: it cannot be read; it is something else that people take for one, which is named.
    """
    data = read_bytes(path)
    if what := recognised(data):
        raise BadFile(f"{path} cannot be read: it is {what}")
    return data
