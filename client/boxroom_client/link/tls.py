"""Whom a client believes that a server is who it says, and why not.

That is the authorities of this system, and one of the person's own if they name its file.
Nothing turns it off.
"""

import ssl
from dataclasses import replace

from boxroom_client.servers.address import Address

# Of <openssl/x509_vfy.h>; Python has no names for them.
_NOT_YET_VALID = 9
_EXPIRED = 10
_UNKNOWN_ISSUER = (18, 19, 20, 21)
_OTHER_NAME = (62, 64)

_NO_TLS = ("WRONG_VERSION_NUMBER", "HTTP_REQUEST", "RECORD_LAYER_FAILURE")


class CertificateAuthorityError(ValueError):
    """The file has no authority's certificate; `str(error)` is a sentence."""


def ssl_context(ca_file: str | None) -> ssl.SSLContext:
    """The authorities of this system, and the one in `ca_file`, a file in PEM.

    Raises:
        TrustError: there is none in it.
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
    """Why no TLS came about with the server at `address`, and what can be done."""
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
            f"nobody whom this machine trusts has signed the certificate of {address}: if its "
            "host gave you the file of an authority, --ca FILE names it"
        )
    return f"{address} has no certificate to trust: {error.verify_message}"
