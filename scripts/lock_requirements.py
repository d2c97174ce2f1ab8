"""Locks what the container's image installs: `python scripts/lock_requirements.py [--upgrade]`.

It writes the two files of requirements in deploy/: what boxroom needs to run, and what builds it.
Each has a version and its hashes, for `pip install --require-hashes`, and no address of an index.
They are for every Python that boxroom runs with. It needs uv; without `--upgrade` uv keeps versions
that fit pyproject.toml.
"""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

RUN = "deploy/requirements.txt"
BUILD = "deploy/requirements-build.txt"

OPTIONS = ("--universal", "--generate-hashes", "--no-emit-index-url")


def lock(output: str, *source: str, given: str = "") -> None:
    """Write `output`, from the requirements in `source` or those `given` as standard input."""
    words = (*OPTIONS, *source, "--output-file", output, *sys.argv[1:])
    subprocess.run(
        ["uv", "pip", "compile", "--quiet", *words],  # noqa: S607
        cwd=ROOT,
        env={**os.environ, "UV_NO_CONFIG": "1"},
        input=given,
        text=True,
        check=True,
    )


def main() -> None:
    """Lock both."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    oldest = ("--python-version", project["project"]["requires-python"].removeprefix(">="))
    lock(RUN, "pyproject.toml", "--extra", "cluster", "--extra", "server", *oldest)
    lock(BUILD, "-", *oldest, given="\n".join(project["build-system"]["requires"]))


if __name__ == "__main__":
    main()
