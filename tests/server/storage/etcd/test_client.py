"""Logging in to etcd, and tokens that end."""

from pathlib import Path

from tests.cluster.etcd import ctl, etcd_cluster
from tests.server.manual_clock import ManualClock
from tests.server.storage.log_recorder import LogRecorder
from tests.server.stores import EtcdStore
from tests.server.talk import until

from boxroom_engine.room.events import Entry, Joined, Left
from boxroom_server.storage.etcd.address import parse_address
from boxroom_server.storage.ledger import NameRecord
from boxroom_server.storage.room_log import RoomRecord

ONE_LOOP = True

LOGIN = "--user=root:secret"


async def test_a_login_whose_token_has_ended_is_renewed(tmp_path: Path) -> None:
    """etcd forgets all tokens when it starts again, and refuses those of before a new role."""
    async with etcd_cluster(tmp_path, 1) as (member,):
        for words in (("user", "add", "root:secret"), ("auth", "enable")):
            await ctl(member.endpoint, *words)
        address = parse_address(f"etcd://root:secret@{member.endpoint}")
        async with (
            EtcdStore(address).opened(ManualClock()) as storage,
            EtcdStore(address).opened(ManualClock()) as other,
        ):
            storage.room_log.create(RoomRecord("attic", "attic", "Ada", "token", None, 0))
            recorder = LogRecorder(storage.room_log, "attic")
            await recorder.save(Entry(1, 0, (Joined("Ada"),)))
            await ctl(member.endpoint, LOGIN, "role", "add", "reader")
            await recorder.save(Entry(2, 0, (Left("Ada"),)))
            await member.kill()
            await member.start()
            await recorder.save(Entry(3, 0, (Joined("Ada"),)))
            other.ledger.save_name(NameRecord("ada", "Ada", b"digest", 1))
            await until(lambda: [it.key for it in storage.ledger.names()] == ["ada"])
