"""Proofs by which a client and a server recognise each other without sending a secret.

It is the exchange of SCRAM (RFC 5802) with SHA-256, for secrets that are long and random. The
*key* of a secret is its hash, and a server stores the hash of the key, the *verifier*. First the
server proves that it knows the verifier; then the client proves that it knows the key. Neither
proof holds for other nonces, another server id, another name, or another channel. A copy of the
server's database has verifiers, from which no key can be computed.

docs/explanation/security.md says what is prevented and what isn't, and
docs/adr/0024-server-identity.md why.
"""

import hmac
import ipaddress
import secrets
from dataclasses import dataclass
from hashlib import sha256

SERVER_ID_HEADER = "Boxroom-Server-Id"
"""Header of the response that opens a WebSocket: the id of a server that answers challenges."""

NO_CHANNEL = ""
"""Channel of a proof that holds on any way to the server."""

_SERVER, _CLIENT = "boxroom server", "boxroom client"


def key_of(secret: str) -> bytes:
    """Return the key of `secret`: 32 bytes."""
    return sha256(secret.encode()).digest()


def verifier_of(key: bytes) -> bytes:
    """Return the verifier of a key: 32 bytes, by which a server recognises the key."""
    return sha256(key).digest()


def pseudonym_of(verifier: bytes, log: str) -> str:
    """Return the pseudonym of the owner of a verifier in the room with this `log`.

    It is another one in each room, and tells no more than the proof that a server gives anybody.
    """
    return hmac.new(verifier, f"boxroom person\n{log}".encode(), sha256).hexdigest()[:16]


def new_nonce() -> str:
    """Return a nonce for one exchange: 128 random bits."""
    return secrets.token_hex(16)


def tcp_channel(host: str, port: int) -> str:
    """Return the channel of a connection without TLS: the server's IP address and port.

    Raises:
        ValueError: `host` isn't an IP address.
    """
    address = ipaddress.ip_address(host.partition("%")[0])
    plain = getattr(address, "ipv4_mapped", None) or address
    return f"[{plain}]:{port}" if plain.version == 6 else f"{plain}:{port}"


def tls_channel(certificate: bytes) -> str:
    """Return the channel of a connection with TLS: the hash of the server's certificate in DER."""
    return f"tls:{sha256(certificate).hexdigest()}"


@dataclass(frozen=True, slots=True)
class Exchange:
    """The values that both proofs of one exchange hold for."""

    server_id: str
    client_nonce: str
    server_nonce: str
    channel: str
    name: str

    def server_proof(self, verifier: bytes) -> str:
        """Return the proof of a server that knows `verifier`: 64 hexadecimal digits."""
        return self._mac(_SERVER, verifier).hex()

    def is_server_proof(self, proof: str, verifier: bytes) -> bool:
        """Whether the server that sent `proof` knows `verifier`."""
        return hmac.compare_digest(proof.encode(), self.server_proof(verifier).encode())

    def client_proof(self, key: bytes) -> str:
        """Return the proof of a client that knows `key`: 64 hexadecimal digits."""
        return _xor(key, self._mac(_CLIENT, verifier_of(key))).hex()

    def key_from(self, proof: str, verifier: bytes) -> bytes | None:
        """Return the key of the client that sent `proof`; None unless it belongs to `verifier`.

        `proof` has 64 hexadecimal digits.
        """
        key = _xor(bytes.fromhex(proof), self._mac(_CLIENT, verifier))
        return key if hmac.compare_digest(verifier_of(key), verifier) else None

    def _mac(self, label: str, verifier: bytes) -> bytes:
        # Only the name, which comes last, could contain a line break.
        values = (label, self.server_id, self.client_nonce, self.server_nonce, self.channel)
        return hmac.digest(verifier, "\n".join((*values, self.name)).encode(), "sha256")


def _xor(one: bytes, other: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(one, other, strict=True))
