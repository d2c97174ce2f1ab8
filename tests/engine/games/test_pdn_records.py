"""Games of draughts that come from PDN, and go there."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxroom_engine.games.draughts import Draughts
from boxroom_engine.games.draughts.pdn import PdnGame
from boxroom_engine.games.errors import FormatError
from boxroom_engine.games.pdn_records import pdn_of_record, record_of_pdn
from boxroom_engine.games.protocol import Seat
from boxroom_engine.games.record import Record, withdrawal_token

WON = """[White "Wyllie"]
[Black "Anderson"]
[GameType "21"]
[Result "0-1"]

1. 11-15 23-19 2. 8-11 0-1
"""


def test_the_player_who_begins_has_the_first_seat_and_the_loser_gave_up() -> None:
    record = record_of_pdn(PdnGame.parse(WON))
    assert record.format() == (
        "draughts rules=english size=usual | Anderson, Wyllie | 11-15 23-19 8-11 ~1"
    )
    outcome = record.final().outcome
    assert outcome is not None
    assert outcome.winners == (Seat(0),)
    assert pdn_of_record(record).format() == WON.replace(
        '[White "Wyllie"]\n[Black "Anderson"]', '[Black "Anderson"]\n[White "Wyllie"]'
    )


def test_white_begins_in_international_draughts() -> None:
    record = record_of_pdn(PdnGame.parse('[GameType "20"][White "Ada"] 1. 32-28 19-23 2-0'))
    assert record.players == ("Ada", "Black")
    assert record.tokens == ("32-28", "19-23", "~1")


def test_a_draw_by_agreement_is_a_game_that_goes_on() -> None:
    record = record_of_pdn(PdnGame.parse("1. 11-15 23-19 1/2-1/2"))
    assert not record.final().is_over
    assert pdn_of_record(record).result == "*"


@given(st.sampled_from(["english", "international"]), st.integers(0, 10_000))
def test_a_record_comes_back_with_its_outcome(rules: str, seed: int) -> None:
    rng, game = random.Random(seed), Draughts(rules, "6")
    state, tokens = game.initial(), list[str]()
    while not state.is_over and len(tokens) < 80:
        if rng.random() < 0.01:
            seat = Seat(rng.randrange(2))
            tokens.append(withdrawal_token(seat))
            state = state.withdraw(seat)
        else:
            move = rng.choice(state.legal_moves())
            tokens.append(game.format_move(move))
            state = state.play(move)
    record = Record(game, ("Ada", 'Bob "the" bot'), tuple(tokens))
    pdn = pdn_of_record(record)
    again = record_of_pdn(PdnGame.parse(pdn.format()))
    assert again.final().outcome == record.final().outcome
    assert again == record


def test_a_longer_name_of_a_move_becomes_its_own() -> None:
    moves = "9-13 23-19 10-15 19x10 7x14 22-18 14x23 27x18 6-10 26-23 13-17 21x14x7"
    record = Record.parse(f"draughts | Ada, Bob | {moves}")
    assert pdn_of_record(record).format().split()[-3:] == ["13-17", "21x7", "*"]


def test_other_positions_and_other_games_are_refused() -> None:
    with pytest.raises(FormatError, match="not with a FEN"):
        record_of_pdn(PdnGame.parse('[SetUp "1"][FEN "B:W18:B9"] 1. 9-14 18x9 *'))
    with pytest.raises(FormatError, match="not for Dots and Boxes"):
        pdn_of_record(Record.parse("dots rows=1 cols=1 border=none | Ada, Bob | h0"))
    with pytest.raises(FormatError, match="token 2, 11-16: "):
        pdn_of_record(Record.parse("draughts | Ada, Bob | 11-16 11-16"))
