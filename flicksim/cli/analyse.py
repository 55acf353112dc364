"""`flicksim analyse`: what a position is worth, or a whole record gone through turn by turn."""

from __future__ import annotations

import os
from codecs import BOM_UTF8
from collections.abc import Iterator, Sequence
from itertools import chain, groupby
from math import ceil, floor, log10, nan
from pathlib import Path
from time import monotonic
from typing import Annotated, NamedTuple

import typer
from rich.table import Table

from flicksim.base.bounds import whole
from flicksim.base.codec import from_json, read_bytes, to_plain
from flicksim.base.errors import BadFile, BadInput, BadOption, WorkersLost
from flicksim.base.kinds import Action, State, View
from flicksim.base.places import at_hand
from flicksim.base.units import direction, to_degrees, to_mm
from flicksim.cli import words
from flicksim.cli.arguments import AsJson, SeedNumber
from flicksim.cli.sheet import err, out, show_json
from flicksim.drawing import Course, colours, worth_graph, worth_map
from flicksim.drawing.brush import save
from flicksim.games import load, with_positions
from flicksim.play import (
    THOUGHT,
    Accuracy,
    GameFuture,
    Review,
    Reviewed,
    Seat,
    TableStage,
    Turn,
    Untold,
    deepened,
    joined,
    joins,
    must_be_whole,
    needed,
    notation_of,
    position_named,
    read_record,
    reopened,
    review_of,
    reviewed_by,
    reviewing,
    weighed_as_reviewed,
    whose,
)
from flicksim.players import (
    ENOUGH,
    GRADES,
    Chart,
    CutShort,
    Hand,
    ModelError,
    TooFewShots,
    Weighing,
    Worth,
    chart,
    grade,
    weigh,
)
from flicksim.referee import Game, Purpose
from flicksim.table import Flick, Launch, Squidge

_GIVE = "give a game.jsonl, as `flicksim play --record` writes it, or a position, as `flicksim position` lists them"
_PILOTS, _LONG = (2, 64, 1024), 0.1
"""Tries by which it is measured how many shots a second are settled: few first, more where these take no longer [s]."""
_FIRST, _AHEAD = 0.1, 0.75
"""Share of a review's time by which all turns are gone through, to see how long they take, and of what is left that is
then planned for those of which least is known, over and over."""
_MOST = 10_000_000
"""Nobody waits for more shots."""
_USUAL = "20,000 at Penny White, 600 at tiddlywinks, 2,000 deals at dominoes, 1,000 at the others unless said"
"""The usual number of shots of each game (`usual_shots`), said before any game is loaded."""
_LUCK = "Intervals tell of luck alone, not of plans nobody thought of."
_HOLDS = (
    "Intervals of chances hold luck and the model's error as measured{}, those of points luck alone; none holds plans "
    "nobody thought of."
)
_AND_ERROR = " and the model's error"
_APART = "After a turn play goes on as it usually does, before the next by the best plan found, as whoever acts sees it"
"""Beside luck that is where the worth after a turn and that before the next differ, where turns do not join."""
_JOINED = "After a turn a position is worth what the best plan found before the next makes of it."
_NO_MATTER = "nothing to choose, or all one what was chosen"
"""Words for a row of turns without a choice that counts."""
_FLATTERS = "what is known so far flatters the best plan a little"


class _Asked(NamedTuple):
    """A position to be weighed: the game, the state, whose hands are at the table, and the turn that was made there."""

    game: Game
    state: State
    hand: str
    turn: Turn | None = None


def analyse_command(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A recorded game, a position file, or a position's name.")
    ],
    turn: Annotated[
        str | None, typer.Option("--turn", metavar="N", help="Of a record only the position before this turn.")
    ] = None,
    hand: Annotated[
        str | None, typer.Option("--hand", metavar="GRADE", help="Whose hands are at the table; as recorded, or club.")
    ] = None,
    shots: Annotated[
        str | None,
        typer.Option("--shots", metavar="N", help=f"Shots for a position, or for a turn of a record; {_USUAL}."),
    ] = None,
    seconds: Annotated[
        str | None,
        typer.Option("--seconds", metavar="S", help="Or as many as take so long, all in all, about; up to an hour."),
    ] = None,
    game: Annotated[
        str | None, typer.Option("--game", metavar="GAME", help="Whose position it is; told by the file without.")
    ] = None,
    seed: SeedNumber = 1,
    png: Annotated[
        Path | None, typer.Option("--png", metavar="FILE", help="Draw a map of worth, or a graph of the game.")
    ] = None,
    jobs: Annotated[
        int, typer.Option("--jobs", metavar="N", help="Turns of a record gone through side by side.", min=1, max=1024)
    ] = 1,
    as_json: AsJson = False,
) -> None:
    """Say what a position is worth and which flicks are best, or review a record."""
    if shots is not None and seconds is not None:
        raise BadOption(f"--shots {shots} and --seconds {seconds} are two measures of one thing; give one of them")
    number, budget, time = _whole("turn", turn), _whole("shots", shots), _time(seconds)
    if hand is not None:
        hand = grade(hand)
    if png is not None and png.suffix.lower() != ".png":
        raise BadFile(f"the picture {str(png)!r} must be called something.png")
    if png is not None and not png.absolute().parent.is_dir():
        raise BadFile(f"the picture {str(png)!r} has no folder to lie in; make {str(png.parent)!r} first")
    path = at_hand(Path(file))
    if _is_record(path):
        if game is not None:
            raise BadOption(f"--game {game} is for a position; a recorded game says itself which it is")
        _record(path, number, hand, budget, time, seed, jobs, png, as_json)
        return
    if jobs > 1:
        raise BadOption(f"--jobs {jobs} is for the turns of a recorded game; {file!r} is a position")
    if turn is not None:
        raise BadOption(f"--turn {turn} is for a recorded game; {file!r} is a position")
    _must_be_position(path)
    card = load(game) if game is not None else whose(file)
    state, _ = notation_of(card).begin(position_named(card, file))
    _position(_Asked(card, state, hand or "club"), budget, time, seed, png, as_json)


def _whole(name: str, word: str | None) -> int | None:
    """The number given for an option, where one is."""
    number = None if word is None else whole(word)
    if word is not None and (number is None or not 1 <= number <= _MOST):
        raise BadOption(f"--{name} {word!r} must be a whole number, 1 to {_MOST}")
    return number


def _time(word: str | None) -> float | None:
    """The seconds given, where they are."""
    if word is None:
        return None
    try:
        seconds = float(word)
    except ValueError:
        seconds = nan
    if seconds > 3600.0:
        raise BadOption(f"--seconds {seconds:g} is longer than an hour; give 3600 or less")
    if not seconds >= 0.01:
        raise BadOption(f"--seconds {word!r} must be seconds, 0.01 to 3600")
    return seconds


def _must_be_position(path: Path) -> None:
    """See that a file, where there is one, may be a position at all.

    Raises:
        BadFile: it is not, or cannot be read; nothing of what it holds is quoted.
    """
    try:
        if not path.is_file():
            return
    except OSError:
        return  # whoever reads it says why it cannot be
    text = read_bytes(path)
    if not text.lstrip().startswith(b"{"):
        raise BadFile(f"{str(path)!r} is neither a recorded game of flicksim nor a position; {_GIVE}")
    try:
        said = set(from_json(text, dict, name=str(path)))
    except BadInput:
        raise BadFile(f"{str(path)!r} begins as a position does, but is broken off or written wrong; {_GIVE}") from None
    if not any(said & set(notation.Position.__struct_fields__) for _, notation in with_positions()):
        raise BadFile(f"{str(path)!r} says nothing that a position says; {_GIVE}")


def _is_record(path: Path) -> bool:
    """Tell a record, which is lines, from a position."""
    if path.suffix == ".jsonl":
        return True
    try:
        with path.open("rb") as lines:
            return lines.read(4096).removeprefix(BOM_UTF8).lstrip().startswith(b'{"line":')
    except OSError:
        return False


def _record(
    path: Path, turn: int | None, hand: str | None, shots: int | None, seconds: float | None, seed: int, jobs: int,
    png: Path | None, as_json: bool,
) -> None:  # fmt: skip
    if turn is not None and jobs > 1:
        raise BadOption(f"--jobs {jobs} is for all turns of a record, not for --turn {turn} alone")
    replay, seats = reopened(must_be_whole(read_record(path)))
    turns = list(replay.run())
    if replay.divergence is not None:
        raise BadFile(f"{str(path)!r} diverges at {replay.divergence}, so it cannot be analysed")
    game, hand = replay.match.game, _hand(seats, hand)
    if turn is None:
        _review(game, turns, hand, shots, seconds, seed, jobs, png, as_json)
        return
    if turn > len(turns):
        raise BadOption(f"turn {turn} of {str(path)!r} is not there; it has {len(turns)}")
    made = turns[turn - 1]
    _position(_Asked(game, made.before, hand, made), shots, seconds, seed, png, as_json)


def _future(game: Game) -> GameFuture:
    return GameFuture(game, TableStage(THOUGHT))


def _budget(future: GameFuture, asked: _Asked, seat: int, shots: int | None, seconds: float | None) -> int:
    """Shots for a position: as said, as many as take so long, or the game's usual number."""
    if shots is not None:
        return shots
    if seconds is None:
        return future.usual
    view = asked.game.rules.view(asked.state, seat)
    plans = future.plans(view, 4)
    if not plans:
        return future.usual
    future.play_out(view, seat, plans, GRADES[asked.hand], 1, 0)  # whatever is made ready, is made ready now
    settled, took = 0, 0.0
    for tries in _PILOTS:
        begun = monotonic()
        settled = future.play_out(view, seat, plans, GRADES[asked.hand], tries, 0).shots
        took = monotonic() - begun
        if took > _LONG:
            break
    return min(_MOST, max(1, int(seconds * settled / max(1e-6, took))))


def _too_short(wrong: BadOption, seconds: float | None, times: float) -> BadOption:
    """The refusal of a budget, in the words in which it was asked for; so many times as much would be enough."""
    if seconds is None:
        return wrong
    return BadOption(f"--seconds {seconds:g} is too little to tell anything here; give {_enough(times * seconds)}")


def _enough(seconds: float) -> str:
    """Seconds that are enough, rounded up to two digits."""
    step = 10.0 ** max(-1, floor(log10(max(seconds, 0.1))) - 1)
    return f"{max(0.1, ceil(seconds / step) * step):.1f}".removesuffix(".0")


# -- a position -------------------------------------------------------------------------------------------------------


def _position(
    asked: _Asked, shots: int | None, seconds: float | None, seed: int, png: Path | None, as_json: bool
) -> None:
    game, state = asked.game, asked.state
    seat = game.rules.to_play(state)
    if seat is None:
        raise BadOption("the game is over there, and nobody is to play; give a position in which somebody is")
    future, view, hand = _future(game), game.rules.view(state, seat), GRADES[asked.hand]
    budget, stopped = 0, ""
    try:
        budget = _budget(future, asked, seat, shots, seconds)
        weighed = _weighed(future, asked, hand, view, seat, seed, budget, ENOUGH if seconds is None else _MOST)
    except TooFewShots as wrong:
        raise _too_short(wrong, seconds, wrong.need / max(1, budget)) from None
    except CutShort as cut:
        if cut.weighing is None:
            raise _stopped("Stopped before anything was weighed.") from None
        weighed, stopped = cut.weighing, f"Stopped: {_FLATTERS}."
    except KeyboardInterrupt:
        raise _stopped("Stopped before anything was weighed.") from None
    best = weighed.best[0].action
    mapped, purposes = None, tuple[Purpose | None, ...]((None,) * len(weighed.best))
    try:
        purposes = purposes if stopped else tuple(future.purpose(view, one.action) for one in weighed.best)
    except KeyboardInterrupt:
        stopped = "Stopped before it was told what the flicks are for."
    if isinstance(best, Flick | Squidge | Launch) and (png is not None or as_json) and not stopped:
        try:
            mapped = chart(future, hand, view, seat, seed, best, budget)
        except KeyboardInterrupt:
            stopped = "Stopped before the map was drawn."
    if png is not None and not stopped:
        if mapped is None:
            raise BadOption(f"no map can be drawn for {str(png)!r}: the best there is no flick")
        _draw_map(mapped, asked, weighed, png)
    error = future.model_error(view)
    if as_json:
        plain = to_plain(weighed)
        plain["best"] = [{**one, "purpose": purpose} for one, purpose in zip(plain["best"], purposes, strict=True)]
        show_json(
            {
                "game": game.name,
                "played_out": future.played_out,
                "hand": asked.hand,
                "seed": seed,
                "stopped": bool(stopped),
                "model_error": error.of_chance(weighed.worth.chance) if error is not None else None,
                **plain,
                "map": mapped,
            }
        )
    else:
        _show_position(asked, weighed, purposes, future.played_out, error, only=len(future.plans(view, 2)) == 1)
        if png is not None and not stopped:
            out.print(f"Drawn in {png}.")
    if stopped:
        raise _stopped(stopped)


def _weighed(
    future: GameFuture, asked: _Asked, hand: Hand, view: View, seat: int, seed: int, budget: int, enough: int
) -> Weighing:  # fmt: skip
    """The position weighed; that of a recorded turn as the review weighs it, with what was meant beside."""
    if asked.turn is None or asked.turn.seat != seat:
        return weigh(future, hand, view, seat, seed, budget, enough=enough)
    return weighed_as_reviewed(future, asked.turn, view, hand, budget, seed, many=3, enough=enough)


def _show_position(
    asked: _Asked, weighed: Weighing, purposes: Sequence[Purpose | None], played_out: bool, error: ModelError | None, *,
    only: bool,
) -> None:  # fmt: skip
    """Say what a position is worth, and by which plans; only: whether there is but one."""
    game, state = asked.game, asked.state
    part = game.progress(state).part.lower() or "game"
    who = game.seat_names[weighed.seat]
    out.print(f"{who} to play, {asked.hand} hands: {_worth(weighed.worth)} when the {part} is over.", soft_wrap=True)
    table = Table("", "plan", "wins", "95 %", f"points ahead after this {part}", "tries")
    for number, (one, purpose) in enumerate(zip(weighed.best, purposes, strict=True), 1):
        worth = one.worth
        table.add_row(
            str(number), _plan(asked, one.action, purpose), f"{worth.chance:.1%}",
            interval(worth), f"{worth.points:+.2f} ± {_up(worth.give, 2):.2f}", str(worth.tries),
        )  # fmt: skip
    out.print(table)
    chance = weighed.worth.chance
    own = "" if error is None else f" (± {_up(error.of_chance(chance), 3):.1%} here)"
    out.print(_LUCK if error is None else _HOLDS.format(own), soft_wrap=True)
    if not played_out:
        err.print(
            f"{game.title} is not played out to its end here: a chance is what a bot takes the table after the flick "
            "to be worth.", soft_wrap=True,
        )  # fmt: skip
    more = "" if weighed.worth.tries >= ENOUGH else ": more shots would tell"
    doubt = f"Others may be as good{more}."
    if weighed.alike and len(weighed.best) > 1:
        doubt = "All plans came to the same, try for try."
    elif weighed.sure:
        alone = len(weighed.best) == 1
        doubt = (
            f"The first is ahead of the others told beyond luck{_AND_ERROR if error is not None and error.gap else ''}."
        )
        if alone:
            doubt = "There is no other plan." if only else "No other idea was found."
    anybody = "" if game.flicked else "; the rounds to come are anybody's"
    out.print(f"{doubt} {_settled(game, weighed.shots)}{anybody}.", soft_wrap=True)


def _plan(asked: _Asked, action: Action, purpose: Purpose | None) -> str:
    """A plan in a field of the table: what it is for on a line of its own."""
    told = [f"{purpose.says}:"] if purpose is not None else []
    told.append(_said(asked.game, asked.state, action))
    if asked.turn is not None and asked.turn.meant == action:
        told.append("(as played)")
    return ("\n" if purpose is not None else " ").join(told)


def _settled(game: Game, shots: int) -> str:
    """Say how much was tried."""
    one, more = (
        ("shot was settled", "shots were settled") if game.flicked else ("deal was played out", "deals were played out")
    )
    return f"{shots:,} {one if shots == 1 else more}"


def _worth(worth: Worth) -> str:
    return f"wins {worth.chance:.1%} ({interval(worth)}), {worth.points:+.2f} points ahead expected"


def interval(worth: Worth) -> str:
    """The interval of a chance, rounded outwards: the luck of finitely many shots is never told as none."""
    return f"{floor(worth.low * 1000.0) / 1000.0:.1%} to {_up(worth.high, 3):.1%}"


def _up(size: float, digits: int) -> float:
    """A size rounded up to so many digits."""
    return ceil(size * 10.0**digits) / 10.0**digits


def _said(game: Game, state: State, action: Action, purpose: Purpose | None = None) -> str:
    """A plan in a few words, what it is for before its numbers."""
    if isinstance(action, Flick | Squidge | Launch):
        told = "" if purpose is None else f"{purpose.says}: "
        told += f"{action.piece} {action.speed:.2f} m/s, {direction(action.azimuth)}°"
        if isinstance(action, Squidge | Launch):
            rise = action.slant if isinstance(action, Launch) else action.elevation
            told += f", rising {to_degrees(rise):.0f}°"
        at = action.hold if isinstance(action, Launch) else action.start
        return told if at is None else f"{told}, from {to_mm(at[0]):.0f}, {to_mm(at[1]):.0f} mm"
    if not game.flicked:
        return str(action)
    reasons = game.rules.judge(state, action, None).reasons
    return reasons[0].says if reasons else str(action)


def _draw_map(mapped: Chart, asked: _Asked, weighed: Weighing, png: Path) -> None:
    who, action = asked.game.seat_names[weighed.seat], mapped.action
    drawing = worth_map(
        f"{who}: {action.piece}, worth of a flick meant so by {asked.hand} hands",
        mapped.azimuths, mapped.speeds, mapped.chance, ("direction [degrees]", "speed [m/s]"),
        (action.azimuth, action.speed), (direction, "{:.2f}".format),
    )  # fmt: skip
    save(drawing, png)


# -- a review ---------------------------------------------------------------------------------------------------------


def _hand(seats: Sequence[Seat], asked: str | None) -> str:
    """The hand that all are weighed with, so that turns join: as asked, the one all have as recorded, else club's."""
    known = {seat.hand for seat in seats}
    return asked or (len(known) == 1 and known.pop()) or "club"


def _review(
    game: Game, turns: Sequence[Turn], hand: str, shots: int | None, seconds: float | None, seed: int, jobs: int,
    png: Path | None, as_json: bool,
) -> None:  # fmt: skip
    if not turns:
        raise BadOption("no turn has been played in that record; there is nothing to review")
    future = _future(game)
    first = _Asked(game, turns[0].before, hand)
    known = dict[int, Reviewed | Untold]()
    settled, budget, so_far, stopped, lost = 0, 0, None, False, ""
    jobs = min(jobs, len(turns))
    first_begun = begun = monotonic()
    try:
        rounds = ceil(len(turns) / min(jobs, os.cpu_count() or 1))
        budget = _budget(future, first, turns[0].seat, shots, None if seconds is None else seconds / rounds)
        if shots is not None or seconds is not None:
            enough = _must_do(game, future, turns, hand, budget, seconds)
            budget = budget if seconds is None else min(budget, max(enough, int(_FIRST * budget)))
        with words.progress("turn") as bar:
            task = bar.add_task(f"{game.title}, reviewed", total=len(turns))
            first_begun = begun = monotonic()
            until = None if seconds is None else begun + seconds
            for one, cost in _gone_through_until(game, future, turns, hand, seed, budget, jobs, until):
                settled += cost
                known[one.number] = one
                bar.update(task, completed=len(known))
                begun = monotonic()
    except CutShort as cut:
        so_far, stopped = cut.weighing, True
    except WorkersLost as wrong:
        stopped, lost = True, f": {wrong}"
    except KeyboardInterrupt:
        stopped = True
    found = [known[number] for number in sorted(known)]
    took, each = monotonic() - begun, (begun - first_begun) / len(found) if found else 0.0
    found = joined(game, found, _seats(game, turns))
    review = review_of(game, found, len(turns), settled)
    need = max((one.need for one in review.untold), default=0)
    if need and not review.turns and not stopped:
        raise _too_short(TooFewShots(budget, need), seconds, need / budget)
    if png is not None and review.turns:
        _draw_graph(game, review, turns, png)
    if as_json:
        covers = (found[0].number, found[-1].number) if found else None
        show_json({**to_plain(review), "covers": covers, "hand": hand, "stopped": stopped, "so_far": so_far})
    elif found:
        _show_review(game, review, turns, hand)
        if png is not None and review.turns:
            out.print(f"Drawn in {png}.")
    if need:
        few = sum(one.need > 0 for one in review.untold)
        err.print(f"{few} of {len(found)} turns are not told: {TooFewShots(budget, need)}.", soft_wrap=True)
    if stopped:
        under_way = len(found) < len(turns)
        if so_far is not None and under_way and not as_json:
            out.print(_so_far(game, turns[len(found)], so_far), soft_wrap=True)
        says = _how_long(so_far, budget, took, each) if jobs == 1 and under_way else lost
        raise _stopped(f"Stopped after {len(found)} of {_turns(len(turns))}{says}.")


def _gone_through_until(
    game: Game, future: GameFuture, turns: Sequence[Turn], hand: str, seed: int, budget: int, jobs: int,
    until: float | None,
) -> Iterator[tuple[Reviewed | Untold, int]]:  # fmt: skip
    """All turns gone through, and then, until that time, those of which least is known once more; beside each the
    shots settled for it."""
    known, spent = dict[int, Reviewed | Untold](), dict[int, int]()
    given, enough, settled, begun = {turn.number: budget for turn in turns}, ENOUGH, 0, monotonic()
    while given:
        some = [turn for turn in turns if turn.number in given]
        alone = (reviewing(game, future, [one], GRADES[hand], given[one.number], seed, enough) for one in some)
        for one, cost in (
            chain.from_iterable(alone) if jobs == 1
            else reviewed_by(game.name, some, hand, seed, given, jobs=jobs, enough=enough)
        ):  # fmt: skip
            known[one.number], spent[one.number] = one, cost
            settled += cost
            yield one, cost
            if until is not None and enough > ENOUGH and monotonic() > until:
                return
        now = monotonic()
        left = 0 if until is None else int(_AHEAD * (until - now) * settled / max(1e-6, now - begun))
        given, enough = deepened(list(known.values()), spent, left, jobs), _MOST


def _so_far(game: Game, turn: Turn, weighed: Weighing) -> str:
    """The turn that was being weighed, as far as it is known."""
    best = weighed.best[0]
    return (
        f"{turn.number:3d} {game.seat_names[turn.seat]}, so far: {_worth(best.worth)}; best: "
        f"{_said(game, turn.before, best.action)}. {_FLATTERS.capitalize()}."
    )


def _how_long(so_far: Weighing | None, budget: int, took: float, each: float) -> str:
    """Say how long a turn takes, as far as that is known: by those that were told, else by the one under way."""
    if so_far is None:
        return f"; of the next nothing was weighed yet, in {took:.1f} s"
    whole = each or took * budget / max(1, so_far.shots)
    return f"; a turn takes about {_enough(whole)} s, and less with fewer --shots"


def _stopped(says: str) -> typer.Exit:
    """Say that it was stopped; the answer is then no."""
    err.print(says, soft_wrap=True)
    return typer.Exit(1)


def _turns(count: int) -> str:
    return "1 turn" if count == 1 else f"{count} turns"


def _must_do(
    game: Game, future: GameFuture, turns: Sequence[Turn], hand: str, budget: int, seconds: float | None
) -> int:  # fmt: skip
    """Say before anything is spent that so few shots tell nothing of some turns; gives how many a turn would.

    Raises:
        BadOption: they tell nothing of any.
    """
    few, of, enough = needed(game, future, turns, GRADES[hand], budget)
    if not few:
        return enough
    wrong = _too_short(TooFewShots(budget, enough), seconds, enough / budget)
    if few == of:
        raise wrong
    err.print(f"{few} of {_turns(len(turns))} will not be told: {wrong}.", soft_wrap=True)
    return enough


def _show_review(game: Game, review: Review, turns: Sequence[Turn], hand: str) -> None:
    states = {turn.number: turn.before for turn in turns}
    found = _gone_through(review)
    told = [one for one in found if review.decided is None or one.number < review.decided]
    for why, run in groupby(told, _idle):
        every = list(run)
        if why and len(every) > 1:
            out.print(f"Turns {every[0].number} to {every[-1].number}: {why}.", soft_wrap=True)
            continue
        for one in every:
            out.print(_told(game, states[one.number], one), soft_wrap=True)
    if review.decided is not None:
        who = " and ".join(game.seat_names[seat] for seat in review.winners)
        last = found[-1].number
        out.print(f"Turns {review.decided} to {last}: decided, {who} had won whatever anybody did.", soft_wrap=True)
    out.print()
    if len(found) < review.of:
        out.print(f"{_covered(review).capitalize()}: nothing is told of the others.", soft_wrap=True)
    for number in review.turning:
        one = next(one for one in review.turns if one.number == number)
        plan = f"the plan lost {_lost(one)}" if one.sure else "no better plan was found"
        out.print(
            f"Turning point, turn {number}: {game.seat_names[one.seat]} went from {one.before.chance:.1%} to "
            f"{one.after.chance:.1%}; {plan}{_by_hand(game, one.lost_by_hand)}.",
            soft_wrap=True,
        )
    for row in review.accuracy:
        out.print(_accuracy(game, row), soft_wrap=True)
    if game.flicked:
        out.print(f"All are weighed with {hand} hands; --hand names others.", soft_wrap=True)
    known = _future(game).model_error(game.rules.view(turns[0].before, turns[0].seat)) is not None
    out.print(_HOLDS.format("") if known else _LUCK, soft_wrap=True)
    joint = _JOINED if joins(game, _seats(game, turns)) else f"{_APART}: the two worths differ by that and by luck."
    out.print(joint, soft_wrap=True)
    out.print(f"{_settled(game, review.shots)}.")


def _seats(game: Game, turns: Sequence[Turn]) -> int:
    """Seats at the table."""
    return len(game.rules.scores(turns[0].before))


def _gone_through(review: Review) -> list[Reviewed | Untold]:
    """The turns that were gone through, in order."""
    found: list[Reviewed | Untold] = [*review.turns, *review.untold]
    return sorted(found, key=lambda one: one.number)


def _covered(review: Review) -> str:
    """The turns that were gone through, of all: "turns 3 to 7 of 20"."""
    found = _gone_through(review)
    first, last = found[0].number, found[-1].number
    return f"turn {first} of {review.of}" if first == last else f"turns {first} to {last} of {review.of}"


def _idle(one: Reviewed | Untold) -> str:
    """Words for a turn of which there is little to say, that turns in a row may share; empty where there is more."""
    if isinstance(one, Untold):
        return one.why if one.need else _NO_MATTER
    return "" if one.matters else _NO_MATTER


def _told(game: Game, state: State, one: Reviewed | Untold) -> str:
    """A turn in a line: the chance of who acts before it, as meant and as made, and a better plan, beyond luck."""
    who = f"{one.number:3d} {game.seat_names[one.seat]}"
    if isinstance(one, Untold):
        return f"{who}: {one.why}"
    worths = [("", one.before), ("meant ", one.meant_worth)]
    if game.flicked:
        worths.append(("made ", one.after))
    chances = ", ".join(f"{called}{worth.chance:.1%} ± {_wide(worth):.1%}" for called, worth in worths)
    line = f"{who}: {chances}: {_said(game, state, one.meant, one.meant_purpose)}"
    if not one.matters:
        return f"{line}; nothing else would have mattered"
    better = (
        f"better by {_lost(one)}: {_said(game, state, one.best, one.best_purpose)}" if one.sure else "no better found"
    )
    return f"{line}; {better}"


def _lost(one: Reviewed) -> str:
    return f"{one.lost_as_meant:.1%} ± {_up(one.give, 3):.1%}"


def _wide(worth: Worth) -> float:
    """The longer arm of the interval of a chance, rounded up."""
    return _up(max(worth.high - worth.chance, worth.chance - worth.low), 3)


def _accuracy(game: Game, row: Accuracy) -> str:
    return (
        f"{game.seat_names[row.seat]}: accuracy {row.accuracy:.0f} of 100, in the {row.turns} of {_turns(row.of)} in "
        f"which it mattered; plans lost {row.lost_as_meant:.1%} a turn{_by_hand(game, row.lost_by_hand)}."
    )


def _by_hand(game: Game, lost: float) -> str:
    """The part of the hand, where something is flicked."""
    if not game.flicked:
        return ""
    return f", the hand lost {lost:.1%}" if lost >= 0.0 else f", the hand gained {-lost:.1%}"


def courses_of(game: Game, review: Review, seats: int) -> list[Course]:
    """The chance of the first seat's side over the turns; of more than two sides each, over its own turns."""
    sides = game.sides(seats)
    courses = []
    for side in sides if len(sides) > 2 else sides[:1]:
        told = [one for one in review.turns if one.seat in side or len(sides) == 2]
        chance = [one.after.chance if one.seat in side else 1.0 - one.after.chance for one in told]
        if told:
            who = " and ".join(game.seat_names[seat] for seat in side)
            key = colours.key_of(side[0], game.seat_names)
            courses.append(Course(who, key, [one.number for one in told], chance))
    return courses


def _draw_graph(game: Game, review: Review, turns: Sequence[Turn], png: Path) -> None:
    courses = courses_of(game, review, _seats(game, turns))
    found = _gone_through(review)
    part = "turn by turn" if len(found) == review.of else _covered(review)
    span = (found[0].number, found[-1].number)
    save(worth_graph(f"{game.title}, {part}", courses, review.turning, span), png)
