"""Storage of a server: the protocols, and one subpackage for each implementation.

`room_log`, `ledger` and `storage` define what is saved and in which order; `memory` and `sqlite`
save it. No rule of a room or a game lives here, and no network code. `rooms`, `people`, `admin`,
`cli` and `server` may import it.
"""
