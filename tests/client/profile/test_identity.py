import errno
import getpass
import json
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each

from boxroom_client.profile.identity import (
    NAME_CHARS,
    BadName,
    Identity,
    IdentityDamaged,
    IdentityFolderError,
    claimed_name,
    default_config_folder,
    login_name,
    name_like,
    usual_name,
)
from boxroom_client.servers.address import Address
from boxroom_common.file_lock import FileLock
from boxroom_engine.room.text import clean_name

HERE = Address("localhost")
ELSEWHERE = Address("example.org")

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="impossible here: POSIX file modes")


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "config"
    monkeypatch.setenv("BOXROOM_CONFIG_DIR", str(folder))
    return folder


def the_file_in(config: Path) -> Path:
    (file,) = (config / "identities").glob("*.json")
    return file


@contextmanager
def claimed_identity(
    address: Address, name: str | None, config_folder: Path | None = None
) -> Iterator[Identity]:
    """Claim an identity on a server without an id."""
    with claimed_name(address, None, name, config_folder=config_folder) as claimed:
        yield claimed.unbound()


def claim(name: str | None = "Ann", address: Address = HERE) -> Identity:
    with claimed_identity(address, name) as identity:
        return identity


def test_it_is_the_same_the_next_time() -> None:
    assert claim() == claim()


def test_names_that_a_server_takes_for_one_another_are_one_identity() -> None:
    assert claim("Ann") == claim("aNN")


def test_every_server_has_its_own() -> None:
    assert claim(address=HERE).secret != claim(address=ELSEWHERE).secret


@each("spelling", ["ws://a.org:8765/b/", "http://A.ORG.:8765/b", "a.org/b/", "<a.org:8765/b>"])
def test_however_its_address_is_spelt_a_server_has_one(spelling: str) -> None:
    assert claim(address=Address.parse("ws://a.org/b")) == claim(address=Address.parse(spelling))


def test_an_identity_for_an_address_with_a_slash_of_version_0_1_is_found(config: Path) -> None:
    written = claim(address=Address("a.org", path="/b"))
    file = the_file_in(config)
    former = file.with_name("a-org-8765-ann-0123456789abcdef.json")
    former.write_text(file.read_text().replace("8765/b", "8765/b/"))
    file.unlink()
    assert claim(address=Address.parse("ws://a.org/b/")) == written
    assert claim(address=Address.parse("ws://a.org/b")) == written


def test_a_second_client_gets_another_name_and_the_next_one_the_first_again() -> None:
    with claimed_identity(HERE, "Ann") as first, claimed_identity(HERE, "Ann") as second:
        with claimed_identity(HERE, "Ann") as third:
            assert [first.name, second.name, third.name] == ["Ann", "Ann 2", "Ann 3"]
        assert claim() == third
    assert claim() == first
    assert len({first.secret, second.secret, third.secret}) == 3


def test_a_name_can_be_in_use_on_two_servers() -> None:
    with claimed_identity(HERE, "Ann"), claimed_identity(ELSEWHERE, "Ann") as other:
        assert other.name == "Ann"


def test_names_that_somebody_else_owns_can_be_avoided() -> None:
    with claimed_name(HERE, None, "Ann", avoid=["ANN", "Ann 2"]) as claimed:
        assert claimed.name == "Ann 3"
    assert name_like("Ann", ["ANN", "Ann 2"]) == "Ann 3"


def test_a_numbered_name_isnt_too_long() -> None:
    longest = "A" * NAME_CHARS
    with claimed_identity(HERE, longest), claimed_identity(HERE, longest) as second:
        assert second.name == "A" * (NAME_CHARS - 2) + " 2"


def test_a_killed_client_that_is_started_again_gets_its_own_name_back() -> None:
    """The system releases the lock when the process ends for any reason."""
    program = (
        "import sys; from boxroom_client.servers.address import Address\n"
        "from boxroom_client.profile.identity import claimed_name\n"
        "with claimed_name(Address('localhost'), None, 'Ann') as claimed:\n"
        "    identity = claimed.unbound()\n"
        "    print(identity.name, identity.secret, flush=True); sys.stdin.read()\n"
    )
    path = os.pathsep.join(sys.path)
    with subprocess.Popen(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": path},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as client:
        assert client.stdout is not None
        name, secret = client.stdout.readline().split()
        assert claim().name == "Ann 2"
        client.kill()
    assert claim() == Identity(name, secret) == Identity("Ann", secret)


@posix_only
def test_nobody_else_can_read_it(config: Path) -> None:
    claim()
    assert stat.S_IMODE((config / "identities").stat().st_mode) == 0o700
    for file in (config / "identities").iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


@posix_only
@pytest.mark.parametrize("mode", [0o644, 0o660, 0o604, 0o400, 0o600])
def test_what_others_could_read_is_closed_to_them(mode: int, config: Path) -> None:
    kept = claim()
    path = the_file_in(config)
    path.chmod(mode)
    (config / "identities").chmod(0o777)
    assert claim() == kept
    assert stat.S_IMODE(path.stat().st_mode) == mode & 0o600
    assert stat.S_IMODE((config / "identities").stat().st_mode) == 0o700


@posix_only
def test_what_cant_be_closed_to_others_isnt_used(
    config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    claim()
    path = the_file_in(config)
    path.chmod(0o644)
    chmod = Path.chmod

    def not_ours(self: Path, mode: int) -> None:
        if self.suffix == ".json":
            raise PermissionError(1, "Operation not permitted")
        chmod(self, mode)

    monkeypatch.setattr(Path, "chmod", not_ours)
    with pytest.raises(IdentityDamaged, match="Operation not permitted"):
        claim()


def test_it_holds_a_name_and_a_secret_and_nothing_else(config: Path) -> None:
    identity = claim()
    kept = json.loads(the_file_in(config).read_text())
    assert kept == {"server": HERE.url, "name": "Ann", "secret": identity.secret}
    assert len(identity.secret) >= 32


def test_a_secret_is_never_shown() -> None:
    identity = claim()
    assert identity.secret not in repr(identity)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff",
        b"{}",
        b"[" * 9_000,
        b"x" * 100_000,
        b'{"server": "ws://localhost:8765", "name": "Ann", "secret": "short"}',
        b'{"server": "ws://localhost:8765", "name": "Bob", "secret": "0123456789abcdef"}',
        b'{"server": "ws://elsewhere:8765", "name": "Ann", "secret": "0123456789abcdef"}',
    ],
)
def test_a_damaged_file_is_named_and_left_alone(config: Path, content: bytes) -> None:
    claim()
    file = the_file_in(config)
    file.write_bytes(content)
    with pytest.raises(IdentityDamaged) as raised:
        claim()
    assert str(file) in str(raised.value)
    assert file.read_bytes() == content
    file.unlink()
    assert claim().name == "Ann"  # the lock was released


def test_a_file_that_cant_be_read_is_named(config: Path) -> None:
    claim()
    file = the_file_in(config)
    file.unlink()
    file.mkdir()
    with pytest.raises(IdentityDamaged, match="directory"):
        claim()


def test_there_is_an_end_to_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FileLock, "acquire", lambda path: None)
    with pytest.raises(BadName, match="in use: take another"):
        claim()


@posix_only
def test_a_disk_without_locks_is_good_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    import fcntl

    def no_locks(*_: object) -> None:
        raise OSError(errno.ENOLCK, "no locks available")

    monkeypatch.setattr(fcntl, "flock", no_locks)
    with claimed_identity(HERE, "Ann") as one, claimed_identity(HERE, "Ann") as other:
        assert one == other


@posix_only
def test_a_disk_that_fails_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    import fcntl

    def fail(*_: object) -> None:
        raise OSError(errno.EIO, "input/output error")

    monkeypatch.setattr(fcntl, "flock", fail)
    with pytest.raises(IdentityFolderError, match="input/output error"):
        claim()


def test_a_file_that_isnt_there_whole_isnt_there(
    config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(IdentityFolderError, match="no space left"):
        claim()
    assert not list((config / "identities").glob("*.json"))
    assert not list((config / "identities").glob(".new*"))


def test_a_folder_that_cant_be_is_named(config: Path) -> None:
    config.write_text("a file")
    with pytest.raises(IdentityFolderError, match="identities"):
        claim()


def test_the_folder_can_be_given(tmp_path: Path) -> None:
    with claimed_identity(HERE, "Ann", config_folder=tmp_path / "mine"):
        pass
    assert the_file_in(tmp_path / "mine").exists()


def test_the_users_own_folder_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BOXROOM_CONFIG_DIR")
    assert default_config_folder().name == "boxroom"


@each("name", ["", " ", "a/b", "..", "x" * (NAME_CHARS + 1), "\x1b[0m"])
def test_what_cant_be_a_name(name: str) -> None:
    with pytest.raises(BadName, match="1 to 24 letters"):
        claim(name)


@given(st.text(max_size=30))
def test_any_login_leads_to_a_name(login: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(getpass, "getuser", lambda: login)
        name = login_name()
    assert clean_name(name, NAME_CHARS) == name


def test_without_a_login_name(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody() -> str:
        raise OSError("no user")

    monkeypatch.setattr(getpass, "getuser", nobody)
    assert claim(None).name == "player"


@given(
    st.text("aZ9 ._-'éж漢", min_size=1, max_size=NAME_CHARS).filter(
        lambda name: clean_name(name, NAME_CHARS) is not None
    )
)
def test_any_name_has_a_file_of_its_own_in_the_folder(name: str) -> None:
    first, again = claim(name), claim(name)
    assert first == again
    assert first.name == clean_name(name, NAME_CHARS)
    config = default_config_folder()
    assert [entry.name for entry in config.iterdir()] == ["identities"]
    assert all(entry.is_file() for entry in (config / "identities").iterdir())


# Servers with ids

ONE, OTHER = "1" * 32, "2" * 32


def make(server_id: str | None, address: Address = HERE) -> Identity:
    with claimed_name(address, server_id, "Ann") as claimed:
        return claimed.new()


def secrets_for(server_id: str | None, address: Address = HERE) -> list[str]:
    """Return the saved secrets that a server may know, those of its address first."""
    with claimed_name(address, server_id, "Ann") as claimed:
        return [saved.identity.secret for saved in claimed.saved()]


def test_a_server_is_known_by_its_id_at_any_address() -> None:
    secret = make(ONE).secret
    assert secrets_for(ONE, HERE) == secrets_for(ONE, ELSEWHERE) == [secret]


def test_the_secret_for_one_server_isnt_one_for_another_at_the_same_address() -> None:
    first, second = make(ONE), make(OTHER)
    assert (secrets_for(ONE), secrets_for(OTHER)) == ([first.secret], [second.secret])


def test_a_server_that_tells_no_id_gets_no_secret_of_one_that_did() -> None:
    bound = make(ONE)
    assert secrets_for(None) == []
    unbound = claim()
    assert unbound.secret != bound.secret
    assert claim() == unbound


def test_a_second_address_is_remembered() -> None:
    secret = make(ONE).secret
    with claimed_name(ELSEWHERE, ONE, "Ann") as claimed:
        (saved,) = claimed.saved()
        assert not saved.is_of_address
        claimed.remember(saved)
    with claimed_name(ELSEWHERE, ONE, "Ann") as claimed:
        assert [saved.is_of_address for saved in claimed.saved()] == [True, False]
    assert set(secrets_for(ONE, ELSEWHERE)) == {secret}


def test_secrets_of_one_address_come_first() -> None:
    elsewhere, here = make(ONE, ELSEWHERE), make(ONE, HERE)
    assert secrets_for(ONE, HERE) == [here.secret, elsewhere.secret]
    assert secrets_for(ONE, ELSEWHERE) == [elsewhere.secret, here.secret]


def test_a_second_client_gets_another_name_under_whatever_address() -> None:
    with claimed_name(HERE, ONE, "Ann"), claimed_name(ELSEWHERE, ONE, "Ann") as second:
        assert second.name == "Ann 2"


def test_what_was_refused_is_forgotten(config: Path) -> None:
    with claimed_name(HERE, ONE, "Ann") as claimed:
        claimed.new()
        claimed.forget_new()
    assert not list((config / "identities").glob("*.json"))


def test_servers_that_are_new_at_each_start_leave_so_many_files() -> None:
    used_first = make(ONE)
    for number in range(200, 300):
        make(f"{number:032}")
        with claimed_name(HERE, ONE, "Ann") as claimed:
            claimed.remember(claimed.saved()[0])
    assert secrets_for(ONE) == [used_first.secret], "it was used all the time"
    assert secrets_for(f"{200:032}") == []
    assert secrets_for(f"{299:032}") != []


def test_a_damaged_file_of_another_server_is_no_trouble(config: Path) -> None:
    make(ONE)
    the_file_in(config).write_text("{")
    assert secrets_for(ONE, ELSEWHERE) == []
    with pytest.raises(IdentityDamaged, match="JSON"):
        secrets_for(ONE, HERE)


def used(name: str, at_ns: int, address: Address = HERE) -> None:
    """Claim `name`, as if that had been at that time."""
    config = default_config_folder() / "identities"
    before = {*config.glob("*.json")}
    claim(name, address)
    for path in {*config.glob("*.json")} - before:
        os.utime(path, ns=(at_ns, at_ns))


def test_the_name_that_was_used_there_last_is_the_usual_one() -> None:
    assert usual_name(HERE) == login_name()
    used("Ann", 1)
    used("Bob", 3)
    used("Cid", 2)
    used("Dan", 9, ELSEWHERE)
    assert usual_name(HERE) == "Bob"
    assert usual_name(HERE, avoid=["BOB"]) == "Cid"
    assert usual_name(HERE, avoid=["Ann", "Bob", "Cid"], otherwise="Ann") == "Ann 2"
    assert claim(None).name == "Bob"


def test_the_name_of_a_second_client_is_no_usual_one() -> None:
    used("Ann", 1)
    used("Ann 2", 2)
    assert usual_name(HERE) == "Ann"
    used("Agent 47", 3)
    assert usual_name(HERE) == "Agent 47"


def test_the_name_of_a_robot_is_no_name_of_the_person() -> None:
    used("Ann", 1)
    with claimed_name(HERE, None, "Robby", is_robot=True) as claimed:
        assert claimed.new().is_robot
    assert usual_name(HERE) == "Ann"
    assert usual_name(HERE, is_robot=True) == "Robby"
    with claimed_name(HERE, None, is_robot=True) as claimed:
        assert claimed.name == "Robby"
        assert [saved.identity.is_robot for saved in claimed.saved()] == [True]


def test_a_file_that_is_no_identity_gives_no_name(config: Path) -> None:
    used("Ann", 1)
    for number, content in enumerate(("", "[]", "{}", '{"server": 1, "name": "Eve"}')):
        (config / "identities" / f"{number}.json").write_text(content)
    assert usual_name(HERE) == "Ann"
