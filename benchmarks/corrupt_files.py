"""Random corruption of text files: bits, bytes, lines, values, JSON trees. Depends on the random generator alone."""

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
"""Values of a wrong type, out of range, too long, too deeply nested, or not finite."""
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

Corruption = Callable[[np.random.Generator, bytes], bytes]


def corrupt(rng: np.random.Generator, text: bytes) -> tuple[str, bytes]:
    """Corrupt a text once to three times; return the names of the corruptions and the new text."""
    names = []
    for _ in range(int(rng.choice([1, 1, 1, 2, 3]))):
        name = str(rng.choice(list(CORRUPTIONS)))
        text = CORRUPTIONS[name](rng, text)
        names.append(name)
    return ", ".join(names), text


def _index(rng: np.random.Generator, size: int) -> int:
    return int(rng.integers(max(size, 1)))


def _flip_bit(rng: np.random.Generator, text: bytes) -> bytes:
    k = _index(rng, len(text))
    return text[:k] + bytes([text[k] ^ (1 << int(rng.integers(8)))]) + text[k + 1 :] if text else text


def _replace_byte(rng: np.random.Generator, text: bytes) -> bytes:
    k = _index(rng, len(text))
    return text[:k] + bytes([int(rng.integers(256))]) + text[k + 1 :]


def _truncate(rng: np.random.Generator, text: bytes) -> bytes:
    return text[: _index(rng, len(text))]


def _delete_range(rng: np.random.Generator, text: bytes) -> bytes:
    k = _index(rng, len(text))
    return text[:k] + text[k + int(rng.integers(1, 40)) :]


def _insert_junk(rng: np.random.Generator, text: bytes) -> bytes:
    k = _index(rng, len(text))
    return text[:k] + _JUNK[_index(rng, len(_JUNK))] + text[k:]


def _insert_bom(rng: np.random.Generator, text: bytes) -> bytes:
    """Add a byte order mark, or change the encoding."""
    if rng.random() < 0.5:
        return b"\xef\xbb\xbf" + text
    return text.decode(errors="replace").encode(str(rng.choice(["utf-16", "utf-16-be", "utf-32", "utf-7"])))


def _line_endings(rng: np.random.Generator, text: bytes) -> bytes:
    return text.replace(b"\n", b"\r\n" if rng.random() < 0.5 else b"\r")


def _edit_lines(rng: np.random.Generator, text: bytes) -> bytes:
    """Duplicate, delete or swap lines."""
    lines = text.splitlines(keepends=True)
    if not lines:
        return text
    k, to = _index(rng, len(lines)), _index(rng, len(lines))
    match int(rng.integers(3)):
        case 0:
            lines.insert(to, lines[k])
        case 1:
            del lines[k]
        case _:
            lines[k], lines[to] = lines[to], lines[k]
    return b"".join(lines)


def _replace_value(rng: np.random.Generator, text: bytes) -> bytes:
    """Replace a number, string or keyword."""
    found = list(_TOKEN.finditer(text))
    if not found:
        return text
    token = found[_index(rng, len(found))]
    return text[: token.start()] + _TOKENS[_index(rng, len(_TOKENS))].encode() + text[token.end() :]


def _replace_digit(rng: np.random.Generator, text: bytes) -> bytes:
    """Replace one digit."""
    found = list(re.finditer(rb"\d", text))
    if not found:
        return text
    k = found[_index(rng, len(found))].start()
    return text[:k] + str(int(rng.integers(10))).encode() + text[k + 1 :]


def _edit_tree(rng: np.random.Generator, text: bytes) -> bytes:
    """Delete, duplicate, rename or move a key or an element; in one line if every line is a JSON value."""
    lines = text.split(b"\n")
    root = _parse_json(text)
    k = 0 if root is not None else _index(rng, len(lines))
    tree = root if root is not None else _parse_json(lines[k])
    if not isinstance(tree, dict | list):
        return text
    nodes = [tree]
    for node in nodes:  # grows while it is walked
        nodes += [one for one in (node.values() if isinstance(node, dict) else node) if isinstance(one, dict | list)]
    _edit_node(rng, nodes[_index(rng, len(nodes))], nodes[_index(rng, len(nodes))])
    try:
        lines[k] = json.dumps(tree).encode()
    except (ValueError, RecursionError):  # the tree contains itself now
        return text
    return lines[k] if root is not None else b"\n".join(lines)


def _parse_json(text: bytes) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _edit_node(rng: np.random.Generator, node: Any, other: Any) -> None:
    if not node:
        return
    edit = int(rng.integers(4))
    if isinstance(node, list):
        k = _index(rng, len(node))
        [lambda: node.pop(k), lambda: node.append(node[k]), lambda: node.insert(k, other), node.reverse][edit]()
        return
    key = list(node)[_index(rng, len(node))]
    if edit == 0:
        del node[key]
    elif edit == 1:
        node[key + "s"] = node[key]
    elif edit == 2:
        node[key] = other
    else:
        node[key.upper()] = node.pop(key)


CORRUPTIONS: dict[str, Corruption] = {
    "a bit": _flip_bit, "a byte": _replace_byte, "cut": _truncate, "a hole": _delete_range, "junk": _insert_junk,
    "byte order": _insert_bom, "line ends": _line_endings, "lines": _edit_lines,
    "a value": _replace_value, "a digit": _replace_digit, "the tree": _edit_tree,
    "nothing left": lambda _rng, _text: b"", "twice": lambda _rng, text: text + text,
}  # fmt: skip
