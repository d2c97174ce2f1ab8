"""The wheel's parts that are made: the compiled kernel, the page, what a source distribution has.

With a C++ compiler the wheel is for one platform and any Python 3; without, it is for any platform,
and the kernel is built where it is installed. Nothing is downloaded. `BOXROOM_WHEEL_PLATFORM` names
another platform, such as macosx_11_0_arm64, for which the command in `BOXROOM_COMPILER` compiles.
"""

import os
import sys
import sysconfig
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path[:0] = [str(Path(__file__).parent / each) for each in ("common", "engine", "server", ".")]

from scripts.minify_page import write_page  # noqa: E402

from boxroom_common.kernel.compilers import (  # noqa: E402
    CompilerFailed,
    compile_with_any,
    compilers,
)
from boxroom_common.kernel.sources import Machine, library_name  # noqa: E402
from boxroom_server.web.page_files import BUILT  # noqa: E402

PROCESSORS = ("x86_64", "aarch64", "arm64")


class WheelHook(BuildHookInterface[Any]):
    """Puts the compiled kernel beside its sources, and the page in the place of its own."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make them for a wheel; an editable installation makes them when they are needed."""
        if version == "editable":
            return
        if Path(self.root, "share").is_dir():  # hatch_share.py put it into a source distribution
            build_data["shared_data"]["share"] = "share"
        self._folder = TemporaryDirectory()
        page = Path(self._folder.name, BUILT)
        write_page(page)
        build_data["force_include"][str(page)] = f"boxroom_server/web/{BUILT}"
        library = Path(self._folder.name, "kernel.so")
        try:
            platform, name = self._compile(library)
        except CompilerFailed as failed:
            self.app.display_warning(f"The wheel has no compiled kernel: {failed}.")
            return
        build_data["tag"] = f"py3-none-{platform}"
        build_data["pure_python"] = False
        build_data["force_include"][str(library)] = f"boxroom_engine/kernel/{name}"

    def _compile(self, library: Path) -> tuple[str, str]:
        """Compile the kernel; return the platform that it is for, and its name there."""
        if platform := os.environ.get("BOXROOM_WHEEL_PLATFORM"):
            machine = machine_of(platform)
            next(compilers(os.environ)).compile_for(machine, library, os.environ)
            return platform, library_name(machine)
        compile_with_any(library, os.environ, self.app.display_info)
        platform = sysconfig.get_platform().replace("universal2", Machine.this().processor)
        return platform.replace("-", "_").replace(".", "_"), library_name()

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what the wheel has now."""
        if version != "editable":
            self._folder.cleanup()


def machine_of(platform: str) -> Machine:
    """Return the kind of machine that has this platform, as the tags of wheels name it.

    Raises:
        ValueError: the kernel is for no such platform.
    """
    system = "darwin" if platform.startswith("macosx") else "linux"
    for processor in PROCESSORS:
        if platform.endswith(processor):
            return Machine(system, processor)
    raise ValueError(f"BOXROOM_WHEEL_PLATFORM={platform} doesn't end in {', '.join(PROCESSORS)}")
