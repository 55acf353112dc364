"""Monte Carlo experiments over many shots: definition, parallel runs, results store, reports; round robins of bots.

Shots are simulated by `engine` and judged by the games; this package only samples, measures and stores.
"""

from flicksim.experiments.dask_cluster import dask_executor
from flicksim.experiments.dataset import write_dataset
from flicksim.experiments.experiment import (
    MAX_SHOTS,
    Experiment,
    GamePosition,
    ReferenceValue,
    experiment_names,
    read_experiment,
)
from flicksim.experiments.measure import Measure, Shot
from flicksim.experiments.parameter_spec import ParameterSpec
from flicksim.experiments.report import write_report
from flicksim.experiments.results_store import Table
from flicksim.experiments.round_robin import RoundRobin, Standings
from flicksim.experiments.run import Manifest, Run, read_results, run_experiment
from flicksim.experiments.shot_goal import Goal
from flicksim.experiments.shot_search import FoundShot, find_shot

__all__ = [
    "MAX_SHOTS",
    "Experiment",
    "FoundShot",
    "GamePosition",
    "Goal",
    "Manifest",
    "Measure",
    "ParameterSpec",
    "ReferenceValue",
    "RoundRobin",
    "Run",
    "Shot",
    "Standings",
    "Table",
    "dask_executor",
    "experiment_names",
    "find_shot",
    "read_experiment",
    "read_results",
    "run_experiment",
    "write_dataset",
    "write_report",
]  # fmt: skip
