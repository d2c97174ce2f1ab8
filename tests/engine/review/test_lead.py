"""The lead in a position, and the direction of its bar."""

from tests.engine.games.dots.recorded_games import OF_THREE, SMALL, exactly
from tests.lab.analysis.games import From, analysed

from boxroom_engine.games.protocol import Seat
from boxroom_engine.review.lead import Lead

ADA, BOB, CEM = map(Seat, range(3))


def test_leads_are_those_at_the_end_if_both_play_best() -> None:
    leads = analysed(SMALL).leads
    assert leads[0] == Lead(None, 0.0, is_expected=True, seats=2)
    assert leads[1] == Lead(BOB, 2.0, is_expected=True, seats=2)
    assert leads[-1] == Lead(None, 0.0, is_expected=True, seats=2)


def test_unknown_margins_give_the_lead_so_far() -> None:
    leads = analysed(SMALL, lambda game: From(99, exactly(game))).leads
    assert leads[4] == Lead(None, 0.0, is_expected=False, seats=2)
    assert leads[5] == Lead(ADA, 1.0, is_expected=False, seats=2)


def test_two_that_are_left_of_three_are_ahead_of_each_other() -> None:
    leads = analysed(OF_THREE).leads
    assert [lead.is_expected for lead in leads] == [False] * 3 + [True] * 4
    assert leads[-1] == Lead(CEM, 4.0, is_expected=True, seats=3)


def test_a_single_player_is_ahead_by_all_boxes() -> None:
    alone = analysed("dots rows=1 cols=1 border=none | Ada | h0 h1 v0 v1")
    assert [lead.boxes for lead in alone.leads] == [0, 0, 0, 0, 1]
    assert [lead.seat for lead in alone.leads] == [None] * 4 + [ADA]


def test_between_two_the_bars_of_the_second_hang_and_scores_are_dotted() -> None:
    assert not Lead(ADA, 1.0, is_expected=True, seats=2).is_below
    assert Lead(BOB, 1.0, is_expected=True, seats=2).is_below
    assert Lead(BOB, 1.0, is_expected=False, seats=2).is_dotted
    assert not Lead(None, 0.0, is_expected=False, seats=2).is_dotted


def test_among_three_all_bars_stand_and_none_is_dotted() -> None:
    lead = Lead(BOB, 1.0, is_expected=False, seats=3)
    assert not lead.is_below
    assert not lead.is_dotted
