"""Turn order: round the seats, past those that withdrew."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each

from boxroom_engine.games.errors import GameIsOver, IllegalMove, NotYourTurn
from boxroom_engine.games.turn_order import (
    Seat,
    check_can_move,
    check_turn,
    seat_after,
    withdraw,
)


@st.composite
def tables(draw: st.DrawFn) -> tuple[int, frozenset[Seat], Seat]:
    """Draw a number of seats, the ones that withdrew (not all), and one that didn't."""
    seats = draw(st.integers(2, 9))
    stayed = draw(st.sets(st.integers(0, seats - 1), min_size=1))
    withdrawn = frozenset(Seat(seat) for seat in range(seats) if seat not in stayed)
    return seats, withdrawn, Seat(draw(st.sampled_from(sorted(stayed))))


@given(tables())
def test_the_turn_goes_round_to_every_seat_that_stayed(
    table: tuple[int, frozenset[Seat], Seat],
) -> None:
    seats, withdrawn, seat = table
    stayed = [Seat(other) for other in range(seats) if other not in withdrawn]
    seen = [seat]
    while (after := seat_after(seen[-1], seats, withdrawn)) != seat:
        seen.append(after)
    assert sorted(seen) == stayed
    assert seen == stayed[stayed.index(seat) :] + stayed[: stayed.index(seat)]


@given(tables(), st.data())
def test_a_withdrawal_passes_the_turn_on_only_if_it_was_the_seats(
    table: tuple[int, frozenset[Seat], Seat], data: st.DataObject
) -> None:
    seats, withdrawn, to_move = table
    stayed = [Seat(other) for other in range(seats) if other not in withdrawn]
    leaving = data.draw(st.sampled_from(stayed))
    if len(stayed) < 2:
        return
    out, next_to_move = withdraw(leaving, seats, to_move, withdrawn)
    assert out == withdrawn | {leaving}
    if len(stayed) == 2:
        assert next_to_move is None
    elif leaving != to_move:
        assert next_to_move == to_move
    else:
        assert next_to_move == seat_after(leaving, seats, out)


@each("seats", [1, 2])
def test_a_withdrawal_that_leaves_at_most_one_ends_the_game(seats: int) -> None:
    assert withdraw(Seat(0), seats, Seat(0), frozenset()) == (frozenset({Seat(0)}), None)


@given(tables())
def test_any_seat_that_stayed_can_be_to_move(table: tuple[int, frozenset[Seat], Seat]) -> None:
    seats, withdrawn, to_move = table
    for seat in map(Seat, range(seats)):
        if seat not in withdrawn:
            check_can_move(seat, seats, to_move, withdrawn)
            continue
        with pytest.raises(IllegalMove, match="has withdrawn already"):
            check_can_move(seat, seats, to_move, withdrawn)


def test_no_other_seat_can_be_to_move() -> None:
    for no_seat in Seat(-1), Seat(3):
        with pytest.raises(IllegalMove, match="seats are 0 to 2"):
            check_can_move(no_seat, 3, Seat(0), frozenset())
    with pytest.raises(GameIsOver):
        check_can_move(Seat(0), 3, None, frozenset())


def test_a_withdrawn_or_unknown_seat_cannot_withdraw() -> None:
    with pytest.raises(IllegalMove, match="has withdrawn already"):
        withdraw(Seat(1), 3, Seat(0), frozenset({Seat(1)}))
    with pytest.raises(IllegalMove, match="seats are 0 to 2"):
        withdraw(Seat(3), 3, Seat(0), frozenset())
    with pytest.raises(GameIsOver):
        withdraw(Seat(0), 3, None, frozenset({Seat(1), Seat(2)}))


class TestCheckTurn:
    def test_the_seat_to_move_may(self) -> None:
        check_turn(Seat(0), Seat(0))

    def test_another_may_not(self) -> None:
        with pytest.raises(NotYourTurn, match="it is seat 0's turn") as caught:
            check_turn(Seat(0), Seat(1))
        assert caught.value.code == "not_your_turn"
        with pytest.raises(NotYourTurn, match="it is Ada's turn"):
            check_turn(Seat(0), Seat(1), ["Ada", "Bo"])

    def test_none_may_after_the_end(self) -> None:
        with pytest.raises(GameIsOver):
            check_turn(None, Seat(0))
