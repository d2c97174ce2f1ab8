"""What the tests of the screen share."""

import pytest


@pytest.fixture
def golden_folder() -> str:
    """Where the `golden` screens of these tests are."""
    return "screen"
