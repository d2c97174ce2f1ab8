"""Running the games of an arena in processes, and reporting the results.

The games themselves and their statistics are in `boxroom_engine.arena`; the arguments of
`boxroom arena` are in `cli`, which imports this package, as `notebook` does.

- `shared_game`: a game in progress, in memory that two processes share.
- `workers`: the processes in which bots play.
- `run`: a run of all games of a contest.
- `progress`, `report`, `as_json`, `records`: output for people, programs and files.
"""
