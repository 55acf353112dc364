"""Batch simulation of many independent shots: arrays of shots in, arrays of results out.

The same physics as `simulate` with less output: no tracks, and events only on request. Rows are independent, so results
do not depend on the number of threads or the order of work.
"""

import typing

from flicksim.core import exports
from flicksim.engine.batch.arrays import SceneArrays as SceneArrays
from flicksim.engine.batch.batch_result import ABSENT as ABSENT
from flicksim.engine.batch.batch_result import AT_REST as AT_REST
from flicksim.engine.batch.batch_result import OFF_TABLE as OFF_TABLE
from flicksim.engine.batch.batch_result import DiscBatchResult as DiscBatchResult
from flicksim.engine.batch.batch_validation import Device as Device
from flicksim.engine.batch.batch_validation import check_device as check_device
from flicksim.engine.batch.launch_batch import LaunchBatchResult as LaunchBatchResult
from flicksim.engine.batch.scene_arrays import board_arrays as board_arrays
from flicksim.engine.batch.scene_arrays import contact_rings as contact_rings
from flicksim.engine.batch.scene_arrays import scene_arrays as scene_arrays
from flicksim.engine.batch.shot_columns import Flicks as Flicks
from flicksim.engine.batch.shot_columns import Launches as Launches
from flicksim.engine.batch.shot_columns import Squidges as Squidges
from flicksim.engine.batch.simulate_batch import simulate_batch as simulate_batch
from flicksim.engine.batch.simulate_batch import simulate_scene_arrays as simulate_scene_arrays
from flicksim.engine.batch.wink_batch import NOT_FOLLOWED as NOT_FOLLOWED
from flicksim.engine.batch.wink_batch import SUPPORTS as SUPPORTS
from flicksim.engine.batch.wink_batch import MatBatch as MatBatch
from flicksim.engine.batch.wink_batch import MatRows as MatRows
from flicksim.engine.batch.wink_batch import WinkBatchResult as WinkBatchResult
from flicksim.engine.batch.wink_batch import simulate_mats as simulate_mats

if not typing.TYPE_CHECKING:
    __all__ = exports.exported_names(__name__)
