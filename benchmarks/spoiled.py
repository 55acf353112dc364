"""Files spoiled in one of many ways: bits, lines, values, whole trees. What is done depends on the dice alone."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import numpy as np

_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\btrue\b|\bfalse\b|\bnull\b')
_TOKENS = (
    "null", "true", "false", "0", "-0.0", "-1", "1", "1.5", "3", "24", "1e-320", "1e308", "-1e308", "1e400", "-1e400",
    "NaN", "Infinity", "-Infinity", "nan", "inf", "9007199254740993", "18446744073709551616", "9" * 400, "0x10",
    "1_000", "01", "+1", "--1", '""', '" "', '"7/3"', '"1/0"', '"0/1"', '"1e99999999"', '"1/' + "9" * 299 + '"', "[]",
    "{}", "[[]]", '{"a": 1}', '"\\ud800"', '"\\u0000"', '"\\u001b[31m"', '"e\\u0301"', '"\\u202e"', '"../../nowhere"',
    '"blue-1"', '"blue-7"', '"pot"', '"human"', '"bot:world"', '"bot:"', '"cmd:true"', '"cmd:"', '"penny-white"',
    '"tinkle"', '"' + "long " * 2000 + '"', "[" * 3000 + "]" * 3000, '{"a":' * 3000 + "1" + "}" * 3000,
    "[" + ",".join(["0"] * 5000) + "]",
)  # fmt: skip
"""Values that are of the wrong kind, out of range, too long, too deep, or no numbers."""
_JUNK = (
    b"\x00",
    b"\xff",
    b"\xef\xbb\xbf",
    b"\xf0\x9f\x8e\xb2",
    b"\\",
    b'"',
    b",",
    b"}",
    b"]",
    b"\r",
    b"\n",
    b"\x1b[2J",
)

Way = Callable[[np.random.Generator, bytes], bytes]


def spoil(rng: np.random.Generator, text: bytes) -> tuple[str, bytes]:
    """The text spoiled once, now and then twice or thrice, and in which ways."""
    names = []
    for _ in range(int(rng.choice([1, 1, 1, 2, 3]))):
        name = str(rng.choice(list(WAYS)))
        text = WAYS[name](rng, text)
        names.append(name)
    return ", ".join(names), text


def _at(rng: np.random.Generator, size: int) -> int:
    return int(rng.integers(max(size, 1)))


def _bit(rng: np.random.Generator, text: bytes) -> bytes:
    k = _at(rng, len(text))
    return text[:k] + bytes([text[k] ^ (1 << int(rng.integers(8)))]) + text[k + 1 :] if text else text


def _byte(rng: np.random.Generator, text: bytes) -> bytes:
    k = _at(rng, len(text))
    return text[:k] + bytes([int(rng.integers(256))]) + text[k + 1 :]


def _cut(rng: np.random.Generator, text: bytes) -> bytes:
    return text[: _at(rng, len(text))]


def _hole(rng: np.random.Generator, text: bytes) -> bytes:
    k = _at(rng, len(text))
    return text[:k] + text[k + int(rng.integers(1, 40)) :]


def _junk(rng: np.random.Generator, text: bytes) -> bytes:
    k = _at(rng, len(text))
    return text[:k] + _JUNK[_at(rng, len(_JUNK))] + text[k:]


def _mark(rng: np.random.Generator, text: bytes) -> bytes:
    """A mark of byte order, or another encoding altogether."""
    if rng.random() < 0.5:
        return b"\xef\xbb\xbf" + text
    return text.decode(errors="replace").encode(str(rng.choice(["utf-16", "utf-16-be", "utf-32", "utf-7"])))


def _crlf(rng: np.random.Generator, text: bytes) -> bytes:
    return text.replace(b"\n", b"\r\n" if rng.random() < 0.5 else b"\r")


def _lines(rng: np.random.Generator, text: bytes) -> bytes:
    """A line doubled, left out, or put elsewhere."""
    lines = text.splitlines(keepends=True)
    if not lines:
        return text
    k, to = _at(rng, len(lines)), _at(rng, len(lines))
    match int(rng.integers(3)):
        case 0:
            lines.insert(to, lines[k])
        case 1:
            del lines[k]
        case _:
            lines[k], lines[to] = lines[to], lines[k]
    return b"".join(lines)


def _value(rng: np.random.Generator, text: bytes) -> bytes:
    """A number, string or word replaced by something else."""
    found = list(_TOKEN.finditer(text))
    if not found:
        return text
    token = found[_at(rng, len(found))]
    return text[: token.start()] + _TOKENS[_at(rng, len(_TOKENS))].encode() + text[token.end() :]


def _digit(rng: np.random.Generator, text: bytes) -> bytes:
    """A number that is another number."""
    found = list(re.finditer(rb"\d", text))
    if not found:
        return text
    k = found[_at(rng, len(found))].start()
    return text[:k] + str(int(rng.integers(10))).encode() + text[k + 1 :]


def _tree(rng: np.random.Generator, text: bytes) -> bytes:
    """A key or an element left out, doubled, renamed, or moved; in one line where lines are values of their own."""
    lines = text.split(b"\n")
    whole = _loaded(text)
    k = 0 if whole is not None else _at(rng, len(lines))
    tree = whole if whole is not None else _loaded(lines[k])
    if not isinstance(tree, dict | list):
        return text
    nodes = [tree]
    for node in nodes:  # grows while it is walked
        nodes += [one for one in (node.values() if isinstance(node, dict) else node) if isinstance(one, dict | list)]
    _shake(rng, nodes[_at(rng, len(nodes))], nodes[_at(rng, len(nodes))])
    try:
        lines[k] = json.dumps(tree).encode()
    except (ValueError, RecursionError):  # it holds itself now
        return text
    return lines[k] if whole is not None else b"\n".join(lines)


def _loaded(text: bytes) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _shake(rng: np.random.Generator, node: Any, other: Any) -> None:
    if not node:
        return
    way = int(rng.integers(4))
    if isinstance(node, list):
        k = _at(rng, len(node))
        [lambda: node.pop(k), lambda: node.append(node[k]), lambda: node.insert(k, other), node.reverse][way]()
        return
    key = list(node)[_at(rng, len(node))]
    if way == 0:
        del node[key]
    elif way == 1:
        node[key + "s"] = node[key]
    elif way == 2:
        node[key] = other
    else:
        node[key.upper()] = node.pop(key)


WAYS: dict[str, Way] = {
    "a bit": _bit, "a byte": _byte, "cut": _cut, "a hole": _hole, "junk": _junk, "byte order": _mark,
    "line ends": _crlf, "lines": _lines, "a value": _value, "a digit": _digit, "the tree": _tree,
    "nothing left": lambda _rng, _text: b"", "twice": lambda _rng, text: text + text,
}  # fmt: skip
