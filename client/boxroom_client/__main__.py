"""`python -m boxroom_client` is `boxroom`."""

import sys

from boxroom_client.main import main

if __name__ == "__main__":  # bot workers import the main module again
    sys.exit(main())
