"""The source distribution's part that is made: manual pages, and completion for shells.

They need the packages that Boxroom needs, which the build of a wheel alone doesn't install. A wheel
that is built from the source distribution has them, one that is built from a checkout doesn't.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path[:0] = [
    str(Path(__file__).parent / each)
    for each in ("common", "engine", "server", "client", "lab", "public", ".")
]


class ShareHook(BuildHookInterface[Any]):
    """Puts them into the folder `share`."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write them outside the checkout."""
        from scripts.write_share import main

        self._folder = TemporaryDirectory()
        main(Path(self._folder.name))
        build_data["force_include"][self._folder.name] = "share"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what the source distribution has now."""
        self._folder.cleanup()
