"""Opening a host: the certificate, the table and the server of one match."""

from collections.abc import Sequence

from flicksim.core.errors import InvalidOption
from flicksim.match import FALLBACK_TIME_LIMIT, Match, Recorder, Seat, warm_up_match
from flicksim.net.host_file import HostFile, TlsChoice, discard_record
from flicksim.net.security import certificate_fingerprint, server_context
from flicksim.net.server import Host
from flicksim.net.setup import chosen_certificate
from flicksim.net.table import Table


def open_host(
    match: Match, seats: Sequence[Seat], recorder: Recorder, listen: str, ports: Sequence[int], *,
    tls: TlsChoice | None = None, saved: HostFile | None = None, hashes: Sequence[str] | None = None,
    limit: float | None = None, pause_clock: bool = False,
) -> tuple[Host, str]:  # fmt: skip
    """Host a match at one table; returns the host, and the fingerprint of its certificate, empty without TLS.

    Args:
        match, seats, recorder, saved, hashes, limit, pause_clock: see `Table`. listen: address to listen on.
        ports: to be tried in turn. tls: choice of TLS; that of `saved` by default.

    Raises:
        FlicksimError: it cannot be hosted; the recorder is closed, and a new record is removed.
    """
    tls = tls or (TlsChoice() if saved is None else saved.tls)
    try:
        certificate = chosen_certificate(listen, tls)
        fingerprint = "" if certificate is None else certificate_fingerprint(certificate[0])
        context = None if certificate is None else server_context(*certificate)
        table = Table(
            match, seats, recorder, limit=limit, pause_clock=pause_clock, saved=saved, hashes=hashes, tls=tls,
            choose=warm_up_match(match, FALLBACK_TIME_LIMIT),
        )  # fmt: skip
        for port in ports[:-1]:
            try:
                return Host([table], listen=listen, port=port, tls=context).start(), fingerprint
            except InvalidOption:
                continue
        return Host([table], listen=listen, port=ports[-1], tls=context).start(), fingerprint
    except BaseException:
        if saved is None:
            discard_record(recorder)
        else:
            recorder.close()
        raise
