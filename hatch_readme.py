"""The text that an index of packages shows: the README, with whole addresses."""

import sys
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

sys.path.insert(0, str(Path(__file__).parent))

from scripts.index_readme import with_addresses


class ReadmeHook(MetadataHookInterface):
    """Puts it into the metadata; a source distribution has it already."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the field `readme`."""
        readme = Path(self.root, "README.md").read_text(encoding="utf-8")
        repository, version = metadata["urls"]["Repository"], metadata["version"]
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": with_addresses(readme, repository, version),
        }
