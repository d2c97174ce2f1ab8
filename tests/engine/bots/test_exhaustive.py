"""The bots that search to the end: perfect when they get there, and `greedy` when they don't."""

import math
import random

import pytest
from hypothesis import given, settings
from tests.cases import each
from tests.engine.bots.simulated_time import SimulatedClock
from tests.engine.clocks import no_limit
from tests.engine.search.positions import late_dots, late_noughts

from boxroom_engine.bots.exhaustive import ITERATIVE, MEMO, RECURSIVE, ExhaustiveBot
from boxroom_engine.bots.greedy import GreedyBot
from boxroom_engine.bots.registry import bot_of, caution
from boxroom_engine.games.protocol import State
from boxroom_engine.games.registry import make_game
from boxroom_engine.phrases import Phrase, phrase
from boxroom_engine.search.memo import Memo
from boxroom_engine.search.minimax import best_valued_moves
from boxroom_engine.search.recursive import RecursiveMinimax
from boxroom_engine.stopping import Limit

few = settings(max_examples=settings().max_examples // 2)

every_bot = pytest.mark.parametrize("bot", [RECURSIVE, ITERATIVE, MEMO], ids=lambda bot: bot.name)


@every_bot
class TestPlay:
    @few
    @given(state=late_dots(3) | late_noughts(3))
    def test_it_plays_what_guarantees_the_most(self, bot: ExhaustiveBot, state: State) -> None:
        best = best_valued_moves(RecursiveMinimax(memo=Memo()).values_of_moves(state))
        assert bot.choose(state, no_limit(), random.Random(0)) in best

    def test_all_perfect_moves_come_up(self, bot: ExhaustiveBot) -> None:
        state = make_game("noughts", {}, 2).parse_position("01..0...1/0/-")
        moves = {bot.choose(state, no_limit(), random.Random(seed)) for seed in range(60)}
        assert moves == set(best_valued_moves(RecursiveMinimax().values_of_moves(state)))

    def test_the_only_move_needs_no_search(self, bot: ExhaustiveBot) -> None:
        clock = SimulatedClock(0.1)
        state = make_game("noughts", {}, 2).parse_position("01010.101/0/-")
        assert bot.choose(state, Limit(60, clock), random.Random(0)) == 5
        assert clock.now_s == 0.1

    @pytest.mark.parametrize(
        ("time_s", "limit_s", "longest_s"), [(0.5, 60, 0.5), (2, 60, 2), (60, 2, 1.5)]
    )
    def test_it_falls_back_on_greedy_within_its_time(
        self, bot: ExhaustiveBot, time_s: float, limit_s: float, longest_s: float
    ) -> None:
        state, clock = make_game("dots", {"rows": 3, "cols": 3}, 2).initial(), SimulatedClock(0.1)
        patient = bot.with_options({"time": time_s})
        move = patient.choose(state, Limit(limit_s, clock), random.Random(5))
        assert move == GreedyBot().choose(state, no_limit(), random.Random(5))
        assert longest_s < clock.now_s < longest_s + 0.4

    def test_it_remarks_that_its_search_didnt_end_and_nothing_else(
        self, bot: ExhaustiveBot
    ) -> None:
        remarks: list[Phrase] = []
        state = make_game("dots", {"rows": 3, "cols": 3}, 2).initial()
        bot.choose(state, Limit(60, SimulatedClock(0.1), remarks.append), random.Random(0))
        assert remarks == [phrase("remark.unfinished", bot=bot.name, seconds="0.5")]
        late = make_game("noughts", {}, 2).parse_position("01..0...1/0/-")
        bot.choose(late, Limit(math.inf, lambda: 0.0, remarks.append), random.Random(0))
        assert len(remarks) == 1

    def test_what_is_hopeless_isnt_begun(self, bot: ExhaustiveBot) -> None:
        state, clock = make_game("dots", {}, 2).initial(), SimulatedClock(0.1)
        move = bot.choose(state, Limit(60, clock), random.Random(5))
        assert move == GreedyBot().choose(state, no_limit(), random.Random(5))
        assert clock.now_s == 0.1


class TestCaution:
    @every_bot
    def test_of_a_long_game_it_says_that_it_may_not_see_the_end(self, bot: ExhaustiveBot) -> None:
        said = caution(bot.name, make_game("dots", {}, 2))
        assert str(said) == (
            f"{bot.name} searches every game to its end, and this one may be too long for that at"
            " first: until it sees the end, it plays as greedy does."
        )

    @every_bot
    def test_of_a_short_game_it_says_nothing(self, bot: ExhaustiveBot) -> None:
        assert caution(f"{bot.name}:time=1", make_game("dots", {"rows": 1, "cols": 2}, 3)) is None

    def test_a_memo_sees_further(self) -> None:
        board = make_game("noughts", {}, 2)
        assert caution("recursive", board) is not None
        assert caution("memo", board) is None

    @each("bot", ["greedy", "alphabeta", "expert:time=1", "nobody here knows it"])
    def test_other_bots_need_none(self, bot: str) -> None:
        assert caution(bot, make_game("dots", {}, 2)) is None


def test_their_option() -> None:
    assert bot_of("memo:time=1.5") == MEMO.with_options({"time": 1.5})
    assert bot_of("memo:time=1.5") != MEMO
