"""A small program for tests, and seats of programs."""

import sys
from pathlib import Path
from shlex import quote

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
