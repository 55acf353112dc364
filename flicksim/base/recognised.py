"""Files of kinds people take for one another, told by how they begin."""

from __future__ import annotations

from typing import Final

_BEGINNINGS: Final = (
    (b"\x89PNG", "a picture (PNG)"),
    (b"\xff\xd8\xff", "a picture (JPEG)"),
    (b"GIF8", "a picture (GIF)"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"\x1f\x8b", "a compressed file (gzip)"),
    (b"%PDF", "a PDF"),
    (b"SQLite format 3", "a database (SQLite)"),
    (b"PAR1", "a table (Parquet)"),
    (b'{"line":"game"', "the record of a game"),
)


def recognised(data: bytes) -> str:
    """Words for a file that is known by how it begins, or is no text; empty for any other.

    Args:
        data: its first bytes, or all of it.
    """
    for beginning, what in _BEGINNINGS:
        if data.startswith(beginning):
            return what
    if not data.strip():
        return "empty"
    # a letter may be cut at the end of the first bytes
    return "" if b"\0" not in data[:512] and _letters(data[:512]) else "no text"


def _letters(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError as wrong:
        return wrong.reason == "unexpected end of data" and len(data) == 512
    return True
