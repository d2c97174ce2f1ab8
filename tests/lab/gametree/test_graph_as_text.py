"""Graphs as lines of text."""

from tests.lab.gametree.graphs import one_box

from boxroom_engine.games.protocol import Seat
from boxroom_engine.games.registry import make_game
from boxroom_engine.search.max_n import MaxNSearch
from boxroom_lab.gametree.graph import apart, build_graph
from boxroom_lab.gametree.graph_as_text import graph_lines


def test_every_position_stands_below_its_level_with_its_moves_and_parents() -> None:
    assert list(graph_lines(one_box())) == [
        "5 positions on 5 levels, 10 moves.",
        "Values: by how much player 1 is ahead at the end, if both play perfectly.",
        "",
        "0 moves deep: 1 position, which 1 order of moves leads to.",
        "  1  0/0,0/0/-  Player 1 is to move: −1.",
        "       h0 h1 v0 v1 → 2: −1, best",
        "",
        "1 move deep: 1 position, which 4 orders of moves lead to.",
        "  2  1/0,0/1/-  Player 2 is to move: −1. From 1.",
        "       h1 v0 v1 → 3: −1, best",
        "",
        "2 moves deep: 1 position, which 12 orders of moves lead to.",
        "  3  3/0,0/0/-  Player 1 is to move: −1. From 2.",
        "       v0 v1 → 4: −1, best",
        "",
        "3 moves deep: 1 position, which 24 orders of moves lead to.",
        "  4  7/0,0/1/-  Player 2 is to move: −1. From 3.",
        "       v1 → 5: −1, best",
        "",
        "4 moves deep: 1 position, which 24 orders of moves lead to.",
        "  5  f/0,1/-/-  The end: −1. From 4.",
    ]


def test_for_three_every_player_has_a_value() -> None:
    lines = list(graph_lines(one_box(3)))
    assert lines[1] == "Values: the boxes of each player at the end, if all play for their own."
    assert lines[4].endswith("Player 1 is to move: 1 0 0.")


def test_for_two_of_three_they_are_leads() -> None:
    state = make_game("dots", {"rows": 1, "cols": 1}, 3).initial().withdraw(Seat(1))
    graph = build_graph(state, 0, MaxNSearch().scores, apart, most_positions=1)
    lines = list(graph_lines(graph))
    assert lines[1] == "Values: by how much each player is ahead of the best other one at the end."
    assert lines[4].endswith("Player 1 is to move: −1 −1 +1.")
