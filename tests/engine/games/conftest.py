"""Fixtures of the tests of the games."""

import pytest


@pytest.fixture
def golden_folder() -> str:
    """Name of the folder with the golden files of these tests."""
    return "games"
