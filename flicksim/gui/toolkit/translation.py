"""Translation of displayed English sentences by catalogues.

The English sentences in the code are the keys. A key with placeholders, as "{name} to play", matches all sentences of
that pattern; the contents of placeholders are translated too, but not of {raw_...}. Unknown text stays English, names
of people stay as they are. In a language with decimal commas, numbers that are a whole text or fill placeholders are
converted; numbers in translations, names and paths are not.
"""

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
"""Environment variable that overrides the preference."""
_SYSTEM_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")
"""Environment variables with the system's language, the first that is set."""
_FOLDER = Path(__file__).resolve().parents[1] / "languages"
_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_LIST = re.compile(r"(\{\w\}, )*\{\w\} and \{\w\}")
"""Patterns of a placeholder, and of a message that is a list."""
_SEPARATORS = ("   ·   ", "  ·  ", " · ", "\n")
"""Separators between items of one line."""
_SENTENCE_END = re.compile(r"(?<=[.!?]) (?=\S)")
_WORD, _RULE_ID = re.compile(r"(?!rad/s)[A-Za-z]{3}"), re.compile(r"[A-Z]{2,3}-\d+\w*")
"""Patterns of a word that is no unit, and of a rule id."""
_NUMBER = re.compile(r"(?<![\w.,=/])(?<![A-Za-z]-)(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(?![\w/]|[.,]\d)")
"""Pattern of an English number, except input, versions, rule ids and parts of paths."""
_RAW = "raw_"
"""Prefix of placeholders whose contents stay as they are: input that a message quotes, as names, paths and JSON."""
_QUOTED = re.compile(r"'[^']*'")
"""Pattern of quoted input."""
_PERCENT = re.compile(r"(?<=\d)%")
"""Pattern of the sign after a percentage."""
_DECIMAL_SWAP = str.maketrans(",.", ".,")
_SMALL_WORDS, _MAX_PHRASE, _UPPERCASE, _MAX_LENGTH, _MAX_DEPTH = 8, 3, 3, 1000, 6
"""Limits: fewest letters of a specific pattern, spaces of a phrase, shortest heading in capitals, longest text,
and depth of nested placeholders."""


class Untranslated(str):
    """Text that is not translated: user input."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Catalogue of translations of a language.

    Args:
        code: as "de". name: in the language itself. messages: by the English. patterns: those with placeholders, the
            most specific first. uppercase: the messages in capitals. uses_decimal_comma: decimals have a comma,
            thousands a point.
    """

    code: str
    name: str
    messages: Mapping[str, str] = field(repr=False)
    patterns: Sequence[tuple[re.Pattern[str], str]] = field(repr=False)
    uppercase: Mapping[str, str] = field(repr=False)
    uses_decimal_comma: bool = False


@lru_cache(maxsize=8)
def parse_catalogue(code: str, text: bytes) -> Catalogue:
    """Parse a catalogue file.

    Raises:
        InvalidInput: it is invalid.
    """
    try:
        document = tomllib.loads(text.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidInput(f"the language file {code}.toml cannot be read: {error}") from None
    name, messages = document.get("name"), document.get("words")
    if not isinstance(name, str) or not isinstance(messages, dict):
        raise InvalidInput(f"the language file {code}.toml needs a name and a table called words")
    for key, translation in messages.items():
        if not isinstance(translation, str):
            raise InvalidInput(f"the language file {code}.toml gives {key[:60]!r} no text")
        if unknown := set(_PLACEHOLDER.findall(translation)) - set(_PLACEHOLDER.findall(key)):
            place = f"{{{unknown.pop()}}}"
            raise InvalidInput(f"the language file {code}.toml has a place {place} that {key[:60]!r} has not")
    templates = [key for key in messages if _PLACEHOLDER.search(key)]
    # lists last: "pot {who}" before "{a} and {b}"
    templates.sort(key=lambda key: (_LIST.fullmatch(key) is not None, -len(_PLACEHOLDER.sub("", key))))
    try:
        patterns = [(_pattern(key), messages[key]) for key in templates]
    except re.error as error:
        raise InvalidInput(f"the language file {code}.toml has places that cannot be: {error}") from None
    uppercase = {key.upper(): translation.upper() for key, translation in messages.items() if "{" not in key}
    return Catalogue(code, name, messages, patterns, uppercase, document.get("decimal") == ",")


def _pattern(message: str) -> re.Pattern[str]:
    parts = _PLACEHOLDER.split(message)
    return re.compile("".join(f"(?P<{part}>.+?)" if k % 2 else re.escape(part) for k, part in enumerate(parts)))


_current: Catalogue | None = None
_untranslated: frozenset[str] = frozenset()
missing_messages: set[str] | None = None
"""Messages without a translation, recorded while it is a set."""


def available_languages() -> dict[str, Path]:
    """Languages besides English, by code: those shipped, and the player's own."""
    own = user_folder("config")
    folders = [_FOLDER, *([] if own is None else [own / "languages"])]
    return {path.stem: path for folder in folders for path in sorted(folder.glob("*.toml"))}


def language_names() -> dict[str, str]:
    """Native names of the languages, by code; unreadable ones are left out."""
    names = {ENGLISH: "English"}
    for code, path in available_languages().items():
        try:
            names[code] = parse_catalogue(code, read_bytes(path)).name
        except InvalidInput:
            continue
    return names


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
    _current, warning = None, ""
    if code != ENGLISH:
        try:
            available = available_languages()
            if code not in available:
                raise InvalidOption(f"there is no language {code!r}; there are {', '.join((ENGLISH, *available))}")
            _current = parse_catalogue(code, read_bytes(available[code]))
        except (InvalidInput, InvalidFile) as error:
            warning = f"The words are English: {error}."
    _lookup.cache_clear()
    return warning


def current_language() -> str:
    """Code of the present language."""
    return ENGLISH if _current is None else _current.code


def set_untranslated_names(names: Iterable[str]) -> None:
    """Set the names that are not translated: those of the people who are shown now."""
    global _untranslated
    excluded = frozenset(names) - {""}
    if excluded != _untranslated:
        _untranslated = excluded
        _lookup.cache_clear()


def translate(text: str) -> str:
    """Translate a text into the present language."""
    if _current is None or not 0 < len(text) <= _MAX_LENGTH or isinstance(text, Untranslated):
        return text
    return _lookup(text)


@lru_cache(maxsize=8192)
def _lookup(text: str) -> str:
    return Untranslated(_translate_part(text))


def _fallback(text: str) -> str:
    """Text without a translation: unchanged, except for the numbers and per cent signs of a purely numeric one."""
    if _current is None or not _current.uses_decimal_comma or text in _untranslated or _WORD.search(text):
        return text
    text = _PERCENT.sub(_current.messages.get("%", "%"), text)
    return _NUMBER.sub(lambda match: match[0].translate(_DECIMAL_SWAP), text)


def _translate_part(text: str, depth: int = 0) -> str:
    """Translate a part of a text, or return it unchanged and, outside placeholders, record it as missing."""
    translated = _match_pattern(text, depth)
    if translated is not None:
        return translated
    if missing_messages is not None and not depth and _WORD.search(text) and not _RULE_ID.fullmatch(text):
        missing_messages.add(text)
    return _fallback(text)


def _match_pattern(text: str, depth: int = 0) -> str | None:
    """Translate a text by the patterns of the catalogue; None if none matches.

    Args:
        depth: number of placeholders the text lies within: what fills one may match a pattern itself.
    """
    assert _current is not None
    if text in _untranslated:
        return text
    if (template := _current.messages.get(text) or _current.uppercase.get(text)) is not None:
        return template
    stripped = text.strip()
    if stripped != text and stripped:
        return text.replace(stripped, _translate_part(stripped, depth), 1)
    for separator in _SEPARATORS:
        if separator in text:
            return separator.join(_translate_part(piece, depth) for piece in text.split(separator))
    for pattern, template in _current.patterns if depth < _MAX_DEPTH else ():
        match = pattern.fullmatch(text)
        filled = _translate_placeholders(match, depth + 1) if match is not None else None
        if filled is not None:
            return _PLACEHOLDER.sub(_join(filled), template)
    is_heading = text.isupper() and len(text) > _UPPERCASE and text != text.capitalize()
    if is_heading and (template := _match_pattern(text.capitalize(), depth)) is not None:
        return template.upper()
    parts = _SENTENCE_END.split(text)
    if len(parts) > 1:
        return " ".join(_translate_part(piece, depth) for piece in parts)
    return _match_other_form(text) if not depth else None


def _match_other_form(text: str) -> str | None:
    """Translate the sentence of an error by the message, without capital letter and full stop, or the reverse."""
    first, rest = text[:1], text[1:]
    if rest.endswith(".") and not first.islower():
        message = _match_pattern(f"{first.lower()}{rest[:-1]}", 1)
        return None if message is None else f"{message[:1].upper()}{message[1:]}."
    if not rest.endswith((".", "!", "?", ":")):
        sentence = _match_pattern(f"{first.upper()}{rest}.", 1)
        return None if sentence is None else sentence.removesuffix(".")
    return None


def _translate_placeholders(values: re.Match[str], depth: int) -> dict[str, str] | None:
    """Translate the contents of placeholders; None if one is an unknown phrase or has an unknown label before a colon,
    contains the end of a sentence, or is unknown in a pattern with few letters."""
    is_generic = len(values.string) - sum(map(len, values.groups())) < _SMALL_WORDS
    filled = {}
    for name, content in values.groupdict().items():
        if name.startswith(_RAW):
            if "; " in _QUOTED.sub("", content):  # the next part of a message
                return None
            filled[name] = content
            continue
        if _SENTENCE_END.search(_QUOTED.sub("", content)):
            return None
        translated = _match_pattern(content, depth) if _WORD.search(content) else _fallback(content)
        if translated is None and (is_generic or ": " in content or content.count(" ") >= _MAX_PHRASE):
            return None
        filled[name] = content if translated is None else translated
    return filled


def _join(parts: Mapping[str, str]) -> Callable[[re.Match[str]], str]:
    return lambda match: parts[match[1]]
