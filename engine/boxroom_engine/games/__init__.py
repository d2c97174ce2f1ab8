"""Games: the protocol that each game implements, the games themselves, and their registry.

Rooms, names, sockets and clocks live elsewhere: a game knows seats by number only. All other
packages may import it.
"""
