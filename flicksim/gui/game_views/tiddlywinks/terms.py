"""Glossary of tiddlywinks."""

from flicksim.gui.app.glossary import GlossarySection

TERMS = GlossarySection(
    "Winks",
    (
        ("wink", "A small plastic disc. Each colour has six: two large, four small."),
        ("squidger", "The larger disc in your hand. Pressed on a wink's edge, it makes the wink fly."),
        ("squidge", "To flick a wink with the squidger."),
        ("pot", "The cup in the middle of the mat; and to squidge a wink into it."),
        ("squop", "To cover a wink, anybody's, with another, however slightly. What is squopped may not be played."),
        ("desquop", "To free a squopped wink by playing the wink on top of it away."),
        (
            "squopped out",
            "Said of a side whose winks are all squopped or potted. The other side then has free turns, and must free "
            "a wink after them.",
        ),
        (
            "free turn",
            "A turn of the side that is not squopped out, before it has to free a wink: one for each of its free "
            "winks.",
        ),
        ("squidge-off", "The first shots: whoever comes nearest to the pot begins the game."),
        ("base line", "The line across your corner. Winks wait behind it until they are brought in."),
        ("bring in", "To play a wink from behind the base line onto the field."),
        (
            "pile",
            "Winks lying on each other. Only those of them that no other covers may be played, each by its owner.",
        ),
        ("nurdle", "To lie so close to the pot that the wink can hardly be potted. Also to put it there."),
        ("boondock", "To free a squopped wink by sending it far away."),
        ("bristol", "A shot that takes a pile along: your wink moves with the one it squops and squops it still."),
        ("gromp", "To move a whole pile onto another wink, pressing it along."),
        ("scrunge", "To bounce out of the pot again."),
        ("blitz", "To try to pot all six winks before the others can squop them."),
        ("pot out", "To have all six winks of a colour in the pot. After that, squops no longer count."),
        (
            "tiddlies",
            "Points by which winks are counted when time has run out: three for each one potted, one for each one in "
            "play that is not squopped.",
        ),
        ("in play", "Said of a wink that has been brought in and is neither potted nor off the mat."),
        ("free", "Said of a wink in play that no other covers and that covers none."),
        ("squopping", "Said of a wink that lies on another, anybody's. It may be played unless it is squopped itself."),
        ("behind", "Said of winks that still wait behind their base line."),
        ("extra shot", "One more shot in the same turn, earned by each of one's own winks that one pots."),
        ("turned over", "Said of a wink that lies on its other face. It is shown darker; it counts just the same."),
        ("rise", "How steeply a wink leaves the mat: 0° is along it, 90° straight up."),
        ("backspin", "How fast a wink turns back over in the air. It then stops sooner where it lands."),
        ("press", "How much of the stroke goes into the winks below yours, so that the pile moves too."),
        ("draw on", "How far the squidger goes on through the pile after your wink has left."),
        ("to carry", "How far a wink flies before it comes down to a height."),
        ("rim", "The upper edge of the pot."),
        (
            "time limit",
            "When it is reached, play goes on until whoever won the squidge-off has had his turn, then for full "
            "rounds, usually five.",
        ),
    ),
)
