"""The ledger in SQLite; the contract of all ledgers is in `tests.server.storage.test_ledger`."""

from contextlib import closing
from pathlib import Path

import pytest
from tests.server.storage.sqlite.writing import add, rows, writer_on

from boxroom_server.storage.ledger import NameRecord
from boxroom_server.storage.sqlite.ledger import SqliteLedger
from boxroom_server.storage.sqlite.schema import connect

ONE_LOOP = True

ADA = NameRecord("ada", "Ada", b"\x00\xff", 20)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "boxroom.db"


async def test_it_is_saved_before_what_is_appended_afterwards(path: Path) -> None:
    async with writer_on(path) as writer:
        with closing(connect(path)) as connection:
            SqliteLedger(path, connection, writer).save_name(ADA)
        assert await add(writer, b"{}").known() is None
        assert rows(path, "SELECT key FROM names") == [("ada",)]
