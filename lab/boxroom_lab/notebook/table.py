"""The results of a contest: tables in a notebook, text elsewhere, and an object for programs."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Any

from boxroom_lab.arena.as_json import as_json
from boxroom_lab.arena.report import headline, notes, report, tables
from boxroom_lab.arena.run import ArenaRun

_STYLES = """\
.boxroom-arena td, .boxroom-arena th { text-align: right; padding: 0.2em 0.6em; }
.boxroom-arena tr > :first-child { text-align: left; }
.boxroom-arena table { margin: 0.8em 0; }
"""
"""Rules for this class only: in some notebooks a style applies to all other tables too."""


class ArenaTable:
    """The results of `run`, as docs/reference/bots.md explains them."""

    def __init__(self, run: ArenaRun) -> None:
        self._run = run

    def as_dict(self) -> dict[str, Any]:
        """Return all results as JSON types, as `boxroom arena --json` prints them."""
        return as_json(self._run)

    def __repr__(self) -> str:
        return "\n".join(report(self._run))

    def _repr_html_(self) -> str:
        """Return the report with its tables, for notebooks."""
        return "\n".join(
            [
                '<div class="boxroom-arena">',
                f"<style>{_STYLES}</style>",
                *_paragraphs(headline(self._run)),
                *(line for table in self._tables() for line in _table(table)),
                *_paragraphs(notes(self._run) if self._run.summary.games else ()),
                "</div>",
            ]
        )

    def _tables(self) -> Iterable[Sequence[Sequence[str]]]:
        return tables(self._run) if self._run.summary.games else ()


def _paragraphs(sentences: Iterable[str]) -> Iterator[str]:
    yield from (f"<p>{escape(sentence)}</p>" for sentence in sentences)


def _table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    head, *others = rows
    yield "<table>"
    yield f"<thead><tr>{_cells(head, 'th', 'col')}</tr></thead>"
    yield "<tbody>"
    for name, *numbers in others:
        yield f"<tr>{_cells([name], 'th', 'row')}{_cells(numbers, 'td')}</tr>"
    yield "</tbody></table>"


def _cells(texts: Iterable[str], tag: str, scope: str = "") -> str:
    attribute = f' scope="{scope}"' if scope else ""
    return "".join(f"<{tag}{attribute}>{escape(text)}</{tag}>" for text in texts)
