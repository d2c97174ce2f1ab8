"""People who are ignored, in a file for each server."""

from pathlib import Path

from boxroom_client.profile.ignored import IgnoredPeople


def test_they_are_kept_for_each_server_and_names_have_no_case(tmp_path: Path) -> None:
    ignored = IgnoredPeople.on_server("one", tmp_path)
    for name in ("Bob", "bob", "Ann Lee"):
        ignored.add(name)
    again = IgnoredPeople.on_server("one", tmp_path)
    assert [*again] == ["Ann Lee", "bob"]
    assert "BOB" in again
    assert "Ann" not in again
    assert [*IgnoredPeople.on_server("two", tmp_path)] == []


def test_one_is_listened_to_again(tmp_path: Path) -> None:
    ignored = IgnoredPeople.on_server("one", tmp_path)
    ignored.add("Bob")
    assert not ignored.remove("Cleo")
    assert ignored.remove("BOB")
    assert [*IgnoredPeople.on_server("one", tmp_path)] == []


def test_a_disk_that_fails_keeps_nobody_longer_than_the_program(tmp_path: Path) -> None:
    (tmp_path / "ignored").write_text("a file where the folder should be")
    ignored = IgnoredPeople.on_server("one", tmp_path)
    ignored.add("Bob")
    assert "Bob" in ignored
    assert [*IgnoredPeople.on_server("one", tmp_path)] == []


def test_what_no_name_can_have_is_no_part_of_one(tmp_path: Path) -> None:
    path = tmp_path / "names.txt"
    path.write_bytes(b"Bo\x1b[31mb\n\n  Ann \r\n")
    assert "Ann" in IgnoredPeople(path)
    path.write_bytes(b"\xff\xfe")
    assert [*IgnoredPeople(path)] == []
