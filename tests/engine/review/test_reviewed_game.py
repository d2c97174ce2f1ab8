"""The position that is shown of a game that is over and its review."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.engine.games.dots.recorded_games import SMALL, exactly, positions_of

from boxroom_engine.review.review import Review, Reviewing
from boxroom_engine.review.reviewed_game import ReviewedGame


def reviewed(at: int = 0) -> ReviewedGame:
    """Return the review of `SMALL`, whose moves 1 and 4 cost something."""
    positions = tuple(positions_of(SMALL))
    reviewing = Reviewing(positions, exactly(positions[0].game))
    assert list(reviewing.findings())
    return ReviewedGame(positions, reviewing.result(), at)


def test_one_steps_through_the_game_to_its_ends() -> None:
    game = reviewed()
    assert game.moved(3).position is game.positions[3]
    assert game.moved(-1).at == 0
    assert game.moved(99).position is game.positions[-1]


def test_one_goes_to_before_each_costly_move() -> None:
    game = reviewed(7)
    assert sorted(game.costly) == [1, 4]
    assert game.to_costly(-1).at == 3
    assert game.to_costly(-1).to_costly(-1).at == 0
    assert game.to_costly(-1).to_costly(1) == game.to_costly(-1)
    assert game.to_costly(1) == game


def test_at_a_costly_move_the_better_one_is_known_and_elsewhere_none_is() -> None:
    game = reviewed(3)
    assert game.finding is not None
    assert game.better == game.position.game.parse_move(game.finding.better)
    assert game.moved(1).finding is None
    assert game.moved(1).better is None
    assert game.moved(1).following(is_better=True) == game.moved(1)


def test_a_judged_position_has_its_best_moves_marked_until_one_goes_on() -> None:
    game = reviewed(7)
    assert game.marked == ()
    at = game.judged(3, ("h1", "v2"))
    assert at.at == 3
    assert at.marked == tuple(map(at.position.game.parse_move, ("h1", "v2")))
    assert at.moved(1).moved(-1).marked == (reviewed(3).better,)
    followed = at.following(is_better=True)
    assert followed.marked == ()
    assert followed.judged(3, ("h1",)).line is None
    assert at.to_costly(-1).marked == (reviewed(0).better,)


def test_both_lines_are_followed_to_their_ends_and_left() -> None:
    game = reviewed(3)
    finding = game.finding
    assert finding is not None
    for is_better, line in ((True, finding.better_line), (False, finding.line)):
        followed = game.following(is_better=is_better)
        assert followed.at == 4
        assert followed.better is None
        assert followed.finding == finding
        assert len(followed.shown) == 4 + len(line)
        end = followed.moved(99)
        assert end.position.is_over
        assert end.moved(-99).at == 3
        assert end.left() == game
        assert end.following(is_better=not is_better).following(is_better=is_better) == followed
        assert end.to_costly(-1).at == 0


def test_a_lead_is_that_of_the_review_and_else_that_of_the_score() -> None:
    game = reviewed()
    assert [lead.is_expected for lead in game.leads] == [True] * 8
    unknown = ReviewedGame(game.positions, replace(game.review, margins=()), 0)
    assert [lead.is_expected for lead in unknown.leads] == [False] * 8


@given(st.lists(st.sampled_from(["h0", "h1", "v2", "x9", ""])), st.integers(-2, 99))
def test_what_another_server_says_cannot_do_harm(line: list[str], number: int) -> None:
    game = reviewed(3)
    assert game.finding is not None
    strange = replace(
        game.finding, number=number, better="x9", better_line=tuple(line), line=("?",)
    )
    shown = ReviewedGame(game.positions, Review((strange,), 1, margins=(1.0,)), 0)
    for at in range(len(game.positions)):
        here = shown.moved(at)
        assert here.better is None
        for is_better in (True, False):
            end = here.following(is_better=is_better).moved(99)
            assert end.at == len(end.shown) - 1
    assert len(shown.leads) == len(game.positions)
