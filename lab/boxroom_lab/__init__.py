"""The laboratory: contests of bots, robots, solved positions, game trees, and analyses of games.

Playing and hosting rooms are the client's and the server's. This package may import both of them;
only `boxroom`, the public names, imports it. The client's table of commands has
the names of its modules, so that `boxroom solve` finds `boxroom_lab.cli.solve`.
"""
