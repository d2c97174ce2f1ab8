"""Results as tables of a page."""

from xml.etree import ElementTree

from tests.lab.arena.runs import arena_run

from boxroom_lab.arena.report import report, tables
from boxroom_lab.notebook.table import ArenaTable


def page(table: ArenaTable) -> ElementTree.Element:
    return ElementTree.fromstring(table._repr_html_())


def test_the_page_has_the_cells_and_sentences_of_the_report() -> None:
    run = arena_run("lost", "greedy", "random", games=4)
    shown = page(ArenaTable(run))
    cells = [
        [[cell.text or "" for cell in row] for row in table.iter("tr")]
        for table in shown.iter("table")
    ]
    assert cells == list(tables(run))
    text = "\n".join(report(run))
    for sentence in shown.iter("p"):
        assert sentence.text is not None
        assert sentence.text in text
    assert repr(ArenaTable(run)) == text


def test_a_run_without_a_game_has_no_table() -> None:
    shown = page(ArenaTable(arena_run("greedy", "random", stop_after=0)))
    assert list(shown.iter("table")) == []
    assert len(list(shown.iter("p"))) == 2


def test_rows_and_columns_have_heads() -> None:
    shown = page(ArenaTable(arena_run("greedy", "random", games=2)))
    (table,) = shown.iter("table")
    heads = [cell.attrib["scope"] for cell in table.iter("th")]
    assert heads == ["col"] * 11 + ["row"] * 2
