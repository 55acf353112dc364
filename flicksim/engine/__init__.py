"""Physics engine: simulates flicks, squidges and launches until every piece is at rest.

Deterministic: it draws no random numbers and knows no rules of games. Only this package uses pymunk.
"""

import typing

from flicksim.core import exports
from flicksim.engine.batch import DiscBatchResult as DiscBatchResult
from flicksim.engine.batch import Flicks as Flicks
from flicksim.engine.batch import LaunchBatchResult as LaunchBatchResult
from flicksim.engine.batch import Launches as Launches
from flicksim.engine.batch import Squidges as Squidges
from flicksim.engine.batch import WinkBatchResult as WinkBatchResult
from flicksim.engine.batch import simulate_batch as simulate_batch
from flicksim.engine.planar_world import PlanarWorld as PlanarWorld
from flicksim.engine.settings import Settings as Settings
from flicksim.engine.simulate import check_shot as check_shot
from flicksim.engine.simulate import simulate as simulate

if not typing.TYPE_CHECKING:
    __all__ = exports.exported_names(__name__)
