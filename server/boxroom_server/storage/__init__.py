"""Storage of a server: the protocols, and one subpackage for each implementation.

`room_log`, `ledger`, `offers`, `peers` and `storage` define what is saved and in which order;
`memory`, `sqlite` and `etcd` save it. `contents` is the form in which one store is copied into
another. No rule of a room or a game lives here, and no network code but that to etcd. `rooms`,
`people`, `admin`, `cli` and `server` may import it.
"""
