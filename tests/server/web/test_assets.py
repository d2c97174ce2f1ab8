"""The files of the page: paths, hashes, compression, modules to load at once."""

import gzip
import json
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urljoin

import pytest
from rjsmin import jsmin
from scripts.minify_page import minified_page, write_page
from tests.cases import each

from boxroom_common.phrases import table
from boxroom_engine.room.rules import requests
from boxroom_server.web import page_files as page_files_module
from boxroom_server.web.assets import GAMES, make_assets, page_assets
from boxroom_server.web.bundle import bundle, names
from boxroom_server.web.page_files import (
    BUILT,
    CONTENT_TYPES,
    LESSONS,
    PHRASES,
    PUZZLES,
    bundled_files,
    page_files,
    source_files,
)

FOLDER = Path(__file__).parents[3] / "server/boxroom_server/web/page"

FILES = {
    "index.html": b'<head><script type="module" src="assets/HASH/main.js"></script></head>',
    "icon.svg": b"<svg/>",
    "main.js": b"draw(draw, draw);\n" * 9,
    "lines.css": b".line {}\n",
}


def test_the_installed_program_has_all_files_of_the_page() -> None:
    files = {str(path.relative_to(FOLDER)) for path in FOLDER.rglob("*") if path.is_file()}
    served = {name for name in files if Path(name).suffix in CONTENT_TYPES}
    bundled = {name for name in served if name.endswith((".js", ".css"))}
    assert page_files().keys() == served - bundled | {"main.js", "style.css", LESSONS, PUZZLES}
    assert page_files().keys() >= {"index.html", "icon.svg"}
    others = files - served
    assert others <= {"package.json"}, "a file that the page needs has a suffix of CONTENT_TYPES"


def test_they_are_found_from_wherever_the_program_is_started(tmp_path: Path) -> None:
    code = "from boxroom_server.web.page_files import page_files; print(len(page_files()))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert int(done.stdout) == len(page_files())


@each("path", ["/", GAMES])
def test_every_file_that_the_document_names_is_served(path: str) -> None:
    assets = page_assets()
    document = assets.by_path[path].body.decode()
    named = re.findall(r'(?:src|href|data-turn)="([^"#:]+)"', document)
    assert "HASH" not in document
    assert {urljoin(path, link) for link in named} <= assets.by_path.keys()
    assert named


def test_every_module_of_the_page_is_in_its_script() -> None:
    sources = source_files().items()
    modules = {name: text.decode() for name, text in sources if name.endswith(".js")}
    script = bundle(modules, "main.js")
    assert all(f" {name}" in script for text in modules.values() for name in names(text))


def test_every_style_sheet_of_the_page_is_in_the_one_that_is_served() -> None:
    sheets = {name: text for name, text in source_files().items() if name.endswith(".css")}
    served = bundled_files()["style.css"]
    assert b"@import" not in served
    assert all(text in served for name, text in sheets.items() if name != "style.css")


def test_the_page_is_small() -> None:
    """Without the icons of home screens, which only those load who put the page there."""
    assets = set(make_assets(minified_page()).by_path.values())
    icons = {asset for asset in assets if asset.content_type == "image/png"}
    assert sum(len(icon.body) for icon in icons) <= 24_000
    total = sum(len(each.gzipped or each.body) for each in assets - icons)
    assert total <= 119_200


def test_english_has_what_the_page_says_and_other_languages_what_its_server_says_too() -> None:
    lines = source_files()[PHRASES].decode().splitlines()
    codes, keys, texts = (json.loads(line.partition(" = ")[2].rstrip(";")) for line in lines)
    tables = {
        code: {key: text for key, text in zip(keys, of_language, strict=True) if text}
        for code, of_language in zip(codes, texts, strict=True)
    }
    link = source_files()["link.js"].decode()
    refusals = {f"refusal.{key}" for key in re.findall(r"#refusal\('([\w.]+)'", link)}
    assert len(refusals) == 6
    assert refusals <= tables["en"].keys() < tables["de"].keys() < table("de").keys()
    only_german = tables["de"].keys() - tables["en"].keys()
    assert {"refusal.stale", "move.turn", "notice.stopping"} <= only_german
    asked = set(re.findall(r'refusal\("([\w.]+)"', Path(requests.__file__).read_text()))
    not_for_oneself = {key for key in asked if not key.startswith("yourself")}
    assert {f"refusal.{key}" for key in not_for_oneself} <= only_german
    assert "event.joined" in tables["en"]


def test_a_change_of_any_file_changes_the_folder_and_the_document() -> None:
    before, after = (
        make_assets(FILES),
        make_assets(FILES | {"lines.css": b".line { color: red }"}),
    )
    assert before.version != after.version
    assert before.by_path["/"].etag != after.by_path["/"].etag
    assert set(before.by_path) & set(after.by_path) == {"/", GAMES, "/favicon.ico"}
    assert make_assets(FILES) == before


def test_a_wheel_serves_the_page_that_it_was_built_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_page(tmp_path / BUILT)
    built = minified_page()
    monkeypatch.setattr(page_files_module, "resources", SimpleNamespace(files=lambda _: tmp_path))
    assert page_files() == built


def test_files_are_compressed_where_that_makes_them_shorter() -> None:
    assets = make_assets(FILES)
    main = assets.by_path[f"/assets/{assets.version}/main.js"]
    assert main.gzipped is not None
    assert gzip.decompress(main.gzipped) == main.body == FILES["main.js"]
    assert assets.by_path[f"/assets/{assets.version}/lines.css"].gzipped is None


NO_SENTENCES = {
    *("line border", "line drawn 0", "svg g line path rect circle polyline polygon text use"),
    *(
        "dialog input",
        ".invitation input",
        "boxroom web",
    ),  # names of classes and elements, of fields, and of the client
    *("there is no event 0", "a secret and a pad of the same length are needed"),
    "there is no connection to the server",
    *(
        "the server sent what this page does not understand:",
        "the server continues after 0, not after 0",
    ),
}
"""Texts for browsers, for the server and for the console of programmers; 0 stands for values."""


def test_the_tables_of_languages_have_all_that_people_read_on_the_page() -> None:
    modules = {name: text for name, text in source_files().items() if name.endswith(".js")}
    del modules[PHRASES]
    code = "".join(jsmin(text.decode()) for text in modules.values())
    texts = {one or other for one, other in re.findall(r"'([^'\n]*)'|`([^`]*)`", code)}
    texts = {re.sub(r"\$\{[^}]*\}", "0", text) for text in texts}
    assert {text for text in texts if re.search(r"[a-z]{2,} +[a-z]{2,}", text)} == NO_SENTENCES
