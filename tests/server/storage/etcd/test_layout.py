"""Keys of a cluster's data, and the ranges that hold some folders and no other."""

import pytest

from boxroom_server.storage.etcd.layout import FOLDERS, Layout, after
from boxroom_server.storage.etcd.storage import TABLES

LAYOUT = Layout("boxroom")


def folders_in(begin: bytes, end: bytes) -> set[str]:
    return {name for name in FOLDERS if begin <= LAYOUT.key(name, "any") < end}


@pytest.mark.parametrize("folders", [(), ("ban",), ("offer", "offer-of"), TABLES, FOLDERS])
def test_spans_hold_the_folders_and_no_other(folders: tuple[str, ...]) -> None:
    spans = LAYOUT.spans(folders)
    held = [folders_in(*span) for span in spans]
    assert set().union(*held) == set(folders)
    assert sum(map(len, held)) == len(folders)


def test_neighbours_share_a_span() -> None:
    assert LAYOUT.spans(FOLDERS) == [(LAYOUT.folder("ban"), after(LAYOUT.folder("tail")))]


def test_one_span_keeps_the_order_of_nodes_rooms_and_their_owners() -> None:
    (span,) = (span for span in LAYOUT.spans(TABLES) if "node" in folders_in(*span))
    assert folders_in(*span) >= {"node", "owner", "room", "status", "name"}
