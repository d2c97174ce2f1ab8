"""Saving settings in config.toml; comments, order and everything else in it stay as they are."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boxroom_client.profile.atomic_file import write_atomically
from boxroom_client.profile.config import SETTINGS, Setting
from boxroom_client.profile.toml_file import NoSuchToml, TomlError, read_toml
from boxroom_common.exits import Exit, Failure
from boxroom_common.folders import make_folder

if TYPE_CHECKING:
    from tomlkit import TOMLDocument

SaveSetting = Callable[[Setting[Any], Any], str]
"""Saves the value of a setting.

It returns a sentence for the person if the value won't hold at the next start, or else "".
"""

SETTINGS_BY_NAME: Mapping[str, Setting[Any]] = {setting.name: setting for setting in SETTINGS}


def save_setting(path: Path, setting: Setting[Any], written: str) -> None:
    """Save `written` as the value of `setting` in the file at `path`, made if there is none.

    Raises:
        ValueError: `written` isn't valid; the sentence says why.
        Failure: the file can't be read or written.
    """
    value = setting.parse(written)
    document = _document(path)
    document[setting.name] = value if isinstance(value, bool) else setting.show(value)
    _write(path, document)


def reset_setting(path: Path, setting: Setting[Any]) -> None:
    """Remove `setting` from the file at `path`, if it is there.

    Raises:
        Failure: the file can't be read or written.
    """
    document = _document(path)
    if setting.name in document:
        del document[setting.name]
        _write(path, document)


def saver(path: Path, environ: Mapping[str, str]) -> SaveSetting:
    """Return a function that saves the settings that a person changes inside a shell."""

    def save(setting: Setting[Any], value: Any) -> str:
        try:
            save_setting(path, setting, setting.show(value))
        except Failure as failure:
            return f"This holds until you leave: {failure}."
        if environ.get(setting.variable):
            return f"This holds until you leave: {setting.variable} has precedence over {path}."
        return ""

    return save


def never_saved(setting: Setting[Any], value: Any) -> str:
    """Save nothing: the changes hold until the person leaves."""
    return ""


def _document(path: Path) -> "TOMLDocument":
    import tomlkit  # here, because it is needed when a setting changes only

    try:
        return tomlkit.parse(read_toml(path).text)
    except NoSuchToml:
        return tomlkit.document()
    except TomlError as error:
        raise Failure(str(error), Exit.USAGE) from None


def _write(path: Path, document: "TOMLDocument") -> None:
    target = Path(os.path.realpath(path))  # a link to a file elsewhere stays a link
    try:
        make_folder(target.parent)
        write_atomically(target, document.as_string())
    except OSError as error:
        raise Failure(f"{path} can't be written: {error.strerror}") from None
