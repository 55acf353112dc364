"""Public Python API: the functions and types that `import flicksim` offers by name.

`simulation` simulates shots, `games` plays games, `experiments` runs experiments of many shots. No other package
imports this one; `flicksim` itself looks a name up here when it is first used.
"""
