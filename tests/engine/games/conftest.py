"""What the tests of the games share."""

import pytest


@pytest.fixture
def golden_folder() -> str:
    """Where the `golden` files of these tests are."""
    return "games"
