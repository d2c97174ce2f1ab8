"""Saving settings in config.toml; comments, order and everything else in it stay as they are."""

import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boxroom_client.profile.config import SETTINGS, Setting
from boxroom_client.profile.toml_file import NoSuchToml, TomlError, TomlFile, read_toml
from boxroom_common.atomic_file import write_atomically
from boxroom_common.exits import Exit, Failure
from boxroom_common.folders import make_folder
from boxroom_common.phrases import say

if TYPE_CHECKING:
    from tomlkit import TOMLDocument

SaveSetting = Callable[[Setting[Any], Any], str]
"""Saves the value of a setting.

It returns a sentence for the person if the value won't hold at the next start, or else "".
"""

_LONE_LF = re.compile(r"(?<!\r)\n")

SETTINGS_BY_NAME: Mapping[str, Setting[Any]] = {setting.name: setting for setting in SETTINGS}


def save_setting(path: Path, setting: Setting[Any], written: str) -> None:
    """Save `written` as the value of `setting` in the file at `path`, made if there is none.

    Raises:
        ValueError: `written` isn't valid; the sentence says why.
        Failure: the file can't be read or written.
    """
    value = setting.parse(written)
    with _changed(path) as document:
        document[setting.name] = value if isinstance(value, bool) else setting.show(value)


def reset_setting(path: Path, setting: Setting[Any]) -> None:
    """Remove `setting` from the file at `path`, if it is there.

    Raises:
        Failure: the file can't be read or written.
    """
    with _changed(path) as document:
        document.pop(setting.name, None)


def saver(path: Path, environ: Mapping[str, str]) -> SaveSetting:
    """Return a function that saves the settings that a person changes inside a shell."""

    def save(setting: Setting[Any], value: Any) -> str:
        try:
            save_setting(path, setting, setting.show(value))
        except Failure as failure:
            return say("terminal.settings.not_saved", why=str(failure))
        if environ.get(setting.variable):
            variable = say(
                "terminal.settings.overridden", variable=setting.variable, file=str(path)
            )
            return say("terminal.settings.not_saved", why=variable)
        return ""

    return save


def never_saved(setting: Setting[Any], value: Any) -> str:
    """Save nothing: the changes hold until the person leaves."""
    return ""


@contextmanager
def _changed(path: Path) -> "Iterator[TOMLDocument]":
    """Yield the content of the file at `path`, and write it afterwards if it has changed."""
    import tomlkit  # here, because it is needed when a setting changes only

    try:
        file = read_toml(path)
    except NoSuchToml:
        file = TomlFile(path, "", {})
    except TomlError as error:
        raise Failure(str(error), Exit.USAGE) from None
    document = tomlkit.parse(file.text)
    yield document
    text = document.as_string()
    if _has_only_crlf(file.text):
        text = _LONE_LF.sub("\r\n", text)  # tomlkit ends new lines in LF
    if text != file.text:
        _write(path, file.mark + text)


def _has_only_crlf(text: str) -> bool:
    return "\n" in text and _LONE_LF.search(text) is None


def _write(path: Path, text: str) -> None:
    target = Path(os.path.realpath(path))  # a link to a file elsewhere stays a link
    try:
        make_folder(target.parent)
        write_atomically(target, text)
    except OSError as error:
        why = error.strerror or str(error)
        raise Failure(say("terminal.settings.not_written", file=str(path), why=why)) from None
