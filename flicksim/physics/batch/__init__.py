"""Many shots at once: arrays of flicks in, arrays of what came of them out.

The same physics as `settle`, told in less: no tracks, and events only when asked for. Rows do not know each other, so
the answer depends neither on how many threads there are nor on the order in which they work.
"""

from flicksim.physics.batch.flicks import Flicks, Squidges
from flicksim.physics.batch.launches import Launches, SettledLaunches
from flicksim.physics.batch.laying import board_of, laid_of, rings_of
from flicksim.physics.batch.many import settle_laid, settle_many
from flicksim.physics.batch.mats import SUPPORTS, UNTOLD, Mats, SettledMats, settle_mats
from flicksim.physics.batch.outcome import ABSENT, GONE, RESTS, Settled
from flicksim.physics.batch.tables import Laid

__all__ = [
    "ABSENT", "GONE", "RESTS", "SUPPORTS", "UNTOLD", "Flicks", "Laid", "Launches", "Mats", "Settled",
    "SettledLaunches", "SettledMats", "Squidges", "board_of", "laid_of", "rings_of", "settle_laid", "settle_many",
    "settle_mats",
]  # fmt: skip
