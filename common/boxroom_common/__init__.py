"""Code of both server and client that isn't pure: processes, exits, folders, terminals.

Pure code stands in the engine, and code that only one side uses stands with its user. The server,
the client and the laboratory may import this package; it imports none of them, and of the engine
the solver.
"""
