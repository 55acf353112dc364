"""Position notation of tiddlywinks: parse, check, adjudicate and continue from any position.

Lengths are in millimetres and angles in degrees. Winks not listed are behind their base lines. Winks are placed in the
order listed: a later one lies on top of those it overlaps.
"""

from math import cos, hypot, sin
from typing import Literal

import msgspec

from flicksim import scene as scenes
from flicksim.core.errors import InvalidScene, InvalidValue
from flicksim.core.geometry import Point
from flicksim.core.limits import MAX_COORDINATE, Text, Title, are_valid_coordinates
from flicksim.core.paths import assets_dir
from flicksim.core.rich_display import Displayable
from flicksim.core.serialization import Value
from flicksim.core.units import deg2rad, mm, to_degrees, to_mm
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks import potting, scoring, turn_order
from flicksim.games.tiddlywinks.adjudication_context import AdjudicationContext
from flicksim.games.tiddlywinks.boundaries import OutOfBounds, nearest_boundary, out_of_bounds_rule, return_to_play
from flicksim.games.tiddlywinks.equipment import Options
from flicksim.games.tiddlywinks.move_aside import uncover_all
from flicksim.games.tiddlywinks.squops import Squops
from flicksim.games.tiddlywinks.state import Book, Episode, State
from flicksim.games.tiddlywinks.wink_placement import place_in_pot, scene_with_pieces
from flicksim.referee import Counter, PositionFiles, Reason
from flicksim.scene import Piece, Scene, Support

Colour = Literal["blue", "green", "red", "yellow"]
_COLOURS: tuple[Colour, ...] = ("blue", "green", "red", "yellow")


class WinkPlacement(Value, frozen=True, kw_only=True, omit_defaults=True):
    """Placement of a wink.

    Args:
        wink: its id, as "blue-1".
        at: position of its centre [mm]; optional in the pot.
        where: its support.
        z: height of its centre [mm]; if omitted, the wink is placed on the winks there.
        tilt, lean: tilt, and azimuth of the downward slope [degrees]; omitted with z.
        on: winks it lies on; omitted with z. face: -1 if turned over.
    """

    wink: str
    at: Point | None = None
    where: Support = "surface"
    z: float | None = None
    tilt: float = 0.0
    lean: float = 0.0
    on: tuple[str, ...] = ()
    face: Literal[-1, 1] = 1

    def __post_init__(self) -> None:
        if self.at is not None and not are_valid_coordinates(*map(mm, self.at)):
            raise InvalidValue(
                f"at {self.at!r} mm of {self.wink!r} must be finite, within {to_mm(MAX_COORDINATE):g} mm"
            )
        if self.z is not None and not abs(self.z) <= 10_000.0:
            raise InvalidValue(f"z {self.z!r} mm of {self.wink!r} must lie in -10000 to 10000")
        if not 0.0 <= self.tilt <= 90.0:
            raise InvalidValue(f"tilt {self.tilt!r} degrees of {self.wink!r} must lie in 0 to 90")
        if not abs(self.lean) <= 360.0:
            raise InvalidValue(f"lean {self.lean!r} degrees of {self.wink!r} must lie in -360 to 360")


class Position(Displayable, Value, frozen=True, kw_only=True, omit_defaults=True):
    """A position.

    Args:
        title: its name. look: note on what is instructive in it.
        winks: winks not behind their base lines, in the order of placing.
        to_play: colour to play. phase: "play", or "squidge_off" with the winks of the heat where they came to rest.
        opener: winner of the squidge-off. extra: extra shots to come after this one.
        missing: colours that miss their next shot. protected: pair that may not be squopped out yet (0 Blue and Red).
        free_turns: free turns left to the pair to play, 0 for the compulsory shot; if omitted, counted from the winks.
        clock: time played [s]. laps: ends of the opener's turn to come; omitted before the time limit.
        finished: colours that have potted out, in order. options: options of the game.
    """

    title: Title
    look: Text = ""
    winks: tuple[WinkPlacement, ...] = ()
    to_play: Colour = "blue"
    phase: Literal["play", "squidge_off"] = "play"
    opener: Colour = "blue"
    extra: int = 0
    missing: tuple[Colour, ...] = ()
    protected: Literal[0, 1] | None = None
    free_turns: int | None = None
    clock: float = 0.0
    laps: int | None = None
    finished: tuple[Colour, ...] = ()
    options: Options = Options()

    def display_value(self) -> Scene:
        """Scene of the position, for display."""
        return to_state(self).scene

    def problems(self) -> list[str]:
        """List the problems of the position, one sentence each; empty if it can be played from."""
        problems = _id_problems(self.winks)
        if problems:
            return problems
        scene = to_scene(self)
        return scene.problems() + _book_problems(self, _book_of(self, scene))


def _id_problems(winks: tuple[WinkPlacement, ...]) -> list[str]:
    problems = []
    for i, entry in enumerate(winks):
        colour, _, number = entry.wink.partition("-")
        if entry.wink not in kit.WINKS:
            if colour in kit.COLOURS and number.isdigit() and int(number) > len(kit.winks_of(0)):
                problems.append(f"{entry.wink!r} is a seventh {colour} wink or more; each colour has six (TW-4a)")
            else:
                problems.append(f"there is no wink {entry.wink!r}; winks are called blue-1 to yellow-6")
        elif any(other.wink == entry.wink for other in winks[:i]):
            problems.append(f"{entry.wink!r} lies in two places; each wink is there once")
        if entry.at is None and entry.where != "pot":
            problems.append(f"{entry.wink!r} needs a place 'at'; only in the pot may it be left out")
        if entry.z is None and entry.where in ("surface", "pot") and (entry.tilt or entry.lean or entry.on):
            problems.append(
                f"{entry.wink!r} without z is laid down on what is there; 'tilt', 'lean' and 'on' need its height 'z'"
            )
    return problems


def _book_problems(position: Position, book: Book) -> list[str]:
    problems = []
    seats = [kit.seat_of(placement.wink) for placement in position.winks]
    if position.phase == "squidge_off":
        if len(set(seats)) < len(seats):
            problems.append("in a squidge-off each colour has one wink on the mat at most (TW-6b)")
        if book.turn in seats:
            problems.append(f"{position.to_play} has squidged already and cannot be next (TW-6b)")
        return problems
    for seat, colour in enumerate(kit.COLOURS):
        if colour in position.finished and not book.has_potted_all(seat):
            problems.append(f"{colour} cannot have potted out with winks left (TW-10a)")
        if book.has_potted_all(seat) and colour not in position.finished:
            problems.append(f"{colour} has all six winks potted but is not among the finished (TW-10a)")
    for field, colours in (("finished", position.finished), ("missing", position.missing)):
        repeated = sorted({colour for colour in colours if colours.count(colour) > 1})
        problems += [f"{colour} stands twice in {field!r}; once is enough" for colour in repeated]
    if len(position.finished) > 2:
        problems.append("with three players out the game is over (TW-5c)")
    if not 0 <= position.extra <= 6:
        problems.append(f"extra {position.extra} must lie in 0 to 6")
    if position.laps is not None and not 1 <= position.laps <= position.options.rounds + 1:
        problems.append(f"laps {position.laps} must lie in 1 to {position.options.rounds + 1}")
    if not 0.0 <= position.clock <= 1e6:
        problems.append(f"clock {position.clock:g} s must lie in 0 to 1000000")
    if position.free_turns is not None and not 0 <= position.free_turns <= 12:
        problems.append(f"free_turns {position.free_turns} must lie in 0 to 12")
    return problems


def to_scene(position: Position) -> Scene:
    """Scene of a position, also of one with problems; winks not yet brought in lie behind their base lines."""
    options = position.options
    scene = Scene(surface=kit.mat_surface(options))
    pot = kit.pot(options)
    for placement in position.winks:
        at = (0.0, 0.0) if placement.at is None else (mm(placement.at[0]), mm(placement.at[1]))
        piece = msgspec.structs.replace(kit.wink(options, placement.wink, at), face=placement.face)
        if placement.z is not None or placement.where in ("rim", "leaning"):
            piece = _wink_at(position, piece, placement)
        elif placement.where == "pot" and placement.at is None:
            scene = place_in_pot(scene, piece, pot)
            continue
        elif placement.where == "pot":
            piece = msgspec.structs.replace(piece, z=pot.floor + piece.thickness / 2.0, support="pot")
        else:
            piece = scenes.place_piece(scene.pieces, piece, at)
        scene = msgspec.structs.replace(scene, pieces=(*scene.pieces, piece))
    listed = {placement.wink for placement in position.winks}
    return scene_with_pieces(
        scene, (*scene.pieces, *(kit.wink(options, name) for name in kit.WINKS if name not in listed))
    )


def _wink_at(position: Position, piece: Piece, placement: WinkPlacement) -> Piece:
    """Piece for a placement, as written or balanced on the rim or leaning on the pot there."""
    pot = kit.pot(position.options)
    tilt, lean = deg2rad(placement.tilt), deg2rad(placement.lean)
    z = mm(placement.z) if placement.z is not None else None
    if z is None and placement.where == "rim":
        z = pot.height + piece.thickness / 2.0
    elif z is None:
        z = piece.radius * sin(tilt) + piece.thickness / 2.0 * cos(tilt)
    return msgspec.structs.replace(piece, z=z, tilt=tilt, lean=lean, lies_on=placement.on, support=placement.where)


def _book_of(position: Position, scene: Scene) -> Book:
    placements = {placement.wink: placement for placement in position.winks}
    seat = kit.COLOURS.index(position.to_play)
    if position.phase == "squidge_off":
        shots = tuple(sorted(placements, key=lambda wink: (kit.seat_of(wink) - seat) % 4))
        played = [kit.seat_of(wink) for wink in shots]
        heat = (*played, *((seat + k) % 4 for k in range(4) if (seat + k) % 4 not in played))
        return Book(phase="squidge_off", to_play=seat, turn=seat, heat=heat, shots=shots)
    potted = tuple(
        name
        for name, placement in placements.items()
        if placement.where == "pot" or (placement.where == "rim" and not potting.is_leaning(scene, scene.piece(name)))
    )
    return Book(
        phase="shot",
        to_play=seat,
        turn=seat,
        extra=position.extra,
        behind=tuple(name for name in kit.WINKS if name not in placements),
        potted=potted,
        missing=tuple(sorted(kit.COLOURS.index(colour) for colour in position.missing)),
        opener=kit.COLOURS.index(position.opener),
        clock=position.clock,
        laps=position.laps,
        protected=position.protected,
        finished=tuple((kit.COLOURS.index(colour),) for colour in position.finished),
    )


def start_state(position: Position) -> tuple[State, tuple[Reason, ...]]:
    """State to continue from, after the rulings that apply to the position, with their reasons.

    As after a shot: winks leaning on the pot are laid flat, winks out of the field put back, winks squopped after a
    pot-out uncovered, free turns counted.

    Raises:
        InvalidScene: it cannot be continued from; the message lists all problems.
        InvalidOption: its options cannot be played with.
    """
    options = position.options
    kit.check_options(options)
    if problems := position.problems():
        raise InvalidScene(problems)
    scene = to_scene(position)
    state = State(options=options, scene=scene, book=_book_of(position, scene))
    if position.phase == "squidge_off":
        return state, ()
    context = AdjudicationContext(state, scene)
    potting.lay_leaners_flat(context)
    out = tuple(
        OutOfBounds(wink=piece.id, point=nearest_boundary(options, piece.position), t=0.0, rule=rule)
        for piece in context.scene.pieces
        if context.book.in_play(piece.id) and (rule := out_of_bounds_rule(options, piece)) is not None
    )
    context.scene = return_to_play(options, context.scene, scene, out)
    for item in out:
        context.add_reason("TW-8g", f"{kit.display_name(item.wink)} is out of the field and is put back, 22.225 mm in.")
    if context.book.potted_out:
        uncover_all(context)
    else:
        turn_order.start_if_squopped_out(context)
        if context.book.episode is not None:
            episode = context.book.episode
            left = episode.left if position.free_turns is None else position.free_turns
            context.update_book(episode=Episode(pair=episode.pair, left=left, fresh=False))
            if left != episode.left:  # the free turns were counted in an earlier arrangement
                context.reasons = [reason for reason in context.reasons if reason.rule not in ("TW-9c3", "TW-9c6")]
                turns_text = "1 free turn" if left == 1 else f"{left or 'no'} free turns"
                context.add_reason("TW-9c3", f"{kit.PAIRS[episode.pair]} have {turns_text} left.")
    if position.free_turns is not None and context.book.episode is None:
        raise InvalidScene(
            [f"free_turns {position.free_turns} cannot be: no pair has every wink it has left squopped (TW-9c1)"]
        )
    if not context.squops().playable_winks(context.book.turn):
        turn_order.next_turn(context, used=False)
    elif context.book.turn in context.book.missing and options.miss_scope == "next_shot":
        turn_order.skip_missed_shot(context)
        turn_order.next_turn(context)
    return State(options=options, scene=context.scene, book=context.book), tuple(context.reasons)


def to_state(position: Position) -> State:
    """State of a position (see `start_state`)."""
    return start_state(position)[0]


def from_state(state: State, title: str) -> Position:
    """Position of a state, without the last shot and so without self-reports."""
    book = state.book
    placements = [
        WinkPlacement(
            wink=piece.id,
            at=(to_mm(piece.x), to_mm(piece.y)),
            where=piece.support,
            z=to_mm(piece.height),
            tilt=to_degrees(piece.tilt),
            lean=to_degrees(piece.lean),
            on=piece.lies_on,
            face=piece.face,
        )
        for piece in sorted(state.scene.pieces, key=lambda piece: piece.height)
        if piece.id not in book.behind or piece.id in book.shots
    ]
    return Position(
        title=title,
        winks=tuple(placements),
        to_play=_COLOURS[book.turn],
        phase="squidge_off" if book.phase == "squidge_off" else "play",
        opener=_COLOURS[book.opener or 0],
        extra=book.extra,
        missing=tuple(_COLOURS[seat] for seat in book.missing),
        protected=None if book.protected is None else 0 if book.protected == 0 else 1,
        free_turns=None if book.episode is None else book.episode.left,
        clock=book.clock,
        laps=book.laps,
        finished=tuple(_COLOURS[seat] for group in book.finished for seat in group),
        options=state.options,
    )


def ruling_reasons(state: State) -> tuple[Reason, ...]:
    """Reasons of the rulings on a state: squops, duties, missed shots, points."""
    book, squops = state.book, Squops(state.scene, state.book)
    reasons: list[Reason] = []
    for wink in kit.WINKS:
        if covering := squops.covering(wink):
            text = f"{kit.display_name(wink)} is squopped by {' and '.join(map(kit.display_name, covering))}."
            reasons.append(Reason("TW-9a1", text))
    for pair in (0, 1):
        if squops.is_squopped_out(pair) and not book.potted_out:
            free = squops.count_free(1 - pair)
            reasons.append(Reason("TW-9c1", f"Every wink {kit.PAIRS[pair]} have left is squopped."))
            free_text = "1 free wink" if free == 1 else f"{free or 'no'} free winks"
            reasons.append(Reason("TW-9c2", f"{kit.PAIRS[1 - pair]} have {free_text}."))
    if book.to_play is not None and turn_order.must_free(book.episode, book.to_play):
        reasons.append(Reason("TW-9c6", f"{kit.SEATS[book.to_play]}'s shot must free an opposing wink."))
    reasons += [Reason("TW-8i", f"{kit.SEATS[seat]} misses his next shot.") for seat in book.missing]
    if book.potted_out:
        reasons.append(Reason("TW-10b", "Squopping has no effect any more."))
    if book.laps is not None:
        left = "1 turn" if book.laps == 1 else f"{book.laps} turns"
        reasons.append(Reason("TW-11c", f"{kit.SEATS[book.opener or 0]} has {left} left."))
    if book.opener is not None:
        totals = scoring.time_limit_points(state.options, state.scene, book)
        listed = ", ".join(f"{name} {total}" for name, total in zip(kit.SEATS, totals, strict=True))
        reasons.append(Reason("TW-11g", f"Time-limit points as it lies: {listed}."))
        ours, theirs = scoring.pair_points(scoring.provisional_points(state.options, state.scene, book))
        text = f"That would be {ours} for {kit.PAIRS[0]} and {theirs} for {kit.PAIRS[1]}."
        reasons.append(Reason("TW-5e" if book.potted_out else "TW-11i", text))
    return tuple(reasons)


_FILES = PositionFiles(Position, "tiddlywinks", assets_dir() / "positions" / "tiddlywinks")
load, builtin_names, load_builtin = _FILES.load, _FILES.builtin_names, _FILES.load_builtin

# -- position editor --------------------------------------------------------------------------------------------------


def empty_position() -> Position:
    """Initial position of the editor: a wink of each colour on the mat."""
    spots = {"blue-3": (120.0, 60.0), "green-3": (-140.0, 90.0), "red-3": (-90.0, -70.0), "yellow-3": (150.0, -110.0)}
    return Position(title="Study", winks=tuple(WinkPlacement(wink=wink, at=at) for wink, at in spots.items()))


def available_pieces(position: Position) -> tuple[str, ...]:
    """Pieces that may be added: none, every wink lies behind its base line until it is brought in."""
    del position
    return ()


def place_piece(position: Position, piece: str, at: Point) -> Position:
    """Place a wink at a point [m]: on top of whatever lies there, or in the pot."""
    pot = kit.pot(position.options)
    spot = (round(to_mm(at[0]), 1), round(to_mm(at[1]), 1))
    potted = hypot(at[0] - pot.x, at[1] - pot.y) < pot.top_radius
    placement = WinkPlacement(wink=piece, where="pot") if potted else WinkPlacement(wink=piece, at=spot)
    others = remove_piece(position, piece).winks
    return msgspec.structs.replace(position, winks=(*others, placement))


def remove_piece(position: Position, piece: str) -> Position:
    """Return a wink behind its base line; those that lay on it drop."""
    winks = tuple(_dropped(placement, piece) for placement in position.winks if placement.wink != piece)
    return msgspec.structs.replace(position, winks=winks)


def _dropped(placement: WinkPlacement, removed: str) -> WinkPlacement:
    """Lay a wink down anew after another was removed from under it."""
    if removed not in placement.on or placement.where != "surface":
        return placement
    return WinkPlacement(wink=placement.wink, at=placement.at, face=placement.face)


def flip_piece(position: Position, piece: str) -> Position:
    """Turn a wink over."""
    winks = tuple(
        msgspec.structs.replace(placement, face=-1 if placement.face == 1 else 1)
        if placement.wink == piece
        else placement
        for placement in position.winks
    )
    return msgspec.structs.replace(position, winks=winks)


def with_current_seat(position: Position, seat: int) -> Position:
    """Set the colour to play."""
    return msgspec.structs.replace(position, to_play=_COLOURS[seat])


def counters(position: Position) -> tuple[Counter, ...]:
    """Counters of the editor."""
    return (Counter(name="extra", label="Extra shots", value=position.extra, low=0, high=6),)


def set_counter(position: Position, name: str, value: int) -> Position:
    """Set one of the counters."""
    return msgspec.structs.replace(position, **{name: value})
