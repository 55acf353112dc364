"""The words of dominoes and their meanings."""

from flicksim.ui.frame.glossary import Words

WORDS = Words(
    "Dominoes",
    (
        ("tile", "A domino: two halves with a number of pips each."),
        ("pips", "The dots on a tile."),
        ("lead", "To put down the first tile of a round."),
        ("arm", "A branch of the line that tiles are put to."),
        ("double", "A tile whose two halves are the same."),
        ("boneyard", "Tiles that nobody was dealt. They stay out of play."),
        ("blocked", "Nobody can go on: the fewest pips in hand win."),
        ("open end", "The number at which the line can be continued."),
    ),
)
