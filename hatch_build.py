"""The wheel's part of the kernel: compiled, where the machine that builds the wheel has a compiler.

With it the wheel is for one platform and any Python 3; without, for any platform, and the kernel is
built where it is installed. Nothing is downloaded.
"""

import os
import sys
import sysconfig
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path[:0] = [str(Path(__file__).parent / folder) for folder in ("common", "engine")]

from boxroom_common.kernel.compilers import CompilerFailed, compile_with_any  # noqa: E402
from boxroom_common.kernel.sources import library_name  # noqa: E402


class KernelHook(BuildHookInterface[Any]):
    """Puts the compiled kernel beside its sources."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile it for a wheel; an editable installation builds it when it is needed."""
        if version == "editable":
            return
        if Path(self.root, "share").is_dir():  # hatch_share.py put it into a source distribution
            build_data["shared_data"]["share"] = "share"
        self._folder = TemporaryDirectory()
        library = Path(self._folder.name, library_name())
        try:
            compile_with_any(library, os.environ, self.app.display_info)
        except CompilerFailed as failed:
            self.app.display_warning(f"The wheel has no compiled kernel: {failed}.")
            return
        platform = sysconfig.get_platform().replace("universal2", os.uname().machine)
        build_data["tag"] = f"py3-none-{platform.replace('-', '_').replace('.', '_')}"
        build_data["pure_python"] = False
        build_data["force_include"][str(library)] = f"boxroom_engine/kernel/{library.name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what the wheel has now."""
        if version != "editable":
            self._folder.cleanup()
