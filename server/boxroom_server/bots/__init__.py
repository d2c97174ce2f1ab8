"""Running bots in processes of their own, so that thinking doesn't hold up the server.

`jobs` are their work, `worker` does it in a process, `process` is the server's end of that,
`queue` the jobs that wait for it in the order of `fair_queue`, `pool` all queues of a server.
The bots themselves live in `boxroom_engine.bots`; turns of rooms live in `boxroom_server.rooms`.
`rooms` and `server` import this package.
"""
