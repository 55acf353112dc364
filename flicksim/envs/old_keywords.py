"""Keywords and info keys of environments in release 0.1.0, accepted with a DeprecationWarning."""

from __future__ import annotations

from flicksim.core.deprecation import renamed_keywords

accept_old_keywords = renamed_keywords(
    hand="execution_noise", near="min_distance", far="max_distance", large="large_share", shaping="distance_penalty"
)
OLD_INFO_KEYS = {"gap": "distance", "unsettled": "did_not_settle"}
"""Old name to new; an `info` has both for one release."""
