"""Secrets, tries, rates and certificates."""

import ssl
import stat
from pathlib import Path

import pytest

from flicksim.core.errors import InvalidFile, InvalidOption
from flicksim.net import security


def test_a_code_has_eighty_bits_and_is_read_however_it_is_typed() -> None:
    codes = {security.new_code() for _ in range(100)}
    assert len(codes) == 100
    for code in codes:
        digits = security.normal_code(code)
        assert len(digits) == 16
        assert set(digits) <= set(security.ALPHABET)
        assert security.normal_code(code.lower().replace("-", " ")) == digits
    assert len(set(security.ALPHABET)) == 32
    assert security.normal_code("o0il-1") == "00111"


def test_secrets_are_compared_by_their_digests() -> None:
    token = security.new_token()
    assert security.same_secret(token, security.digest(token))
    assert not security.same_secret(token + "x", security.digest(token))
    assert not security.same_secret("", "")
    assert not security.same_secret("\ud800", security.digest(token))


def test_wrong_tries_of_an_address_wait_longer_and_longer() -> None:
    now = [0.0]
    tries = security.TryLimiter(lambda: now[0])
    waits = []
    for _ in range(12):
        tries.fail("1.2.3.4")
        waits.append(tries.wait("1.2.3.4"))
    assert waits == [0, 0, 0, 2, 4, 8, 16, 32, 60, 60, 60, 60]
    assert tries.wait("5.6.7.8") == 0
    now[0] += 59.0
    assert tries.wait("1.2.3.4") == 1
    now[0] += 3600.0
    tries.fail("1.2.3.4")
    assert tries.wait("1.2.3.4") == 0


def test_wrong_tries_from_everywhere_slow_every_answer() -> None:
    now = [0.0]
    tries = security.TryLimiter(lambda: now[0])
    for number in range(200):
        assert tries.delay() == pytest.approx(min(5.0, max(0, number - 30) * 0.1))
        tries.fail(f"10.0.0.{number}")
    now[0] += 3601.0
    assert tries.delay() == 0


def test_the_addresses_remembered_are_limited() -> None:
    tries = security.TryLimiter(lambda: 0.0)
    for number in range(security.MAX_ADDRESSES + 5):
        tries.fail(str(number))
    assert len(tries.failures) == security.MAX_ADDRESSES


def test_the_rate_is_limited_after_a_burst() -> None:
    now = [0.0]
    rate = security.RateLimit(10.0, 3.0, lambda: now[0])
    assert [rate.delay() for _ in range(5)] == pytest.approx([0.0, 0.0, 0.0, 0.1, 0.2])
    now[0] += 0.3
    assert [rate.delay() for _ in range(2)] == pytest.approx([0.0, 0.1])


def test_a_certificate_of_ones_own_is_private_and_kept(tmp_path: Path) -> None:
    certificate, key = security.self_signed(tmp_path / "net")
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert stat.S_IMODE(key.parent.stat().st_mode) == 0o700
    fingerprint = security.certificate_fingerprint(certificate)
    security.self_signed(tmp_path / "net")
    assert security.certificate_fingerprint(certificate) == fingerprint
    der = ssl.PEM_cert_to_DER_cert(certificate.read_text())
    assert security.is_certificate(der, ":".join(fingerprint[k : k + 2].upper() for k in range(0, 64, 2)))
    assert not security.is_certificate(None, fingerprint)
    security.server_context(certificate, key)


def test_files_that_are_no_certificate_are_told(tmp_path: Path) -> None:
    other = tmp_path / "a.pem"
    with pytest.raises(InvalidFile, match="cannot read"):
        security.certificate_fingerprint(other)
    other.write_text("hello")
    with pytest.raises(InvalidFile, match="no certificate"):
        security.certificate_fingerprint(other)
    with pytest.raises(InvalidFile, match="cannot use"):
        security.server_context(other, other)
    with pytest.raises(InvalidOption, match="64 hex digits"):
        security.normal_fingerprint("ab:cd")
