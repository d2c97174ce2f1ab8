"""Trusted certificate authorities, and messages for TLS failures.

A client trusts the authorities of the system, and one of its user's own if the user names its
file. Nothing turns the verification off.
"""

import ssl
from dataclasses import replace

from boxroom_client.servers.address import Address
from boxroom_common.phrases import say
from boxroom_engine.errors import BoxroomError

# Of <openssl/x509_vfy.h>; Python has no names for them.
_NOT_YET_VALID = 9
_EXPIRED = 10
_UNKNOWN_ISSUER = (18, 19, 20, 21)
_OTHER_NAME = (62, 64)

_NO_TLS = ("WRONG_VERSION_NUMBER", "HTTP_REQUEST", "RECORD_LAYER_FAILURE")


class CertificateAuthorityError(BoxroomError, ValueError):
    """The file has no certificate of an authority; `str(error)` is a sentence."""


def ssl_context(ca_file: str | None) -> ssl.SSLContext:
    """Return a context that trusts the system's authorities and the one in `ca_file`, in PEM.

    Raises:
        CertificateAuthorityError: the file has no authority's certificate.
    """
    context = ssl.create_default_context()
    if ca_file is not None:
        try:
            context.load_verify_locations(cafile=ca_file)
        except ssl.SSLError:
            raise CertificateAuthorityError(
                f"{ca_file} has no authority's certificate in PEM"
            ) from None
        except OSError as error:
            raise CertificateAuthorityError(
                f"can't read {ca_file}: {error.strerror or error}"
            ) from None
    return context


def tls_failure_message(address: Address, error: ssl.SSLError) -> str:
    """Return a sentence: why TLS with the server at `address` failed, and what the user can do."""
    if not isinstance(error, ssl.SSLCertVerificationError):
        if getattr(error, "reason", None) in _NO_TLS:
            plain = replace(address, secure=False)
            return say("terminal.tls.none", address=str(address), plain=str(plain))
        return say("terminal.tls.failed", address=str(address), error=str(error))
    code = getattr(error, "verify_code", None)
    if code == _EXPIRED:
        return say("terminal.tls.expired", address=str(address))
    if code == _NOT_YET_VALID:
        return say("terminal.tls.not_yet_valid", address=str(address))
    if code in _OTHER_NAME:
        return say("terminal.tls.other_name", address=str(address), host=address.host)
    if code in _UNKNOWN_ISSUER:
        return say("terminal.tls.unknown_issuer", address=str(address))
    return say("terminal.tls.not_trusted", address=str(address), error=error.verify_message)
