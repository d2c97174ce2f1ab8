"""Storage on disk: room logs and ledger of one server, in one SQLite database.

Theory of operation. Every change goes to one `writer`, whose thread commits all that has arrived
meanwhile at once, with an fsync. The entries of a commit are one blob, because a row each would
cost ten times as much; *compaction* regroups them by room, mostly when the server has nothing else
to do. No entry is delivered or answered before its commit.

A data folder belongs to one server at a time. Other processes may read the database, and delete
finished games (`external_access`, `games`, `backup`). The protocols live in
`boxroom_server.storage`; rules of rooms and games live elsewhere. Only the commands of the server
and tests import this package.
"""
