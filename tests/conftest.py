"""No window and no sound in the tests, whatever the machine has; the same examples in every run."""

import os
import signal
import subprocess
import sys

import pytest
from hypothesis import settings

os.environ["SDL_VIDEODRIVER"] = "dummy"
os.environ["SDL_AUDIODRIVER"] = "dummy"
os.environ.pop("DISPLAY", None)
os.environ.pop("WAYLAND_DISPLAY", None)
os.environ["FLICKSIM_LANGUAGE"] = "en"
os.environ["OPENBLAS_NUM_THREADS"] = "1"  # the workers share the cores; and no threads where processes are forked
os.environ.pop("FLICKSIM_HOME", None)  # with a dummy driver nothing of the player's own is read or written

# Begun with "&" or by nohup: what the tests start must still hear what ends it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

settings.register_profile("suite", derandomize=True, deadline=None, database=None)
settings.load_profile("suite")

_EXIT_CODE = """
import os, sys
from threading import Thread
Thread(target=lambda: (sys.stdin.buffer.read(), os._exit(1)), daemon=True).start()
"""
"""Ends a process with the one that began it, however that ends: nobody holds the other end of its stdin any more."""
_WINKS = """
from flicksim.match.warmup_targets import warm_up_squidge
from flicksim.core.paths import assets_dir
from flicksim.core.serialization import from_json
from flicksim.engine import simulate_batch
from flicksim.scene import Scene, Squidge
warm_up_squidge()
scene = from_json((assets_dir() / "scenes" / "squidge.json").read_bytes(), Scene)
simulate_batch(scene, from_json((assets_dir() / "flicks" / "squidge.json").read_bytes(), Squidge))
"""
_OTHERS = """
from flicksim.match.warmup_targets import warm_up_launch
from flicksim.games import names
from flicksim.experiments import Experiment, run_experiment
from flicksim.match import warmup
from flicksim.scene import samples
warm_up_launch()
flick = {"piece": "a", "target": "white"}
run_experiment(Experiment(title="draw", scene="draw", shots=2, measure=("rest_position",), flick=flick))
for name in names():
    warmup(name)
"""


def pytest_configure(config: pytest.Config) -> None:
    """Compile the physics once, before several processes at once would each do so."""
    if hasattr(config, "workerinput") or not getattr(config.option, "numprocesses", 0):
        return
    compilers = [
        subprocess.Popen(
            [sys.executable, "-c", _EXIT_CODE + code],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for code in (_WINKS, _OTHERS)
    ]
    for compiler in compilers:
        with compiler:  # closes its pipe only after it has ended
            compiler.wait()
