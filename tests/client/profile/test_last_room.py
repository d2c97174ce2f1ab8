"""The saved room that the client didn't leave."""

import hashlib
from pathlib import Path

import pytest

from boxroom_client.profile.last_room import Kept, LastRoom
from boxroom_client.servers.address import Address

HERE, THERE = Address("kiwa"), Address("tobe")


def test_a_room_is_remembered_until_it_is_left(tmp_path: Path) -> None:
    note = LastRoom(HERE, "Ada", tmp_path)
    assert note.load() is None
    note.save("attic")
    assert LastRoom(HERE, "ada", tmp_path).load() == "attic"
    note.delete()
    note.delete()
    assert note.load() is None


def test_the_room_that_was_hosted_is_another_one(tmp_path: Path) -> None:
    LastRoom(HERE, "Ada", tmp_path).save("attic")
    hosted = LastRoom(HERE, "Ada", tmp_path, kept=Kept.HOSTED)
    assert hosted.load() is None
    hosted.save("den")
    LastRoom(HERE, "Ada", tmp_path).delete()
    assert hosted.load() == "den"


def test_every_server_and_every_name_has_its_own(tmp_path: Path) -> None:
    LastRoom(HERE, "Ada", tmp_path).save("attic")
    assert LastRoom(THERE, "Ada", tmp_path).load() is None
    assert LastRoom(HERE, "Bob", tmp_path).load() is None


def test_a_final_slash_doesnt_make_another_server(tmp_path: Path) -> None:
    with_slash, without = Address.parse("a.org/b/"), Address.parse("a.org/b")
    LastRoom(with_slash, "Ada", tmp_path).save("attic")
    assert LastRoom(without, "Ada", tmp_path).load() == "attic"


def test_what_version_0_1_wrote_for_an_address_with_a_slash_is_found(tmp_path: Path) -> None:
    key = hashlib.sha256(b"ws://a.org:8765/b/\nada").hexdigest()[:32]
    (tmp_path / "rooms").mkdir()
    (tmp_path / "rooms" / f"{key}.txt").write_text("attic\n")
    note = LastRoom(Address.parse("ws://a.org/b/"), "Ada", tmp_path)
    assert note.load() == "attic"
    note.delete()
    assert note.load() is None


@pytest.mark.parametrize("content", [b"", b"\xff\xff", b"\x1b\n"])
def test_a_damaged_note_says_nothing(tmp_path: Path, content: bytes) -> None:
    note = LastRoom(HERE, "Ada", tmp_path)
    note.save("attic")
    (path,) = (tmp_path / "rooms").iterdir()
    path.write_bytes(content)
    assert note.load() is None


def test_without_a_disk_nothing_is_remembered(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    note = LastRoom(HERE, "Ada", blocked)
    note.save("attic")
    assert note.load() is None
    note.delete()
