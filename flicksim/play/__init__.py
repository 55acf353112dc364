"""The one loop, the record of it, and the door where table wing and card wing are joined."""

from flicksim.play.appraisal import (
    Appraisal,
    appraising,
    charting,
    expected,
    reviewed,
    reviewed_by,
    showing,
    usual_shots,
)
from flicksim.play.background import Background
from flicksim.play.compiling import Compiling, is_kept, while_compiling_is_told
from flicksim.play.future import GameFuture, rehearse, share_won
from flicksim.play.interrupt import between_turns, heard_at_once, safe_point
from flicksim.play.lines import Header, header_of, line_of, position_in
from flicksim.play.match import Begun, Bounds, Forfeit, Match, Player, Question, Stage, Turn
from flicksim.play.model import THOUGHT, GameModel, TableStage
from flicksim.play.open_match import (
    Seat,
    Seating,
    open_match,
    parse_seat,
    player_of,
    programs_found,
    programs_there,
    seat_of,
)
from flicksim.play.puzzles import Puzzle, mined, must_be_flicked
from flicksim.play.record import Divergence, Record, Replay, go_on, must_be_whole, read_record, reopened
from flicksim.play.recorder import Recorder
from flicksim.play.review import (
    Accuracy,
    Acted,
    Past,
    Review,
    Reviewed,
    Untold,
    deepened,
    joined,
    joins,
    needed,
    review_of,
    reviewing,
    weighed_as_reviewed,
)
from flicksim.play.series import (
    GameResult,
    SeriesResult,
    must_fit,
    play_series,
    result_of,
    summary,
    wilson,
    winning_sides,
)
from flicksim.play.sharing import (
    Shared,
    SharedGame,
    SharedPosition,
    looks_shared,
    position_now,
    read_shared,
    share_match,
    share_position,
    share_record,
    why_nothing_shared,
)
from flicksim.play.tables import Shot, begun, notation_of, position_named, sample_named, scene_named, shot_named, whose
from flicksim.play.transcript import transcript
from flicksim.play.turns import table_of
from flicksim.play.warm import FLICKS, PYRAMIDS, SQUIDGES, WINKS, beside, physics_of
from flicksim.play.warming import PATIENCE, Thoughts, Warming, asker, awaited, thoughts_of
from flicksim.play.workers import share_out

__all__ = [
    "FLICKS", "PATIENCE", "PYRAMIDS", "SQUIDGES", "THOUGHT", "WINKS", "Accuracy", "Acted", "Appraisal",
    "Background", "Begun", "Bounds", "Compiling", "Divergence", "Forfeit", "GameFuture", "GameModel", "GameResult",
    "Header", "Match", "Past", "Player", "Puzzle", "Question", "Record", "Recorder", "Replay", "Review", "Reviewed",
    "Seat", "Seating", "SeriesResult", "Shared", "SharedGame", "SharedPosition", "Shot", "Stage", "TableStage",
    "Thoughts", "Turn", "Untold", "Warming", "appraising", "asker", "awaited", "begun", "beside", "between_turns",
    "charting", "deepened", "expected", "go_on", "header_of", "heard_at_once", "is_kept", "joined", "joins",
    "line_of", "looks_shared", "mined", "must_be_flicked", "must_be_whole", "must_fit", "needed", "notation_of",
    "open_match", "parse_seat", "physics_of", "play_series", "player_of", "position_in", "position_named",
    "position_now", "programs_found", "programs_there", "read_record", "read_shared", "rehearse", "reopened",
    "result_of", "review_of", "reviewed", "reviewed_by", "reviewing", "safe_point", "sample_named", "scene_named",
    "seat_of", "share_match", "share_out", "share_position", "share_record", "share_won", "shot_named", "showing",
    "summary", "table_of", "thoughts_of", "transcript", "usual_shots", "weighed_as_reviewed",
    "while_compiling_is_told", "whose", "why_nothing_shared", "wilson", "winning_sides",
]  # fmt: skip
