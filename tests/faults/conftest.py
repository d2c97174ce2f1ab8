"""Tests of Boxroom's promises under faults that are really injected.

docs/explanation/reliability.md says what is promised and which of these runs proves it. The rest of
the tests mirror the sources; these mirror the promises, and use everything at once: real sockets,
real clients, a real server, and between them something that breaks.

| run | breaks |
|---|---|
| test_cut_at_every_byte | the connection, after any byte of a scenario |
| test_same_id_same_answer | the connection around any command, which is sent again and again |
| test_fuzzed_decoder | the message |
| test_fuzzed_server | the peer: its frames, its handshake, its manners |
| test_many_at_once, test_soak | the scale: thousands of connections, and hours |
| test_kills | the server's process and every connection to it, at random |
| test_killed_stages | the server's process, at any change of the disk in a stage of its life |
| test_power_cuts | the power, at any such change: what wasn't synced is lost, kept or torn |
| test_failing_disk | the disk under the log: full, failing, failing once, hanging |
| test_damaged_files | the bytes in the files of the database |
| test_frozen_server | the server's process, which stands still |

A run that draws something at random prints its seed when it fails, and draws the same again
with `BOXROOM_SEED=` that number in the environment. Each has a short form, and a longer one
marked `long`.
"""

from pathlib import Path

import pytest
from tests.faults.parameters import SEED
from tests.faults.recorded_disk import compile_library


@pytest.fixture
def seed() -> int:
    """Seed of this run; pytest shows what is printed here if the run fails."""
    print(f"repeat this with BOXROOM_SEED={SEED}")
    return SEED


@pytest.fixture(scope="session")
def disk_library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Library that records the changes of a process on the disk; see `recorded_disk`."""
    return compile_library(tmp_path_factory.mktemp("library"))
