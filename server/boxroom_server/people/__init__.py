"""People and what a server grants them: names, bans, room passwords, quotas.

Connections and rooms themselves are not here. `rooms`, `admin`, `session` and `server`
import it.
"""
