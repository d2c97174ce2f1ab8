"""Encoding and decoding of the messages between `boxroom admin` and a server."""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each

from boxroom_server.admin import messages as m

words = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=200)
requests = st.one_of(
    [
        st.builds(kind, **dict.fromkeys(kind.__struct_fields__, words))
        for kind in get_args(m.Request)
    ]
)


@given(request=requests)
def test_every_request_is_one_line_and_comes_back_the_same(request: m.Request) -> None:
    line = m.encode(request)
    assert line.count(b"\n") == 1
    assert len(line) <= m.MAX_LINE_BYTES
    assert m.decode_request(line) == request


@each("line", [b"", b"{}", b'{"do":"show"}', b"\xff", b"[" * 100_000])
def test_other_lines_raise_one_of_these_errors(line: bytes) -> None:
    with pytest.raises(m.DECODE_ERRORS):
        m.decode_request(line)
    with pytest.raises(m.DECODE_ERRORS):
        m.decode_answer(line)
