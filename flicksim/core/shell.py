"""Commands in messages, as they are typed in the shell of this system."""

import os
import shlex
import sys


def command_line(*words: str) -> str:
    """Command of these words, quoted for the shell: on Windows by double quotes, elsewhere as POSIX has it."""
    if os.name == "nt":
        from subprocess import list2cmdline

        return list2cmdline(words)
    return shlex.join(words)


def install_command(extra: str) -> str:
    """Command that installs an extra for this interpreter, wherever flicksim itself was installed from."""
    return command_line(sys.executable or "python", "-m", "pip", "install", f"flicksim[{extra}]")
