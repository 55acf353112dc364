"""Measurements of a checkout: `python -m benchmarks`. The measuring itself is `flicksim.bench`."""
