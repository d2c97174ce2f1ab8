"""Storage in an etcd cluster, which several servers share: `boxroom serve --store etcd://…`.

It implements the protocols of `boxroom_server.storage`, the one of the other servers among them,
and has no rules. Nothing but `boxroom serve`, `boxroom backup` and tests may import it; it needs
the packages of the extra `boxroom[cluster]`.
"""

import os

# gRPC would write about failing connections to standard error, besides the errors that it raises.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")
