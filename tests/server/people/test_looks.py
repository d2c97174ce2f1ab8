"""The index of names by their looks, against one look at all of them."""

from hypothesis import given
from hypothesis import strategies as st

from boxroom_common.look_alikes import look_alike
from boxroom_server.people.looks import Looks

NAMES = st.sampled_from(["Ada", "Аda", "Ada1", "Adal", "AdaI", "Bob", "B0b", "Воb", "Torn", "Tom"])


def test_another_name_is_not_too_long() -> None:
    name = "Ada Augusta King-Noel of"
    assert Looks([name]).another_like(name) == "Ada Augusta King-Noel 2"
    assert Looks(["Tom", "Tom 2"]).another_like("Tom") == "Tom 3"


@given(st.lists(NAMES), st.lists(NAMES), NAMES)
def test_it_finds_the_names_that_look_alike(
    added: list[str], discarded: list[str], name: str
) -> None:
    index = Looks(added)
    for each in discarded:
        index.discard(each)
    left = [each for each in added if each not in discarded]
    assert set(index.like(name)) == {each for each in left if look_alike(name, [each])}
    assert look_alike(index.another_like(name), left) is None
