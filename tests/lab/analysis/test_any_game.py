"""All outputs work for any game, any number of players and any judgements."""

import json
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st
from tests.engine.games.dots.recorded_games import exactly
from tests.lab.analysis.games import About, From, analysed

from boxroom_engine.games.dots import Border, Dots
from boxroom_engine.games.protocol import Seat
from boxroom_engine.games.record import Record, withdrawal_token
from boxroom_lab.analysis.analysed_game import AnalysedGame
from boxroom_lab.analysis.as_json import as_json
from boxroom_lab.analysis.chart import caption, chart
from boxroom_lab.analysis.chart_svg import chart_svg
from boxroom_lab.analysis.report import TextLayout, report


@st.composite
def records(draw: st.DrawFn) -> str:
    """Generate games of two to four that are running, full, or ended by withdrawals."""
    game = Dots(draw(st.integers(1, 2)), 2, draw(st.sampled_from(Border)), draw(st.integers(2, 4)))
    rng = draw(st.randoms(use_true_random=False))
    tokens: list[str] = []
    most = draw(st.integers(0, 14))
    state = game.initial()
    while not state.is_over and len(tokens) < most:
        in_play = [Seat(seat) for seat in range(game.seats) if seat not in state.withdrawn]
        if rng.random() < 0.1:
            seat = rng.choice(in_play)
            tokens.append(withdrawal_token(seat))
            state = state.withdraw(seat)
        else:
            move = rng.choice(state.legal_moves())
            tokens.append(game.format_move(move))
            state = state.play(move)
    names = ("Ada", "Bob & Bea", "Cem", "D")[: game.seats]
    return Record(game, names, tuple(tokens)).format()


@st.composite
def analysed_games(draw: st.DrawFn) -> AnalysedGame:
    """Generate games judged exactly, by estimates, or only from some move on."""
    early, is_sure = draw(st.integers(0, 15)), draw(st.booleans())
    return analysed(
        draw(records()),
        lambda game: From(early, exactly(game) if is_sure else About(exactly(game))),
        is_whole=draw(st.booleans()),
    )


@given(analysed_games(), st.integers(1, 120), st.booleans())
def test_every_output_works(game: AnalysedGame, columns: int, ascii_only: bool) -> None:
    for every_move in False, True:
        assert list(report(game, TextLayout(columns, ascii_only), every_move=every_move))
    assert chart(game, columns, ascii_only=ascii_only)
    assert caption(game)
    ElementTree.fromstring(chart_svg(game, "a game"))
    told = as_json(game)
    assert json.loads(json.dumps(told)) == told
    assert len(told["margins"]) == len(game.judged.positions)
