"""QR codes as text: module for module the code that the library makes."""

from collections.abc import Mapping

import pytest
import segno
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each
from tests.common.streams import Stream

from boxroom_common.qr_codes import MOST_QR_CHARS, QUIET_ZONE, can_show_qr, dark_on_light, qr_lines

LINK = "http://192.168.100.103:8765/#kiwa-tobe"
DRAWN = {" ": (0, 0), "▀": (1, 0), "▄": (0, 1), "█": (1, 1)}


def modules_in(lines: list[str]) -> list[tuple[int, ...]]:
    """Return the rows of modules that `lines` show."""
    pairs = [[DRAWN[char] for char in line] for line in lines]
    return [tuple(pair[half] for pair in row) for row in pairs for half in (0, 1)]


@given(st.text(st.characters(codec="utf-8"), min_size=1, max_size=60))
def test_lines_show_the_modules_of_the_code_and_its_border(text: str) -> None:
    code = segno.make(text, error="l", micro=False)
    expected = [tuple(row) for row in code.matrix_iter(border=QUIET_ZONE)]
    shown = modules_in(qr_lines(text))
    assert shown[: len(expected)] == expected
    assert set(sum(shown[len(expected) :], ())) <= {0}
    assert len(shown) - len(expected) == len(expected) % 2


def test_there_is_a_longest_text() -> None:
    assert len(qr_lines("a" * MOST_QR_CHARS)[0]) == 177 + 2 * QUIET_ZONE
    with pytest.raises(ValueError, match="too large"):
        qr_lines("a" * (MOST_QR_CHARS + 1))


def test_the_border_is_light_on_all_sides() -> None:
    shown = modules_in(qr_lines(LINK))
    size = len(shown[0])
    for row in (*shown[:QUIET_ZONE], *shown[size - QUIET_ZONE :]):
        assert set(row) == {0}
    for row in shown:
        assert set(row[:QUIET_ZONE]) == set(row[-QUIET_ZONE:]) == {0}
    assert shown[QUIET_ZONE][QUIET_ZONE : QUIET_ZONE + 8] == (1, 1, 1, 1, 1, 1, 1, 0)


def test_the_link_to_a_room_in_the_local_network_fits_on_a_small_terminal() -> None:
    lines = qr_lines(LINK)
    assert len({len(line) for line in lines}) == 1
    assert len(lines[0]) <= 40
    assert len(lines) <= 20


def test_it_is_black_on_white_whatever_the_theme() -> None:
    assert dark_on_light("▀") == "\x1b[38;5;16;48;5;231m▀\x1b[0m"


@each(
    "encoding, environ, can",
    [
        ("utf-8", {"TERM": "xterm"}, True),
        ("latin-1", {"TERM": "xterm"}, False),
        ("utf-8", {"TERM": "xterm", "LC_ALL": "C"}, False),
        ("utf-8", {"TERM": "xterm", "NO_COLOR": "1"}, False),
        ("utf-8", {"TERM": "dumb"}, False),
    ],
)
def test_it_needs_a_terminal_with_colours_and_its_characters(
    encoding: str, environ: Mapping[str, str], *, can: bool
) -> None:
    assert can_show_qr(Stream(encoding=encoding), environ) is can
    assert not can_show_qr(Stream(encoding=encoding, is_terminal=False), environ)
