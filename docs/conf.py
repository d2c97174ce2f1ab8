"""Settings of Sphinx, which makes a site of these pages (adr/0038-site.md)."""

from sphinx.application import Sphinx

from boxroom_client.screen.keys.help_page import keys_page
from boxroom_common.version import VERSION

project = "Boxroom"
author = "Boxroom contributors"
version = release = VERSION

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_reredirects"]

# Pages that only lead a reader of the repository on; the site redirects.
exclude_patterns = ["architecture.md", "protocol.md"]

html_theme = "furo"
html_title = project
html_favicon = "../server/boxroom_server/web/page/icon.svg"
html_copy_source = False

myst_heading_anchors = 4  # anchors as GitHub makes them

# Docstrings write code as `code`, and their classes have the order of a reader.
default_role = "code"
autodoc_default_options = {"members": True}
autodoc_member_order = "bysource"
autodoc_typehints = "description"

MOVED = {
    "explanation": "architecture benchmarks identity origins reliability security",
    "how-to": "cluster operating robots web",
    "reference": "analysis bots configuration games keys protocol room values",
}
"""Pages by the folder that they moved to; all of them stood beside index.md."""

redirects = {
    page: f"{folder}/{page}.html" for folder, pages in MOVED.items() for page in pages.split()
}


def fill(_: Sphinx, page: str, source: list[str]) -> None:
    """Replace the page of keys and commands, of which the repository has the headings alone."""
    if page == "reference/keys":
        source[:] = [keys_page()]


def setup(app: Sphinx) -> None:
    app.connect("source-read", fill)
