"""Certificates for tests, and the authorities that issue them."""

import ssl
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import trustme

LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
STILL_LONG_AGO = datetime(2020, 2, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Files:
    """A certificate and its key, each in a file of its own."""

    chain: Path
    key: Path

    @property
    def options(self) -> dict[str, Any]:
        """Options of a server that uses them."""
        return {"tls_cert": str(self.chain), "tls_key": str(self.key)}

    @property
    def flags(self) -> list[str]:
        """Flags of `boxroom serve` that say the same."""
        return ["--tls-cert", str(self.chain), "--tls-key", str(self.key)]


class Authority:
    """A certificate authority that writes its certificates into a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._ca = trustme.CA()
        self.file = folder / f"authority-{id(self):x}.pem"
        self._ca.cert_pem.write_to_path(str(self.file))

    def issue(
        self, *names: str, file: str = "server", is_expired: bool = False, is_rsa: bool = False
    ) -> Files:
        """Issue a certificate for `names` (default: this machine) into `file`."""
        period: dict[str, Any] = {}
        if is_expired:
            period = {"not_before": LONG_AGO, "not_after": STILL_LONG_AGO}
        issued = self._ca.issue_cert(
            *(names or ("localhost", "127.0.0.1")),
            key_type=trustme.KeyType.RSA if is_rsa else trustme.KeyType.ECDSA,
            **period,
        )
        files = Files(self._folder / f"{file}.pem", self._folder / f"{file}.key")
        files.chain.write_bytes(b"".join(each.bytes() for each in issued.cert_chain_pems))
        files.key.write_bytes(issued.private_key_pem.bytes())
        return files

    def trusting(self) -> ssl.SSLContext:
        """Return the TLS context of a client that trusts this authority alone."""
        return ssl.create_default_context(cafile=str(self.file))
