"""TCP ports of servers. This module imports nothing, so that every command starts quickly."""

DEFAULT_PORT = 8765
"""Port of a Boxroom server, unless its operator chooses another one."""

TLS_PORT = 443
"""Port of a `wss://` address that names none, as for `https://` (RFC 6455, section 3)."""

HTTP_PORT = 80
"""Port of an `http://` address that names none (RFC 9110, section 4.2.1)."""
