"""Print the examples of the API page as one program, to be type-checked or run."""

import doctest
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "flicksim" / "api" / "README.md"


def program_command() -> str:
    """Source of all examples in order, without those that show an error."""
    found = doctest.DocTestParser().get_examples(PAGE.read_text(encoding="utf-8"))
    return "".join(one.source for one in found if one.exc_msg is None)


if __name__ == "__main__":
    print(program_command())
