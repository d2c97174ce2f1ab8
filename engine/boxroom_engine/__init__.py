"""The pure part of Boxroom: games, bots, searches, rooms, messages and records.

Nothing here touches a socket, clock, disk, thread or terminal; time, limits and randomness are
arguments. The server, the client and the laboratory may import the engine; it imports none of them,
nor what they share.
"""
