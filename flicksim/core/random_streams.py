"""Named random streams spawned from one seed; independent of the order of use."""

import hashlib

import numpy as np

from flicksim.core.limits import MAX_SEED
from flicksim.core.serialization import Value


class RandomStreams(Value, frozen=True, kw_only=True):
    """A node in a tree of named random streams.

    Args:
        seed: seed of the whole tree.
        path: names from the root to this stream.
    """

    seed: int
    path: tuple[str, ...] = ()

    def spawn(self, *names: str | int) -> "RandomStreams":
        """Child stream of that name."""
        return RandomStreams(seed=self.seed, path=(*self.path, *map(str, names)))

    def stream_key(self) -> str:
        """Unique key of this stream: the seed and the path, joined by "/"."""
        names = (name.replace("~", "~0").replace("/", "~1") for name in self.path)  # "a/b" is one name, not two
        return "/".join((str(self.seed), *names))

    def derived_seed(self) -> int:
        """64-bit seed of this stream: the first bytes of the SHA-256 of its key."""
        return int.from_bytes(hashlib.sha256(self.stream_key().encode()).digest()[:8], "big")

    def root_seed(self) -> int:
        """Seed of a tree of its own, within `MAX_SEED`: that of this tree at its root, else one derived."""
        return self.derived_seed() % (MAX_SEED + 1) if self.path or self.seed > MAX_SEED else self.seed

    def generator(self) -> np.random.Generator:
        """New NumPy generator (PCG64) at the beginning of this stream."""
        return np.random.Generator(np.random.PCG64(self.derived_seed()))
