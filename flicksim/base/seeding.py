"""One seed, many named streams. The same names from the same seed give the same numbers, in any order of asking."""

from __future__ import annotations

import hashlib

import numpy as np

from flicksim.base.codec import Value


class Seeds(Value, frozen=True, kw_only=True):
    """A place in a tree of random streams.

    Args:
        seed: the one number everything comes from.
        path: names from the root to here.
    """

    seed: int
    path: tuple[str, ...] = ()

    def child(self, *names: str | int) -> Seeds:
        """The stream of that name below this one."""
        return Seeds(seed=self.seed, path=(*self.path, *map(str, names)))

    def text(self) -> str:
        """The name of this place, from the seed on."""
        names = (name.replace("~", "~0").replace("/", "~1") for name in self.path)  # "a/b" is one name, not two
        return "/".join((str(self.seed), *names))

    def number(self) -> int:
        """A 64-bit seed of this place, for tools that want an integer."""
        return int.from_bytes(hashlib.sha256(self.text().encode()).digest()[:8], "big")

    def generator(self) -> np.random.Generator:
        """A fresh generator that starts at the beginning of this stream."""
        return np.random.Generator(np.random.PCG64(self.number()))
