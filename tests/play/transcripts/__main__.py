"""Tell the games anew: what has changed in the files is what the program does otherwise now."""

from tests.play.transcripts import GAMES, HERE, told

for name in GAMES:
    (HERE / f"{name}.txt").write_text(told(name))
