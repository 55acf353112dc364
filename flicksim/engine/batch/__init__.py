"""Batch simulation of many independent shots: arrays of shots in, arrays of results out.

The same physics as `simulate` with less output: no tracks, and events only on request. Rows are independent, so results
do not depend on the number of threads or the order of work.
"""

from flicksim.engine.batch.arrays import SceneArrays
from flicksim.engine.batch.batch_result import ABSENT, AT_REST, OFF_TABLE, DiscBatchResult
from flicksim.engine.batch.batch_validation import Device, check_device
from flicksim.engine.batch.launch_batch import LaunchBatchResult
from flicksim.engine.batch.scene_arrays import board_arrays, contact_rings, scene_arrays
from flicksim.engine.batch.shot_columns import Flicks, Launches, Squidges
from flicksim.engine.batch.simulate_batch import simulate_batch, simulate_scene_arrays
from flicksim.engine.batch.wink_batch import NOT_FOLLOWED, SUPPORTS, MatBatch, MatRows, WinkBatchResult, simulate_mats

__all__ = [
    "ABSENT",
    "AT_REST",
    "NOT_FOLLOWED",
    "OFF_TABLE",
    "SUPPORTS",
    "Device",
    "DiscBatchResult",
    "Flicks",
    "LaunchBatchResult",
    "Launches",
    "MatBatch",
    "MatRows",
    "SceneArrays",
    "Squidges",
    "WinkBatchResult",
    "board_arrays",
    "check_device",
    "contact_rings",
    "scene_arrays",
    "simulate_batch",
    "simulate_mats",
    "simulate_scene_arrays",
]  # fmt: skip
