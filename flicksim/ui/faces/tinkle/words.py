"""The words of Tinkle and their meanings."""

from flicksim.ui.frame.glossary import Words

WORDS = Words(
    "Tinkle",
    (
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
    ),
)
