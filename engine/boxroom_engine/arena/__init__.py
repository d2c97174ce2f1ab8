"""Games between bots, and statistics about their strength.

Everything here is pure and reproducible: openings and moves depend on a seed, and the caller
passes in the clock. Processes and reports are in `boxroom_lab.arena`, which imports this
package.

- `schedule`: the matches of a contest, with seats and openings.
- `openings`: the random moves that every game begins with.
- `contest`: all games of a contest.
- `playing`: one game between bots under a time limit, up to its end or the first fault.
- `running_game`: a game in progress, and the `Result` of a finished one.
- `rating`: Elo from results, with confidence intervals.
- `summary`: scores, margins, ratings, times and faults of any number of games.

The participants are *contenders*, numbered from 0 in the order in which the user named them.
"""
