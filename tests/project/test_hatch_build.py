"""The wheel has the page, the compiled kernel where it can be compiled, and its sources."""

import os
import shutil
import subprocess
import sys
import zipfile
from email import message_from_bytes
from importlib.util import find_spec
from pathlib import Path

import pytest
from scripts.index_readme import with_addresses
from scripts.minify_page import minified_page

from boxroom_common.kernel.sources import library_name
from boxroom_common.version import VERSION
from boxroom_engine.kernel.library import Library
from boxroom_engine.kernel.library import __file__ as loader
from boxroom_server.web.page_files import BUILT

ROOT = Path(__file__).resolve().parents[2]
KERNEL = "boxroom_engine/kernel/"
WEB = "boxroom_server/web/"


def build_wheel(folder: Path, compiler: str) -> tuple[Path, str]:
    """Build a wheel with this compiler; return it, and what was said about it."""
    if find_spec("pip"):
        command = [sys.executable, "-m", "pip", "wheel", "--verbose", "--no-deps", "-w"]
    else:
        command = [shutil.which("uv") or "uv", "build", "--wheel", "--out-dir"]
    built = subprocess.run(
        [*command, str(folder), str(ROOT)],
        env={**os.environ, "BOXROOM_COMPILER": compiler},
        check=True,
        capture_output=True,
        text=True,
    )
    (wheel,) = folder.glob("*.whl")
    return wheel, built.stdout + built.stderr


@pytest.mark.long
def test_with_a_compiler_the_wheel_is_for_one_platform(tmp_path: Path) -> None:
    compiler = shutil.which("c++")
    if not compiler:
        pytest.skip("there is no C++ compiler")
    wheel, _ = build_wheel(tmp_path, compiler)
    assert "-py3-none-" in wheel.name
    assert not wheel.name.endswith("-any.whl")
    with zipfile.ZipFile(wheel) as content:
        extracted = content.extract(KERNEL + library_name(), tmp_path)
        assert KERNEL + Path(loader).name in content.namelist()
    Library(extracted)


@pytest.mark.long
def test_without_a_compiler_the_wheel_is_for_any_platform(tmp_path: Path) -> None:
    wheel, said = build_wheel(tmp_path, "none")
    assert wheel.name.endswith("-py3-none-any.whl")
    assert "The wheel has no compiled kernel: BOXROOM_COMPILER=none leaves it out." in said
    names = zipfile.ZipFile(wheel).namelist()
    assert KERNEL + "kernel.cpp" in names
    assert "boxroom_engine/wire/protocol.schema.json" in names
    assert not [name for name in names if name.endswith(".so")]


@pytest.mark.long
def test_an_index_shows_the_readme_with_whole_addresses(tmp_path: Path) -> None:
    wheel, _ = build_wheel(tmp_path, "none")
    with zipfile.ZipFile(wheel) as content:
        (path,) = (each for each in content.namelist() if each.endswith(".dist-info/METADATA"))
        metadata = message_from_bytes(content.read(path))
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    addresses = dict(each.split(", ") for each in metadata.get_all("Project-URL", []))
    text = bytes(metadata.get_payload(decode=True)).decode()
    assert text == with_addresses(readme, addresses["Repository"], VERSION)
    assert metadata["Description-Content-Type"] == "text/markdown"


@pytest.mark.long
def test_the_wheel_has_the_page_and_none_of_its_sources(tmp_path: Path) -> None:
    wheel, _ = build_wheel(tmp_path, "none")
    with zipfile.ZipFile(wheel) as content:
        assert not [name for name in content.namelist() if name.startswith(f"{WEB}page/")]
        for path, built in minified_page().items():
            assert content.read(f"{WEB}{BUILT}/{path}") == built
