"""Announcing a server on the local network, so that clients find it without an address.

It goes by multicast DNS over IPv4, which every local network has; the addresses that are
announced may be of both kinds. Where multicast isn't possible, as in many containers, the
server isn't announced, and that is all.
"""

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

from zeroconf import Error, InterfaceChoice
from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

from boxroom_engine.room.text import clean
from boxroom_engine.wire.announcement import SERVICE_TYPE, properties
from boxroom_server.tasks import Tasks

logger = logging.getLogger(__name__)

GOODBYE_S = 1.0
"""How long a stopping server may take to say that it goes."""

_MOST_NAME_BYTES = 56
"""A label has 63 (RFC 1035, section 2.3.4); the rest is for what makes a name unique: -2."""


@asynccontextmanager
async def announced(
    port: int,
    *,
    name: str,
    version: str,
    addresses: Sequence[str],
    interfaces: Sequence[str] | None = None,
    tell: Callable[[str], None] = logger.info,
) -> AsyncIterator[None]:
    """Announce the server at `port` of `addresses` while the context lasts.

    Entering doesn't wait: the network is asked first whether another server has that name,
    which takes a second; then this one becomes NAME-2. `tell` is given a sentence when the
    server is announced, or can't be, which is no error. `interfaces` are this machine's
    addresses on the networks where to announce (default: all networks).
    """
    service = AsyncServiceInfo(
        SERVICE_TYPE,
        f"{_label(name)}.{SERVICE_TYPE}",
        port,
        properties=properties(version),
        # Not the machine's own name, which belongs to its responder: our good-bye would take
        # it off the network, and different addresses for it would be a conflict.
        server=f"boxroom-{secrets.token_hex(4)}.local.",
        parsed_addresses=list(addresses),
    )
    tasks = Tasks()
    tasks.start(_announce(service, interfaces, tell))
    try:
        yield
    finally:
        await tasks.cancel()


async def _announce(
    service: AsyncServiceInfo, interfaces: Sequence[str] | None, tell: Callable[[str], None]
) -> None:
    """Announce `service` until cancelled."""
    try:
        zeroconf = AsyncZeroconf(InterfaceChoice.All if interfaces is None else list(interfaces))
    except RuntimeError:  # the library's, in words for programmers
        tell(_not_announced("there is no IPv4 network here"))
        return
    except OSError as error:
        tell(_not_announced(_reason(error)))
        return
    try:
        announcing = await zeroconf.async_register_service(service, allow_name_change=True)
        tell(f"Announced on the local network as {service.get_name()}: boxroom join finds it.")
        await announcing
        await asyncio.get_running_loop().create_future()
    except (OSError, Error) as error:
        tell(_not_announced(_reason(error)))
    finally:
        await _say_goodbye(zeroconf)


async def _say_goodbye(zeroconf: AsyncZeroconf) -> None:
    try:
        # Not asyncio.timeout: see CONTRIBUTING.md on code that runs in a cancelled task.
        await asyncio.wait_for(zeroconf.async_close(), GOODBYE_S)
    except (TimeoutError, OSError, Error) as error:
        logger.warning("the announcement may outlive the server: %r", error)


def _not_announced(reason: str) -> str:
    return f"Not announced on the local network: {reason}."


def _reason(error: OSError | Error) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error) or repr(error)


def _label(name: str) -> str:
    """`name` as one label of DNS, in which dots separate labels."""
    text = clean(name.replace(".", " ")).encode()[:_MOST_NAME_BYTES].decode(errors="ignore")
    return text.strip() or "Boxroom"
