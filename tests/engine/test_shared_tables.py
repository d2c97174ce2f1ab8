"""Tables that games share."""

from boxroom_engine.shared_tables import share


class Tables:
    """The tables of one board."""


made: list[int] = []


@share(recent=2)
def tables_of(size: int) -> Tables:
    made.append(size)
    return Tables()


def test_tables_are_made_once_while_they_are_used_or_recent() -> None:
    made.clear()
    used = tables_of(1)
    for size in (2, 3, 4):
        tables_of(size)
    assert tables_of(1) is used
    tables_of(4)
    assert made == [1, 2, 3, 4]
    tables_of(2)  # forgotten: neither used nor recent
    assert made == [1, 2, 3, 4, 2]
