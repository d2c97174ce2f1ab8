"""The forms for issues are ones that GitHub shows: it hides a form with a mistake."""

from pathlib import Path
from typing import Any

import pytest
import yaml

FOLDER = Path(__file__).parents[2] / ".github" / "ISSUE_TEMPLATE"
TYPES = {"checkboxes", "dropdown", "input", "markdown", "textarea"}


def form(name: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((FOLDER / name).read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("name", ["bug.yml", "feature.yml"])
def test_a_form_has_what_github_needs(name: str) -> None:
    shown = form(name)
    assert shown.keys() >= {"name", "description", "body"}
    assert {field["type"] for field in shown["body"]} <= TYPES
    assert all(field["attributes"]["label"] for field in shown["body"])
    ids = [field["id"] for field in shown["body"]]
    assert len(set(ids)) == len(ids)


def test_whoever_reports_a_bug_has_to_say_the_version() -> None:
    fields = {field["id"]: field for field in form("bug.yml")["body"]}
    assert "`boxroom --version`" in fields["version"]["attributes"]["description"]
    assert fields["version"]["validations"] == {"required": True}
