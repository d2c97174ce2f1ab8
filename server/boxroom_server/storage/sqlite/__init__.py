"""What a server keeps on disk: the logs of its rooms, and its ledger, in one SQLite database.

Theory of operation. Everything that has to be kept is handed to one `writer`, which has one
thread and commits all that came in the meantime at once, with an fsync. A commit's entries are
one blob, because a row each would cost ten times as much; soon after they are *filed* by room.
Nothing is told to anybody before its commit.

A data folder belongs to one server at a time. Other processes may read it, and delete records.
"""
