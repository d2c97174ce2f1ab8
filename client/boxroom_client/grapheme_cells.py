"""Grapheme clusters of several code points in prompt_toolkit, which draws single characters.

A cluster is laid out as one code point, its stand-in, which has the width of the cluster and no
other meaning. When prompt_toolkit writes the stand-in, the cluster itself is written, and the
cursor put behind its cells: terminals don't agree on the widths of all clusters. A row with
clusters is drawn whole, because a terminal that takes one to be wider has changed the cells behind
it, too.
"""

from collections.abc import Callable, Iterator
from typing import Any

from prompt_toolkit.application import Application, get_app
from prompt_toolkit.filters import Condition, has_selection
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import Layout
from prompt_toolkit.layout.processors import Processor, Transformation, TransformationInput
from prompt_toolkit.layout.screen import Char, Screen
from prompt_toolkit.layout.utils import explode_text_fragments
from prompt_toolkit.output import Output
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.renderer import Renderer

from boxroom_client.text_width import first_grapheme, graphemes, last_grapheme, text_width

_NARROW, _WIDE = range(0x100000, 0x10FFFE), range(0x38000, 0x3FFFE)
"""Stand-ins of one cell, in a plane for private use, and of two, in one of ideographs.

No character has one of these code points; if one stands in a text it gets a stand-in, too.
"""

_SAVE, _RESTORE = "\x1b7", "\x1b8"
"""DECSC and DECRC: save and restore the position of the cursor and its attributes."""

_UNKNOWN = Char("\uffff", "")
"""A cell that differs from every one that is drawn."""

_stand_ins: dict[str, str] = {}
_clusters: dict[str, str] = {}
"""Clusters by their stand-ins. Both grow with the clusters that were ever seen."""


def in_cells(text: str) -> str:
    """Return `text` with a stand-in for each cluster that isn't a single character."""
    return text if text.isascii() else "".join(map(_cell, graphemes(text)))


def _cell(cluster: str) -> str:
    if len(cluster) == 1 and ord(cluster) not in _NARROW and ord(cluster) not in _WIDE:
        return cluster
    if cluster not in _stand_ins:
        width = text_width(cluster)
        if width == 0 or any(char < " " or "\x7f" <= char < "\xa0" for char in cluster):
            return cluster  # nothing that can be drawn
        free = _NARROW if width == 1 else _WIDE
        if len(_stand_ins) >= len(free):
            return "\N{REPLACEMENT CHARACTER}"
        _stand_ins[cluster] = chr(free[len(_stand_ins)])
        _clusters[_stand_ins[cluster]] = cluster
    return _stand_ins[cluster]


def _written(output: Output, write: Callable[[str], None], text: str) -> None:
    """Write `text`, or the cluster for a stand-in."""
    cluster = _clusters.get(text)
    if cluster is None:
        write(text)
    elif not isinstance(output, Vt100_Output):
        write(cluster)
    else:
        width = 1 if ord(text) in _NARROW else 2
        output.write_raw(f"{_SAVE}{' ' * width}{_RESTORE}{_SAVE}{cluster}{_RESTORE}")
        output.cursor_forward(width)


class ClusterRenderer(Renderer):
    """A renderer that draws clusters for their stand-ins."""

    @classmethod
    def draw(cls, app: Application[Any]) -> None:
        """Have `app`, which isn't running, drawn by such a renderer."""
        before, output = app.renderer, app.output
        write = output.write
        if "write" not in vars(output):  # several applications share an output
            output.write = lambda data: _written(output, write, data)  # type: ignore[method-assign]
        app.renderer = cls(
            before.style,
            output,
            full_screen=before.full_screen,
            mouse_support=before.mouse_support,
            cpr_not_supported_callback=before.cpr_not_supported_callback,
        )

    def render(self, app: Application[Any], layout: Layout, is_done: bool = False) -> None:
        known = self._forgotten()
        super().render(app, layout, is_done)
        if not is_done and self._forgotten() - known:
            super().render(app, layout)

    def _forgotten(self) -> set[int]:
        """Forget what rows with clusters show, so that they are drawn whole; return them."""
        screen = self.last_rendered_screen
        if screen is None or not _clusters:
            return set()
        rows = set(_rows_with_clusters(screen))
        for number in rows:
            row = screen.data_buffer[number]
            for column in range(self.output.get_size().columns):
                row[column] = _UNKNOWN
        return rows


def _rows_with_clusters(screen: Screen) -> Iterator[int]:
    for number, row in screen.data_buffer.items():
        if any(cell.char in _clusters for cell in row.values()):
            yield number


class ClusterProcessor(Processor):
    """Shows the text of an input line in stand-ins; it must be the last processor."""

    def apply_transformation(self, transformation_input: TransformationInput) -> Transformation:
        exploded = explode_text_fragments(transformation_input.fragments)
        text = "".join(fragment[1] for fragment in exploded)
        if text.isascii():
            return Transformation(exploded)
        shown: StyleAndTextTuples = []
        shown_at: list[int] = []  # for each code point of the text, and for its end
        for cluster in graphemes(text):
            cell = in_cells(cluster)
            style = exploded[len(shown_at)][0]
            shown_at += [len(shown) + min(at, len(cell) - 1) for at in range(len(cluster))]
            shown += [(style, char) for char in cell]
        shown_at.append(len(shown))

        def to_shown(at: int) -> int:
            return shown_at[min(at, len(text))] + max(0, at - len(text))

        def to_text(at: int) -> int:
            beyond = max(0, at - len(shown))
            return shown_at.index(at - beyond) + beyond

        return Transformation(shown, to_shown, to_text)


def cluster_keys() -> KeyBindings:
    """Return key bindings that move and delete by clusters in an input line."""
    keys = KeyBindings()

    before = Condition(lambda: bool(_before_cursor()))
    behind = Condition(lambda: bool(_behind_cursor()))

    @keys.add("left", filter=before)
    @keys.add("c-b", filter=before)
    def _left(event: KeyPressEvent) -> None:
        event.current_buffer.cursor_position -= len(last_grapheme(_before_cursor()))

    @keys.add("right", filter=behind)
    @keys.add("c-f", filter=behind)
    def _right(event: KeyPressEvent) -> None:
        event.current_buffer.cursor_position += len(first_grapheme(_behind_cursor()))

    @keys.add("backspace", filter=before & ~has_selection)
    def _backspace(event: KeyPressEvent) -> None:
        event.current_buffer.delete_before_cursor(len(last_grapheme(_before_cursor())))

    @keys.add("delete", filter=behind & ~has_selection)
    @keys.add("c-d", filter=behind & ~has_selection)
    def _delete(event: KeyPressEvent) -> None:
        event.current_buffer.delete(len(first_grapheme(_behind_cursor())))

    return keys


def _before_cursor() -> str:
    return get_app().current_buffer.document.current_line_before_cursor


def _behind_cursor() -> str:
    return get_app().current_buffer.document.current_line_after_cursor
