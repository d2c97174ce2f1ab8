"""Colours and characters of terminals."""

from collections.abc import Mapping

from tests.cases import each
from tests.common.streams import Stream

from boxroom_common.terminals import has_colours, is_ascii_only


@each(
    "environ, coloured",
    [
        ({"TERM": "xterm"}, True),
        ({"TERM": "xterm", "NO_COLOR": ""}, True),
        ({"TERM": "xterm", "NO_COLOR": "1"}, False),
        ({"TERM": "dumb"}, False),
        ({}, False),
    ],
)
def test_a_terminal_is_coloured_unless_the_environment_says_no(
    environ: Mapping[str, str], *, coloured: bool
) -> None:
    assert has_colours(Stream(), environ) is coloured
    assert not has_colours(Stream(is_terminal=False), environ)


@each(
    "encoding, environ, ascii_only",
    [
        ("utf-8", {}, False),
        ("UTF8", {"LANG": "en_GB.UTF-8"}, False),
        ("utf-8", {"LC_ALL": "", "LC_CTYPE": "C.utf8", "LANG": "C"}, False),
        ("utf-8", {"LC_ALL": "C"}, True),
        ("utf-8", {"LANG": "POSIX"}, True),
        ("iso-8859-1", {"LANG": "en_GB.UTF-8"}, True),
        ("ascii", {}, True),
    ],
)
def test_ascii_is_for_those_who_have_nothing_else(
    encoding: str, environ: Mapping[str, str], ascii_only: bool
) -> None:
    assert is_ascii_only(Stream(encoding=encoding), environ) is ascii_only
