"""The user's folders, also for a user who has none."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cases import each

from boxroom_common.exits import Failure
from boxroom_common.own_folders import own_folder

VARIABLE = "BOXROOM_ELSEWHERE"


def raise_error() -> Path:
    """Fail as platformdirs does without a home folder."""
    raise RuntimeError("could not determine the home directory")


def test_the_environment_names_another_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    assert own_folder(VARIABLE, raise_error) == tmp_path
    monkeypatch.setenv(VARIABLE, "")
    assert own_folder(VARIABLE, lambda: Path("/usual")) == Path("/usual")


@each("usual", [raise_error, lambda: Path("~/.config")])
def test_without_a_home_the_user_is_told_what_to_set(usual: Callable[[], Path]) -> None:
    with pytest.raises(Failure, match=f"no home folder: set {VARIABLE} to a folder"):
        own_folder(VARIABLE, usual)
