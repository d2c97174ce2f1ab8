"""etcd that lets in only those with a certificate, or with a user and a password."""

import asyncio
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from tests.certificates import Authority
from tests.cluster.etcd import EtcdMember, ctl, etcd_cluster, need_etcd, until_healthy
from tests.faults.server_process import ServerProcess, free_port
from tests.server.talk import Talk, say_hello
from websockets.asyncio.client import connect

CREATED = {"token": "a token of Ada", "room": "attic"}


async def refusal(store: str, *flags: str) -> str:
    """Return the line with which a server ends that etcd doesn't let in."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "boxroom_client", "serve", "--port", "0", "--no-announce"),
        *("--store", store, *flags),
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    _, errors = await process.communicate()
    (line,) = errors.decode().splitlines()
    assert process.returncode == 1, line
    return line.removeprefix("boxroom: ")


async def saves(store: str, folder: Path, *flags: str) -> None:
    """Check that a server with this store can make a room, and ends in peace."""
    server = ServerProcess(free_port(), folder / "log", "--store", store, *flags)
    async with server, connect(f"ws://127.0.0.1:{server.port}") as connection:
        ada = Talk(connection, "Ada")
        await say_hello(ada)
        await ada.hear()
        await ada.do("create_room", **CREATED)
        assert await server.stop() == 0
        assert "ERROR" not in server.logged_errors()


def files(ca: Path, folder: Path | None = None, name: str = "client") -> Sequence[str]:
    """Return the flags that name a certificate authority, and perhaps a certificate in `folder`."""
    named = () if folder is None else own(folder / f"{name}.pem", folder / f"{name}.key")
    return ("--store-ca", str(ca), *named)


def own(cert: Path, key: Path) -> Sequence[str]:
    """Return the flags that name a certificate and its key."""
    return ("--store-cert", str(cert), "--store-key", str(key))


@asynccontextmanager
async def etcd_with_tls(folder: Path, authority: Authority) -> AsyncIterator[EtcdMember]:
    """Run etcd that asks its clients for certificates of `authority`."""
    need_etcd()
    of_server, of_client = authority.issue(), authority.issue("client", file="client")
    member = EtcdMember(
        "etcd",
        folder,
        free_port(),
        free_port(),
        scheme="https",
        flags=(
            "--client-cert-auth",
            f"--trusted-ca-file={authority.file}",
            f"--cert-file={of_server.chain}",
            f"--key-file={of_server.key}",
        ),
    )
    async with member:
        await until_healthy(
            f"https://{member.endpoint}",
            f"--cacert={authority.file}",
            f"--cert={of_client.chain}",
            f"--key={of_client.key}",
        )
        yield member


async def test_etcd_with_tls(tmp_path: Path) -> None:
    authority, other = Authority(tmp_path), Authority(tmp_path)
    other.issue("client", file="stranger")
    no_pem = tmp_path / "no.pem"
    no_pem.write_text("this is no certificate")
    async with etcd_with_tls(tmp_path, authority) as member:
        store = f"etcds://{member.endpoint}"
        await saves(store, tmp_path, *files(authority.file, tmp_path))
        refusals = await asyncio.gather(
            refusal(store, *files(authority.file)),
            refusal(store, *files(other.file, tmp_path)),
            refusal(store, *files(authority.file, tmp_path, "stranger")),
            refusal(store, *files(tmp_path / "none.pem", tmp_path)),
            refusal(store, *files(no_pem, tmp_path)),
            refusal(store, *files(authority.file), *own(no_pem, tmp_path / "client.key")),
            refusal(store, *files(authority.file, tmp_path)[:4]),
            refusal(f"etcd://{member.endpoint}"),
        )
    place = f"etcd at {member.endpoint} can't be used: {member.endpoint}"
    wanted, untrusted, refused, *of_files, plain = refusals
    assert wanted == f"{place} asks for a certificate: --store-cert and --store-key name one"
    assert untrusted.startswith(f"{place} has a certificate that isn't trusted: ")
    assert refused.startswith(f"{place} refuses the certificate in {tmp_path}/stranger.pem: ")
    assert of_files == [
        f"{tmp_path}/none.pem can't be used: No such file or directory",
        f"{no_pem} has no certificates in PEM",
        f"{no_pem} has to have a certificate, and {tmp_path}/client.key its key, both in PEM",
        "--store-cert and --store-key go together: give both, or neither",
    ]
    assert plain.startswith(f"etcd at {member.endpoint} can't be used: etcd doesn't answer")


async def test_etcd_with_users(tmp_path: Path) -> None:
    async with etcd_cluster(tmp_path, 1) as (member,):
        for words in (
            "user add root:secret",
            "user add ada:pass",
            "user add bob:pass",
            "role add boxroom",
            "role grant-permission --prefix boxroom readwrite boxroom/",
            "user grant-role ada boxroom",
        ):
            await ctl(member.endpoint, *words.split())
        without = await refusal(f"etcd://ada:pass@{member.endpoint}")
        await ctl(member.endpoint, "auth", "enable")
        await saves(f"etcd://ada:pass@{member.endpoint}", tmp_path)
        refusals = await asyncio.gather(
            refusal(f"etcd://{member.endpoint}"),
            refusal(f"etcd://ada:wrong@{member.endpoint}"),
            refusal(f"etcd://cleo:pass@{member.endpoint}"),
            refusal(f"etcd://bob:pass@{member.endpoint}"),
            refusal(f"etcd://ada:pass@{member.endpoint}/elsewhere"),
        )
    sentences = [
        "authentication is not enabled",
        "user name is empty",
        "authentication failed, invalid user ID or password",
        "authentication failed, invalid user ID or password",
        "permission denied",
        "permission denied",
    ]
    place = f"etcd at {member.endpoint} can't be used: etcd refuses a request: "
    assert [without, *refusals] == [place + sentence for sentence in sentences]
