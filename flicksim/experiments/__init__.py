"""Monte Carlo experiments over many shots: definition, parallel runs, results store, reports; round robins of bots.

Shots are simulated by `engine` and judged by the games; this package only samples, measures and stores.
"""

import typing

from flicksim.core import exports
from flicksim.experiments.dask_cluster import dask_executor as dask_executor
from flicksim.experiments.dataset import data_sheet_path as data_sheet_path
from flicksim.experiments.dataset import write_dataset as write_dataset
from flicksim.experiments.experiment import MAX_SHOTS as MAX_SHOTS
from flicksim.experiments.experiment import Experiment as Experiment
from flicksim.experiments.experiment import GamePosition as GamePosition
from flicksim.experiments.experiment import ReferenceValue as ReferenceValue
from flicksim.experiments.experiment import experiment_names as experiment_names
from flicksim.experiments.experiment import read_experiment as read_experiment
from flicksim.experiments.measure import Measure as Measure
from flicksim.experiments.measure import Shot as Shot
from flicksim.experiments.parameter_spec import ParameterSpec as ParameterSpec
from flicksim.experiments.report import write_report as write_report
from flicksim.experiments.results_store import Table as Table
from flicksim.experiments.round_robin import RoundRobin as RoundRobin
from flicksim.experiments.round_robin import Standings as Standings
from flicksim.experiments.run import MANIFEST as MANIFEST
from flicksim.experiments.run import Manifest as Manifest
from flicksim.experiments.run import Run as Run
from flicksim.experiments.run import read_results as read_results
from flicksim.experiments.run import run_experiment as run_experiment
from flicksim.experiments.shot_goal import Goal as Goal
from flicksim.experiments.shot_search import FoundShot as FoundShot
from flicksim.experiments.shot_search import SearchInterrupted as SearchInterrupted
from flicksim.experiments.shot_search import find_shot as find_shot

if not typing.TYPE_CHECKING:
    __all__ = exports.exported_names(__name__)
