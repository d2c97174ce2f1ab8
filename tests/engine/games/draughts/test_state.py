"""Rules of draughts that single positions show, the draws, and positions as text."""

import random
import re
from dataclasses import replace

import pytest
from tests.cases import each
from tests.engine.games.draughts.positions import names, play, position

from boxroom_engine.games.draughts import KIND, Draughts, Position
from boxroom_engine.games.draughts.rules import MOST_PLIES
from boxroom_engine.games.errors import FormatError, GameIsOver, IllegalMove, OptionError
from boxroom_engine.games.protocol import Move, Seat

ENGLISH = Draughts("english", "usual")


@each("rules", ["english", "international"])
def test_movable_are_the_squares_on_which_legal_moves_start(rules: str) -> None:
    rng, state = random.Random(7), Draughts(rules, "6").initial()
    while not state.is_over:
        starts = {int(re.split("[-x]", name)[0]) - 1 for name in names(state)}
        assert state.movable == tuple(sorted(starts))
        state = state.play(rng.choice(state.legal_moves()))
    assert state.movable == ()


class TestEnglish:
    def test_the_upper_player_begins(self) -> None:
        assert names(ENGLISH.initial()) == [
            "9-13",
            "9-14",
            "10-14",
            "10-15",
            "11-15",
            "11-16",
            "12-16",
        ]

    def test_captures_come_first_but_any_of_them_will_do(self) -> None:
        state = position("english", ((9, 11), (14, 15, 24)))
        assert names(state) == ["9x18", "11x18"]

    def test_men_capture_forward_only_and_kings_in_any_direction(self) -> None:
        man = position("english", ((18,), (14, 32)))
        assert all("x" not in name for name in names(man))
        king = position("english", ((), (14, 32)), ((18,), ()))
        assert names(king) == ["18x9"]

    def test_crowning_ends_the_move(self) -> None:
        state = position("english", ((22,), (26, 27, 12)))
        after = play(state, "22x31")
        assert after.pieces.kings[0] == ENGLISH.board.squares([31])
        assert after.scores == (10, 11)
        assert after.to_move == 1

    def test_a_capture_goes_on_as_long_as_it_can(self) -> None:
        state = position("english", ((1,), (6, 15)))
        with pytest.raises(IllegalMove, match="you have to capture: 1x19"):
            play(state, "1x10")


class TestInternational:
    def test_the_lower_player_begins(self) -> None:
        assert names(Draughts("international", "usual").initial())[0] == "31-26"

    def test_the_greatest_number_of_pieces_must_be_captured(self) -> None:
        state = position("international", ((28,), (22, 23, 12)))
        assert names(state) == ["28x8"]

    def test_men_capture_backwards(self) -> None:
        assert names(position("international", ((23,), (28, 1)))) == ["23x32"]

    def test_a_man_that_passes_the_last_row_stays_a_man(self) -> None:
        state = position("international", ((12,), (8, 9, 40)))
        after = play(state, "12x14")
        assert after.pieces.men[0] == after.game.board.squares([14])
        assert after.pieces.kings == (0, 0)

    def test_kings_fly_and_choose_where_to_land(self) -> None:
        state = position("international", ((), (28,)), ((46,), ()))
        assert names(state) == ["46x5", "46x10", "46x14", "46x19", "46x23"]


def test_a_player_without_a_move_loses_even_with_pieces() -> None:
    last = play(position("english", ((12,), (16, 19, 24)), turn=1), "24-20")
    assert last.is_over
    assert last.outcome is not None
    assert last.outcome.winners == (1,)
    assert (last.evaluate(Seat(0)), last.evaluate(Seat(1))) == (-1, 1)
    with pytest.raises(GameIsOver):
        last.play(last.game.parse_move("12-16"))


class TestDraws:
    START = position("english", kings=((1,), (32,)))

    def test_the_third_occurrence_of_a_position_with_the_same_player_to_move(self) -> None:
        cycle = ("1-5", "32-28", "5-1", "28-32")
        twice = play(self.START, *cycle)
        assert not twice.is_over
        assert not play(twice, *cycle[:3]).is_over
        drawn = play(twice, *cycle)
        assert drawn.is_over
        assert drawn.outcome is not None
        assert drawn.outcome.winners == ()
        assert drawn.evaluate(Seat(0)) == 0

    def test_positions_with_another_player_to_move_or_before_a_capture_do_not_count(self) -> None:
        state = position("english", ((2,), ()), ((1,), (32,)))
        state = play(state, "1-5", "32-28", "5-1", "28-32", "2-6", "32-28", "1-5", "28-32")
        assert len(state.earlier) == 3
        assert not state.is_over

    @each("rules, plies", [("english", 80), ("international", 50)])
    def test_moves_without_progress(self, rules: str, plies: int) -> None:
        state = next(filter(None, (peaceful(rules, plies, seed) for seed in range(100))))
        last = next(each for each in quiet_moves(state) if state.play(each).steps)
        assert not state.is_over
        drawn = state.play(last)
        assert drawn.outcome is not None
        assert drawn.outcome.winners == ()
        assert drawn.steps

    def test_few_pieces_against_one_king_have_a_limit(self) -> None:
        state = position("international", kings=((1, 2, 3), (50,)))
        assert state.ending == 32
        assert position("international", kings=((1, 2), (50,))).ending == 10
        assert position("international", ((10,), ()), ((1,), (50,))).ending == 10
        assert position("international", ((10, 11), ()), ((1,), (50,))).ending == 32
        assert position("international", ((10, 11, 12), ()), ((), (50,))).ending is None
        assert position("english", kings=((1, 2, 3), (31,))).ending is None

    def test_the_limit_counts_down_and_fewer_pieces_shorten_it(self) -> None:
        state = position("international", kings=((6, 10, 16), (50,)))
        assert state.ending == 32
        state = play(state, "6-1", "50-45")
        assert state.ending == 30
        fewer = play(state, "10-23", "45x18")
        assert fewer.ending == 10
        late = replace(state, ending=3)
        assert play(late, "10-23", "45x18").ending == 1

    def test_the_longest_game(self) -> None:
        text = ENGLISH.format_position(self.START).replace("/0/-/-/0", f"/{MOST_PLIES - 1}/-/-/0")
        state = ENGLISH.parse_position(text)
        assert not state.is_over
        assert play(state, "1-5").is_over
        assert ENGLISH.longest == MOST_PLIES


def quiet_moves(state: Position) -> list[Move]:
    """Return the moves after which no piece can be captured, and no position is there again."""
    return [
        move
        for move in state.legal_moves()
        if not state.steps[move].captured
        and (after := state.play(move)).now not in after.earlier
        and not any(step.captured for step in after.steps.values())
    ]


def peaceful(rules: str, plies: int, seed: int) -> Position | None:
    """Return a position after `plies` - 1 moves of kings only; None if it didn't come so far."""
    rng, state = random.Random(seed), position(rules, kings=((1, 2), (31, 32)))
    for _ in range(plies - 1):
        moves = quiet_moves(state)
        if not moves:
            return None
        state = state.play(rng.choice(moves))
    return state


@each(
    "change, why",
    [
        (("0000", "000"), "32 squares are each written"),
        (("/0/0/-", "/0/1/-"), "it is the turn of seat 0, not of 1"),
        (("/0/0/-", "/0/-/-"), "the game isn't over"),
        (("/0/-/-", "/01/-/-"), "a number here is 0 to 2000"),
        (("/0/-/-", "/0/5/-"), "has no limit"),
        (("/0/-/-", "/0/-/0:1:2"), "only the kings stand elsewhere"),
        (("/0/-/-", "/9/-/1::;0::"), "aren't in sorted order"),
        (("/0/-/-", "/0/-/0::"), "more earlier positions than moves"),
        (("/0/-/-", "/9/-/0::;0::;0::"), "a position that occurs 3 times"),
        (("........", "....0..."), "at most 12 pieces"),
        (("/0/-/-", "/0/-/0:3,2:"), "in ascending order, each once"),
        (("/0/-/-", "/0/-/x"), "an earlier position is such as"),
        (("/0/-/-", "/0/-"), "a position has 7 parts"),
    ],
)
def test_positions_that_contradict_themselves_are_refused(
    change: tuple[str, str], why: str
) -> None:
    text = ENGLISH.format_position(ENGLISH.initial())
    assert ENGLISH.parse_position(text) == ENGLISH.initial()
    assert change[0] in text
    with pytest.raises(FormatError, match=why):
        ENGLISH.parse_position(text.replace(*change, 1))


def test_men_on_the_last_row_are_kings() -> None:
    with pytest.raises(FormatError, match="the men of seat 0 are kings on the last row"):
        ENGLISH.parse_position(f"{'.' * 31}0/0/-/-/0/0/-")


def test_two_kings_of_the_past_stand_on_two_squares() -> None:
    text = ENGLISH.format_position(play(TestDraws.START, "1-5"))
    with pytest.raises(FormatError, match="two kings stand on one square"):
        ENGLISH.parse_position(text.replace("0:1:32", "0:1:1"))


def test_options() -> None:
    assert KIND.make({}, 2).options == {"rules": "english", "size": "usual"}
    with pytest.raises(OptionError, match="size is one of usual, 6, 8, 10, 12, not '7'"):
        KIND.make({"size": "7"}, 2)
    assert "any direction" in str(KIND.make({}, 2).rules)
    assert "any distance" in str(KIND.make({"rules": "international"}, 2).rules)
