"""Trusted certificate authorities, and messages for TLS failures.

A client trusts the authorities of the system, and one of its user's own if the user names its
file. Nothing turns the verification off.
"""

import ssl
from dataclasses import replace

from boxroom_client.servers.address import Address
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
            return f"{address} doesn't speak TLS: if its host says so, join {plain}"
        return f"{address} doesn't speak TLS with us: {error}"
    code = getattr(error, "verify_code", None)
    if code == _EXPIRED:
        return f"the certificate of {address} has expired: its host has to renew it"
    if code == _NOT_YET_VALID:
        return f"the certificate of {address} isn't valid yet: is the clock of this machine right?"
    if code in _OTHER_NAME:
        return (
            f"the certificate of {address} is for another name than {address.host}: join it by "
            "the name that its host tells you"
        )
    if code in _UNKNOWN_ISSUER:
        return (
            f"no authority that this machine trusts has signed the certificate of {address}: if "
            "its host gave you the file of an authority, --ca FILE names it"
        )
    return f"{address} has no certificate to trust: {error.verify_message}"
