"""The words of pyramids and their meanings."""

from flicksim.ui.frame.glossary import Words

WORDS = Words(
    "Pyramids",
    (
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
    ),
)
