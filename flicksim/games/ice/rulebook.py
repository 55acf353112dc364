"""Rulebook of Ice Tiddly Winks by ledger id, with the option that changes each rule."""

from __future__ import annotations

from flicksim.referee import RuleEntry

RULEBOOK = (
    RuleEntry(id="ITW-1a", text="One to six players; alone it is just a score."),
    RuleEntry(id="ITW-1b", text="Played with Icehouse pieces: square pyramids, small, medium and large.", option="sizes_mm"),
    RuleEntry(id="ITW-2a", text="The players sit round a table of any shape.", option="table"),
    RuleEntry(id="ITW-2b", text="Each has a full set of fifteen of one colour: five small, five medium, five large."),
    RuleEntry(id="ITW-2c", text="A start line lies in front of each player.", option="start_line_mm"),
    RuleEntry(id="ITW-2d", text="It may be marked or be imaginary; markers are not in play.", option="markers"),
    RuleEntry(id="ITW-2e", text="The set is put between the line and the table's edge.", option="stash_bodies"),
    RuleEntry(id="ITW-2f", text="One large piece becomes the launcher; it never scores."),
    RuleEntry(id="ITW-2g", text="The other fourteen are missiles."),
    RuleEntry(id="ITW-2h", text="Each stacks a missile of his choice on his launcher; then the game can start."),
    RuleEntry(id="ITW-3a", text="The launch is all there is to do; a piece that a hand moved is put back where it lay.", option="disturb"),
    RuleEntry(id="ITW-3b", text="The launcher is held upright by thumb, index and middle finger of one hand."),
    RuleEntry(id="ITW-3c", text="A missile is stacked on it, one at a time."),
    RuleEntry(id="ITW-3d", text="The free hand flicks the launcher's base, and the missile flies up and away in an arc."),
    RuleEntry(id="ITW-3e", text="Well done, it lands near the middle of the table."),
    RuleEntry(id="ITW-4a", text="The game starts when everybody holds a loaded launcher."),
    RuleEntry(id="ITW-4b", text="There are no turns: all launch as they like. At the very same time, seats come in an order drawn at the start."),
    RuleEntry(id="ITW-4c", text="Each launches his fourteen missiles one by one, the next when the last is at rest."),
    RuleEntry(id="ITW-4d", text="The game ends when every missile of every player has been played."),
    RuleEntry(id="ITW-5a", text="The launcher is held over one's own stash area.", option="bad_hold"),
    RuleEntry(id="ITW-5b", text="The stash area lies between the table's edge and the start line; at corners it may overlap a neighbour's."),
    RuleEntry(id="ITW-5c", text="A launch is legal only if the missile lands beyond one's own start line.", option="landing"),
    RuleEntry(id="ITW-5d", text="A missile that lands in one's own stash area, or on the line, is returned.", option="line"),
    RuleEntry(id="ITW-5e", text="So is one that goes completely off the table; overhanging is on."),
    RuleEntry(id="ITW-5f", text="A returned missile is used again, as often as it takes."),
    RuleEntry(id="ITW-5g", text="A miss costs nothing."),
    RuleEntry(id="ITW-6a", text="A start line concerns only its owner."),
    RuleEntry(id="ITW-6b", text="A missile that rests in an opponent's stash area and outside one's own is legal."),
    RuleEntry(id="ITW-6c", text="A piece once played is not taken back; knocked off the table later it returns to its owner, knocked into his stash area it stays.", option="knock_off"),
    RuleEntry(id="ITW-7a", text="The aim is to have most points."),
    RuleEntry(id="ITW-7b", text="Only pieces that stand at the end count; one knocked over before counts nothing, whoever did it."),
    RuleEntry(id="ITW-7c", text="Counting begins when all missiles of all players have been launched."),
    RuleEntry(id="ITW-7d", text="Each counts his own colour; the launcher does not count."),
    RuleEntry(id="ITW-7e", text="A piece standing upright counts its pips: small 1, medium 2, large 3; also on top of an upright piece.", option="upright_deg"),
    RuleEntry(id="ITW-7f", text="A piece standing with its base on one that is not upright counts double: 2, 4, 6.", option="lean_deg"),
    RuleEntry(id="ITW-7g", text="It is the leaning piece that counts double, the lying prop nothing; a prop that leans and itself counts doubles nothing.", option="prop"),
    RuleEntry(id="ITW-7h", text="Most points win; level players win jointly.", option="tie"),
)  # fmt: skip
"""Every ITW- row, in the order of the ledger."""
