"""A game as an agent is told of it, against the course's own way of keeping it."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.client.agents.course import boxes_of, lines_of

from boxroom_client.agents.account import Account, hindrance
from boxroom_client.agents.messages import Action, End, Start
from boxroom_engine.games.dots import Border, Dots
from boxroom_engine.games.protocol import Seat
from boxroom_engine.games.registry import make_game


def game_of(rows: int, cols: int, rng: random.Random) -> tuple[list[str], tuple[int, ...]]:
    """The moves of a whole random game, and its score."""
    state = Dots(rows, cols, Border.NONE, 2).initial()
    tokens = []
    while not state.is_over:
        move = rng.choice(state.legal_moves())
        tokens.append(state.game.format_move(move))
        state = state.play(move)
    return tokens, state.scores


@given(st.integers(1, 3), st.integers(1, 3), st.randoms(use_true_random=False))
def test_all_that_is_told_makes_the_game(rows: int, cols: int, rng: random.Random) -> None:
    tokens, scores = game_of(rows, cols, rng)
    account = Account(Dots(rows, cols, Border.NONE, 2), "g", Seat(1))
    assert account.start(0.5) == Start(2, 0.5, (rows, cols), "g")
    drawn: set[tuple[int, int, str]] = set()
    score = [0, 0]
    mover = 1
    for number in range(1, len(tokens) + 1):
        (news,) = account.news(tokens[:number])
        assert not isinstance(news, Start)
        assert news.location is not None
        assert news.orientation is not None
        line = (*news.location, news.orientation)
        assert line in lines_of(rows, cols) - drawn
        assert news.player == mover
        before = boxes_of(drawn, rows, cols)
        drawn.add(line)
        taken = boxes_of(drawn, rows, cols) - before
        score[mover - 1] += taken
        mover = mover if taken else 3 - mover
        assert news.score == tuple(score)
        assert isinstance(news, End) is (number == len(tokens))
        assert news.nextplayer == (0 if isinstance(news, End) else mover)
    assert isinstance(news, End)
    first, second = scores
    assert news.winner == (0 if first == second else 1 if first > second else 2)


def test_in_a_game_that_goes_on_nobody_is_asked_about_the_past() -> None:
    tokens = ["h0", "h2", "v0", "v1"]  # the second player takes the box, and moves again
    for seat, player in ((Seat(0), 1), (Seat(1), 2)):
        account = Account(Dots(1, 2, Border.NONE, 2), "g", seat)
        told = list(account.news(tokens))
        assert all(isinstance(news, Action) for news in told)
        assert [news.nextplayer for news in told] == [3 - player] * 3 + [2]


def test_what_was_told_is_not_told_again() -> None:
    account = Account(Dots(1, 2, Border.NONE, 2), "g", Seat(0))
    assert len(list(account.news(["h0", "h1"]))) == 2
    assert account.leads_to(["h0", "h1", "h2"])
    assert not account.leads_to(["h0"])
    assert not account.leads_to(["h0", "h2"])
    assert len(list(account.news(["h0", "h1", "h2"]))) == 1
    assert list(account.news(["h0", "h1", "h2"])) == []


def test_who_gives_up_loses() -> None:
    account = Account(Dots(1, 2, Border.NONE, 2), "g", Seat(0))
    assert list(account.news(["h0", "~0"]))[-1] == End("g", 2)


@pytest.mark.parametrize(
    ("name", "options", "seats", "is_fit"),
    [
        ("dots", {}, 2, True),
        ("dots", {"rows": 2, "cols": 7}, 2, True),
        ("dots", {}, 3, False),
        ("dots", {"border": "full"}, 2, False),
        ("noughts", {}, 2, False),
    ],
)
def test_which_games_agents_can_play(
    name: str, options: dict[str, int | str], seats: int, *, is_fit: bool
) -> None:
    assert (hindrance(make_game(name, options, seats)) is None) is is_fit
