"""The server that hosts rooms: sockets, logs, clocks, and worker processes for bots.

The rules of rooms and games are the engine's; nothing here judges a move. Only the client's local
game imports it (`options` and `server`).
"""
