"""Files for TLS to etcd, checked; and what is wrong when a connection fails that uses them.

gRPC tells the reason in none of these cases, so this asks Python's `ssl`.
"""

import asyncio
import ssl

from boxroom_server.storage.etcd.address import EtcdAddress, TlsFiles
from boxroom_server.storage.storage import StorageError

LOOK_S = 2.0
"""How long a handshake may take, and how soon after it etcd says that it wants a certificate."""


def check_files(tls: TlsFiles) -> None:
    """Raise a StorageError if the files can't be used, or an OSError if one can't be read."""
    _context(tls)


def _context(tls: TlsFiles) -> ssl.SSLContext:
    for path in (tls.ca, tls.cert, tls.key):
        if path is not None:
            path.read_bytes()
    if (tls.cert is None) != (tls.key is None):
        raise StorageError("--store-cert and --store-key go together: give both, or neither")
    try:
        context = ssl.create_default_context(cafile=tls.ca)
    except ssl.SSLError:
        raise StorageError(f"{tls.ca} has no certificates in PEM") from None
    if tls.cert is not None:
        try:
            context.load_cert_chain(tls.cert, tls.key)
        except ssl.SSLError:
            raise StorageError(
                f"{tls.cert} has to have a certificate, and {tls.key} its key, both in PEM"
            ) from None
    return context


async def problem(address: EtcdAddress) -> str | None:
    """Return why TLS to an endpoint of `address` fails; None if it doesn't, or isn't used."""
    if address.tls is None:
        return None
    context = _context(address.tls)
    for endpoint in address.endpoints:
        try:
            await _shake_hands(endpoint, context)
        except ssl.SSLCertVerificationError as error:
            return f"{endpoint} has a certificate that isn't trusted: {error.verify_message}"
        except ssl.SSLError as error:
            return _refusal(endpoint, address.tls, error)
    return None


async def _shake_hands(endpoint: str, context: ssl.SSLContext) -> None:
    """Connect, and wait for what etcd says: with TLS 1.3 it refuses a certificate afterwards."""
    host, _, port = endpoint.rpartition(":")
    try:
        async with asyncio.timeout(LOOK_S):
            reader, writer = await asyncio.open_connection(host.strip("[]"), int(port), ssl=context)
            try:
                await reader.read(1)
            finally:
                writer.transport.abort()
    except ssl.SSLError:
        raise
    except OSError:
        pass  # it isn't there, or says nothing


def _refusal(endpoint: str, tls: TlsFiles, error: ssl.SSLError) -> str:
    if tls.cert is None:
        return f"{endpoint} asks for a certificate: --store-cert and --store-key name one"
    return f"{endpoint} refuses the certificate in {tls.cert}: {error.reason}"
