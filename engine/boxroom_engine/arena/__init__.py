"""Bots against each other, and what their games say about how strong they are.

- `schedule`: who meets whom, in which seats, from which opening.
- `openings`: a few random moves from which both sides have to play.
- `playing`: one game between bots, under a limit, with the faults that end it early.
- `course`: a game as it grows, and its `Result`.
- `rating`: Elo from results, with intervals.
- `summary`: everything that can be said after any number of games.

Those who play are *contenders*, numbered from 0 in the order in which they were named. All is
pure and reproducible: a seed makes openings and moves, and the clock is passed in. What runs
the games in processes and shows what came of them is `boxroom_client.arena`.
"""
