"""Secrets, limits on tries and on the rate of messages, and TLS with a self-signed certificate known by fingerprint."""

import hmac
import ssl
from collections import OrderedDict
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from secrets import choice, token_urlsafe
from time import monotonic

from flicksim.core.atomic_files import os_error_message, write_atomic
from flicksim.core.errors import InvalidFile, InvalidOption, MissingExtra
from flicksim.core.paths import make_private_dir

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Digits of a code (Crockford's base 32): no letter looks like a digit."""
_CODE_GROUPS, _GROUP_LENGTH = 4, 4
_READ_AS = str.maketrans("OIL", "011", "- ")
_FREE_TRIES, _MAX_DELAY, _FORGET_AFTER = 3, 60.0, 3600.0
"""Wrong tries of an address without a delay, longest delay [s], and time after which tries are forgotten [s]."""
_FREE_TRIES_OF_ALL, _MAX_DELAY_OF_ALL = 30, 5.0
MAX_ADDRESSES = 10_000
MIN_TOKEN_LENGTH = 22
"""Shortest token that a client may choose for a new seat: 128 bits in base 64."""


def new_code() -> str:
    """New code of a table: 16 digits of 5 bits each."""
    groups = ("".join(choice(ALPHABET) for _ in range(_GROUP_LENGTH)) for _ in range(_CODE_GROUPS))
    return "-".join(groups)


def normal_code(text: str) -> str:
    """Code as it is compared: however it was typed."""
    return text.upper().translate(_READ_AS)


def new_token() -> str:
    """New token of a seat, of 192 bits."""
    return token_urlsafe(24)


def digest(secret: str) -> str:
    """SHA-256 of a secret, which may be stored and compared."""
    return sha256(secret.encode(errors="surrogatepass")).hexdigest()


def same_secret(given: str, expected_digest: str) -> bool:
    """Compare a secret with a digest in constant time."""
    return hmac.compare_digest(digest(given), expected_digest)


class TryLimiter:
    """Limit on wrong tries: growing delays for each address (exponential backoff), and a smaller one for all.

    Args:
        clock: time [s].
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self.failures: OrderedDict[str, tuple[int, float]] = OrderedDict()
        self._total, self._last = 0, 0.0

    def wait(self, address: str) -> float:
        """Time until a try from an address is heard [s]."""
        count, last = self.failures.get(address, (0, 0.0))
        if count <= _FREE_TRIES:
            return 0.0
        return max(0.0, last + min(_MAX_DELAY, 2.0 ** min(count - _FREE_TRIES, 10)) - self._clock())

    def delay(self) -> float:
        """Delay of every answer, grown with the wrong tries from all addresses [s]."""
        if self._clock() - self._last > _FORGET_AFTER:
            self._total = 0
        return min(_MAX_DELAY_OF_ALL, max(0, self._total - _FREE_TRIES_OF_ALL) * 0.1)

    def fail(self, address: str) -> None:
        """Count a wrong try."""
        now = self._clock()
        count, last = self.failures.pop(address, (0, now))
        self.failures[address] = (1 if now - last > _FORGET_AFTER else count + 1, now)
        self._total, self._last = self._total + 1, now
        if len(self.failures) > MAX_ADDRESSES:
            self.failures.popitem(last=False)


class RateLimit:
    """Limit on the rate of messages (token bucket).

    Args:
        rate: messages per second. burst: messages at once. clock: time [s].
    """

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = monotonic) -> None:
        self._rate, self._burst, self._clock = rate, burst, clock
        self._left, self._last = burst, clock()

    def delay(self) -> float:
        """Count a message; returns the time until it may be handled [s], 0 within the rate."""
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._last) * self._rate) - 1.0
        self._last = now
        return max(0.0, -self._left / self._rate)


# -- TLS ---------------------------------------------------------------------------------------------------------------


def normal_fingerprint(text: str) -> str:
    """SHA-256 fingerprint of a certificate, however it was typed.

    Raises:
        InvalidOption: it has not 64 hex digits.
    """
    digits = text.replace(":", "").replace(" ", "").lower()
    if len(digits) != 64 or set(digits) - set("0123456789abcdef"):
        raise InvalidOption(f"fingerprint {text!r} must have 64 hex digits, as the host prints it")
    return digits


def certificate_fingerprint(certificate: Path) -> str:
    """SHA-256 fingerprint of the first certificate in a PEM file.

    Raises:
        InvalidFile: there is none.
    """
    try:
        pem = certificate.read_text(encoding="ascii")
        start, end = pem.index("-----BEGIN CERTIFICATE"), pem.index("END CERTIFICATE-----")
        return sha256(ssl.PEM_cert_to_DER_cert(pem[start : end + len("END CERTIFICATE-----")])).hexdigest()
    except OSError as error:
        raise InvalidFile(f"cannot read {str(certificate)!r}: {os_error_message(error)}") from None
    except ValueError:
        raise InvalidFile(f"{str(certificate)!r} holds no certificate; a PEM file is expected") from None


def server_context(certificate: Path, key: Path) -> ssl.SSLContext:
    """TLS of a host.

    Raises:
        InvalidFile: the files are no certificate and its key.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        context.load_cert_chain(certificate, key)
    except OSError as error:  # of ssl too
        reason = os_error_message(error)
        raise InvalidFile(f"cannot use {str(certificate)!r} with the key {str(key)!r}: {reason}") from None
    return context


def client_context(fingerprint: str) -> ssl.SSLContext:
    """TLS of a client; with a fingerprint the certificate is checked by it alone (see `is_certificate`)."""
    context = ssl.create_default_context()
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    if fingerprint:
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


def is_certificate(der: bytes | None, fingerprint: str) -> bool:
    """Compare the certificate of a connection with a fingerprint in constant time."""
    return hmac.compare_digest(sha256(der or b"").hexdigest(), normal_fingerprint(fingerprint))


def self_signed(folder: Path) -> tuple[Path, Path]:
    """Certificate and key in a private folder, made there at the first call (ECDSA P-256).

    Raises:
        MissingExtra: `cryptography` is not installed. InvalidFile: they cannot be written.
    """
    certificate, key = folder / "host-certificate.pem", folder / "host-key.pem"
    if certificate.exists() and key.exists():
        return certificate, key
    try:
        from cryptography import x509
        from cryptography.hazmat.primitives import hashes, serialization
        from cryptography.hazmat.primitives.asymmetric import ec
    except ImportError:
        raise MissingExtra("a certificate of one's own", "net") from None
    private, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "flicksim")])
    signed = (
        x509.CertificateBuilder(name, name, private.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=3650))
        .sign(private, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    try:
        make_private_dir(folder, folder)
        secret = private.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        write_atomic(key, secret, private=True)
        write_atomic(certificate, signed.public_bytes(pem), private=True)
    except OSError as error:
        raise InvalidFile(f"cannot write {str(folder)!r}: {os_error_message(error)}") from None
    return certificate, key
