"""Trees as lines of text."""

from tests.lab.gametree.trees import tree

from boxroom_engine.games.registry import make_game
from boxroom_lab.gametree.as_text import tree_lines
from boxroom_lab.gametree.graph import apart, build_graph

SHOWN = """\
Player 1 is to move: 0.
├─ Player 1 plays 3: 0, best
│  ├─ Player 2 plays 5: 0, best
│  │  └─ Player 1 plays 6: 0, best, the end
│  └─ Player 2 plays 6: −1
│     └─ Player 1 plays 5: +1, best, the end
├─ Player 1 plays 5: 0, best
│  ├─ Player 2 plays 3: 0, best
│  │  └─ Player 1 plays 6: 0, best, the end
│  └─ Player 2 plays 6: −1
│     └─ Player 1 plays 3: +1, best, the end
└─ Player 1 plays 6: 0, best
   ├─ Player 2 plays 3: 0, best
   │  └─ Player 1 plays 5: 0, best, the end
   └─ Player 2 plays 5: 0, best
      └─ Player 1 plays 3: 0, best, the end
"""


def test_a_whole_tree() -> None:
    assert "\n".join(tree_lines(tree(3))) + "\n" == SHOWN


def test_in_ascii_the_branches_are_others() -> None:
    shown = list(tree_lines(tree(2), ascii_only=True))
    assert shown[2] == "|  |- Player 2 plays 5: 0, best"
    assert shown[-1] == "   `- Player 2 plays 5: 0, best"


def test_without_values_only_moves_are_shown() -> None:
    state = make_game("dots", {"rows": 1, "cols": 1}, 2).initial()
    bare = build_graph(state, 1, lambda after: None, apart, most_positions=10)
    assert list(tree_lines(bare))[:2] == ["Player 1 is to move.", "├─ Player 1 plays h0"]
