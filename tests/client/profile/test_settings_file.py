"""Settings saved in config.toml."""

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxroom_client.profile.config import BELL, NAME, SETTINGS, SIZE, THEME, Setting, resolve
from boxroom_client.profile.setting_values import NOTIFICATIONS
from boxroom_client.profile.settings_file import never_saved, reset_setting, save_setting, saver
from boxroom_common.exits import Failure
from boxroom_engine.games.drawing import Size

SWITCHES = ["yes", "no", "on", "off", "true", "0"]
VALUES: dict[str, list[str]] = {
    "name": ["Ada", "Ça va", "O'Neil", ""],
    "server": ["localhost:9000", "wss://example.org", ""],
    "ca": ["/etc/ca.pem", 'a "b"\\c.pem', ""],
    "language": ["de", "EN", "auto"],
    "theme": ["dark", "/tmp/my theme.toml", 'odd"\\name'],
    "size": ["S", "m", "auto"],
    "ascii": ["auto", "yes", "no"],
    "bell": ["auto", "yes", "no"],
    "notify": [*NOTIFICATIONS],
}
WRITTEN = """# mine
[ # not a table, a mistake that stays
"""
COMMENTED = """# My settings.

theme = "light"   # for the beamer
bell = true
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "boxroom" / "config.toml"


def values_of(setting: Setting[Any]) -> list[str]:
    return VALUES.get(setting.name, SWITCHES)


SETTING_AND_VALUE = st.sampled_from(SETTINGS).flatmap(
    lambda setting: st.tuples(st.just(setting), st.sampled_from(values_of(setting)))
)


@given(st.lists(SETTING_AND_VALUE, max_size=6))
def test_what_is_saved_is_read(
    tmp_path_factory: pytest.TempPathFactory, changes: list[tuple[Setting[Any], str]]
) -> None:
    path = tmp_path_factory.mktemp("config") / "config.toml"
    last: dict[str, Any] = {}
    for setting, written in changes:
        save_setting(path, setting, written)
        last[setting.name] = setting.parse(written)
    settings = resolve({}, {}, path)
    for setting in SETTINGS:
        assert settings[setting] == last.get(setting.name, setting.parse(setting.default))


def test_comments_and_order_stay(path: Path) -> None:
    path.parent.mkdir()
    path.write_text(COMMENTED)
    save_setting(path, THEME, "dark")
    save_setting(path, NAME, "Ada")
    assert path.read_text() == COMMENTED.replace('"light"', '"dark"') + 'name = "Ada"\n'
    reset_setting(path, THEME)
    reset_setting(path, SIZE)
    assert tomllib.loads(path.read_text()) == {"bell": True, "name": "Ada"}


def test_an_invalid_value_changes_nothing(path: Path) -> None:
    with pytest.raises(ValueError, match="isn't a size"):
        save_setting(path, SIZE, "XL")
    assert not path.exists()


def test_a_file_with_a_mistake_is_not_overwritten(path: Path) -> None:
    path.parent.mkdir()
    path.write_text(WRITTEN)
    with pytest.raises(Failure, match="isn't TOML"):
        save_setting(path, BELL, "yes")
    assert path.read_text() == WRITTEN


def test_a_link_stays_a_link_and_a_mode_a_mode(path: Path, tmp_path: Path) -> None:
    path.parent.mkdir()
    dotfile = tmp_path / "dotfile.toml"
    dotfile.write_text("")
    dotfile.chmod(0o640)
    path.symlink_to(dotfile)
    save_setting(path, BELL, "yes")
    assert path.is_symlink()
    assert dotfile.read_text() == "bell = true\n"
    assert dotfile.stat().st_mode & 0o777 == 0o640
    assert list(path.parent.iterdir()) == [path]


def test_a_folder_that_cant_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(Failure, match=r"config\.toml can't be written: "):
        save_setting(tmp_path / "file" / "config.toml", BELL, "yes")


def test_a_shell_says_why_a_change_will_not_last(path: Path, tmp_path: Path) -> None:
    assert saver(path, {})(SIZE, Size.LARGE) == ""
    assert path.read_text() == 'size = "L"\n'
    remark = saver(path, {"BOXROOM_BELL": "no"})(BELL, True)
    assert remark == f"This holds until you leave: BOXROOM_BELL has precedence over {path}."
    (tmp_path / "file").touch()
    unsaved = saver(tmp_path / "file" / "config.toml", {})(BELL, True)
    assert unsaved.startswith("This holds until you leave: ")
    assert never_saved(BELL, True) == ""


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_line_endings_and_a_byte_order_mark_stay(path: Path, end: bytes, mark: bytes) -> None:
    path.parent.mkdir()
    lines = [b"# mine", b'size = "S"  # small', b"bell = true"]
    path.write_bytes(mark + end.join((*lines, b"")))
    save_setting(path, SIZE, "L")
    save_setting(path, THEME, "light")
    reset_setting(path, BELL)
    changed = [lines[0], lines[1].replace(b"S", b"L"), b'theme = "light"', b""]
    assert path.read_bytes() == mark + end.join(changed)


def test_a_file_with_both_line_endings_keeps_each(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b'size = "S"\r\nbell = true\n')
    save_setting(path, SIZE, "L")
    assert path.read_bytes() == b'size = "L"\r\nbell = true\n'
