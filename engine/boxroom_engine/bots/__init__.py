"""Players that compute: what every bot offers (`protocol`), the bots, and their registry.

A bot sees one position at a time and gives a move. It knows nothing of rooms, and of time only
the limit that it is given.
"""
