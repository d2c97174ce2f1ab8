"""Registry of games."""

import pytest

from boxroom_engine.games import dots, noughts, registry, stonehenge, subtract_square
from boxroom_engine.games.errors import OptionError


def test_games_by_name() -> None:
    assert registry.kind_of("dots") is dots.KIND
    assert registry.kind_of("noughts") is noughts.KIND
    assert registry.kind_of("stonehenge") is stonehenge.KIND
    assert registry.kind_of("subtract-square") is subtract_square.KIND
    assert registry.DEFAULT is dots.KIND
    assert next(iter(registry.KINDS)) == registry.DEFAULT.name


def test_an_unknown_game() -> None:
    with pytest.raises(OptionError, match="there is no game 'chess'; there are dots, noughts"):
        registry.kind_of("chess")


def test_make_game() -> None:
    game = registry.make_game("dots", {"rows": 2}, 3)
    assert game == dots.Dots(2, 5, dots.Border.NONE, 3)
