"""What lessons, words and stories tell players of a rule, held against the rule, in English and in German."""

from __future__ import annotations

import pytest

from flicksim.games import load
from flicksim.ui.faces import found
from flicksim.ui.kit.language import said, use

FACES = found()


def _told(game: str, place: str) -> str:
    """A text to players: the story, a step of the lesson by its number, its end, a word of the glossary, or a row."""
    rules = load(game)
    lesson = FACES.of(rules).lesson
    assert lesson is not None
    if place == "story":
        return rules.story
    if place == "lesson":
        return lesson.ends
    if place.startswith("step "):
        return lesson.steps[int(place[5:]) - 1].says
    return {**dict(FACES.glossary.words_of(rules)), **{row.id: row.text for row in rules.rows}}[place]


TOLD = [
    ("tinkle", "lesson", "TK-2a", "en", "there are no runs", "runs follow"),
    ("tinkle", "lesson", "TK-2a", "de", "Folgen gibt es nicht", "Folgen eine Farbe"),
    ("tinkle", "token", "TK-2b", "en", "in your own turn only", "out of turn"),
    ("tinkle", "token", "TK-2b", "de", "nur im eigenen Zug", ""),
    ("tiddlywinks", "squopped out", "TW-9c1", "en", "whose winks are all squopped or potted", "may play"),
    ("tiddlywinks", "squopped out", "TW-9c1", "de", "deren Winks alle zugedeckt oder im Topf sind", "spielen darf"),
    ("tiddlywinks", "squopped out", "TW-9c3", "en", "The other side then has free turns", "It must be given"),
    ("tiddlywinks", "squopped out", "TW-9c3", "de", "Die andere hat dann freie Züge", ""),
    ("tiddlywinks", "squopped out", "TW-9c6", "en", "must free a wink after them", ""),
    ("tiddlywinks", "squopped out", "TW-9c6", "de", "muss danach einen Wink befreien", ""),
    ("tiddlywinks", "tiddlies", "TW-11d", "en", "when time has run out", "at the end"),
    ("tiddlywinks", "tiddlies", "TW-11d", "de", "wenn die Zeit um ist", "am Ende"),
    ("tiddlywinks", "tiddlies", "TW-11f", "en", "one for each one in play that is not squopped", "free"),
    ("tiddlywinks", "tiddlies", "TW-11f", "de", "einer für jeden im Spiel, der nicht zugedeckt ist", "freie"),
    ("tiddlywinks", "story", "TW-11f", "en", "those in play that are not squopped 1", "free"),
    ("tiddlywinks", "story", "TW-11f", "de", "die im Spiel, die nicht zugedeckt sind, 1", "freie"),
    ("tiddlywinks", "lesson", "TW-11f", "en", "covered ones nothing, all others on the field one", "free"),
    ("tiddlywinks", "lesson", "TW-11f", "de", "zugedeckte nichts, alle anderen im Feld eins", "freie"),
    ("tiddlywinks", "squop", "TW-9a3", "en", "a wink, anybody's, with another", "other side"),
    ("tiddlywinks", "squop", "TW-9a3", "de", "Einen Wink, gleich wessen, mit einem anderen", "anderen Seite"),
    ("tiddlywinks", "squop", "TW-9a2", "en", "however slightly", ""),
    ("tiddlywinks", "squop", "TW-9a2", "de", "wie knapp auch immer", ""),
    ("tiddlywinks", "squopping", "TW-9a1", "en", "unless it is squopped itself", "other side"),
    ("tiddlywinks", "squopping", "TW-9a1", "de", "wenn er nicht selbst zugedeckt ist", "anderen Seite"),
    ("ice", "upright", "ITW-7e", "en", "counts one, two or three by size", "Only"),
    ("ice", "upright", "ITW-7e", "de", "zählt eins, zwei oder drei nach Größe", "Nur"),
    ("ice", "lean", "ITW-7f", "en", "its base on one that is not upright it counts double", ""),
    ("ice", "lean", "ITW-7f", "de", "Grundfläche auf einem, der nicht aufrecht steht, zählt er doppelt", ""),
    ("ice", "step 3", "ITW-7f", "en", "what leans with its base on a fallen piece", "Only"),
    ("ice", "step 3", "ITW-7f", "de", "was mit der Grundfläche auf einer gefallenen lehnt", "Nur"),
    ("ice", "prop", "ITW-7f", "en", "Usually one that leans and itself counts does not; an option lets it.", ""),
    ("ice", "prop", "ITW-7f", "de", "zählt selbst, so üblicherweise nicht; eine Option erlaubt es.", ""),
    ("ice", "ITW-7g", "ITW-7g", "en", "a prop that leans and itself counts doubles nothing", ""),
    ("ice", "ITW-7g", "ITW-7g", "de", "eine Stütze, die lehnt und selbst zählt, verdoppelt nichts", ""),
    ("dominoes", "boneyard", "DO-A11", "en", "the American game turns one up to lead", "out of play"),
    ("dominoes", "boneyard", "DO-A11", "de", "amerikanischen Spiel wird einer zum Anfang aufgedeckt", "aus dem Spiel"),
]
"""A text, the ledger id of its rule, a language, what it says there, and what it must not say."""


@pytest.mark.parametrize(("game", "place", "rule", "language", "says", "never"), TOLD)
def test_a_text_tells_the_rule(game: str, place: str, rule: str, language: str, says: str, never: str) -> None:
    assert rule in {row.id for row in load(game).rows}
    assert use(language) == ""
    told = said(_told(game, place))
    use("en")
    assert says in told
    assert not never or never not in told
