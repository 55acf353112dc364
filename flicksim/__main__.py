"""`python -m flicksim` is `flicksim`."""

from flicksim.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
