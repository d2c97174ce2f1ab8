"""A graph of positions as lines of text: level by level, each position with its moves."""

from collections.abc import Iterator

from boxroom_client.shell.output.wording import margin
from boxroom_engine.games.drawing import Drawing, Look, Size
from boxroom_engine.games.protocol import Seat, State
from boxroom_engine.search.max_n import Scores
from boxroom_lab.gametree.graph import Graph, GraphEdge, GraphNode


def graph_lines(graph: Graph) -> Iterator[str]:
    """Yield a summary, and every level with its positions.

    Values have signs beyond ASCII, and so have arrows; `painting.in_ascii` replaces them.
    """
    yield summary(graph)
    yield value_note(graph)
    for level in graph.levels:
        orders = sum(node.orders for node in level)
        yield ""
        yield (
            f"{_many(level[0].depth, 'move')} deep: {_many(len(level), 'position')}, which"
            f" {_many(orders, 'order')} of moves lead{'s' * (orders == 1)} to."
        )
        for node in level:
            yield f"  {node.number}  {node_line(node)}"
            yield from (f"       {_edge_text(edge, graph)}" for edge in node.edges)


def summary(graph: Graph) -> str:
    """Return a sentence with the numbers of positions, levels and moves."""
    moves = sum(len(edge.moves) for node in graph.nodes for edge in node.edges)
    positions = _many(len(graph.nodes), "position")
    return f"{positions} on {_many(len(graph.levels), 'level')}, {_many(moves, 'move')}."


def value_note(graph: Graph) -> str:
    """Return a sentence that says what the values are."""
    state = graph.root.state
    if state.game.seats == 2:
        return "Values: by how much player 1 is ahead at the end, if both play perfectly."
    if prizes := _own_prizes(state):
        return f"Values: the {prizes} of each player at the end, if all play for their own."
    return "Values: by how much each player is ahead of the best other one at the end."


def node_line(node: GraphNode) -> str:
    """Return a position with its mover, its value and its parents as one line."""
    state = node.state
    who = "The end" if state.to_move is None else f"Player {state.to_move + 1} is to move"
    value = "" if node.scores is None else f": {value_text(state, node.scores)}"
    above = f" From {', '.join(map(str, node.parents))}." if node.parents else ""
    return f"{state.game.format_position(state)}  {who}{value}.{above}"


def score_text(state: State, score: float) -> str:
    """Return the score of a seat as text: a number of boxes, "2", or a lead, "+2"."""
    return margin(score) if _own_prizes(state) is None else f"{score:g}"


def _own_prizes(state: State) -> str | None:
    """Return the name of what the scores of seats count; None if they are leads."""
    prize = state.game.kind.prize
    return prize[1] if prize and state.game.seats - len(state.withdrawn) > 2 else None


def value_text(state: State, scores: Scores) -> str:
    """Return the value of a position: for player 1 if two play, else for each of them."""
    shown = scores[:1] if len(scores) == 2 else scores
    return " ".join(score_text(state, score) for score in shown)


def edge_words(edge: GraphEdge, graph: Graph) -> str:
    """Return moves as words: "Player 1 plays h0 or h1: +2, best"."""
    return f"Player {graph.mover(edge) + 1} plays {' or '.join(edge.moves)}{_worth(edge, graph)}"


def small_board(state: State) -> Drawing:
    """Return the smallest drawing of a position, without the names of moves."""
    game = state.game
    marks = tuple(game.kind.mark(seat, seat).text() for seat in map(Seat, range(game.seats)))
    return state.draw(Look(marks, Size.COMPACT, numbers=False))


def _edge_text(edge: GraphEdge, graph: Graph) -> str:
    return f"{' '.join(edge.moves)} → {edge.below}{_worth(edge, graph)}"


def _worth(edge: GraphEdge, graph: Graph) -> str:
    below = graph.below(edge)
    value = "" if below.scores is None else f": {value_text(below.state, below.scores)}"
    return f"{value}{', best' if edge.is_best else ''}"


def _many(number: int, what: str) -> str:
    return f"{number:,} {what}{'s' * (number != 1)}"
