"""Running the games of an arena, and showing what came of them.

- `board`: a game as it stands, in memory that two processes share.
- `workers`: the processes in which bots play.
- `running`: games through the processes, one result after the other.
- `progress`, `report`, `as_json`, `records`: what people, programs and files get of it.

What the games are and what they say is `boxroom_engine.arena`.
"""
