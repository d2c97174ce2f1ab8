"""The terminal client of Boxroom, and the commands around it.

The rules of games and rooms stand in `boxroom_engine`. Nothing imports this package but its own
entry point, the tests, and notebooks (`boxroom_client.notebook`).
"""
