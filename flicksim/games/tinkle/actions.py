"""Actions of Tinkle: card moves and the tinkle."""

from flicksim.cards import Discard, Draw, KeepLastCard, LayOff, Meld, Move, MoveWild, TakeBack


class Tinkle(Move, tag="tinkle", tag_field="do", frozen=True, kw_only=True):
    """Pay tokens into the jar: a discard and three stock cards for each (TK-8d to TK-8f)."""

    form, notation = "tinkle {count}", "tinkle 2"
    count: int = 1

    @classmethod
    def read(cls, words: list[str]) -> "Tinkle | None":
        """Parse a move from words (see `Move.read`)."""
        match words:
            case ["tinkle"]:
                return cls()
            case ["tinkle", count] if count.isascii() and count.isdigit():
                return cls(count=int(count))
            case ["tinkle", *_]:
                raise ValueError(f"{' '.join(words)!r} must be written {cls.notation}")
        return None


Action = Draw | Tinkle | Meld | LayOff | TakeBack | MoveWild | Discard | KeepLastCard
