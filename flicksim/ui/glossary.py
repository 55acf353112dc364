"""What players' words mean, for the help: nobody needs to know them to begin."""

from __future__ import annotations

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
    ("time limit", "When it is reached, a fixed number of rounds is still played."),
)
_PENNY = (
    ("white", "The piece all aim at. Lying nearest to it at the end of a part scores."),
    ("end", "One part of the game: all pennies are played, then points are given and the board is cleared."),
    ("nail", "Where your finger strikes the coin. Off the middle, it sends the coin off at an angle."),
    ("start zone", "The strip at the players' edge where a penny is put before it is flicked."),
)
_TILES = (
    ("tile", "A domino: two halves with a number of pips each."),
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
    ("jar", "The glass the tokens drop into."),
)
_ALL = (
    ("ruling", "What the referee says after a turn: who gained what, and by which rule."),
    ("ledger id", "The short name of a rule, as PW-5b. The page Rules lists them all."),
    ("grade", "How steady a hand is and how far it thinks: beginner, club, expert, world."),
    ("seed", "The number all chance of a game comes from. The same seed and play give the same game."),
)
_BY_GAME = {"tiddlywinks": _WINKS, "ice": _WINKS[:7], "penny-white": _PENNY, "dominoes": _TILES, "tinkle": _CARDS}


def words_of(game: str) -> tuple[tuple[str, str], ...]:
    """The words of a game, then those of every game."""
    return (*_BY_GAME.get(game, ()), *_ALL)
