"""Small programs for tests: some that play, some that misbehave."""

import sys
from pathlib import Path
from shlex import quote

RANDOM = """
import json, random, sys
random.seed(4)
for line in sys.stdin:
    ask = json.loads(line)
    if ask["actions"]:
        answer = random.choice(ask["actions"])
    else:
        may = random.choice(ask["flicks"])
        answer = {name: may[name] for name in ("do", "piece", "size", "hold") if name in may}
        for name in ("speed", "azimuth", "height", "slant"):
            if name in may:
                answer[name] = random.uniform(*may[name])
    print(json.dumps(answer), flush=True)
"""
"""Plays every game."""

FIRST = """
import json, sys
for line in sys.stdin:
    ask = json.loads(line)
    print(json.dumps(ask["actions"][0]))
"""
"""Plays card games without chance, and forgets to flush."""


def seat(folder: Path, text: str, *, front: str = "cmd") -> str:
    """Seat of a Python program with this source."""
    path = folder / f"program-{len(list(folder.glob('program-*.py')))}.py"
    path.write_text(text)
    return f"{front}:{quote(sys.executable)} {quote(str(path))}"
