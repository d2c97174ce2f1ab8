"""What the runs of this process draw from: BOXROOM_SEED, to repeat one, or something new."""

import os
import secrets

SEED = int(os.environ.get("BOXROOM_SEED") or secrets.randbelow(2**32))
