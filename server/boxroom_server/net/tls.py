"""The server's TLS certificate and key: loaded from files, and reloaded while it runs."""

import re
import ssl
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

from boxroom_common.exits import Exit, Failure

_CERTIFICATE = re.compile("-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----", re.DOTALL)


class CertificateError(Failure, ValueError):
    """The files don't hold a certificate and its key; `str(error)` says what would help."""

    def __init__(self, message: str) -> None:
        super().__init__(message, Exit.USAGE)


class Certificate:
    """A certificate chain with its key, both in PEM, from two files.

    `context` stays the same; `reload` changes the certificate that new connections are shown.
    Loading a second one into the same context wouldn't do: OpenSSL keeps one for each kind of
    key, and might go on showing the old one.
    """

    def __init__(self, chain_file: str, key_file: str) -> None:
        """Load the files.

        Raises:
            CertificateError: the files can't be used.
        """
        self._chain_file = chain_file
        self._key_file = key_file
        self._current = _load(chain_file, key_file)  # the context of new connections
        self._der = _first_certificate(chain_file)
        self.context = _context()
        """Context to listen with; it hands each new connection over to the current one."""
        self.context.sni_callback = self._use_current

    def reload(self) -> None:
        """Load the files again.

        Raises:
            CertificateError: the files can't be used; the old certificate stays.
        """
        self._current = _load(self._chain_file, self._key_file)
        self._der = _first_certificate(self._chain_file)

    @property
    def der(self) -> bytes | None:
        """The certificate in DER, as clients see it; None if the file has it in a rare form."""
        return self._der

    def is_for(self, host: str) -> bool:
        """Whether clients that connect to `host` accept the certificate, if they trust its issuer.

        This is a handshake in memory, with a client that trusts what is in the file.
        """
        client = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        client.load_verify_locations(self._chain_file)
        client.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
        up, down = ssl.MemoryBIO(), ssl.MemoryBIO()
        ends = (
            client.wrap_bio(down, up, server_hostname=host),
            self._current.wrap_bio(up, down, server_side=True),
        )
        try:
            for end in (*ends, ends[0]):
                with suppress(ssl.SSLWantReadError):
                    end.do_handshake()
        except ssl.SSLCertVerificationError:
            return False
        return True

    def _use_current(
        self, connection: ssl.SSLSocket | ssl.SSLObject, _name: str | None, _: ssl.SSLContext
    ) -> None:
        connection.context = self._current


def _load(chain_file: str, key_file: str) -> ssl.SSLContext:
    for file in (chain_file, key_file):
        try:
            Path(file).read_bytes()
        except OSError as error:
            raise CertificateError(f"can't read {file}: {error.strerror or error}") from None
    context = _context()
    try:
        context.load_cert_chain(chain_file, key_file, password=lambda: _refuse(key_file))
    except ssl.SSLError as error:
        if error.reason == "KEY_VALUES_MISMATCH":
            raise CertificateError(
                f"the key in {key_file} isn't that of the certificate in {chain_file}"
            ) from None
        raise CertificateError(
            f"{chain_file} has to have a certificate, and {key_file} its key, both in PEM: {error}"
        ) from None
    return context


def _first_certificate(chain_file: str) -> bytes | None:
    found = _CERTIFICATE.search(Path(chain_file).read_text(encoding="latin-1"))
    return ssl.PEM_cert_to_DER_cert(found[0]) if found else None


def _refuse(key_file: str) -> NoReturn:
    """Keep OpenSSL from asking for a passphrase at the terminal."""
    raise CertificateError(f"the key in {key_file} has a passphrase: give it without one")


def _context() -> ssl.SSLContext:
    """Return a context for servers (RFC 9325): TLS 1.2 or later, no client certificates."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context
