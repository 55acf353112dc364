"""Sanitizing of outside text: control and invisible characters are escaped."""


def escape_unprintable(text: str, *, multiline: bool = False) -> str:
    """Escape control and invisible characters of a text from outside.

    Args:
        multiline: whether line breaks stay as they are.
    """
    if multiline and "\n" in text:
        return "\n".join(map(escape_unprintable, text.split("\n")))
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)
