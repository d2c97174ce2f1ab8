"""`boxroom backup`: its output and exit codes."""

import resource
from pathlib import Path

import pytest
from tests.server.storage.sqlite.data_folders import data_folder, finished

from boxroom_client.main import main

Output = pytest.CaptureFixture[str]


def test_it_says_what_is_in_the_copy(tmp_path: Path, capsys: Output) -> None:
    data = data_folder(tmp_path / "data", finished(1), finished(2)).path
    copy = tmp_path / "copy.db"
    assert main(["backup", str(copy), "--data", str(data)]) == 0
    assert capsys.readouterr().out == (
        f"{copy} is the copy; it holds rooms: 1, names: 0, finished games: 2.\n"
    )


def test_it_overwrites_nothing(tmp_path: Path, capsys: Output) -> None:
    data = data_folder(tmp_path / "data").path
    assert main(["backup", str(tmp_path), "--data", str(data)]) == 1
    assert capsys.readouterr().err == (
        f"boxroom: there is a file {tmp_path} already: name another one\n"
    )


def test_where_there_is_nothing_to_copy_a_sentence_says_so(tmp_path: Path, capsys: Output) -> None:
    assert main(["backup", str(tmp_path / "copy.db"), "--data", str(tmp_path)]) == 1
    assert "boxroom: no server has saved anything in" in capsys.readouterr().err
    (tmp_path / "boxroom.db").write_bytes(b"")
    assert main(["backup", str(tmp_path / "copy.db"), "--data", str(tmp_path)]) == 1
    assert capsys.readouterr().err == (
        f"boxroom: {tmp_path / 'boxroom.db'} isn't a database of Boxroom\n"
    )


def test_a_full_disk_is_one_sentence(tmp_path: Path, capsys: Output) -> None:
    data = data_folder(tmp_path / "data", *(finished(number) for number in range(1000))).path
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (65_536, limits[1]))
    try:
        assert main(["backup", str(tmp_path / "copy.db"), "--data", str(data)]) == 1
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert capsys.readouterr().err.startswith("boxroom: the copy can't be written: ")
