"""Rooms: their state, commands, events and rules.

`decide` turns a command into events or refuses it, `evolve` applies an event, and `view` shows an
event to an audience; all three are pure. docs/reference/room.md specifies `decide` and `view`, and
docs/reference/protocol.md the events that `evolve` applies. Sockets, clocks, storage and bots live
elsewhere. The wire messages, servers and clients may import it.
"""
