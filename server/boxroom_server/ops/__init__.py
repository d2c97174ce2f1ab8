"""Operating a server: metrics, HTTP endpoints, readiness, logging, announcement, the process.

Rooms and sessions are not looked into here: they count into `Metrics`, or are counted by `server`.
Every package but `net` may import it.
"""
