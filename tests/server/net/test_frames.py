"""Frames that Boxroom makes and parses itself, compared with the library's."""

from hypothesis import example, given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode

from boxroom_server.net.frames import SHORT_BYTES, frame_size, short_text, text_frame

# The length stands in 7 bits up to 125, in 16 bits up to 65,535, else in 64 bits.
LENGTHS = [0, 1, 125, 126, 127, 65_535, 65_536, 200_000]


@given(st.one_of(st.sampled_from(LENGTHS), st.integers(0, 70_000)), st.integers(0, 255))
@example(125, 0)
@example(126, 0)
@example(65_535, 0)
@example(65_536, 0)
def test_frames_are_those_of_websockets(length: int, byte: int) -> None:
    payload = bytes([byte]) * length
    assert text_frame(payload) == Frame(Opcode.TEXT, payload).serialize(mask=False)


@given(st.binary(max_size=300))
def test_frames_carry_what_they_are_given(payload: bytes) -> None:
    assert text_frame(payload).endswith(payload)


FRAMES = st.one_of(
    st.builds(
        Frame,
        st.sampled_from([Opcode.TEXT, Opcode.BINARY, Opcode.CONT]),
        st.one_of(st.binary(max_size=200), st.sampled_from(LENGTHS).map(bytes)),
        st.booleans(),
    ),
    st.builds(
        Frame,
        st.sampled_from([Opcode.PING, Opcode.PONG, Opcode.CLOSE]),
        st.binary(max_size=SHORT_BYTES),
    ),
)


@given(st.binary(max_size=SHORT_BYTES))
@example(b"")
@example(bytes(SHORT_BYTES))
def test_a_short_text_frame_of_a_client_is_read(payload: bytes) -> None:
    assert short_text(Frame(Opcode.TEXT, payload).serialize(mask=True)) == payload


@given(FRAMES, st.booleans())
def test_every_other_frame_is_left_to_the_library(frame: Frame, mask: bool) -> None:
    is_short_text = (
        frame.opcode is Opcode.TEXT and frame.fin and len(frame.data) <= SHORT_BYTES and mask
    )
    assert (short_text(frame.serialize(mask=mask)) is not None) == is_short_text


@given(st.binary(max_size=SHORT_BYTES), st.binary(min_size=1, max_size=20), st.data())
def test_a_frame_with_more_behind_it_or_less_of_it_is_not_read(
    payload: bytes, more: bytes, data: st.DataObject
) -> None:
    frame = Frame(Opcode.TEXT, payload).serialize(mask=True)
    assert short_text(frame + more) is None
    assert short_text(frame[: data.draw(st.integers(0, len(frame) - 1))]) is None


@given(FRAMES, st.binary(max_size=5), st.binary(max_size=20))
@example(Frame(Opcode.TEXT, bytes(65_535)), b"", b"")
@example(Frame(Opcode.TEXT, bytes(65_536)), b"", b"")
def test_a_frame_is_as_long_as_its_header_says(frame: Frame, before: bytes, more: bytes) -> None:
    data = frame.serialize(mask=True)
    assert frame_size(before + data + more, len(before)) == len(data)
    payload = len(frame.data)
    header = 2 if payload <= SHORT_BYTES else 4 if payload < 65_536 else 10
    for end in range(header):
        assert frame_size(before + data[:end], len(before)) is None
    assert frame_size(before + data[:header], len(before)) == len(data)


@given(FRAMES)
def test_a_frame_without_a_mask_is_refused_by_its_first_two_bytes(frame: Frame) -> None:
    assert frame_size(frame.serialize(mask=False), 0) == 2


def test_so_is_one_with_an_unknown_opcode() -> None:
    for first in range(256):
        is_known = first & 0x0F in list(Opcode)
        assert frame_size(bytes((first, 0x80)), 0) == (6 if is_known else 2)
