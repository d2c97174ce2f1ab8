"""Whose name is whose."""

from boxroom_server.names import Names

ADAS, BOBS = "the secret of Ada", "the secret of Bob"


def test_a_name_belongs_to_the_secret_that_came_first() -> None:
    names = Names(most=10)
    assert names.claim("Ada", ADAS) == "Ada"
    assert names.claim("Ada", BOBS) is None
    assert names.claim("Ada", ADAS) == "Ada"


def test_one_secret_may_have_several_names() -> None:
    names = Names(most=10)
    assert names.claim("Ada", ADAS) == "Ada"
    assert names.claim("Ada too", ADAS) == "Ada too"


def test_case_and_compatible_letters_make_no_other_name() -> None:
    names = Names(most=10)
    assert names.claim("Straße", ADAS) == "Straße"
    for look_alike in ("STRASSE", "strasse", "Ｓtraße"):  # noqa: RUF001
        assert names.claim(look_alike, BOBS) is None
        assert names.claim(look_alike, ADAS) == "Straße"


def test_the_name_that_was_claimed_longest_ago_is_free_again() -> None:
    names = Names(most=2)
    names.claim("Ada", ADAS)
    names.claim("Bob", BOBS)
    names.claim("Ada", ADAS)
    names.claim("Cy", "the secret of Cy")
    assert names.claim("Ada", BOBS) is None
    assert names.claim("Bob", ADAS) == "Bob"


def test_a_claim_that_fails_keeps_no_name_alive() -> None:
    names = Names(most=2)
    names.claim("Ada", ADAS)
    names.claim("Bob", BOBS)
    assert names.claim("Ada", BOBS) is None
    names.claim("Cy", "the secret of Cy")
    assert names.claim("Ada", BOBS) == "Ada"


def test_secrets_are_not_kept() -> None:
    names = Names(most=2)
    names.claim("Ada", ADAS)
    assert ADAS not in repr(vars(names))


def test_a_name_is_known_once_it_is_somebodys() -> None:
    names = Names(10)
    assert not names.is_known("Ada")
    names.claim("Ada", "a" * 20)
    assert names.is_known("ADA")
