"""Agents of another system as opponents here, and our bots as agents there.

The protocol is that of a university course on machine learning, for which many agents have been
written (https://github.com/wannesm/dotsandboxes): Dots and Boxes for two, on a board that begins
empty, in small JSON messages over a WebSocket on which the *agent* listens. The robots' part in a
room, whatever chooses their moves, is in `robots`; only `cli` imports this package.

- `messages`: the messages of the protocol, and its names for lines.
- `game_feed`: the messages that tell an agent of a game.
- `connection`: the connection to an agent.
- `move_source`: an agent that chooses the moves of a robot in a room.
- `received_game`: a game of which a server tells us, as if we were an agent.
- `server`: a bot or robot that listens as an agent does.
"""
