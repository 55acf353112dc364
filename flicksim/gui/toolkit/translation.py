"""Translation of displayed English sentences by catalogues.

The English sentences stand in the code and are the keys. A key with places, as "{name} to play", stands for all
sentences of that shape; what fills a place is looked up too. What no catalogue knows stays English, names of people
stay as they are. Where the language writes decimals with a comma, numbers that stand alone or fill places are shown so;
what the catalogue says itself, names and paths are not touched.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from flicksim.core.errors import InvalidFile, InvalidInput, InvalidOption
from flicksim.core.serialization import read_bytes
from flicksim.gui.toolkit.user_folders import user_folder

ENGLISH = "en"
LANGUAGE_VARIABLE = "FLICKSIM_LANGUAGE"
"""The variable that chooses a language before all settings."""
_SYSTEM_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")
"""Environment variables with the system's language, the first that is set."""
_FOLDER = Path(__file__).resolve().parents[1] / "languages"
_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_SEPARATORS = ("   ·   ", "  ·  ", " · ", "\n")
"""Separators between items of one line."""
_SENTENCE_END = re.compile(r"(?<=[.!?]) (?=\S)")
_WORD, _RULE_ID = re.compile(r"(?!rad/s)[A-Za-z]{3}"), re.compile(r"[A-Z]{2,3}-\d+\w*")
"""The look of a word, which no unit is, and of the number of a rule."""
_NUMBER = re.compile(r"(?<![\w.,=/])(?<![A-Za-z]-)(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(?![\w/]|[.,]\d)")
"""The look of a number in English, but for those that one types, and for versions, rules and parts of paths."""
_DECIMAL_SWAP = str.maketrans(",.", ".,")
_SMALL_WORDS, _MAX_PHRASE, _UPPERCASE, _MAX_LENGTH, _MAX_DEPTH = 7, 3, 3, 1000, 5
"""A shape with fewer letters of its own says little; so many spaces make a half sentence; what is longer and all in
capitals is a head; no longer text is looked up, nor what fills places so deep in one another."""


class Untranslated(str):
    """Text that is not translated: user input."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Catalogue of translations of a language.

    Args:
        code: as "de". name: in the language itself. messages: by the English. patterns: those with placeholders, the
        most specific
            first. uppercase: the messages in capitals. uses_decimal_comma: decimals have a comma, thousands a point.
    """

    code: str
    name: str
    messages: Mapping[str, str] = field(repr=False)
    patterns: Sequence[tuple[re.Pattern[str], str]] = field(repr=False)
    uppercase: Mapping[str, str] = field(repr=False)
    """The words in capitals."""
    uses_decimal_comma: bool = False


def parse_catalogue(code: str, text: bytes) -> Catalogue:
    """Parse a catalogue file.

    Raises:
        InvalidInput: it is none; says why.
    """
    try:
        found = tomllib.loads(text.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as wrong:
        raise InvalidInput(f"the language file {code}.toml cannot be read: {wrong}") from None
    name, words = found.get("name"), found.get("words")
    if not isinstance(name, str) or not isinstance(words, dict):
        raise InvalidInput(f"the language file {code}.toml needs a name and a table called words")
    for key, word in words.items():
        if not isinstance(word, str):
            raise InvalidInput(f"the language file {code}.toml gives {key[:60]!r} no text")
        if lost := set(_PLACEHOLDER.findall(word)) - set(_PLACEHOLDER.findall(key)):
            raise InvalidInput(f"the language file {code}.toml has a place {{{lost.pop()}}} that {key[:60]!r} has not")
    shapes = [key for key in words if _PLACEHOLDER.search(key)]
    shapes.sort(key=lambda key: -len(_PLACEHOLDER.sub("", key)))
    try:
        made = [(_pattern(key), words[key]) for key in shapes]
    except re.error as wrong:
        raise InvalidInput(f"the language file {code}.toml has places that cannot be: {wrong}") from None
    return Catalogue(
        code, name, words, made,
        {key.upper(): word.upper() for key, word in words.items() if "{" not in key}, found.get("decimal") == ",",
    )  # fmt: skip


def _pattern(message: str) -> re.Pattern[str]:
    parts = _PLACEHOLDER.split(message)
    return re.compile("".join(f"(?P<{part}>.+?)" if k % 2 else re.escape(part) for k, part in enumerate(parts)))


_current: Catalogue | None = None
_untranslated: frozenset[str] = frozenset()
missing_messages: set[str] | None = None
"""Sentences without another, noted down while it is a set."""


def available_languages() -> dict[str, Path]:
    """Languages besides English, by code: those shipped, and the player's own."""
    own = user_folder("config")
    folders = [_FOLDER, *([] if own is None else [own / "languages"])]
    return {path.stem: path for folder in folders for path in sorted(folder.glob("*.toml"))}


def language_names() -> dict[str, str]:
    """Native names of the languages, by code; unreadable ones are left out."""
    found = {ENGLISH: "English"}
    for code, path in available_languages().items():
        try:
            found[code] = parse_catalogue(code, read_bytes(path)).name
        except InvalidInput:
            continue
    return found


def preferred_language(preference: str, environ: Mapping[str, str] | None = None) -> str:
    """Code of the language to show: by the variable, else the preference, else the system's if available."""
    env = os.environ if environ is None else environ
    if env.get(LANGUAGE_VARIABLE):
        return _language_code(env[LANGUAGE_VARIABLE])
    if preference:
        return preference
    system = _language_code(next((env[name] for name in _SYSTEM_VARIABLES if env.get(name)), ""))
    return system if system in available_languages() else ENGLISH


def _language_code(locale_name: str) -> str:
    return re.split(r"[_.@-]", locale_name.strip().lower())[0]


def set_language(code: str) -> str:
    """Set the language. Return an error message if that fails; then it is English."""
    global _current
    _current, amiss = None, ""
    if code != ENGLISH:
        try:
            known = available_languages()
            if code not in known:
                raise InvalidOption(f"there is no language {code!r}; there are {', '.join((ENGLISH, *known))}")
            _current = parse_catalogue(code, read_bytes(known[code]))
        except (InvalidInput, InvalidFile) as wrong:
            amiss = f"The words are English: {wrong}."
    _lookup.cache_clear()
    return amiss


def current_language() -> str:
    """Code of the present language."""
    return ENGLISH if _current is None else _current.code


def exclude_names(names: Iterable[str]) -> None:
    """Exclude names from translation."""
    global _untranslated
    found = _untranslated.union(names) - {""}
    if found != _untranslated:
        _untranslated = found
        _lookup.cache_clear()


def translate(text: str) -> str:
    """Translate a text into the present language."""
    if _current is None or not 0 < len(text) <= _MAX_LENGTH or isinstance(text, Untranslated):
        return text
    return _lookup(text)


@lru_cache(maxsize=8192)
def _lookup(text: str) -> str:
    return Untranslated(_translate_part(text, record_missing=missing_messages is not None))


def _fallback(text: str) -> str:
    """Text without a translation: unchanged, except for the numbers of a purely numeric one."""
    if _current is None or not _current.uses_decimal_comma or text in _untranslated or _WORD.search(text):
        return text
    return _NUMBER.sub(lambda one: one[0].translate(_DECIMAL_SWAP), text)


def _translate_part(text: str, *, record_missing: bool, depth: int = 0) -> str:
    """Translate a part of a text, or return it unchanged and record it as missing."""
    found = _match_pattern(text, record_missing=record_missing, depth=depth)
    if (
        found is None
        and record_missing
        and missing_messages is not None
        and _WORD.search(text)
        and not _RULE_ID.fullmatch(text)
    ):
        missing_messages.add(text)
    return _fallback(text) if found is None else found


def _match_pattern(text: str, *, record_missing: bool = False, depth: int = 0) -> str | None:
    """Translate a text by the patterns of the catalogue; None if none matches.

    Args:
        depth: number of placeholders the text lies within: what fills one may match a pattern itself.
    """
    assert _current is not None
    if text in _untranslated:
        return text
    if (word := _current.messages.get(text) or _current.uppercase.get(text)) is not None:
        return word
    bare = text.strip()
    if bare != text and bare:
        return text.replace(bare, _translate_part(bare, record_missing=record_missing, depth=depth), 1)
    for joint in _SEPARATORS:
        if joint in text:
            return joint.join(
                _translate_part(one, record_missing=record_missing, depth=depth) for one in text.split(joint)
            )
    for shape, word in _current.patterns if depth < _MAX_DEPTH else ():
        places = shape.fullmatch(text)
        filled = _translate_placeholders(places, depth + 1) if places is not None else None
        if filled is not None:
            return _PLACEHOLDER.sub(_join(filled), word)
    if (
        text.isupper()
        and len(text) > _UPPERCASE
        and (word := _match_pattern(text.capitalize(), depth=depth)) is not None
    ):
        return word.upper()
    parts = _SENTENCE_END.split(text)
    return (
        " ".join(_translate_part(one, record_missing=record_missing, depth=depth) for one in parts)
        if len(parts) > 1
        else None
    )


def _translate_placeholders(values: re.Match[str], depth: int) -> dict[str, str] | None:
    """Translate the contents of placeholders; None if any is unknown: no half sentence that is not known,
    no end of a sentence within, and where a shape says little itself, nothing unknown at all."""
    little = len(values.string) - sum(map(len, values.groups())) < _SMALL_WORDS
    filled = {}
    for slot, one in values.groupdict().items():
        if _SENTENCE_END.search(one):
            return None
        found = _match_pattern(one, depth=depth) if _WORD.search(one) else _fallback(one)
        if found is None and (little or one.count(" ") >= _MAX_PHRASE):
            return None
        filled[slot] = one if found is None else found
    return filled


def _join(parts: Mapping[str, str]) -> Callable[[re.Match[str]], str]:
    return lambda one: parts[one[1]]
