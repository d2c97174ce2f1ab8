"""Server tests run on asyncio's event loop and on uvloop's, as the server does.

Modules in which that makes no difference set `ONE_LOOP = True`.
"""

import asyncio
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path

import pytest
from tests.cluster.shared import new_address
from tests.server.stores import EtcdStore, SqliteStore, Store

from boxroom_server.storage.sqlite.folder import DataFolder


@pytest.hookimpl(optionalhook=True)
def pytest_asyncio_loop_factories(
    item: pytest.Item,
) -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
    loops: dict[str, Callable[[], asyncio.AbstractEventLoop]] = {"asyncio": asyncio.new_event_loop}
    module = item.getparent(pytest.Module)
    one_is_enough = module is not None and hasattr(module.obj, "ONE_LOOP")
    if not one_is_enough and find_spec("uvloop") is not None:
        import uvloop

        loops["uvloop"] = uvloop.new_event_loop
    return loops


@pytest.fixture(params=["sqlite", "etcd"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    """An empty place to save in."""
    if request.param == "etcd":
        return EtcdStore(new_address())
    return SqliteStore(DataFolder(tmp_path / "data"))
