"""`boxroom serve` and `boxroom join` over TLS, as users start them."""

from pathlib import Path

import pytest
from tests.certificates import Authority
from tests.e2e.piped import Piped, boxroom


@pytest.fixture(autouse=True)
def _own_identities(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BOXROOM_CONFIG_DIR", str(tmp_path))


def test_people_join_with_the_command_that_the_server_prints(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    files = authority.issue()
    keeping = ("--data", str(tmp_path / "server"), "--pace-s", "0")
    with Piped("serve", "--host", "localhost", "--port", "0", *keeping, *files.flags) as server:
        server.wait_for("boxroom join ")
        address = server.wait_for("\n")
        assert address.startswith("wss://localhost:")
        trust = ("--ca", str(authority.file), "--name", "Ada")
        with Piped("join", address, *trust) as ada:
            ada.wait_for("so this is a new one.")
            ada.type_lines("/set rows 1 cols 1", "/bot greedy", "/start", "h0", "h1", "v0")
            ada.wait_for("won")

        stranger = boxroom("join", address, "--name", "Bob")
        assert stranger.returncode == 69
        assert stranger.stderr.startswith("boxroom: no authority that this machine trusts")


def test_a_file_that_is_no_authority_is_a_usage_error(tmp_path: Path) -> None:
    ended = boxroom("join", "wss://localhost", "--ca", str(tmp_path / "no.pem"))
    assert ended.returncode == 2
    assert f"--ca: can't read {tmp_path / 'no.pem'}: No such file" in ended.stderr
