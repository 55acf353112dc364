"""The words of Penny White and their meanings."""

from flicksim.ui.frame.glossary import Words

WORDS = Words(
    "Penny White",
    (
        ("white", "The piece all aim at. Lying nearest to it at the end of a part scores."),
        ("end", "One part of the game: all pennies are played, then points are given and the board is cleared."),
        ("nail", "Where your finger strikes the coin. Off the middle, it sends the coin off at an angle."),
        ("start zone", "The strip at the players' edge where a penny is put before it is flicked."),
    ),
)
