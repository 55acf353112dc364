"""Code in a new interpreter that finds this checkout."""

import os
import subprocess
import sys
from pathlib import Path

from tests.polling import TIMEOUT

ROOT = Path(__file__).resolve().parents[1]


def run_code(
    code: str, *words: str, cwd: Path = ROOT, status: int | None = 0, **environment: str | None
) -> subprocess.CompletedProcess[str]:
    """Run code with arguments; it must end with this exit status, or with any. Variables that are None are unset."""
    variables = os.environ | {"PYTHONPATH": str(ROOT)} | environment
    given = {name: value for name, value in variables.items() if value is not None}
    command = [sys.executable, "-c", code, *words]
    done = subprocess.run(command, capture_output=True, text=True, cwd=cwd, env=given, timeout=TIMEOUT, check=False)
    assert status in (done.returncode, None), done.stdout + done.stderr
    return done
