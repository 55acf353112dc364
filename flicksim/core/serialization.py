"""Serialization: strict JSON decoding, canonical JSON encoding and fingerprints of frozen values.

`Value` is the base of everything that is written to JSON: frozen, slotted, keyword-only, with fields validated when
decoded (a frozen struct of msgspec: a frozen dataclass with a strict decoder).
"""

import hashlib
import os
import re
import stat
from codecs import BOM_UTF8
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from math import isinf
from pathlib import Path
from typing import Any, Self, TypeVar, cast, get_origin

import msgspec
import numpy as np
from msgspec import inspect

from flicksim.core.atomic_files import os_error_message
from flicksim.core.deprecation import rename_keywords
from flicksim.core.errors import FileInaccessible, InvalidFile, InvalidInput
from flicksim.core.file_signatures import identify_file
from flicksim.core.limits import MAX_FILE_BYTES, MAX_INT
from flicksim.core.sanitize import escape_unprintable
from flicksim.core.type_aliases import JsonValue

T = TypeVar("T")


class Value(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Frozen struct with a JSON notation. Unknown fields are refused when it is decoded.

    Subclasses repeat `frozen=True, kw_only=True`: msgspec does not inherit `kw_only`, nor type checkers `frozen`.
    """

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle without the default values that JSON omits.

        msgspec recognises a default by identity; pickled, it would be another object, and the copy's JSON would differ.
        """
        if not self.__struct_config__.omit_defaults:
            return tuple(super().__reduce__())
        struct_type = type(self)
        defaults = _field_defaults(struct_type)
        fields = {name: getattr(self, name) for name in self.__struct_fields__}
        return _rebuild, (struct_type, {name: value for name, value in fields.items() if value is not defaults[name]})


def _rebuild(struct_type: type[Value], fields: dict[str, object]) -> Value:
    return struct_type(**fields)


@cache
def _field_defaults(struct_type: type[Value]) -> dict[str, object]:
    return {field.name: field.default for field in msgspec.structs.fields(struct_type)}


class RenamedFields(msgspec.StructMeta):
    """Metaclass of values with renamed fields: constructors take old keywords too, with a warning, and JSON old keys.

    Attributes:
        old_keywords: new names by old ones.
        argument_error: error for unknown and missing keywords, instead of TypeError.
    """

    old_keywords: Mapping[str, str]
    argument_error: type[Exception] | None = None

    def __call__(cls, *args: Any, **fields: Any) -> Any:
        """Construct the value; old keywords are renamed first."""
        rename_keywords(cls.__name__, fields, cls.old_keywords)
        if cls.argument_error is not None:
            known = {field.name: field.required for field in msgspec.structs.fields(cast(type[msgspec.Struct], cls))}
            if args:
                raise cls.argument_error(f"{cls.__name__}() takes keywords only: {', '.join(known)}")
            if unknown := [name for name in fields if name not in known]:
                raise cls.argument_error(f"{cls.__name__}() has no {unknown[0]!r}; it has {', '.join(known)}")
            if missing := [name for name, required in known.items() if required and name not in fields]:
                raise cls.argument_error(f"{cls.__name__}() lacks {' and '.join(missing)}")
        return super().__call__(*args, **fields)


class StringValue:
    """Base of values written as one string, like a playing card: `str` encodes, `parse` decodes.

    Fields of a `Value` may be of such types; their JSON is the string.
    """

    __slots__ = ()

    @classmethod
    def parse(cls, text: str) -> Self:
        """Value written as this string.

        Raises:
            ValueError: it writes no value; quotes it.
        """
        raise NotImplementedError


def _encode_hook(value: object) -> JsonValue:
    if isinstance(value, StringValue):
        return str(value)
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else str(value)
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    raise NotImplementedError(f"{type(value).__name__} has no notation")


def _decode_hook(expected: type, value: JsonValue) -> object:
    if isinstance(expected, type) and issubclass(expected, StringValue):
        if not isinstance(value, str):
            raise ValueError(f"{value!r} is not the name of a {expected.__name__.lower()}")
        return expected.parse(value)
    if expected is Fraction:
        if isinstance(value, int) and not isinstance(value, bool):
            return Fraction(value)
        if isinstance(value, str) and _FRACTION_PATTERN.fullmatch(value):
            return Fraction(value)
        raise ValueError(f'expected a whole number or a fraction like "3/2", got {value!r}')
    origin = get_origin(expected)
    origin = get_origin(getattr(origin, "__value__", None)) or origin  # `NDArray` is an alias from numpy 2.5 on
    if np.ndarray in (expected, origin) and isinstance(value, list):
        return np.array(value, dtype=float)
    raise ValueError(f"expected {expected.__name__}, got {value!r}")


_FRACTION_PATTERN = re.compile(r"-?[0-9]{1,300}/0*[1-9][0-9]{0,299}")
"""Two integers of limited length: Python would also parse "1e99999999", and take hours."""


def _encode_number_hook(value: object) -> JsonValue:
    return float(value) if isinstance(value, Fraction) and value.denominator != 1 else _encode_hook(value)


_encoder = msgspec.json.Encoder(enc_hook=_encode_hook, order="deterministic")
_number_encoder = msgspec.json.Encoder(enc_hook=_encode_number_hook, order="deterministic")


def to_json(value: object) -> bytes:
    """Encode a value as its canonical JSON line (no newline)."""
    return _encoder.encode(value)


def to_json_lines(values: Sequence[object]) -> bytes:
    """Encode many values as canonical JSON, each with a line break after it; within JSON these are escaped."""
    return _encoder.encode_lines(values)


def to_json_floats(value: object) -> bytes:
    """Encode a value for other programs, fractions as floats: 7/3 is 2.3333333333333335. Not to be decoded again."""
    return _number_encoder.encode(value)


def to_builtins(value: object) -> JsonValue:
    """Convert a value to dicts, lists, strings and numbers."""
    return msgspec.to_builtins(value, enc_hook=_encode_hook, order="deterministic")


def from_json(text: bytes | str, expected: type[T], *, name: str = "input") -> T:
    """Decode a value from JSON strictly.

    Args:
        name: name of the input in messages: a file's name, "line 3 of game.jsonl".

    Raises:
        InvalidInput: not JSON, a wrong or unknown field, a value out of range; gives the path and quotes it.
    """
    raw = text.encode() if isinstance(text, str) else text
    try:
        return msgspec.json.decode(raw, type=expected, dec_hook=_decode_hook)
    except msgspec.ValidationError as error:
        plain = _decode_untyped(raw, name)
        if isinstance(expected, RenamedFields) and isinstance(plain, dict) and expected.old_keywords.keys() & plain:
            return from_builtins(plain, expected, name=name)
        verbatim = _decode_verbatim(raw)
        message = _with_value_path(verbatim, str(error))
        raise InvalidInput(
            f"{name}: {plain_message(message)}{_quote_value(verbatim, message)}{_allowed_values(expected, message)}"
        ) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        # msgspec tells of bytes that are not UTF-8 by either error, with its own position or with none
        reason = _unicode_error(raw) if "utf-8" in str(error).lower() else ""
        if not raw.strip():
            reason = "it is empty"
        reason = reason or f"{plain_message(str(error))}{_excerpt_at_error(raw, str(error))}"
        raise InvalidInput(f"{name} cannot be read: {reason}") from None


def _decode_untyped(raw: bytes, name: str) -> JsonValue:
    """Decode what is not of the expected type, None where it is malformed; what is cut is told as cut, not by a field.

    Raises:
        InvalidInput: the text ends too early.
    """
    try:
        return cast(JsonValue, msgspec.json.decode(raw))
    except msgspec.DecodeError as error:
        if "truncated" in str(error):
            from_json(raw, Any, name=name)  # tells where
    except (UnicodeDecodeError, RecursionError):
        pass
    return None


def from_builtins(value: JsonValue, expected: type[T], *, name: str = "input") -> T:
    """Decode a value strictly (see `from_json`) from dicts, lists, strings and numbers."""
    _check_int_range(value, name)
    if isinstance(expected, RenamedFields) and isinstance(value, Mapping):
        new = expected.old_keywords
        value = {new[key] if key in new and new[key] not in value else key: item for key, item in value.items()}
    try:
        return msgspec.convert(value, expected, dec_hook=_decode_hook)
    except msgspec.ValidationError as error:
        allowed = _allowed_values(expected, str(error))
        raise InvalidInput(f"{name}: {plain_message(str(error))}{_quote_value(value, str(error))}{allowed}") from None
    except UnicodeEncodeError as error:
        raise InvalidInput(
            f"{name}: {escape_unprintable(error.object)!r} holds letters that cannot be written"
        ) from None


def _check_int_range(value: JsonValue, name: str) -> None:
    """Check that every integer in a value fits 64 bits.

    Raises:
        InvalidInput: one does not.
    """
    pending = [value]
    for item in pending:  # grows during the loop
        if isinstance(item, dict):
            pending += item.values()
        elif isinstance(item, list | tuple):
            pending += item
        elif isinstance(item, int) and not -MAX_INT <= item <= MAX_INT:
            raise InvalidInput(
                f"{name}: a whole number of {item.bit_length() * 3 // 10 + 1} digits; no more than 18 are read"
            )


def plain_message(text: str) -> str:
    """Message of msgspec in the words of this program: "expected a number, got a text at pieces[0].x"."""
    text = _LONG_QUOTE.sub(r"\1...`", escape_unprintable(text))
    text = _TYPES.sub(_type_words, text)
    text = _PATH.sub(lambda found: f" at {'a key of ' if found[1] else ''}{found[2] or 'the top'}", text)
    text = _FIELD.sub(r"\1 '\2'", text)
    return text if text.startswith("JSON") else text[:1].lower() + text[1:]


def _type_words(found: re.Match[str]) -> str:
    return f"{found[1]} {' or '.join(_TYPE_WORDS[name] for name in found[2].split(' | '))}"


_LONG_QUOTE = re.compile(r"(`[^`]{57})[^`]{4,}`")
"""Quoted name that is too long for a message."""
_TYPE_WORDS = {
    "array": "a list", "bool": "true or false", "float": "a number", "int": "a whole number", "null": "null",
    "object": "an object", "str": "a text",
}  # fmt: skip
_TYPES = re.compile(rf"(Expected|got) `((?:(?: \| )?(?:{'|'.join(_TYPE_WORDS)}))+)`")
_PATH = re.compile(r" - at (?:`(key)` in )?`\$\.?([^`]*)`$")
_FIELD = re.compile(r"^Object (?:contains )?((?:unknown|missing required) field) `([^`]*)`")
"""Parts of messages of msgspec: types, the path at the end, and a field."""


def _excerpt_at_error(raw: bytes, message: str) -> str:
    """Quote the bytes around the position of a parse error."""
    _, found, rest = message.rpartition("(byte ")
    if not found:
        return ""
    position = int(rest.rstrip(")"))
    return f", near {raw[max(0, position - 12) : position + 12].decode(errors='replace')!r}"


_verbatim_decoder = msgspec.json.Decoder(float_hook=lambda text: msgspec.Raw(text.encode()))
"""Decoder that keeps numbers as written, for quoting them: also those out of range, like 1e999."""


def _decode_verbatim(raw: bytes) -> JsonValue:
    """Decode what is to be quoted, with numbers as written; UNSET where it is malformed."""
    try:
        return _verbatim_decoder.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return msgspec.UNSET


def _unicode_error(raw: bytes) -> str:
    """Message on the first byte that is not UTF-8; empty if all is."""
    try:
        raw.decode()
    except UnicodeDecodeError as error:
        return plain_message(str(error))
    return ""


def _with_value_path(value: JsonValue, message: str) -> str:
    """Add the full path to a message that a number is out of range: msgspec leaves out keys of free objects."""
    if not message.startswith("Number out of range"):
        return message
    pending: list[tuple[str, JsonValue]] = [("$", value)]
    for path, item in pending:  # grows during the loop
        if isinstance(item, dict):
            pending += [(f"{path}.{key}", child) for key, child in item.items()]
        elif isinstance(item, list):
            pending += [(f"{path}[{index}]", child) for index, child in enumerate(item)]
        elif isinstance(item, msgspec.Raw) and isinf(float(bytes(item))):
            return f"Number out of range - at `{path}`"
    return message


_UNKNOWN_FIELD = "Object contains unknown field"
_MAX_QUOTE = 60
"""Longest text of a value that is quoted whole [characters]."""


def _quote_value(value: JsonValue, message: str) -> str:
    """Quote the value at the path in a message; not an object whose field is unknown, and a whole document if short."""
    steps = _path_steps(message)
    is_document = isinstance(value, dict) and not steps
    if value is msgspec.UNSET or message.startswith(_UNKNOWN_FIELD):
        return ""
    for step in steps:
        if step.startswith("[") and step[1:-1].isdigit() and isinstance(value, list | tuple):
            value = value[int(step[1:-1])]
        elif isinstance(value, dict) and step in value:
            value = value[step]
        else:
            return ""
    try:
        text = msgspec.json.encode(value).decode()
    except (TypeError, ValueError, RecursionError):
        text = repr(value)
    text = escape_unprintable(text)
    if len(text) <= _MAX_QUOTE:
        return f" (found {text})"
    return "" if is_document else f" (found {text[: _MAX_QUOTE - 3]}...)"


def _path_steps(message: str) -> list[str]:
    """Steps of the path in a message: `$.pieces[0].x` is pieces, [0], x."""
    _, found, path = message.rpartition(" - at `$")
    return re.findall(r"\[[^]]*\]|[^].[]+", path.rstrip("`")) if found else []


def _allowed_values(expected: type, message: str) -> str:
    """List the values allowed at the path in a message: of an enumeration, tags of a union, or fields of an object."""
    unknown_field = message.startswith(_UNKNOWN_FIELD)
    if not (unknown_field or message.startswith(("Invalid enum value", "Invalid value"))):
        return ""
    nodes: list[inspect.Type] = [inspect.type_info(expected)]
    values: list[JsonValue] = []
    for step in _path_steps(message):
        structs = [
            member for node in nodes for member in _union_members(node) if isinstance(member, inspect.StructType)
        ]
        values = [member.tag for member in structs if member.tag_field == step]
        nodes = [child for node in nodes for child in _child_types(node, step)]
    members = [member for node in nodes for member in _union_members(node)]
    if unknown_field:
        fields = {field.encode_name for member in members for field in getattr(member, "fields", ())}
        return f"; its fields are {', '.join(sorted(fields))}" if fields else ""
    values += [value for member in members for value in getattr(member, "values", ())]
    return f"; it may be {' | '.join(map(str, values))}" if values else ""


def _child_types(node: inspect.Type, step: str) -> list[inspect.Type]:
    """Types allowed at one step of a path below a type."""
    types: list[inspect.Type] = []
    for member in _union_members(node):
        if isinstance(member, inspect.StructType | inspect.DataclassType):
            types += [field.type for field in member.fields if field.encode_name == step]
        elif isinstance(member, inspect.TupleType):
            types += [member.item_types[int(step[1:-1])]] if step.startswith("[") and step[1:-1].isdigit() else []
        else:
            types += [
                child for name in ("item_type", "value_type") if (child := getattr(member, name, None)) is not None
            ]
    return types


def _union_members(node: inspect.Type) -> list[inspect.Type]:
    """Members of a union type, or the type itself; without metadata."""
    while isinstance(node, inspect.Metadata):
        node = node.type
    if not isinstance(node, inspect.UnionType):
        return [node]
    return [member for part in node.types for member in _union_members(part)]


def fingerprint(value: object) -> str:
    """Fingerprint of a value: the first 16 hex digits of the SHA-256 of its canonical JSON."""
    return hashlib.sha256(to_json(value)).hexdigest()[:16]


def fingerprint_of_lines(lines: bytes) -> str:
    """Fingerprint of a list of values that are encoded already, by `to_json_lines`."""
    return hashlib.sha256(b"[" + lines[:-1].replace(b"\n", b",") + b"]").hexdigest()[:16]


def _is_named_pipe(path: Path) -> bool:
    """True for a named pipe in a folder; pipes of a shell, as <(...) or standard input, are none."""
    if path.absolute().is_relative_to("/dev") or path.absolute().is_relative_to("/proc") or not path.is_fifo():
        return False
    return Path(os.path.realpath(path)).is_fifo()


def refuse_pipe(path: Path) -> None:
    """Check that a path is no pipe, where it is read more than once.

    Raises:
        InvalidFile: it is one.
    """
    try:
        is_pipe = path.is_fifo()
    except OSError:
        return  # reading it will raise the error
    if is_pipe:
        raise InvalidFile(f"cannot read {str(path)!r}: it is a pipe, which can be read only once; name a file")


def read_bytes(path: Path, max_bytes: int = MAX_FILE_BYTES) -> bytes:
    """Read the bytes of a file, without a byte order mark.

    Args:
        max_bytes: largest size allowed [bytes]; also limits devices, which never end.

    Raises:
        InvalidFile: it cannot be read, or is larger; says why.
    """
    try:
        if _is_named_pipe(path):
            raise InvalidFile(f"cannot read {str(path)!r}: it is a named pipe, which may wait for ever; name a file")
        with path.open("rb") as file:
            status = os.fstat(file.fileno())
            size = min(status.st_size, max_bytes) if stat.S_ISREG(status.st_mode) else max_bytes
            data = file.read(size + 1)
    except IsADirectoryError:
        raise InvalidFile(f"cannot read {str(path)!r}: that is a folder; name a file in it") from None
    except OSError as error:
        raise FileInaccessible(f"cannot read {str(path)!r}: {os_error_message(error)}") from None
    except ValueError:  # a name that no file can have, as with a null byte
        raise InvalidFile(f"cannot read {str(path)!r}: no file is called so") from None
    if len(data) > max_bytes:
        raise InvalidFile(f"{str(path)!r} is larger than {max_bytes:,} bytes; nothing that is read here is")
    return data.removeprefix(BOM_UTF8)


def read_document(path: Path, *expected: str) -> bytes:
    """Read the bytes of a text document, JSON or TOML.

    Args:
        expected: file types that it may be otherwise, as `identify_file` names them.

    Raises:
        InvalidFile: it cannot be read, or is another type of file, which is named.
    """
    data = read_bytes(path)
    if (file_type := identify_file(data)) not in ("", *expected):
        raise InvalidFile(f"{path} cannot be read: it is {file_type}")
    return data


def read_json_object(path: Path, what: str) -> bytes:
    """Read the bytes of a JSON object in a file.

    Args:
        what: what it should hold, for the error.

    Raises:
        InvalidFile: it cannot be read, or does not begin like one.
    """
    data = read_document(path)
    if not data.lstrip().startswith(b"{"):
        begin = data.strip().splitlines()[0][:40].decode(errors="replace")
        raise InvalidFile(f"{str(path)!r} holds no {what}: it begins with {begin!r}")
    return data
