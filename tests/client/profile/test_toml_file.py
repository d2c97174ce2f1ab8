"""Reading of TOML files, and the messages for their errors."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each

from boxroom_client.profile.toml_file import NoSuchToml, TomlError, read_toml


def test_what_stands_there_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_bytes(b"\xef\xbb\xbfone = 1\r\ntwo = '''\r\nx'''\r\n")
    file = read_toml(path)
    assert file.table == {"one": 1, "two": "x"}
    assert file.path == path


def test_keys_have_a_place(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_text('one = 1\n# two = 2\n\n  "two"= 2\n[three]\n')
    file = read_toml(path)
    assert file.place_of("one") == f"{path}, line 1"
    assert file.place_of("two") == f"{path}, line 4"
    assert file.place_of("three") == file.place_of("o.e") == str(path)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_any_encoding_and_line_end_is_read(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    for newline in ("\n", "\r\n", "\r"):
        path.write_bytes(f'name = "Zoë"{newline}# ü{newline}b = 2\x1a'.encode(encoding))
        assert read_toml(path).table == {"name": "Zoë", "b": 2}


@pytest.mark.parametrize("where", ["nowhere.toml", "no/where.toml", "file/where.toml"])
def test_no_file_is_told_apart(where: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(NoSuchToml, match=f"there is no file .*{where}"):
        read_toml(tmp_path / where)


@pytest.mark.parametrize(
    ("written", "why"),
    [
        (b"a = 1\nb = \0", r"isn't TOML: .*\(at line 2, column 5\)"),
        (b"a = ", r"isn't TOML: Invalid value \(at "),
        (b"a = 1\na = 2", "isn't TOML: Cannot overwrite a value"),
        (b"a = " + b"[" * 10_000, "nested too deep"),
        (b"a = " + b"1" * 10_000, "isn't TOML: "),
        (b"#" * 100_001, "far too large: at most 100,000 bytes"),
    ],
)
def test_what_cant_be_read_is_named(written: bytes, why: str, tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_bytes(written)
    with pytest.raises(TomlError, match=rf"a\.toml .*{why}"):
        read_toml(path)


@each("path", [".", "\0", "x" * 5000])
def test_what_isnt_a_file_is_named(path: str) -> None:
    with pytest.raises(TomlError, match="can't be read: "):
        read_toml(Path(path))


@given(
    written=st.one_of(
        st.binary(max_size=60), st.text(st.characters(codec="utf-8"), max_size=60).map(str.encode)
    )
)
def test_anything_is_a_table_or_an_error(
    written: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / "anything.toml"
    path.write_bytes(written)
    try:
        message = str(read_toml(path).path)
    except TomlError as error:
        message = str(error)
    assert "anything.toml" in message
