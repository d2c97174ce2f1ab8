"""Code that the server and the client share and that isn't pure: exit codes and child processes.

Pure code stands in the engine, and code that only one side uses stands with its user. The server
and the client may import this package; it imports neither of them, nor the engine.
"""
