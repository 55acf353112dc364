"""Benchmarks for a checkout: `python -m benchmarks`; the measuring functions are in `flicksim.validation`."""
