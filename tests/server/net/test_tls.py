"""The server's certificate: files that are refused, and reloading."""

import ssl
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
    load_pem_private_key,
)
from tests.certificates import Authority, Files

from boxroom_server.net.tls import Certificate, CertificateError

ONE_LOOP = True


def of(files: Files) -> Certificate:
    return Certificate(str(files.chain), str(files.key))


def shown(certificate: Certificate, name: str | None = "localhost") -> bytes:
    """Return the certificate that a client is shown, in a handshake without a socket."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    to_client, to_server = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = context.wrap_bio(to_client, to_server, server_hostname=name)
    server = certificate.context.wrap_bio(to_server, to_client, server_side=True)
    shaking = {client, server}
    while shaking:
        for each in tuple(shaking):
            try:
                each.do_handshake()
                shaking.discard(each)
            except ssl.SSLWantReadError:
                pass
    seen = client.getpeercert(binary_form=True)
    assert seen is not None
    return seen


def in_file(files: Files) -> bytes:
    first, *_ = files.chain.read_text().partition("-----END CERTIFICATE-----\n")
    return ssl.PEM_cert_to_DER_cert(f"{first}-----END CERTIFICATE-----\n")


@pytest.mark.parametrize("name", ["localhost", "elsewhere.example", None])
def test_it_is_shown_whatever_name_is_asked_for(name: str | None, tmp_path: Path) -> None:
    files = Authority(tmp_path).issue()
    assert shown(of(files), name) == in_file(files)


@pytest.mark.parametrize("was_rsa", [False, True])
@pytest.mark.parametrize("is_rsa", [False, True])
def test_after_a_reload_the_new_one_is_shown(was_rsa: bool, is_rsa: bool, tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    certificate = of(authority.issue(is_rsa=was_rsa))
    before = shown(certificate)
    files = authority.issue(is_rsa=is_rsa)
    assert shown(certificate) == before
    certificate.reload()
    assert shown(certificate) == in_file(files) != before


def test_a_bad_new_pair_is_refused_and_the_old_one_stays(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    files = authority.issue()
    certificate = of(files)
    before = shown(certificate)
    files.key.write_bytes(authority.issue(file="other").key.read_bytes())
    with pytest.raises(CertificateError, match=r"isn't that of the certificate"):
        certificate.reload()
    assert shown(certificate) == before


def test_what_is_not_there_is_told(tmp_path: Path) -> None:
    files = Authority(tmp_path).issue()
    files.key.unlink()
    with pytest.raises(CertificateError, match=r"can't read .*server\.key: No such file"):
        of(files)


@pytest.mark.parametrize("text", ["", "nonsense", "-----BEGIN CERTIFICATE-----\nx\n"])
def test_what_is_no_certificate_is_told(text: str, tmp_path: Path) -> None:
    files = Authority(tmp_path).issue()
    files.chain.write_text(text)
    with pytest.raises(CertificateError, match=r"server\.pem has to have a certificate"):
        of(files)


def test_a_key_with_a_passphrase_is_refused_rather_than_asked_about(tmp_path: Path) -> None:
    files = Authority(tmp_path).issue()
    key = load_pem_private_key(files.key.read_bytes(), None)
    locked = BestAvailableEncryption(b"sesame")
    files.key.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, locked))
    with pytest.raises(CertificateError, match="has a passphrase: give it without one"):
        of(files)


def test_old_versions_of_tls_are_refused(tmp_path: Path) -> None:
    certificate = of(Authority(tmp_path).issue())
    assert certificate.context.minimum_version is ssl.TLSVersion.TLSv1_2


@pytest.mark.parametrize("is_rsa", [False, True])
def test_it_is_for_the_hosts_in_it(is_rsa: bool, tmp_path: Path) -> None:
    names = ("games.lan", "*.example.org", "192.168.1.3", "2001:db8::2")
    certificate = of(Authority(tmp_path).issue(*names, is_rsa=is_rsa))
    for host in ("games.lan", "play.example.org", "192.168.1.3", "2001:db8::2"):
        assert certificate.is_for(host)
    for host in ("localhost", "example.org", "192.168.1.4", "::1", "fe80::1%eth0"):
        assert not certificate.is_for(host)


def test_once_expired_it_is_for_none(tmp_path: Path) -> None:
    assert not of(Authority(tmp_path).issue(is_expired=True)).is_for("localhost")
