"""The page uses nothing that Safari 16.0 lacks, the oldest browser for which it is made."""

import re

from boxroom_server.web.page_files import source_files

STYLES = {
    r"color-mix\(": "16.2",
    r"@property|\brgb\(from |:dir\(|\dr?lh\b|font-size-adjust|\((width|height) *[<>=]": "16.4",
    r"^\s*&|:user-(in)?valid": "16.5",
    r":popover-open|contain-intrinsic|@counter-style|image-set\(": "17.0",
    r"\blinear\(": "17.2",
    r"@scope|:has-slotted": "17.4",
    r"light-dark\(|@starting-style|text-wrap": "17.5",
    r"content-visibility|transition-behavior|view-transition": "18.0",
    r"scrollbar-(width|gutter)|text-box": "18.2",
    r"anchor\(|position-anchor|field-sizing|scrollbar-color|interpolate-size": "26.0",
}
"""Patterns of what later versions of Safari brought, by MDN's compatibility data."""

SCRIPTS = {
    r"OffscreenCanvas|CompressionStream|\(\?<[=!]|\bstatic \{|fromAsync|isWellFormed": "16.4",
    r"canParse|showPopover|hidePopover|\.(union|intersection|difference|is\w+Of)\(": "17.0",
    r"\bwith \{ type:": "17.2",
    r"groupBy|withResolvers|AbortSignal\.any|checkVisibility": "17.4",
    r"startViewTransition|\.(keys|values|entries)\(\)\.\w|Iterator\.from": "18.0",
    r"requestIdleCallback|scheduler\.": "26.0",
}


def test_no_style_and_no_script_needs_a_newer_browser() -> None:
    assert {name: newer_than_safari_16(name, text) for name, text in sources() if text} == {
        name: [] for name, _ in sources()
    }


def test_newer_features_are_noticed() -> None:
    assert newer_than_safari_16("a.css", "a { color: color-mix(in srgb, red, blue); }") == ["16.2"]
    assert newer_than_safari_16("a.css", "a {\n  &:hover { height: 1lh; }\n}") == ["16.4", "16.5"]
    assert newer_than_safari_16("a.js", "map.values().map((it) => it)") == ["18.0"]
    assert newer_than_safari_16("a.js", "[...map.values()].map((it) => it)") == []


def newer_than_safari_16(name: str, text: str) -> list[str]:
    """Return the versions of Safari that a file needs, of those after 16.0."""
    features = STYLES if name.endswith(".css") else SCRIPTS
    return [version for each, version in features.items() if re.search(each, text, re.MULTILINE)]


def sources() -> list[tuple[str, str]]:
    return [
        (name, content.decode())
        for name, content in source_files().items()
        if name.endswith((".css", ".js"))
    ]
