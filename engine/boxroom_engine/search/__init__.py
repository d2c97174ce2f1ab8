"""Game-tree search for any game that implements `games.protocol`.

Each algorithm is written once, small enough to learn from; evaluation and strategy that know a
particular game are in `games` and `bots`. Bots and the client import this package.

The modules build on one another in this order:

1. `minimax`: the value of a position, and the common part of the first two algorithms
2. `recursive`: minimax by recursion
3. `iterative`: minimax with an explicit stack
4. `memo`: values of positions that were searched before (memoisation)
5. `pruned`: minimax without moves that can't change the value of a position
6. `levels`: the number of positions at each depth, with and without merging
7. `alphabeta`: alpha-beta pruning with iterative deepening and a depth limit
8. `max_n`: max^n, in which every seat maximises its own score
9. `mcts`: Monte Carlo tree search (UCT)
10. `rough`: cheap guesses of the result, from one or two moves ahead
11. `random_replies`: the choice among equally good moves
12. `exact`: the value of one position by 5 or 8, or an estimate by 9
13. `judge`: a judge of recorded games, by alpha-beta search

No search has a clock. A search that may take long gets a `boxroom_engine.stopping.Stop`, a function
that it calls now and then to find out whether to give up.
"""
