"""Wheels for other platforms than this one, as a release needs them."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from scripts.build_wheels import build_wheels

ROOT = Path(__file__).resolve().parents[2]

MAGIC = {
    "manylinux_2_17_aarch64.manylinux2014_aarch64": (b"\x7fELF", 18, b"\xb7\x00"),
    "macosx_11_0_arm64": (b"\xcf\xfa\xed\xfe", 4, b"\x0c\x00\x00\x01"),
}
"""Beginning of a library for each platform, and offset and code of the processor in it."""


@pytest.mark.long
def test_wheels_for_other_machines_have_their_kernel(tmp_path: Path) -> None:
    build_wheels(ROOT, tmp_path, MAGIC)
    for platform, (beginning, offset, processor) in MAGIC.items():
        (wheel,) = tmp_path.glob(f"*-py3-none-{platform}.whl")
        with zipfile.ZipFile(wheel) as content:
            (name,) = (each for each in content.namelist() if each.endswith(".so"))
            library = content.read(name)
        assert library.startswith(beginning)
        assert library[offset:].startswith(processor)
    wheels = [str(each) for each in tmp_path.iterdir()]
    subprocess.run([sys.executable, "-m", "twine", "check", "--strict", *wheels], check=True)
    program = Path(sys.executable).with_name("check-wheel-contents")
    subprocess.run([program, *wheels], check=True, cwd=ROOT)
