"""Public Python API: the functions and types that `import flicksim` offers by name.

`simulation` simulates shots, `games` plays games, `analysis` evaluates their states; `flicksim.experiments` runs
experiments and finds shots. No other package imports this one; `flicksim` itself looks a name up when it is first used.
"""
