"""The page's manifest and icons, with which it stands on a home screen."""

import json
import re
import struct
from urllib.parse import urljoin

from tests.cases import each

from boxroom_server.web.assets import GAMES, page_assets

ASSETS = page_assets()
FOLDER = f"/assets/{ASSETS.version}/home_screen/"
MANIFEST = f"{FOLDER}boxroom.webmanifest"
FIELDS = json.loads(ASSETS.by_path[MANIFEST].body)


def linked(relation: str, document: str = "/") -> str:
    """Return the path to which a document links with this relation."""
    text = ASSETS.by_path[document].body.decode()
    links: list[str] = re.findall(rf'<link rel="{relation}" href="([^"]+)">', text)
    assert len(links) == 1
    return urljoin(document, links[0])


def size_of(path: str) -> str:
    """Return the size of a picture as a manifest has it, from the header of the PNG file."""
    asset = ASSETS.by_path[path]
    assert asset.content_type == "image/png"
    signature, kind, width, height = struct.unpack_from("!8s4x4sII", asset.body)
    assert (signature, kind) == (b"\x89PNG\r\n\x1a\n", b"IHDR")
    return f"{width}x{height}"


@each("document", ["/", GAMES])
def test_the_document_links_to_the_manifest_and_the_icon_of_ios(document: str) -> None:
    assert linked("manifest", document) == MANIFEST
    assert ASSETS.by_path[MANIFEST].content_type == "application/manifest+json"
    assert size_of(linked("apple-touch-icon", document)) == "180x180"


def test_icons_have_the_sizes_that_the_manifest_names() -> None:
    icons = [(icon["sizes"], icon.get("purpose", "any")) for icon in FIELDS["icons"]]
    assert icons == [("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")]
    for icon in FIELDS["icons"]:
        assert size_of(urljoin(MANIFEST, icon["src"])) == icon["sizes"]


@each("page", ["https://x.example/", "https://x.example/games/", "http://127.0.0.1:8765/a/b/"])
def test_the_app_starts_at_the_page_under_any_path(page: str) -> None:
    manifest = urljoin(page, MANIFEST.removeprefix("/"))
    assert urljoin(manifest, FIELDS["start_url"]) == page
    assert urljoin(manifest, FIELDS["scope"]) == page


def test_the_app_has_a_window_of_its_own_in_the_colour_of_the_icon() -> None:
    assert FIELDS["name"] == FIELDS["short_name"] == "Boxroom"
    assert FIELDS["display"] == "standalone"
    assert FIELDS["background_color"] == FIELDS["theme_color"]
    assert f'fill="{FIELDS["theme_color"]}"' in ASSETS.by_path["/favicon.ico"].body.decode()


@each("theme", ["light", "dark"])
def test_the_bars_around_the_page_have_the_colour_of_its_paper(theme: str) -> None:
    style = ASSETS.by_path[f"/assets/{ASSETS.version}/style.css"].body.decode()
    paper = re.findall(rf"data-theme='?{theme}'?\] *{{[^}}]*--paper: *(#\w+)", style)[0]
    meta = f'<meta name="theme-color" content="{paper}" media="(prefers-color-scheme: {theme})">'
    assert meta in ASSETS.by_path["/"].body.decode()
