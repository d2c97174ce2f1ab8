"""A client of etcd: requests to whichever endpoint answers, and errors that say what they mean.

A request goes to the endpoint that answered last. When that one fails, or takes too long, the next
one is tried, until the caller has had enough. A request that failed may still have been performed,
so requests are written so that they can be repeated.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from itertools import chain, repeat
from typing import Any, TypeVar

import grpc
from aetcd import rpc

from boxroom_engine.errors import BoxroomError
from boxroom_server.storage.etcd import tls
from boxroom_server.storage.etcd.address import EtcdAddress, TlsFiles
from boxroom_server.storage.storage import StorageError

logger = logging.getLogger(__name__)

ATTEMPT_S = (0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 1.0, 2.0, 4.0)
"""Time that each attempt of a request may take; the last value holds for all later ones.

A member that has lost its leader leaves a request unanswered that it can't pass on, so the first
attempts are short. A slow cluster has time in the later ones.
"""

PAUSE_S = 0.1
"""Time between two attempts, if the first one failed at once."""

_MOST_BYTES = 64 * 1024 * 1024
"""Largest message; a page of a range is far smaller."""

_CHANNEL_OPTIONS = (
    ("grpc.max_receive_message_length", _MOST_BYTES),
    ("grpc.max_send_message_length", _MOST_BYTES),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 500),
    ("grpc.max_reconnect_backoff_ms", 1_000),
    ("grpc.enable_http_proxy", 0),
)

_NEVER_ACCEPTED = (
    "request is too large",
    "message larger than max",  # so much larger that gRPC refuses it
    "too many operations",
    "duplicate key given",
)
"""Parts of etcd's reasons to refuse a request for what it is."""

_T = TypeVar("_T")


class EtcdError(BoxroomError):
    """A request that etcd has refused, and will refuse again; the reason is for people."""


class NoSpace(EtcdError):
    """A request that etcd has refused because its quota of space is used up.

    It may have been performed all the same, if it is the one that used up the last of it.
    """


class NeverAccepted(EtcdError):
    """A request that etcd accepts at no time, as it is: too large, or against its rules."""


class Compacted(EtcdError):
    """A request for a revision whose content etcd has thrown away."""


class NotAnswered(EtcdError):
    """A request without an answer, which may have been performed."""


class EtcdClient:
    """A client of the cluster at `address`."""

    def __init__(self, address: EtcdAddress) -> None:
        self._address = address
        credentials = None if address.tls is None else _credentials(address.tls)
        self._channels = [_channel(endpoint, credentials) for endpoint in address.endpoints]
        self.current = 0
        """Number of the endpoint that requests are sent to."""
        self._token = ""  # of the user, once it is known

    async def close(self) -> None:
        """Close all connections."""
        for channel in self._channels:
            await channel.close()

    # Requests

    async def txn(self, request: Any, attempt_s: float) -> Any:
        """Return the answer to a transaction; see `call`."""
        return await self.call(lambda channel: rpc.KVStub(channel).Txn, request, attempt_s)

    async def range(self, request: Any, attempt_s: float) -> Any:
        """Return the answer to a range; see `call`."""
        return await self.call(lambda channel: rpc.KVStub(channel).Range, request, attempt_s)

    async def call(
        self, method: Callable[[grpc.aio.Channel], Any], request: Any, attempt_s: float
    ) -> Any:
        """Return the answer to `request`, sent once.

        Raises:
            NotAnswered: no answer came in `attempt_s`; the next request goes to another endpoint.
            EtcdError: etcd has refused it.
        """
        tried = self.current
        try:
            return await self._call(method, request, attempt_s)
        except grpc.aio.AioRpcError as error:
            failure = _meaning(error)
            if isinstance(failure, NotAnswered):
                self.leave(tried)
            raise failure from None

    async def _call(
        self, method: Callable[[grpc.aio.Channel], Any], request: Any, attempt_s: float
    ) -> Any:
        channel = self._channels[self.current]
        if self._address.user and not self._token:
            await self._log_in(channel, attempt_s)
        try:
            return await method(channel)(request, timeout=attempt_s, metadata=self._metadata())
        except grpc.aio.AioRpcError as error:
            if not _is_login_over(error):
                raise
            await self._log_in(channel, attempt_s)
            return await method(channel)(request, timeout=attempt_s, metadata=self._metadata())

    async def _log_in(self, channel: grpc.aio.Channel, attempt_s: float) -> None:
        login = rpc.AuthenticateRequest(name=self._address.user, password=self._address.password)
        answer = await rpc.AuthStub(channel).Authenticate(login, timeout=attempt_s)
        self._token = answer.token

    def _metadata(self) -> tuple[tuple[str, str], ...]:
        return (("token", self._token),) if self._token else ()

    def leave(self, endpoint: int) -> None:
        """Send the next request to another endpoint than the one with this number."""
        if self.current == endpoint:
            self.current = (endpoint + 1) % len(self._channels)

    async def watch(self, endpoint: int, requests: AsyncIterator[Any]) -> AsyncIterator[Any]:
        """Yield the answers to watch requests, from the endpoint with this number, until it fails.

        The endpoint ends it when it has lost the majority of its cluster.

        Raises:
            NotAnswered: it has failed; a new watch goes to another endpoint.
            EtcdError: etcd has refused it.
        """
        metadata = (*self._metadata(), ("hasleader", "true"))
        call = rpc.WatchStub(self._channels[endpoint]).Watch(requests, metadata=metadata)
        try:
            async for response in call:
                yield response
        except grpc.aio.AioRpcError as error:
            if _is_login_over(error):
                self._token = ""
            failure = _meaning(error)
            if isinstance(failure, NotAnswered):
                self.leave(endpoint)
            raise failure from None
        finally:
            await end_call(call)


@asynccontextmanager
async def connected(address: EtcdAddress) -> AsyncIterator[EtcdClient]:
    """Connect to `address` while the context lasts, as a command does and not a server.

    Raises:
        StorageError: it doesn't answer, or refuses something.
    """
    if address.tls is not None:
        tls.check_files(address.tls)
    client = EtcdClient(address)
    try:
        yield client
    except Compacted as error:
        raise StorageError(
            f"{error}: try again, or have it keep more (--auto-compaction-retention)"
        ) from error
    except EtcdError as error:
        reason = await tls.problem(address) or error
        raise StorageError(f"{address} can't be used: {reason}") from error
    finally:
        await client.close()


async def end_call(call: Any) -> None:
    """Cancel a call, and wait until gRPC has no more of it: else it may outlive the event loop."""
    call.cancel()
    with suppress(asyncio.CancelledError):
        await call.code()


async def attempts() -> AsyncIterator[float]:
    """Yield how long each attempt of a request may take, in seconds, without an end."""
    loop = asyncio.get_running_loop()
    for attempt_s in chain(ATTEMPT_S, repeat(ATTEMPT_S[-1])):
        began_s = loop.time()
        yield attempt_s
        await asyncio.sleep(max(0.0, began_s + PAUSE_S - loop.time()))


async def until_answered(
    attempt: Callable[[float], Awaitable[_T]], most_s: float = float("inf")
) -> _T:
    """Return the result of `attempt`, repeated until it is answered.

    It gets the time that it may take, in seconds.

    Raises:
        NotAnswered: there was no answer in `most_s`.
        EtcdError: etcd has refused it.
    """
    loop = asyncio.get_running_loop()
    end_s = loop.time() + most_s
    async for attempt_s in attempts():
        try:
            return await attempt(attempt_s)
        except NotAnswered:
            if loop.time() >= end_s:
                raise
    raise AssertionError("attempts have no end")


def _channel(endpoint: str, credentials: grpc.ChannelCredentials | None) -> grpc.aio.Channel:
    if credentials is None:
        return grpc.aio.insecure_channel(endpoint, options=_CHANNEL_OPTIONS)
    return grpc.aio.secure_channel(endpoint, credentials, options=_CHANNEL_OPTIONS)


def _credentials(files: TlsFiles) -> grpc.ChannelCredentials:
    paths = (files.ca, files.key, files.cert)
    return grpc.ssl_channel_credentials(*(path and path.read_bytes() for path in paths))


def _is_login_over(error: grpc.aio.AioRpcError) -> bool:
    details = error.details() or ""
    return "invalid auth token" in details or "revision of auth store is old" in details


def _meaning(error: grpc.aio.AioRpcError) -> EtcdError:
    """Return the error of ours that `error` stands for."""
    details = (error.details() or "").removeprefix("etcdserver: ")
    match error.code():
        case grpc.StatusCode.RESOURCE_EXHAUSTED if "space exceeded" in details:
            return NoSpace("etcd's space is used up")
        case _ if any(reason in details for reason in _NEVER_ACCEPTED):
            return NeverAccepted(f"etcd refuses a request: {details}")
        case grpc.StatusCode.OUT_OF_RANGE if "compacted" in details:
            return Compacted("etcd has thrown away the content at the time that is being read")
        case (
            grpc.StatusCode.INVALID_ARGUMENT
            | grpc.StatusCode.UNAUTHENTICATED
            | grpc.StatusCode.PERMISSION_DENIED
            | grpc.StatusCode.OUT_OF_RANGE
            | grpc.StatusCode.UNIMPLEMENTED
            | grpc.StatusCode.NOT_FOUND
            | grpc.StatusCode.FAILED_PRECONDITION
        ):
            return EtcdError(f"etcd refuses a request: {details}")
        case _:
            return NotAnswered(f"etcd doesn't answer ({details or error.code().name.lower()})")
