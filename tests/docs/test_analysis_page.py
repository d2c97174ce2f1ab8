"""The report in docs/reference/analysis.md is the program's."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "reference" / "analysis.md").read_text(encoding="utf-8")
TOLD = (ROOT / "tests" / "golden" / "analysis" / "large.txt").read_text(encoding="utf-8")


def test_the_moves_on_the_page_are_told_so() -> None:
    shown = PAGE.split("```\n")[2].splitlines()
    assert len(shown) > 2
    assert set(shown) <= set(TOLD.splitlines())
