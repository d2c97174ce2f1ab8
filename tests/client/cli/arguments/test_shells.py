"""The display options of the full screen, as the settings and the terminal want them."""

import sys
from pathlib import Path

import pytest
from tests.common.streams import Stream

from boxroom_client.cli.arguments.shells import look_of
from boxroom_client.profile.config import resolve


@pytest.mark.parametrize(("no_color", "has_colours"), [("", True), ("1", False)])
def test_the_screen_knows_whether_it_has_colours(
    no_color: str, *, has_colours: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "stdout", Stream())
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", no_color)
    assert look_of(resolve({}, {}, tmp_path / "config.toml")).has_colours is has_colours
