"""Questions put to many shots: experiments as data, run anywhere, kept, shown in pictures; ladders of bots;
environments for learning agents (`lab.env`).

It only uses what the rooms below offer: it settles no shot and rules on none by itself.
"""

from flicksim.lab.experiment import Experiment, Mark, Standing, read_experiment
from flicksim.lab.measure import Measure, Shot
from flicksim.lab.run import Manifest, Run, ask, read_results
from flicksim.lab.spread import Spread
from flicksim.lab.stores import Table

__all__ = [
    "Experiment",
    "Manifest",
    "Mark",
    "Measure",
    "Run",
    "Shot",
    "Spread",
    "Standing",
    "Table",
    "ask",
    "read_experiment",
    "read_results",
]
