"""The front door in Python: what `import flicksim` has by name. What is given is checked, and told of in a sentence.

`shots` settles, `games` plays, `questions` asks many shots. Nothing else in the house imports this room but the package
itself, which looks a name up here when it is first used.
"""
