"""The pure part of Boxroom: games, bots, searches, rooms, messages and records.

Nothing here touches a socket, clock, disk, thread or terminal; time, limits and randomness are
arguments. Only `lessons` prints, and asks at the keyboard. The server and the client may import the
engine; it imports neither of them, nor what they share.
"""
