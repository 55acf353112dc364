"""Play between machines: a host that is the referee, clients that show its game, and the protocol between them."""

from flicksim.net.chair import seat_label
from flicksim.net.client import Client, ConnectionChanged, Event
from flicksim.net.host_file import HostFile, TlsChoice, resume_match
from flicksim.net.hosting import open_host
from flicksim.net.protocol import DEFAULT_PORT
from flicksim.net.remote_match import RemoteMatch, RemotePlayer
from flicksim.net.seat_tokens import TokenStore, user_tokens
from flicksim.net.security import certificate_fingerprint, self_signed, server_context
from flicksim.net.server import Host, Limits
from flicksim.net.setup import (
    ANY_ADDRESS,
    LOCAL_ADDRESS,
    Invitation,
    default_record,
    hosted_folder,
    is_any,
    is_local,
    own_address,
    parse_address,
    with_port,
)
from flicksim.net.table import Table, new_seed

__all__ = [
    "ANY_ADDRESS",
    "DEFAULT_PORT",
    "LOCAL_ADDRESS",
    "Client",
    "ConnectionChanged",
    "Event",
    "Host",
    "HostFile",
    "Invitation",
    "Limits",
    "RemoteMatch",
    "RemotePlayer",
    "Table",
    "TlsChoice",
    "TokenStore",
    "certificate_fingerprint",
    "default_record",
    "hosted_folder",
    "is_any",
    "is_local",
    "new_seed",
    "open_host",
    "own_address",
    "parse_address",
    "resume_match",
    "seat_label",
    "self_signed",
    "server_context",
    "user_tokens",
    "with_port",
]
