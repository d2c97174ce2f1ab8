"""The bar chart in text."""

from collections.abc import Callable

import pytest
from tests.cases import each
from tests.engine.games.dots.recorded_games import OF_THREE, SMALL, exactly
from tests.lab.analysis.games import From, analysed, large

from boxroom_engine.games.drawing import Ink, Span
from boxroom_lab.analysis.analysed_game import AnalysedGame
from boxroom_lab.analysis.chart import caption, chart

Golden = Callable[[str, str], None]


@pytest.fixture
def golden_folder() -> str:
    return "analysis"


def text(rows: list[list[Span]]) -> str:
    return "\n".join("".join(span.text for span in row).rstrip() for row in rows) + "\n"


def so_far(record: str) -> AnalysedGame:
    return analysed(record, lambda game: From(999, exactly(game)))


def test_margins_go_up_and_down(golden: Golden) -> None:
    golden("chart", text(chart(large(), 80)))
    golden("chart_ascii", text(chart(large(), 80, ascii_only=True)))


def test_on_a_narrow_page_a_column_stands_for_several_positions(golden: Golden) -> None:
    golden("chart_narrow", text(chart(large(), 40)))


def test_scores_are_dotted_between_two(golden: Golden) -> None:
    golden("chart_so_far", text(chart(so_far(SMALL), 80)))


def test_among_three_all_bars_stand(golden: Golden) -> None:
    golden("chart_of_three", text(chart(analysed(OF_THREE), 80)))


@each("columns", [1, 5, 30, 80])
def test_bars_never_leave_the_page(columns: int) -> None:
    *bars, _first_name, _second_name = chart(large(), columns)
    assert all(sum(len(span.text) for span in row) <= max(columns, 12) for row in bars)


def test_every_bar_has_the_colour_of_its_seat() -> None:
    spans = [span for row in chart(large(), 80) for span in row if span.ink is Ink.OWNED]
    assert {(span.seat, span.text[0]) for span in spans} == {(0, "●"), (1, "■")}


def test_bars_are_as_wide_as_the_glyph_of_one_player_among_many() -> None:
    names = ", ".join(f"P{number}" for number in range(1, 101))
    others = " ".join(f"h{number}" for number in range(20, 96))
    record = f"dots rows=10 cols=10 border=none | {names} | h0 h10 v0 {others} v1"
    rows = chart(so_far(record), 60)
    assert [span.text for row in rows for span in row if span.ink is Ink.OWNED] == [
        "80",
        "80 P80 ahead",
    ]
    bars, axis, *_ = (sum(len(span.text) for span in row) for row in rows)
    assert bars == axis <= 60


def test_caption() -> None:
    assert caption(large()) == "The lead at the end with best play, after each move:"
    assert caption(so_far(SMALL)) == "The lead after each move:"


def test_a_game_without_a_lead_is_a_line() -> None:
    rows = chart(so_far("dots rows=9 cols=9 border=none | Ada, Bob | h0 h1"), 80)
    assert text(rows) == " 0 ┼───\n    0\n"
