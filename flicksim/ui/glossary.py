"""What players' words mean, for the help: nobody needs to know them to begin."""

from __future__ import annotations

import re
from dataclasses import dataclass

from flicksim.referee import Game

_WINKS = (
    ("wink", "A small plastic disc. Each colour has six: two large, four small."),
    ("squidger", "The larger disc in your hand. Pressed on a wink's edge, it makes the wink fly."),
    ("squidge", "To flick a wink with the squidger."),
    ("pot", "The cup in the middle of the mat; and to squidge a wink into it."),
    ("squop", "To cover a wink of the other side with your own. What is squopped may not be played."),
    ("desquop", "To free a squopped wink by playing the wink on top of it away."),
    ("squopped out", "Said of a side that has no wink left it may play. It must be given free turns later."),
    ("free turn", "A turn of the side that is not squopped out, before it has to free a wink."),
    ("squidge-off", "The first shots: whoever comes nearest to the pot begins the game."),
    ("base line", "The line across your corner. Winks wait behind it until they are brought in."),
    ("bring in", "To play a wink from behind the base line onto the field."),
    ("pile", "Winks lying on each other. The topmost decides who may play."),
    ("nurdle", "To lie so close to the pot that the wink can hardly be potted. Also to put it there."),
    ("boondock", "To free a squopped wink by sending it far away."),
    ("bristol", "A shot that takes a pile along: your wink moves with the one it squops and squops it still."),
    ("gromp", "To move a whole pile onto another wink, pressing it along."),
    ("scrunge", "To bounce out of the pot again."),
    ("blitz", "To try to pot all six winks before the others can squop them."),
    ("pot out", "To have all six winks of a colour in the pot. After that, squops no longer count."),
    ("tiddlies", "Points by which winks are counted at the end: three for each one potted, one for each one free."),
    ("in play", "Said of a wink that has been brought in and is neither potted nor off the mat."),
    ("free", "Said of a wink in play that no other covers and that covers none."),
    ("squopping", "Said of a wink that lies on one of the other side. It may be played."),
    ("behind", "Said of winks that still wait behind their base line."),
    ("extra shot", "One more shot in the same turn, earned by potting a wink."),
    ("turned over", "Said of a wink that lies on its other face. It is shown darker; it counts just the same."),
    ("rise", "How steeply a wink leaves the mat: 0° is along it, 90° straight up."),
    ("backspin", "How fast a wink turns back over in the air. It then stops sooner where it lands."),
    ("press", "How much of the stroke goes into the winks below yours, so that the pile moves too."),
    ("draw on", "How far the squidger goes on through the pile after your wink has left."),
    ("carry", "How far a wink flies before it comes down to a height."),
    ("rim", "The upper edge of the pot."),
    ("time limit", "When it is reached, a fixed number of rounds is still played."),
)
_PENNY = (
    ("white", "The piece all aim at. Lying nearest to it at the end of a part scores."),
    ("end", "One part of the game: all pennies are played, then points are given and the board is cleared."),
    ("nail", "Where your finger strikes the coin. Off the middle, it sends the coin off at an angle."),
    ("start zone", "The strip at the players' edge where a penny is put before it is flicked."),
)
_PYRAMIDS = (
    ("pyramid", "A hollow plastic piece with a square base. Each seat has one to hold and fourteen to launch."),
    ("launcher", "The large pyramid you hold; the others are flicked off its tip. It is never launched."),
    ("missile", "Any other pyramid of yours: five small, five medium, four large."),
    ("stack", "To set a missile over the launcher's tip, like a hat."),
    ("nail", "Where your finger strikes the launcher's base, from below. Lower leaves more backspin."),
    ("slant", "How steeply the nail comes up. A steeper flick flies higher and not so far."),
    ("start line", "The line in front of you. A missile has to come to rest wholly beyond your own."),
    ("stash area", "What lies behind your start line: the launcher is held over it."),
    ("used again", "A missile that falls short or off the table goes back to your hand."),
    ("upright", "Standing on its base. Only that counts: one, two or three by size."),
    ("lean", "To come to rest tilted, held by another piece."),
    ("pips", "The dots along the base: what a piece counts."),
)
_TILES = (
    ("tile", "A domino: two halves with a number of pips each."),
    ("pips", "The dots on a tile."),
    ("lead", "To put down the first tile of a round."),
    ("arm", "A branch of the line that tiles are put to."),
    ("double", "A tile whose two halves are the same."),
    ("boneyard", "Tiles that nobody was dealt. They stay out of play."),
    ("blocked", "Nobody can go on: the fewest pips in hand win."),
    ("open end", "The number at which the line can be continued."),
)
_CARDS = (
    ("contract", "What you must put down to open in a round, as “two groups of three”."),
    ("wild", "A card that stands for any other: twos and jokers."),
    ("to tinkle", "To pay a token into the jar for the top discard and more cards."),
    ("lay off", "To add a card to a group that lies on the table."),
    ("token", "What a turn out of turn costs. Everybody begins with the same number."),
    ("stock", "The cards face down that one draws from."),
    ("natural", "A card that stands for itself, not a wild."),
    ("group", "Three or more cards of one rank, with fewer wilds than naturals."),
    ("open", "To put down the contract of the round for the first time."),
    ("provisional", "Put down in this turn, and still to be taken up again."),
    ("jar", "The glass the tokens drop into."),
)
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
_BY_GAME = {"tiddlywinks": _WINKS, "ice": _PYRAMIDS, "penny-white": _PENNY, "dominoes": _TILES, "tinkle": _CARDS}


def words_of(game: Game | None) -> tuple[tuple[str, str], ...]:
    """The words of a game, then those of every game; without a game, the words of all."""
    if game is not None:
        return (*_BY_GAME.get(game.name, ()), *_ALL)
    return (*_WINKS, *_PENNY, *_PYRAMIDS, *_TILES, *_CARDS, *_ALL)


def listed(game: Game | None) -> list[tuple[str, str]]:
    """The words as the help lists them; those of all games under headings, a heading with nothing said of it."""
    if game is not None:
        return list(words_of(game))
    parts = (("Winks", _WINKS), ("Penny White", _PENNY), ("Pyramids", _PYRAMIDS), ("Dominoes", _TILES),
             ("Tinkle", _CARDS), ("All games", _ALL))  # fmt: skip
    return [entry for title, words in parts for entry in ((title, ""), *words)]


@dataclass(frozen=True, slots=True)
class Meaning:
    """A word in a text, from where to where, and what is said of it."""

    start: int
    end: int
    word: str
    says: str


def meanings(text: str, game: Game | None) -> list[Meaning]:
    """The words in a text that players need to know, and the numbers of rules, with what they mean."""
    known, pattern = _known(game.name if game is not None else "", game)
    found = []
    for match in pattern.finditer(text):
        number = match.lastgroup is None
        word, says = known[match.group() if number else str(match.lastgroup)]
        found.append(Meaning(match.start(), match.end(), word, says))
    return found


_kept: dict[str, tuple[dict[str, tuple[str, str]], re.Pattern[str]]] = {}


def _known(name: str, game: Game | None) -> tuple[dict[str, tuple[str, str]], re.Pattern[str]]:
    """What is said of each word and rule of a game, and what finds them in a text."""
    if name not in _kept:
        words = sorted(words_of(game), key=lambda entry: -len(entry[0]))  # "squopped out" goes before "squop"
        known = {f"w{k}": entry for k, entry in enumerate(words)}
        parts = [f"(?P<w{k}>(?i:{_forms(word)}))" for k, (word, _) in enumerate(words)]
        rows = {row.id: (row.id, row.text) for row in game.rows} if game is not None else {}
        parts += [re.escape(number) for number in sorted(rows, key=len, reverse=True)]
        _kept[name] = (known | rows, re.compile(rf"(?<![\w-])(?:{'|'.join(parts)})(?!\w)"))
    return _kept[name]


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
