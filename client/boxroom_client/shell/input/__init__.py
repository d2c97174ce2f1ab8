"""From a typed line to what it does: intents, the table of commands, and the executor.

How text is shown isn't decided here: an executor acts on a `RoomView`, which each shell
implements. The shells, and whatever documents the commands, may import it.
"""
