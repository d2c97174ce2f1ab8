"""The web pages that may open WebSockets."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from boxroom_engine.wire.origins import LOCAL_NAMES, is_same_origin, is_trusted_host
from boxroom_server.options import Options


@dataclass(frozen=True, slots=True)
class AllowedPages:
    """The web pages that may open WebSockets to one server, by their origins.

    A browser lets any page open a WebSocket to any server and names the page's origin (RFC 6455,
    section 10.2). Other programs send no such header and are allowed.
    """

    origins: frozenset[str] = frozenset()
    """Origins that are allowed whatever the request's `Host`, in lower case."""
    own_names: frozenset[str] | None = None
    """Names of the server by which its own page may come; None if it serves no page."""
    secure: bool = False
    """Whether the server's own page comes by HTTPS."""

    @classmethod
    def of(cls, options: Options) -> Self:
        """Return the pages that `options` allow."""
        names = None if options.no_web else options.allowed_web_names() | {LOCAL_NAMES}
        return cls(options.allowed_origins(), names, bool(options.tls_cert))

    def allow(self, origins: Sequence[str], hosts: Sequence[str]) -> bool:
        """Return whether a request with these `Origin` and `Host` headers may open a WebSocket."""
        return all(
            origin.lower() in self.origins or self._is_own_page(origin, hosts) for origin in origins
        )

    def _is_own_page(self, origin: str, hosts: Sequence[str]) -> bool:
        """Return whether the page came from here, by a name that no stranger can direct here."""
        return (
            self.own_names is not None
            and len(hosts) == 1
            and is_same_origin(origin, hosts[0], secure=self.secure)
            and is_trusted_host(hosts[0], self.own_names)
        )
