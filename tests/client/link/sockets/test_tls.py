"""TLS verification of servers, and the messages when it fails."""

import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest
from tests.cases import each
from tests.certificates import Authority, Files
from tests.client.update_reader import UpdateReader, quick_backoff

from boxroom_client.cli import join as join_command
from boxroom_client.cli.arguments.settings import server_address, settings_from
from boxroom_client.link.connection import Create, Join, RoomConnection, list_rooms
from boxroom_client.link.errors import Unreachable
from boxroom_client.link.sockets import tls as trust_module
from boxroom_client.link.sockets.tls import (
    CertificateAuthorityError,
    ssl_context,
    tls_failure_message,
)
from boxroom_client.link.updates import EventApplied
from boxroom_client.profile.identity import Identity
from boxroom_client.servers.address import Address
from boxroom_common.exits import Failure, UsageError
from boxroom_engine.room import commands as cmd
from boxroom_engine.room import events as ev
from boxroom_engine.room.room import Settings
from boxroom_server.options import Options
from boxroom_server.server import serve

ANN, BOB = Identity.make("Ann"), Identity.make("Bob")
ONE_BOX = Settings(options={"rows": 1, "cols": 1})


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path)


@asynccontextmanager
async def server_with(files: Files | None, host: str = "localhost") -> AsyncIterator[Address]:
    """Run a real server with the certificate in `files`, or without one."""
    options = files.options if files else {}
    async with serve(Options(host="127.0.0.1", port=0, **options)) as server:
        yield Address(host, server.port, secure=True)


def trusting(address: Address, authority: Authority) -> Address:
    return Address(address.host, address.port, address.secure, ca_file=str(authority.file))


async def why_not(address: Address) -> str:
    with pytest.raises(Unreachable) as error:
        await list_rooms(address, ANN)
    return str(error.value)


async def test_a_game_over_tls(authority: Authority) -> None:
    async with server_with(authority.issue()) as at:
        address = trusting(at, authority)
        join_request = Create(ONE_BOX, "kiwa")
        async with (
            RoomConnection(address, ANN, join_request, backoff=quick_backoff()) as ann,
            RoomConnection(address, BOB, Join("kiwa"), backoff=quick_backoff()) as bob,
        ):
            reader = UpdateReader(bob)
            await ann.ask(cmd.Start(1))
            for ply, move in enumerate(("h0", "h1", "v0", "v1")):
                player = bob if ply % 2 else ann
                await player.ask(cmd.Play(1, ply % 2, move, ply))
            last = await reader.until(EventApplied, lambda each: isinstance(each.event, ev.Ended))
            assert isinstance(last.event, ev.Ended)
            assert last.event.winners == (1,)


async def test_by_the_address_too_if_the_certificate_has_it(authority: Authority) -> None:
    async with server_with(authority.issue(), host="127.0.0.1") as address:
        assert (await list_rooms(trusting(address, authority), ANN)) == ()


async def test_an_authority_that_nobody_trusts(authority: Authority, tmp_path: Path) -> None:
    async with server_with(authority.issue()) as address:
        why = await why_not(address)
        assert why.startswith(
            f"no authority that this machine trusts has signed the certificate of {address}"
        )
        assert "--ca FILE names it" in why
        assert await why_not(trusting(address, Authority(tmp_path))) == why


@pytest.mark.parametrize(
    ("names", "host"), [("example.org", "localhost"), ("localhost", "127.0.0.1")]
)
async def test_a_certificate_for_another_name(names: str, host: str, authority: Authority) -> None:
    async with server_with(authority.issue(names), host) as address:
        why = await why_not(trusting(address, authority))
        assert why.startswith(f"the certificate of {address} is for another name than {host}: ")


async def test_a_certificate_that_has_expired(authority: Authority) -> None:
    async with server_with(authority.issue(is_expired=True)) as address:
        why = await why_not(trusting(address, authority))
        assert why == f"the certificate of {address} has expired: its host has to renew it"


async def test_a_server_without_tls() -> None:
    async with server_with(None) as address:
        assert await why_not(address) == (
            f"{address} doesn't speak TLS: if its host says so, join localhost:{address.port}"
        )


async def test_a_server_with_tls_that_is_called_without(authority: Authority) -> None:
    async with server_with(authority.issue()) as address:
        plain = Address(address.host, address.port)
        assert f"(with TLS, it would be {address})" in await why_not(plain)


async def test_an_authority_that_has_gone_since(tmp_path: Path) -> None:
    address = Address("localhost", 1, secure=True, ca_file=str(tmp_path / "no.pem"))
    assert await why_not(address) == f"can't read {tmp_path / 'no.pem'}: No such file or directory"


def failed(code: int) -> ssl.SSLCertVerificationError:
    error = ssl.SSLCertVerificationError(1, "failed")
    error.verify_code, error.verify_message = code, "the reason"
    return error


@each(
    "error, sentence",
    [
        (failed(9), "isn't valid yet: is the clock of this machine right?"),
        (failed(23), "wss://a:443 has no certificate to trust: the reason"),
        (ssl.SSLError(1, "odd"), "wss://a:443 doesn't speak TLS with us: "),
    ],
)
def test_what_is_rare_has_a_sentence_as_well(error: ssl.SSLError, sentence: str) -> None:
    assert sentence in tls_failure_message(Address.parse("wss://a"), error)


def test_verification_is_always_on(authority: Authority) -> None:
    for context in (ssl_context(None), ssl_context(str(authority.file))):
        assert context.check_hostname
        assert context.verify_mode is ssl.CERT_REQUIRED
    assert not hasattr(trust_module, "_create_unverified_context")


def test_a_file_without_an_authority_is_told(tmp_path: Path) -> None:
    (tmp_path / "ca.pem").write_text("nonsense")
    with pytest.raises(
        CertificateAuthorityError, match=r"ca\.pem has no authority's certificate in PEM"
    ):
        ssl_context(str(tmp_path / "ca.pem"))


# Settings


def settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *args: str) -> SimpleNamespace:
    monkeypatch.setenv("BOXROOM_CONFIG_DIR", str(tmp_path))
    return SimpleNamespace(of=settings_from(join_command.parser().parse_args(args)))


def test_the_authority_is_a_flag_or_a_setting(
    authority: Authority, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    by_flag = settings(monkeypatch, tmp_path, "wss://a", "--ca", str(authority.file))
    monkeypatch.setenv("BOXROOM_CA", str(authority.file))
    by_variable = settings(monkeypatch, tmp_path, "wss://a")
    for made in (by_flag, by_variable):
        address = server_address(made.of)
        assert address == Address.parse("wss://a")
        assert address is not None
        assert address.ca_file == str(authority.file)


def test_without_tls_no_authority_is_looked_at(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for args in (["ws://a", "--ca", "no.pem"], ["--ca", "no.pem"]):
        address = server_address(settings(monkeypatch, tmp_path, *args).of)
        assert address is None or address.ca_file is None


def test_a_file_that_cant_be_used_is_blamed_on_who_named_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    by_flag = settings(monkeypatch, tmp_path, "wss://a", "--ca", "no.pem")
    with pytest.raises(UsageError, match=r"--ca: can't read no\.pem: No such file"):
        server_address(by_flag.of)
    monkeypatch.setenv("BOXROOM_CA", "no.pem")
    with pytest.raises(Failure, match=r"BOXROOM_CA: can't read no\.pem: No such file"):
        server_address(settings(monkeypatch, tmp_path, "wss://a").of)
