"""Ownership of names, and when it ends."""

from tests.server.manual_clock import ManualClock

from boxroom_server.people.names import MOST_LOOKED_AT, Names
from boxroom_server.storage.ledger import NameRecord
from boxroom_server.storage.memory.storage import MemoryLedger

ADAS, BOBS = "the secret of Ada", "the secret of Bob"
DAY_S = 86_400


class Ledger(MemoryLedger):
    """A ledger that outlives a server."""

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[str, NameRecord] = {}

    def names(self) -> tuple[NameRecord, ...]:
        return tuple(sorted(self.kept.values(), key=lambda name: name.used_ms))

    def save_name(self, name: NameRecord) -> None:
        self.kept[name.key] = name

    def delete_name(self, key: str) -> None:
        del self.kept[key]


class Register:
    """The names of a server that can be restarted."""

    def __init__(self, most: int = 10) -> None:
        self.ledger = Ledger()
        self.clock = ManualClock()
        self.in_use = {"nobody"}
        self._most = most
        self.start_again()

    def start_again(self) -> None:
        self.names = Names(self._most, 180, self.ledger, self.clock, self.in_use.__contains__)
        self.claim = self.names.claim


def test_a_name_belongs_to_the_secret_that_came_first() -> None:
    register = Register()
    assert register.claim("Ada", ADAS) == "Ada"
    assert register.claim("Ada", BOBS) is None
    assert register.claim("Ada", ADAS) == "Ada"


def test_it_does_so_after_a_restart() -> None:
    register = Register()
    register.claim("Ada", ADAS)
    register.start_again()
    assert register.claim("ADA", BOBS) is None
    assert register.claim("ADA", ADAS) == "Ada"


def test_one_secret_may_have_several_names() -> None:
    register = Register()
    assert register.claim("Ada", ADAS) == "Ada"
    assert register.claim("Ada too", ADAS) == "Ada too"


def test_case_and_compatible_letters_make_no_other_name() -> None:
    register = Register()
    assert register.claim("Straße", ADAS) == "Straße"
    for look_alike in ("STRASSE", "strasse", "Ｓtraße"):
        assert register.claim(look_alike, BOBS) is None
        assert register.claim(look_alike, ADAS) == "Straße"


def test_the_name_that_was_unused_longest_is_free_again() -> None:
    register = Register(most=2)
    register.claim("Ada", ADAS)
    register.claim("Bob", BOBS)
    register.claim("Ada", ADAS)
    register.claim("Cy", "the secret of Cy")
    assert register.claim("Ada", BOBS) is None
    assert register.claim("Bob", ADAS) == "Bob"


def test_a_new_name_costs_the_same_however_many_are_in_use() -> None:
    register = Register(most=100)
    asked: list[str] = []

    def is_in_use(name: str) -> bool:
        asked.append(name)
        return name.startswith("used")

    register.names = Names(100, 180, register.ledger, register.clock, is_in_use)
    for number in range(100):
        register.names.claim(f"used{number}", ADAS)
    for number in range(40):
        asked.clear()
        register.names.claim(f"new{number}", BOBS)
        assert len(asked) <= MOST_LOOKED_AT
    assert sum(name.startswith("used") for name in register.ledger.kept) == 100
    assert len(register.ledger.kept) <= 100 + MOST_LOOKED_AT + 1


def test_a_name_in_use_is_never_forgotten() -> None:
    register = Register(most=2)
    register.in_use |= {"Ada", "Bob"}
    register.claim("Ada", ADAS)
    register.claim("Bob", BOBS)
    register.claim("Cy", "the secret of Cy")
    assert register.claim("Ada", BOBS) is None
    assert register.claim("Bob", ADAS) is None


def test_a_claim_that_fails_keeps_no_name_alive() -> None:
    register = Register(most=2)
    register.claim("Ada", ADAS)
    register.claim("Bob", BOBS)
    assert register.claim("Ada", BOBS) is None
    register.claim("Cy", "the secret of Cy")
    assert register.claim("Ada", BOBS) == "Ada"


def test_a_name_that_nobody_comes_with_is_free_in_the_end() -> None:
    register = Register()
    register.claim("Ada", ADAS)
    register.clock.advance(179 * DAY_S)
    assert register.claim("Ada", BOBS) is None
    register.claim("Ada", ADAS)
    register.start_again()
    register.clock.advance(179 * DAY_S)
    assert register.claim("Ada", BOBS) is None
    register.clock.advance(DAY_S)
    assert register.claim("ada", BOBS) == "ada"
    assert register.claim("Ada", ADAS) is None


def test_a_name_in_use_is_never_free() -> None:
    register = Register()
    register.in_use.add("Ada")
    register.claim("Ada", ADAS)
    register.clock.advance(1_000 * DAY_S)
    assert register.claim("Ada", BOBS) is None


def test_a_released_name_is_anybodys() -> None:
    register = Register()
    register.claim("Ada", ADAS)
    assert register.names.release("ADA") == "Ada"
    assert register.names.release("ADA") is None
    assert not register.ledger.kept
    assert register.claim("Ada", BOBS) == "Ada"


def test_secrets_are_not_kept() -> None:
    register = Register()
    register.claim("Ada", ADAS)
    assert ADAS not in repr(vars(register.names))
    assert ADAS not in repr(register.ledger.kept)


def test_a_released_name_is_the_next_ones() -> None:
    register = Register()
    register.claim("Ada", ADAS)
    assert register.names.release("aDA") == "Ada"
    assert register.names.release("Ada") is None
    assert register.claim("ADA", BOBS) == "ADA"
    assert register.claim("Ada", ADAS) is None


def test_in_use_it_is_written_as_before_or_its_seats_would_be_lost() -> None:
    register = Register()
    register.claim("Ada", ADAS)
    register.in_use.add("Ada")
    assert register.names.release("Ada") == "Ada"
    assert register.names.release("Ada") is None
    assert register.names.beginning_with("") == []
    register.start_again()
    assert register.claim("ADA", BOBS) == "Ada"
    assert register.claim("Ada", ADAS) is None
    assert [name.name for name in register.names.beginning_with("a")] == ["Ada"]


def test_a_name_is_known_once_it_is_somebodys() -> None:
    register = Register()
    assert not register.names.is_known("Ada")
    register.claim("Ada", ADAS)
    assert register.names.is_known("ADA")


def test_a_name_that_looks_like_one_in_use_is_refused_with_another_one() -> None:
    register = Register()
    register.claim("Paul", ADAS)
    code, said = register.names.mistake_in_claim("PauI") or ("", "")
    assert code == "looks_alike"
    assert str(said) == "PauI looks like Paul, who was here before: take PauI 2, for example"
    assert register.names.mistake_in_claim("PauI 2") is None
    assert register.names.mistake_in_claim("PAUL") is None  # the same name: the secret decides


def test_a_look_alike_that_is_free_again_is_no_obstacle() -> None:
    register = Register()
    register.claim("Paul", ADAS)
    register.names.release("Paul")
    assert register.names.mistake_in_claim("PauI") is None
    register.claim("Tom", ADAS)
    register.clock.advance(181 * DAY_S)
    assert register.names.mistake_in_claim("Torn") is None


def test_names_from_before_stay_with_their_owners() -> None:
    register = Register()
    old = ("Paul", "PauI", "Aurora", "Aurоra", "greedy", "2")
    for name in old:
        register.claim(name, ADAS)
    register.start_again()
    for name in old:
        assert register.names.mistake_in_claim(name) is None
        assert register.claim(name, ADAS) == name
    assert register.names.mistake_in_claim("Paul 2") is None
    assert register.names.mistake_in_claim("3") is not None


def test_a_name_that_another_server_gave_away_is_in_use_here() -> None:
    register = Register()
    theirs = NameRecord("paul", "Paul", b"digest", register.clock.now_ms())
    register.ledger.name_changed[0]("paul", theirs)
    assert register.names.mistake_in_claim("PauI") is not None
    register.ledger.name_changed[0]("paul", None)
    assert register.names.mistake_in_claim("PauI") is None
