"""Tell the games anew: what has changed in the files is what the program does otherwise now."""

from tests.match.transcripts import GAMES, HERE, transcript_of

for name in GAMES:
    (HERE / f"{name}.txt").write_text(transcript_of(name))
