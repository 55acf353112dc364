"""Questions put to many shots: experiments as data, run anywhere, kept, shown in pictures; ladders of bots;
environments for learning agents (`lab.env`).

It only uses what the rooms below offer: it settles no shot and rules on none by itself.
"""

from flicksim.lab.cluster import dask_executor
from flicksim.lab.dataset import write_dataset
from flicksim.lab.experiment import MOST, Experiment, Mark, Standing, names, read_experiment
from flicksim.lab.ladder import Ladder, Standings
from flicksim.lab.measure import Measure, Shot
from flicksim.lab.report import write_report
from flicksim.lab.run import Manifest, Run, ask, read_results
from flicksim.lab.spread import Spread
from flicksim.lab.stores import Table

__all__ = [
    "MOST", "Experiment", "Ladder", "Manifest", "Mark", "Measure", "Run", "Shot", "Spread", "Standing", "Standings",
    "Table", "ask", "dask_executor", "names", "read_experiment", "read_results", "write_dataset", "write_report",
]  # fmt: skip
