"""Detection of wrong file types by their first bytes, for error messages."""

from typing import Final

GAME_AS_TEXT: Final = "a game as text, of which `flicksim import` makes a record"
"""File type of a game in text notation."""
RECORD: Final = "the record of a game, which `flicksim replay` shows (--window: the window)"
"""File type of a record."""
SHARE_CODE: Final = "a share code, which `flicksim open` opens"
"""File type of a share code."""
_SIGNATURES: Final = (
    (b"\x89PNG", "a picture (PNG)"),
    (b"\xff\xd8\xff", "a picture (JPEG)"),
    (b"GIF8", "a picture (GIF)"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"\x1f\x8b", "a compressed file (gzip)"),
    (b"%PDF", "a PDF"),
    (b"SQLite format 3", "a database (SQLite)"),
    (b"PAR1", "a table (Parquet)"),
    (b'{"line":"game"', RECORD),
    (b'{"line":"turn"', RECORD),  # without its first line, as reading it says
    (b"[Notation ", GAME_AS_TEXT),
    (b"flicksim1.", SHARE_CODE),
)


def identify_file(data: bytes) -> str:
    """Name of a file type recognised by its first bytes, or "no text"; empty for plain text.

    Args:
        data: first bytes of the file, or all of it; blank lines before them are ignored.
    """
    data = data.lstrip()
    for signature, file_type in _SIGNATURES:
        if data.startswith(signature):
            return file_type
    if not data:
        return "empty"
    # a letter may be cut at the end of the first bytes
    return "" if b"\0" not in data[:512] and _is_utf8(data[:512]) else "no text"


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return error.reason == "unexpected end of data" and len(data) == 512
    return True
