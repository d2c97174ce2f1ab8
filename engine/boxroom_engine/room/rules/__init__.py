"""Rules of a room by subject: each adds the events of a command to a decision, or refuses it.

`decide` finds the rule of a command here, after it has checked who gave it; docs/reference/room.md
specifies them. The effects of events live in `effects`. Only `decide` and checks of settings
import it.
"""
