"""Play between machines: a host that is the referee, clients that show its game, and the protocol between them."""

from flicksim.net.client import Client, Event, LineChanged, TokenStore, parse_address, user_tokens
from flicksim.net.remote_match import RemoteMatch, RemotePlayer
from flicksim.net.security import certificate_fingerprint, self_signed, server_context
from flicksim.net.server import DEFAULT_PORT, Host, Limits
from flicksim.net.table import HostFile, Table, new_seed, resume_match

__all__ = [
    "DEFAULT_PORT",
    "Client",
    "Event",
    "Host",
    "HostFile",
    "Limits",
    "LineChanged",
    "RemoteMatch",
    "RemotePlayer",
    "Table",
    "TokenStore",
    "certificate_fingerprint",
    "new_seed",
    "parse_address",
    "resume_match",
    "self_signed",
    "server_context",
    "user_tokens",
]
