"""Fixtures of the screen's tests."""

import pytest


@pytest.fixture
def golden_folder() -> str:
    """Folder of the `golden` screens of these tests."""
    return "screen"
