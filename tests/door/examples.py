"""The examples of the front door's page as one program: printed, for whoever wants to check or run them."""

from __future__ import annotations

import doctest
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "flicksim" / "door" / "README.md"


def program() -> str:
    """The examples, one after another; what is shown to go wrong is left out."""
    found = doctest.DocTestParser().get_examples(PAGE.read_text(encoding="utf-8"))
    return "".join(one.source for one in found if one.exc_msg is None)


if __name__ == "__main__":
    print(program())
