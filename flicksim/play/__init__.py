"""The one loop, the record of it, and the door where table wing and card wing are joined."""

from flicksim.play.interrupt import between_turns, heard_at_once
from flicksim.play.match import Begun, Bounds, Forfeit, Match, Player, Stage, Turn
from flicksim.play.open_match import Seat, Seating, TableStage, open_match, parse_seat, programs_found, seat_of
from flicksim.play.record import (
    Divergence,
    Header,
    Record,
    Recorder,
    Replay,
    go_on,
    header_of,
    must_be_whole,
    position_in,
    read_record,
)
from flicksim.play.reopened import reopened
from flicksim.play.series import GameResult, SeriesResult, play_series, result_of, summary
from flicksim.play.tables import begun, position_named, scene_named, shot_named
from flicksim.play.transcript import transcript

__all__ = [
    "Begun",
    "Bounds",
    "Divergence",
    "Forfeit",
    "GameResult",
    "Header",
    "Match",
    "Player",
    "Record",
    "Recorder",
    "Replay",
    "Seat",
    "Seating",
    "SeriesResult",
    "Stage",
    "TableStage",
    "Turn",
    "begun",
    "between_turns",
    "go_on",
    "header_of",
    "heard_at_once",
    "must_be_whole",
    "open_match",
    "parse_seat",
    "play_series",
    "position_in",
    "position_named",
    "programs_found",
    "read_record",
    "reopened",
    "result_of",
    "scene_named",
    "seat_of",
    "shot_named",
    "summary",
    "transcript",
]
