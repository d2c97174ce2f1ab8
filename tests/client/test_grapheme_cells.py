"""Clusters are laid out as single cells, and drawn whole on terminals that measure otherwise."""

import io
from collections.abc import Iterator, Sequence

import pyte
import pytest
from prompt_toolkit.application import Application, create_app_session
from prompt_toolkit.application.current import set_app
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.layout import BufferControl, HSplit, Layout, Window
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.utils import get_cwidth
from tests.cases import each

from boxroom_client.grapheme_cells import (
    ClusterProcessor,
    ClusterRenderer,
    cluster_keys,
    in_cells,
)
from boxroom_client.screen.terminal import RowsControl

FAMILY = "👨\u200d👩\u200d👧"
CLUSTERS = (
    "❤\ufe0f",
    "🇩🇪",
    "1\ufe0f\u20e3",
    FAMILY,
    "👍🏽",
    "\u1100\u1161\u11a8",
    "🏳\ufe0f\u200d🌈",
)


@each("cluster", CLUSTERS)
def test_a_cluster_is_laid_out_as_one_wide_character(cluster: str) -> None:
    assert len(in_cells(f"a{cluster}b")) == 3
    assert get_cwidth(in_cells(cluster)) == 2
    assert in_cells(cluster) == in_cells(cluster)


def test_other_text_stays_as_it_is() -> None:
    assert in_cells("abc é 漢字") == "abc é 漢字"
    assert get_cwidth(in_cells("e\u0301")) == 1


@each("stand_in", ["\U00100000", "\U00038000"])
def test_a_stand_in_that_somebody_typed_is_no_cluster(stand_in: str) -> None:
    shown = [in_cells(cluster) for cluster in CLUSTERS]
    assert in_cells(stand_in) not in shown


class Shown:
    """An application with rows above an input line, drawn on pyte."""

    def __init__(self, typed: PipeInput) -> None:
        self.rows: Sequence[str] = ()
        self.line = Buffer(multiline=False)
        self._text = io.StringIO()
        self._terminal = pyte.Screen(20, 4)
        self._stream = pyte.Stream(self._terminal)
        output = Vt100_Output(self._text, lambda: Size(4, 20), term="xterm")
        rows = Window(RowsControl(lambda columns, lines: [[("", row)] for row in self.rows]))
        line = Window(BufferControl(self.line, input_processors=[ClusterProcessor()]), height=1)
        keys = cluster_keys()
        keys.add("enter")(lambda event: event.app.exit())
        self.app: Application[None] = Application(
            Layout(HSplit([rows, line]), line),
            key_bindings=keys,
            full_screen=True,
            input=typed,
            output=output,
        )
        ClusterRenderer.draw(self.app)

    def draw(self, *rows: str) -> list[str]:
        """Draw `rows` above the line; return what the terminal shows."""
        self.rows = rows
        self.app.renderer.render(self.app, self.app.layout)
        self._stream.feed(self._text.getvalue())
        self._text.seek(0)
        self._text.truncate()
        return [line.rstrip() for line in self._terminal.display]

    @property
    def cursor(self) -> int:
        """The column of the cursor."""
        return int(self._terminal.cursor.x)

    def redrawn(self) -> list[str]:
        """Draw everything anew."""
        self._terminal.reset()
        self.app.renderer.reset()
        return self.draw(*self.rows)


@pytest.fixture
def shown() -> Iterator[Shown]:
    with create_pipe_input() as typed, create_app_session(input=typed):
        made = Shown(typed)
        with set_app(made.app):
            yield made


@pytest.mark.parametrize("cluster", CLUSTERS)
async def test_what_stands_behind_a_cluster_keeps_its_place(shown: Shown, cluster: str) -> None:
    first, second, *_ = shown.draw(f"a{cluster}|", "漢字|")
    assert (first[0], first[-1], second[-1]) == ("a", "|", "|")
    assert cluster[0] in first


@pytest.mark.parametrize("cluster", CLUSTERS)
async def test_rows_leave_nothing_of_a_cluster_behind(shown: Shown, cluster: str) -> None:
    pictures = [(f"{cluster}   x", "b"), ("   x", cluster), (f"  {cluster}x", ""), (cluster, "bc")]
    for picture in pictures * 2:
        assert shown.draw(*picture) == shown.redrawn(), picture


LEFT, RIGHT, BACKSPACE, DELETE = "\x1b[D", "\x1b[C", "\x7f", "\x1b[3~"


@each(
    "keys, left, right",
    [
        (LEFT, f"a{FAMILY}", "🇩🇪"),
        (LEFT * 2, "a", f"{FAMILY}🇩🇪"),
        (LEFT * 2 + RIGHT, f"a{FAMILY}", "🇩🇪"),
        (BACKSPACE, f"a{FAMILY}", ""),
        (BACKSPACE * 3, "", ""),
        (LEFT * 2 + DELETE, "a", "🇩🇪"),
        (LEFT + "\x04", f"a{FAMILY}", ""),
        (LEFT * 9 + RIGHT * 9, f"a{FAMILY}🇩🇪", ""),
    ],
)
async def test_keys_move_and_delete_by_clusters(keys: str, left: str, right: str) -> None:
    with create_pipe_input() as typed, create_app_session(input=typed):
        shown = Shown(typed)
        typed.send_text(f"a{FAMILY}🇩🇪{keys}\r")
        await shown.app.run_async()
        document = shown.line.document
        assert (document.text_before_cursor, document.text_after_cursor) == (left, right)


async def test_the_cursor_stands_at_its_cluster(shown: Shown) -> None:
    shown.line.text = f"a{FAMILY}b"
    for position, column in ((0, 0), (1, 1), (1 + len(FAMILY), 3), (2 + len(FAMILY), 4)):
        shown.line.cursor_position = position
        shown.draw()
        assert shown.cursor == column
