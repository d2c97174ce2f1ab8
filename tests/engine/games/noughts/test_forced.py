"""Forced moves of noughts and crosses, and the order of the others."""

from boxroom_engine.games.noughts.state import KIND
from boxroom_engine.games.protocol import Move
from boxroom_engine.games.registry import make_game


def moves_at(position: str, seats: int = 2) -> list[Move]:
    assert KIND.moves_to_search is not None
    return list(KIND.moves_to_search(make_game("noughts", {}, seats).parse_position(position)))


def test_a_line_is_completed_rather_than_blocked() -> None:
    assert moves_at("00.11..../0/-") == [2]
    assert moves_at("00.11..../1/-") == [5]


def test_the_others_line_is_blocked_wherever_it_can_be_completed() -> None:
    assert moves_at("00.1...../1/-") == [2]
    assert moves_at("0.0.1.0../1/-") == [1, 3]


def test_otherwise_all_moves_are_left_and_the_centre_comes_first() -> None:
    assert moves_at("........./0/-")[0] == 4
    assert sorted(moves_at("........./0/-")) == list(range(9))


def test_among_three_nobody_is_forced_to_block() -> None:
    """The third player may do it; once one of the three has withdrawn, it is forced."""
    assert len(moves_at("00.1...../1/-", seats=3)) == 6
    assert moves_at("00.1...../1/2", seats=3) == [2]


def test_a_line_of_a_player_who_withdrew_threatens_nothing() -> None:
    assert len(moves_at("00.1...../1/0", seats=3)) == 6
