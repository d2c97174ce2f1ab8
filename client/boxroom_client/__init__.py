"""The terminal client of Boxroom, and the commands around it.

The rules of games and rooms stand in `boxroom_engine`. Only the laboratory and the
entry point of `boxroom` import this package.
"""
