"""Hosting of rooms: the directory of all rooms, and one host for each room that is awake.

The rules of rooms and games are the engine's; sockets live in `net`, saving in `storage`, and
processes for bots in `bots`. `session`, `admin` and `server` import this package.
"""
