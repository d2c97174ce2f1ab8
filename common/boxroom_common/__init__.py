"""Code of both server and client that isn't pure: processes, exits, folders, terminals.

Pure code stands in the engine, and code that only one side uses stands with its user. The server
and the client may import this package; it imports neither of them, and of the engine the solver.
"""
