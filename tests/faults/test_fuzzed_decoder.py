"""For any bytes the decoder returns a message or raises a `MessageError`, and nothing else."""

import subprocess
import sys
from collections.abc import Callable
from typing import TypeVar

import pytest
from hypothesis import given, seed, settings
from hypothesis import strategies as st
from tests.cases import each
from tests.faults.mangled import mangled
from tests.faults.parameters import SEED

from boxroom_engine.wire.codec import MessageError, decode_from_client, decode_from_server, encode

M = TypeVar("M")


def decode_both_ways(raw: bytes) -> None:
    """Check that a message survives encoding and decoding, and that an error has a text."""
    for decode in (decode_from_client, decode_from_server):
        decoded = _decoded(decode, raw)
        if isinstance(decoded, MessageError):
            assert str(decoded)
            assert 0 <= decoded.id < 2**53
        else:
            assert decode(encode(decoded)) == decoded


def _decoded(decode: Callable[[bytes], M], raw: bytes) -> M | MessageError:
    try:
        return decode(raw)
    except MessageError as error:
        return error


@seed(SEED)
@given(mangled)
@settings(max_examples=250)
def test_mangled_messages(raw: bytes) -> None:
    decode_both_ways(raw)


@pytest.mark.long
@seed(SEED)
@given(mangled)
@settings(max_examples=100_000)
def test_many_mangled_messages(raw: bytes) -> None:
    decode_both_ways(raw)


@each(
    "raw",
    [
        b'{"type":"say","type":"leave","id":1}',
        b'{"type":"say","id":1,"id":2,"text":"a","text":"b"}',
        b'{"id":1,"text":"a","type":"say","type":"say"}',
    ],
)
def test_a_field_that_comes_twice(raw: bytes) -> None:
    decode_both_ways(raw)


@given(st.integers())
def test_any_number_as_an_id(number: int) -> None:
    decode_both_ways(b'{"type":"leave","id":%d}' % number)


@pytest.mark.long
def test_what_a_fuzzer_finds_that_watches_the_code() -> None:
    """Coverage-guided, by libFuzzer; in a process of its own, because it ends by leaving it."""
    pytest.importorskip(
        "atheris", reason="atheris isn't installed; ./check --no-skips installs everything"
    )
    fuzzer = (
        "import sys, atheris\n"
        "with atheris.instrument_imports():\n"
        "    from tests.faults.test_fuzzed_decoder import decode_both_ways\n"
        "atheris.Setup(sys.argv, decode_both_ways)\n"
        "atheris.Fuzz()\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", fuzzer, f"-seed={SEED}", "-runs=1000000", "-max_len=4096"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr[-4000:]
