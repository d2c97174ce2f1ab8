"""The folders where the kernel may be: which one gets it, and which files aren't loaded."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from boxroom_common.kernel.places import NoFolder, Places
from boxroom_common.kernel.sources import library_name

ANOTHER_USER = 54_321
IS_ROOT = os.geteuid() == 0


@pytest.fixture
def environment(tmp_path: Path) -> Path:
    (tmp_path / "lib").mkdir()
    return tmp_path / "lib/boxroom"


@pytest.fixture
def both(places: Places, environment: Path) -> Places:
    return Places(places.package, environment, places.cache)


def put(folder: Path | None, mode: int = 0o700) -> Path:
    assert folder
    folder.mkdir(mode=mode)
    (folder / library_name()).touch()
    return folder / library_name()


def test_the_environment_gets_it_if_it_can_be_written_to(both: Places, environment: Path) -> None:
    assert both.make_target() == environment
    assert environment.stat().st_mode & 0o777 == 0o755


@pytest.mark.skipif(not IS_ROOT, reason="impossible here: only root gives files away")
def test_the_environment_of_another_user_stays_as_it_is(both: Places, environment: Path) -> None:
    os.chown(environment.parent, ANOTHER_USER, ANOTHER_USER)
    assert both.make_target() == both.cache
    assert not environment.exists()


def test_a_read_only_environment_stays_as_it_is(both: Places, environment: Path) -> None:
    environment.parent.rmdir()  # root may write to any folder that there is
    assert both.make_target() == both.cache


def test_what_was_built_before_is_found(both: Places, environment: Path) -> None:
    in_cache = put(both.cache)
    assert both.find() == in_cache
    in_environment = put(environment)
    assert both.find() == in_environment


@pytest.mark.skipif(not IS_ROOT, reason="impossible here: only root gives files away")
@pytest.mark.parametrize("given_away", ["folder", "library"])
def test_what_another_user_put_into_the_cache_is_not_loaded(
    given_away: str, places: Places
) -> None:
    library = put(places.cache)
    assert places.find()
    os.chown(library.parent if given_away == "folder" else library, ANOTHER_USER, ANOTHER_USER)
    assert places.find() is None
    if given_away == "folder":
        with pytest.raises(NoFolder, match="another user owns"):
            places.make_target()


@pytest.mark.parametrize("open_to_all", ["folder", "library"])
def test_what_others_may_write_to_is_not_loaded(open_to_all: str, places: Places) -> None:
    library = put(places.cache)
    (library.parent if open_to_all == "folder" else library).chmod(0o777)
    assert places.find() is None


def test_a_cache_that_cannot_be_made_is_told(places: Places, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(NoFolder, match="can't be made: Not a directory"):
        Places(places.package, None, tmp_path / "file/cache").make_target()


@pytest.mark.skipif(not IS_ROOT, reason="impossible here: only root can become a user without home")
def test_a_user_without_home_has_no_cache(tmp_path: Path) -> None:
    code = (
        "import os, pwd; from boxroom_common.kernel.places import Places;"
        f"os.setuid({ANOTHER_USER}); print(Places.of_this_process().cache)"
    )
    environ = {"PYTHONPATH": os.pathsep.join(sys.path)}
    printed = subprocess.run(
        [sys.executable, "-c", code],
        env=environ,
        cwd=tmp_path,
        capture_output=True,
        check=True,
        text=True,
    )
    assert printed.stdout == "None\n"
    with pytest.raises(NoFolder, match="no home folder"):
        Places(tmp_path, None, None).make_target()
