"""Texts of a turn of Tinkle: what may be done, the label of an action, and the score sheet of a round."""

from collections.abc import Callable

from flicksim.cards import Discard, LayOff, Meld
from flicksim.core.type_aliases import Action
from flicksim.games.tinkle import legal_actions
from flicksim.games.tinkle.action_generation import contract_due
from flicksim.games.tinkle.state import State
from flicksim.gui.card_view.card_table import format_signed
from flicksim.gui.game_views.tinkle.meld_area import card_text, contract_text, groups_text
from flicksim.match import Turn


def hint_text(view: State, seat: int, held: int) -> str:
    """Tell what the seat to play may do; held: number of its cards."""
    need, _ = contract_due(view, seat)
    if view.phase == "draw":
        opened = "You have opened. " if view.opened[seat] else f"To open: {contract_text(view.round)}. "
        return opened + "A token buys the top discard and three stock cards."
    problem = legal_actions.turn_end_problem(view)
    if problem is not None:
        suffix = f" Still needed: {groups_text(need)}." if need else ""
        return f"The turn cannot end yet ({problem[0]}).{suffix}"  # the prompt says why
    end = "keep the last card (K), or lay it off" if held == 1 else "discard one card to end the turn"
    if need:
        return f"To open put down {groups_text(need)}; or {end}."
    return f"The table may stand so. Put down or lay off more, or {end}."


def action_label(action: Action, *, has_cards: bool) -> str:
    """Label of the button of an action; None: the selected cards cannot be discarded."""
    if not has_cards:
        return "No card left"
    match action:
        case Discard(card=card):
            return f"Discard {card_text(card)}"
        case Meld(cards=cards):
            return f"Put down {' '.join(map(card_text, cards))}"
        case LayOff(cards=cards, group=number):
            return f"Lay {' '.join(map(card_text, cards))} on group {number}"
    return "Discard one card only"


def score_columns(turn: Turn, seat_name: Callable[[int], str]) -> tuple[str, list[str], list[list[str]]]:
    """Title, names of columns, and cells by seat of the score sheet of the round that a turn ends."""
    closed = turn.verdict.ruling.closed  # type: ignore[attr-defined]
    how = "nobody goes out" if closed.out is None else f"{seat_name(closed.out)} goes out"
    cells = []
    for seat, points in enumerate(closed.points):
        bonus = closed.bonus if seat == closed.dealer else 0
        held, cut = format_signed(-closed.held[seat]), format_signed(bonus) if bonus else "–"
        cells.append([str(closed.tabled[seat]), held, cut, format_signed(points)])
    return f"Round {turn.before.round}: {how}", ["table", "in hand", "cut", "this round"], cells
