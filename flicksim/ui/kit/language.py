"""The words on the screen in another language: a catalogue gives for each English sentence another.

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

from flicksim.base.codec import read_bytes
from flicksim.base.errors import BadFile, BadInput, BadOption
from flicksim.ui.kit.places import place

ENGLISH = "en"
CHOSEN = "FLICKSIM_LANGUAGE"
"""The variable that chooses a language before all settings."""
_SYSTEM = ("LC_ALL", "LC_MESSAGES", "LANG")
"""Variables in which the system says its language, the first that is set."""
_FOLDER = Path(__file__).resolve().parents[1] / "languages"
_PLACE = re.compile(r"\{(\w+)\}")
_JOINTS = ("   ·   ", "  ·  ", " · ", "\n")
"""Signs between things that are said side by side."""
_SENTENCES = re.compile(r"(?<=[.!?]) (?=\S)")
_WORD, _RULE = re.compile(r"(?!rad/s)[A-Za-z]{3}"), re.compile(r"[A-Z]{2,3}-\d+\w*")
"""The look of a word, which no unit is, and of the number of a rule."""
_NUMBER = re.compile(r"(?<![\w.,=/])(?<![A-Za-z]-)(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(?![\w/]|[.,]\d)")
"""The look of a number in English, but for those that one types, and for versions, rules and parts of paths."""
_SWAPPED = str.maketrans(",.", ".,")
_LITTLE, _PHRASE, _LOUD, _LONGEST, _DEEP = 7, 3, 3, 1000, 5
"""A shape with fewer letters of its own says little; so many spaces make a half sentence; what is longer and all in
capitals is a head; no longer text is looked up, nor what fills places so deep in one another."""


class AsIs(str):
    """A text that is shown as it is: what somebody types."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Catalogue:
    """A language.

    Args:
        code: as "de". name: in the language itself. words: by the English. shapes: those with places, the most special
            first. comma: whether decimals are written with a comma, and thousands with a point.
    """

    code: str
    name: str
    words: Mapping[str, str] = field(repr=False)
    shapes: Sequence[tuple[re.Pattern[str], str]] = field(repr=False)
    loud: Mapping[str, str] = field(repr=False)
    """The words in capitals."""
    comma: bool = False


def catalogue(code: str, text: bytes) -> Catalogue:
    """A catalogue from its file.

    Raises:
        BadInput: it is none; says why.
    """
    try:
        found = tomllib.loads(text.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as wrong:
        raise BadInput(f"the language file {code}.toml cannot be read: {wrong}") from None
    name, words = found.get("name"), found.get("words")
    if not isinstance(name, str) or not isinstance(words, dict):
        raise BadInput(f"the language file {code}.toml needs a name and a table called words")
    for key, word in words.items():
        if not isinstance(word, str):
            raise BadInput(f"the language file {code}.toml gives {key[:60]!r} no text")
        if lost := set(_PLACE.findall(word)) - set(_PLACE.findall(key)):
            raise BadInput(f"the language file {code}.toml has a place {{{lost.pop()}}} that {key[:60]!r} has not")
    shapes = [key for key in words if _PLACE.search(key)]
    shapes.sort(key=lambda key: -len(_PLACE.sub("", key)))
    try:
        made = [(_shape(key), words[key]) for key in shapes]
    except re.error as wrong:
        raise BadInput(f"the language file {code}.toml has places that cannot be: {wrong}") from None
    return Catalogue(
        code, name, words, made,
        {key.upper(): word.upper() for key, word in words.items() if "{" not in key}, found.get("decimal") == ",",
    )  # fmt: skip


def _shape(key: str) -> re.Pattern[str]:
    parts = _PLACE.split(key)
    return re.compile("".join(f"(?P<{part}>.+?)" if k % 2 else re.escape(part) for k, part in enumerate(parts)))


_now: Catalogue | None = None
_spared: frozenset[str] = frozenset()
lacking: set[str] | None = None
"""Sentences without another, noted down while it is a set."""


def languages() -> dict[str, Path]:
    """The languages there are besides English, by code: those that come with the window, and the player's own."""
    own = place("config")
    folders = [_FOLDER, *([] if own is None else [own / "languages"])]
    return {path.stem: path for folder in folders for path in sorted(folder.glob("*.toml"))}


def names() -> dict[str, str]:
    """Names that languages have for themselves, by code; those that cannot be read are left out."""
    found = {ENGLISH: "English"}
    for code, path in languages().items():
        try:
            found[code] = catalogue(code, read_bytes(path)).name
        except BadInput:
            continue
    return found


def wanted(liked: str, environ: Mapping[str, str] | None = None) -> str:
    """The code of the language to be shown: by the variable, else as liked, else the system's if it is there."""
    env = os.environ if environ is None else environ
    if env.get(CHOSEN):
        return _code(env[CHOSEN])
    if liked:
        return liked
    system = _code(next((env[name] for name in _SYSTEM if env.get(name)), ""))
    return system if system in languages() else ENGLISH


def _code(word: str) -> str:
    return re.split(r"[_.@-]", word.strip().lower())[0]


def use(code: str) -> str:
    """Show another language from now on. Returns a sentence where that cannot be; then it is English."""
    global _now
    _now, amiss = None, ""
    if code != ENGLISH:
        try:
            known = languages()
            if code not in known:
                raise BadOption(f"there is no language {code!r}; there are {', '.join((ENGLISH, *known))}")
            _now = catalogue(code, read_bytes(known[code]))
        except (BadInput, BadFile) as wrong:
            amiss = f"The words are English: {wrong}."
    _looked_up.cache_clear()
    return amiss


def current() -> str:
    """The code of the language that is shown."""
    return ENGLISH if _now is None else _now.code


def spare(people: Iterable[str]) -> None:
    """Leave these names as they are from now on, whatever else they mean."""
    global _spared
    found = _spared.union(people) - {""}
    if found != _spared:
        _spared = found
        _looked_up.cache_clear()


def said(text: str) -> str:
    """The text in the language that is shown."""
    if _now is None or not 0 < len(text) <= _LONGEST or isinstance(text, AsIs):
        return text
    return _looked_up(text)


@lru_cache(maxsize=8192)
def _looked_up(text: str) -> str:
    return AsIs(_part(text, note=lacking is not None))


def _kept(text: str) -> str:
    """A text that has no other: as it is, but for its numbers where it says nothing else."""
    if _now is None or not _now.comma or text in _spared or _WORD.search(text):
        return text
    return _NUMBER.sub(lambda one: one[0].translate(_SWAPPED), text)


def _part(text: str, *, note: bool, deep: int = 0) -> str:
    """The same in the language, or as it is; then noted down where asked."""
    found = _found(text, note=note, deep=deep)
    if found is None and note and lacking is not None and _WORD.search(text) and not _RULE.fullmatch(text):
        lacking.add(text)
    return _kept(text) if found is None else found


def _found(text: str, *, note: bool = False, deep: int = 0) -> str | None:
    """The same in the language; None where nothing of it is known.

    Args:
        deep: so many places it lies within: what fills a place may be a shape itself.
    """
    assert _now is not None
    if text in _spared:
        return text
    if (word := _now.words.get(text) or _now.loud.get(text)) is not None:
        return word
    bare = text.strip()
    if bare != text and bare:
        return text.replace(bare, _part(bare, note=note, deep=deep), 1)
    for joint in _JOINTS:
        if joint in text:
            return joint.join(_part(one, note=note, deep=deep) for one in text.split(joint))
    for shape, word in _now.shapes if deep < _DEEP else ():
        places = shape.fullmatch(text)
        filled = _fitting(places, deep + 1) if places is not None else None
        if filled is not None:
            return _PLACE.sub(_filled(filled), word)
    if text.isupper() and len(text) > _LOUD and (word := _found(text.capitalize(), deep=deep)) is not None:
        return word.upper()
    parts = _SENTENCES.split(text)
    return " ".join(_part(one, note=note, deep=deep) for one in parts) if len(parts) > 1 else None


def _fitting(places: re.Match[str], deep: int) -> dict[str, str] | None:
    """The words that fill the places, where they may well stand there, else None: no half sentence that is not known,
    no end of a sentence within, and where a shape says little itself, nothing unknown at all."""
    little = len(places.string) - sum(map(len, places.groups())) < _LITTLE
    filled = {}
    for slot, one in places.groupdict().items():
        if _SENTENCES.search(one):
            return None
        found = _found(one, deep=deep) if _WORD.search(one) else _kept(one)
        if found is None and (little or one.count(" ") >= _PHRASE):
            return None
        filled[slot] = one if found is None else found
    return filled


def _filled(words: Mapping[str, str]) -> Callable[[re.Match[str]], str]:
    return lambda one: words[one[1]]
