"""A game as an agent is messages of it, against the course's own way of keeping it."""

import random

from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each
from tests.lab.agents.course import boxes_of, lines_of

from boxroom_engine.games.dots import Border, Dots
from boxroom_engine.games.protocol import Seat
from boxroom_engine.games.registry import make_game
from boxroom_lab.agents.game_feed import GameFeed, unsupported_reason
from boxroom_lab.agents.messages import ActionMessage, EndMessage, StartMessage


def game_of(rows: int, cols: int, rng: random.Random) -> tuple[list[str], tuple[int, ...]]:
    """Play a random game, and return its moves and its score."""
    state = Dots(rows, cols, Border.NONE, 2).initial()
    tokens = []
    while not state.is_over:
        move = rng.choice(state.legal_moves())
        tokens.append(state.game.format_move(move))
        state = state.play(move)
    return tokens, state.scores


@given(st.integers(1, 3), st.integers(1, 3), st.randoms(use_true_random=False))
def test_the_messages_describe_the_whole_game(rows: int, cols: int, rng: random.Random) -> None:
    tokens, scores = game_of(rows, cols, rng)
    feed = GameFeed(Dots(rows, cols, Border.NONE, 2), "g", Seat(1))
    assert feed.start_message(0.5) == StartMessage(2, 0.5, (rows, cols), "g")
    drawn: set[tuple[int, int, str]] = set()
    score = [0, 0]
    mover = 1
    for number in range(1, len(tokens) + 1):
        (message,) = feed.new_messages(tokens[:number])
        assert not isinstance(message, StartMessage)
        assert message.location is not None
        assert message.orientation is not None
        line = (*message.location, message.orientation)
        assert line in lines_of(rows, cols) - drawn
        assert message.player == mover
        before = boxes_of(drawn, rows, cols)
        drawn.add(line)
        taken = boxes_of(drawn, rows, cols) - before
        score[mover - 1] += taken
        mover = mover if taken else 3 - mover
        assert message.score == tuple(score)
        assert isinstance(message, EndMessage) is (number == len(tokens))
        assert message.nextplayer == (0 if isinstance(message, EndMessage) else mover)
    assert isinstance(message, EndMessage)
    first, second = scores
    assert message.winner == (0 if first == second else 1 if first > second else 2)


def test_in_a_running_game_no_past_message_asks_the_agent() -> None:
    tokens = ["h0", "h2", "v0", "v1"]  # the second player takes the box, and moves again
    for seat, player in ((Seat(0), 1), (Seat(1), 2)):
        feed = GameFeed(Dots(1, 2, Border.NONE, 2), "g", seat)
        messages = list(feed.new_messages(tokens))
        assert all(isinstance(message, ActionMessage) for message in messages)
        assert [message.nextplayer for message in messages] == [3 - player] * 3 + [2]


def test_known_moves_are_not_sent_again() -> None:
    feed = GameFeed(Dots(1, 2, Border.NONE, 2), "g", Seat(0))
    assert len(list(feed.new_messages(["h0", "h1"]))) == 2
    assert feed.is_prefix_of(["h0", "h1", "h2"])
    assert not feed.is_prefix_of(["h0"])
    assert not feed.is_prefix_of(["h0", "h2"])
    assert len(list(feed.new_messages(["h0", "h1", "h2"]))) == 1
    assert list(feed.new_messages(["h0", "h1", "h2"])) == []


def test_a_player_who_gives_up_loses() -> None:
    feed = GameFeed(Dots(1, 2, Border.NONE, 2), "g", Seat(0))
    assert list(feed.new_messages(["h0", "~0"]))[-1] == EndMessage("g", 2)


@each(
    "name, options, seats, is_fit",
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
    assert (unsupported_reason(make_game(name, options, seats)) is None) is is_fit
