"""docs/reference/configuration.md lists all settings, and its examples work.

`BOXROOM_UPDATE_GOLDEN=1` writes the list anew.
"""

import os
import re
from pathlib import Path
from typing import Any

from boxroom_client.profile.config import SETTINGS, Setting, resolve
from boxroom_client.screen.themes.style_words import ATTRIBUTES
from boxroom_client.screen.themes.theme import BACKGROUNDS, load_theme, themes

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "configuration.md"
END = "<!-- end -->"


def text() -> str:
    return PAGE.read_text(encoding="utf-8")


def settings() -> str:
    return "\n".join(map(setting_shown, SETTINGS))


def setting_shown(setting: Setting[Any]) -> str:
    flag = f" (`{setting.flag}`)" if setting.flag else ""
    default = [f"`{setting.default}`"] if setting.default else []
    default += [setting.default_means] if setting.default_means else []
    return f"- `{setting.name}`{flag}: {setting.help}; by default {', '.join(default)}"


def test_all_settings_are_there() -> None:
    before, start, rest = text().partition("<!-- settings -->\n")
    shown, _, after = rest.partition(END)
    if os.environ.get("BOXROOM_UPDATE_GOLDEN") == "1":
        PAGE.write_text(f"{before}{start}\n{settings()}\n\n{END}{after}", encoding="utf-8")
        return
    assert shown == f"\n{settings()}\n\n"


def test_the_examples_are_right(tmp_path: Path) -> None:
    config, theme = re.findall(r"```toml\n(.*?)```", text(), re.DOTALL)
    (tmp_path / "config.toml").write_text(config, encoding="utf-8")
    (tmp_path / "sea.toml").write_text(theme, encoding="utf-8")
    resolved = resolve({}, {}, tmp_path / "config.toml")
    assert resolved.shown(SETTINGS[0]) == "Ada"
    assert load_theme("sea", tmp_path).styles["title"] == "fg:#56b4e9 bold"


def test_all_words_are_named() -> None:
    quoted = set(re.findall(r"`([^`\n]+)`", text()))
    assert quoted >= {*ATTRIBUTES, *themes(), *(f'"{each}"' for each in BACKGROUNDS)}
