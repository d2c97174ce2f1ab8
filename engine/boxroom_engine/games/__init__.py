"""Games: the protocols every game offers (`protocol`), the games, and their registry.

Nothing here knows of rooms, players' names, sockets or clocks.
"""
