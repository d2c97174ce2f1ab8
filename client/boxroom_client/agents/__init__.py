"""Agents of another system, as opponents here; and our bots, as agents there.

The protocol is that of a university course on machine learning, for which many agents have been
written (https://github.com/wannesm/dotsandboxes): Dots and Boxes for two, on a board that begins
empty, in small JSON messages over a WebSocket on which the *agent* listens.

- `messages`: the messages of the protocol, and the names that it has for lines.
- `account`: a game, as an agent is told of it.
- `link`: the connection to an agent.
- `mind`: an agent that decides what a robot in a room plays.
- `heard`: a game, as somebody tells of it who takes us for an agent.
- `serving`: a bot or robot that listens as an agent does.
"""
