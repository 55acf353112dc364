"""Keywords of release 0.1.0, accepted with a DeprecationWarning, and its info keys, given beside the new ones."""

from flicksim.core.deprecation import renamed_keywords
from flicksim.envs.features import InfoColumns

accept_old_keywords = renamed_keywords(
    hand="execution_noise", near="min_distance", far="max_distance", large="large_share", shaping="distance_penalty"
)
OLD_INFO_KEYS = {"gap": "distance", "unsettled": "did_not_settle"}
"""Old key to new; an `info` has both for one release. `gap` was one of the shot `Draw` only."""


def with_old_keys(info: InfoColumns, *, keep: tuple[str, ...] = ()) -> InfoColumns:
    """Info columns under their old keys too.

    Args:
        keep: keys that release 0.1.0 had already.
    """
    old = {old: info[new] for old, new in OLD_INFO_KEYS.items() if new in info and new not in keep}
    return {**info, **old}
