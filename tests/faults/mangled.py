"""Bytes that are nearly messages, as a broken or malicious client may send; for hypothesis."""

import json
from typing import Any

from hypothesis import strategies as st
from tests.engine.wire.strategies import client_messages

from boxroom_engine.wire.codec import encode

HUGE = (2**31, 2**53, 2**63, 2**64, -(2**63), 10**40, 10**400)

numbers = st.sampled_from(HUGE) | st.floats()
"""Integers beyond what a machine's word holds, and floats, of which some aren't JSON."""

odd_values = st.recursive(
    st.none() | st.booleans() | numbers | st.text() | st.just("\ud800") | st.just("x" * 20_000),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@st.composite
def nested(draw: st.DrawFn) -> bytes:
    """Draw a value nested as deep as the server's limit of a message allows, or deeper."""
    depth = draw(st.integers(1, 60_000))
    opened, closed = draw(st.sampled_from(((b"[", b"]"), (b'{"x":', b"1}" + b"}"))))
    ends = draw(st.booleans())
    return b'{"type":"say","id":1,"text":' + opened * depth + closed * (depth if ends else 0)


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """Draw a message with some bytes changed, left out, doubled or put in."""
    raw = bytearray(encode(draw(client_messages)))
    for _ in range(draw(st.integers(1, 5))):
        at = draw(st.integers(0, len(raw)))
        until = draw(st.integers(at, min(len(raw), at + 10)))
        raw[at:until] = draw(st.binary(max_size=10) | st.just(bytes(raw[at:until]) * 2))
    return bytes(raw)


@st.composite
def with_an_odd_field(draw: st.DrawFn) -> bytes:
    """Draw a message with a wrong value, an additional field, or the same field twice."""
    fields: dict[str, Any] = json.loads(encode(draw(client_messages)))
    name = draw(st.sampled_from(list(fields)) | st.text())
    odd = json.dumps({name: draw(odd_values)})
    if draw(st.booleans()):
        fields.pop(name, None)
    whole = json.dumps(fields)
    joined = f"{whole[:-1]}, {odd[1:]}" if fields else odd
    return joined.encode("utf-8", "surrogatepass")


mangled = st.binary() | nested() | mutated() | with_an_odd_field()
