"""Setting up a host: records of their own."""

from pathlib import Path

import pytest

from flicksim import net
from flicksim.core.paths import HOME_VARIABLE


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path))


def test_hosts_that_begin_in_the_same_second_have_records_of_their_own() -> None:
    assert net.default_record("ice") != net.default_record("ice")


def test_the_last_invitation_is_kept_for_this_user_alone(tmp_path: Path) -> None:
    assert net.Invitation.last() is None
    invitation = net.Invitation(address="192.0.2.1", code="K7QF-M2XD-9RTA-3PWE", fingerprint="0f" * 32)
    invitation.remember()
    assert net.Invitation.last() == invitation
    (path,) = tmp_path.rglob("last-invitation.json")
    assert path.stat().st_mode & 0o077 == 0
    path.write_text("{")
    assert net.Invitation.last() is None
