"""Effects of events on a room: on its game, its seats and its members.

`evolve` finds the effect of an event here; docs/examples/mirror.py specifies them. Rules, which
decide on events, live in `rules`. Only the room itself imports it, and who replays a game.
"""
