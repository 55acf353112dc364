"""The meanings of players' words, for the help: nobody needs to know them to begin."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from flicksim.referee import Game

_ALL = (
    ("ruling", "What the referee says after a turn: who gained what, and by which rule."),
    ("ledger id", "The short name of a rule, as PW-5b. The page Rules lists them all."),
    ("grade", "How steady a hand is and how far it thinks: beginner, club, expert, world."),
    ("bot", "A player that the program moves. It thinks ahead, and its hand is unsteady by its grade."),
    ("hint", "What the search would do in your place; with it, dots where such shots of your hand would end."),
    ("seat", "A place at the table: somebody at this window, a bot, or another program."),
    ("serious", "A game in which a turn is taken back only if the other seat agrees."),
    ("seed", "The number all chance of a game comes from. The same seed and play give the same game."),
)
"""Words of every game."""


@dataclass(frozen=True, slots=True)
class Words:
    """Words of a game, each with what is said of it, under a title."""

    title: str
    entries: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Meaning:
    """A word in a text, from where to where, and what is said of it."""

    start: int
    end: int
    word: str
    says: str


class Glossary:
    """The meanings of words, by game.

    Args:
        words: of each game, by its name; a game need not have any.
    """

    def __init__(self, words: Mapping[str, Words]) -> None:
        self._words = dict(words)
        self._kept: dict[str, tuple[dict[str, tuple[str, str]], re.Pattern[str]]] = {}

    def words_of(self, game: Game | None) -> tuple[tuple[str, str], ...]:
        """The words of a game, then those of every game; without a game, the words of all."""
        own = self._words.values() if game is None else [self._words[game.name]] if game.name in self._words else []
        return (*(entry for words in own for entry in words.entries), *_ALL)

    def listed(self, game: Game | None) -> list[tuple[str, str]]:
        """The words as the help lists them; those of all games under headings, a heading with nothing said of it."""
        if game is not None:
            return list(self.words_of(game))
        return [
            entry
            for words in (*self._words.values(), Words("All games", _ALL))
            for entry in ((words.title, ""), *words.entries)
        ]

    def meanings(self, text: str, game: Game | None) -> list[Meaning]:
        """The words in a text that players need to know, and the numbers of rules, with what they mean."""
        known, pattern = self._known(game)
        found = []
        for match in pattern.finditer(text):
            number = match.lastgroup is None
            word, says = known[match.group() if number else str(match.lastgroup)]
            found.append(Meaning(match.start(), match.end(), word, says))
        return found

    def _known(self, game: Game | None) -> tuple[dict[str, tuple[str, str]], re.Pattern[str]]:
        """The words and rules of a game with their meanings, and the pattern that finds them in a text."""
        name = game.name if game is not None else ""
        if name not in self._kept:
            words = sorted(self.words_of(game), key=lambda entry: -len(entry[0]))  # "squopped out" before "squop"
            known = {f"w{k}": entry for k, entry in enumerate(words)}
            parts = [f"(?P<w{k}>(?i:{_forms(word)}))" for k, (word, _) in enumerate(words)]
            rows = {row.id: (row.id, row.text) for row in game.rows} if game is not None else {}
            parts += [re.escape(number) for number in sorted(rows, key=len, reverse=True)]
            self._kept[name] = (known | rows, re.compile(rf"(?<![\w-])(?:{'|'.join(parts)})(?!\w)"))
        return self._kept[name]


def _forms(word: str) -> str:
    """A word as it may stand in a sentence: squop, squops, squopped, squopping; squidge, squidged, squidging."""
    bend = []
    for part in word.removeprefix("to ").split(" "):
        stem = part.removesuffix("e")
        if part.endswith("y"):
            bend.append(rf"{re.escape(part[:-1])}(?:y|ies|ied|ying)")
            continue
        bend.append(rf"{re.escape(stem)}(?:{stem[-1]}?(?:e[ds]?|s|ing))?")
    return " ".join(bend)
