"""Manual pages, and completion for shells: their files are complete, and packages contain them."""

import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from scripts.write_share import COMPLETIONS, files

from boxroom_client.cli.commands import COMMANDS
from boxroom_client.cli.completion import SHELLS

ROOT = Path(__file__).resolve().parents[2]
NEEDED_BY_TESTS = {".ci/run", ".dockerignore", "check", "docs/conf.py", "tests/conftest.py"}
PAGES = {"boxroom", *(f"boxroom-{name}" for name in COMMANDS)}


def test_each_command_has_a_page_and_each_shell_a_completion() -> None:
    expected = {f"man/man1/{page}.1" for page in PAGES} | {COMPLETIONS[each] for each in SHELLS}
    assert set(files()) == expected


def test_man_shows_each_page_without_a_warning(tmp_path: Path) -> None:
    if not shutil.which("man"):
        pytest.skip("man isn't installed")
    for name, text in files().items():
        if name.startswith("man/"):
            page = tmp_path / Path(name).name
            page.write_text(text, encoding="utf-8")
            shown = subprocess.run(
                ["man", "--warnings", "--local-file", page],
                env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "MANWIDTH": "80"},
                check=True,
                capture_output=True,
                text=True,
            )
            assert not shown.stderr, name
            assert f"{page.stem} - " in shown.stdout


@pytest.mark.long
def test_a_wheel_from_the_source_distribution_installs_them(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "build", "--outdir", tmp_path, ROOT],
        check=True,
        capture_output=True,
    )
    (source,), (wheel,) = tmp_path.glob("*.tar.gz"), tmp_path.glob("*.whl")
    with tarfile.open(source) as content:
        sources = {name.partition("/")[2] for name in content.getnames()}
    installed = {
        name.partition(".data/data/share/")[2] for name in zipfile.ZipFile(wheel).namelist()
    }
    kept = {name.removeprefix("share/") for name in sources if name.startswith("share/")}
    assert kept == installed - {""} == set(files())
    assert sources >= NEEDED_BY_TESTS
