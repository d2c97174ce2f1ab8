"""Bots: the interface that each offers (`protocol`), the bots themselves, and their registry.

A bot gets one position at a time and returns a move. Rooms and processes aren't in here, nor any
time but the limit that a bot is given. The arena, the server and the client may import it; it
imports games and searches.
"""
