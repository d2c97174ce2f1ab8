"""Search that knows no game: whatever offers the verbs of `games.protocol` can be searched.

Each form is written once, small enough to learn from. They build on one another in this order:

1. `minimax`: what a position is worth to a seat, and what the first two forms share
2. `recursive`: minimax as one writes it down
3. `iterative`: the same with a stack of its own instead of recursion
4. `memo`: what is known of positions, so that neither form searches one twice
5. `levels`: how many positions there are to search, with a memo and without
6. `alphabeta`: minimax that looks only so far, and not at what can't matter
7. `max_n`: every seat for itself, instead of one against all others
8. `mcts`: a tree that grows where it matters, from games that are played out at random

None of them has a clock. A search that may take long is given a `stopping.Stop`, which it asks now
and then whether to give up.
"""
