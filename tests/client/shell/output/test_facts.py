"""Findings of a review as sentences."""

from msgspec import to_builtins
from msgspec.structs import replace
from tests.cases import each

from boxroom_client.shell.output.facts import finding_in_short, finding_sentences, loss_key
from boxroom_engine.games.dots.abilities import ABILITIES
from boxroom_engine.games.dots.theory.control import Handout
from boxroom_engine.games.dots.theory.facts import Opens, Shape, Waits
from boxroom_engine.games.protocol import Seat
from boxroom_engine.review.review import Finding, Review

FINDING = Finding(
    number=31,
    seat=0,
    move="v10",
    lost=16.0,
    exact=True,
    facts=(to_builtins(Opens(Shape.CHAIN, 3, 3, None, had_neutral=False)),),
    better="h24",
    better_facts=(
        to_builtins(Opens(Shape.CHAIN, 1, 1, Handout.SINGLE, had_neutral=False)),
        to_builtins(Waits(None)),
    ),
)


def test_a_finding_is_told_in_one_or_two_sentences() -> None:
    assert finding_in_short(FINDING, "Bob") == (
        "Move 31: Bob lost 16 of the margin with v10; h24 was better."
    )
    assert finding_sentences(FINDING, "lost_game", None, ABILITIES.facts) == (
        "You lost the game with v10, move 31: it gives away 3 boxes (opens a chain of 3)."
        " h24 was better: it gives away a box (a handout)"
        " and is safe: nobody can take a box after it (neutral)."
    )


def test_facts_of_a_newer_server_are_left_out() -> None:
    newer = {"fact": "twirls", "times": 2}, {"fact": "takes", "boxes": "many"}
    finding = replace(FINDING, facts=(*newer, *FINDING.facts), better_facts=newer)
    assert finding_sentences(finding, "lost_most", None, ABILITIES.facts) == (
        "You lost most with v10, move 31: it gives away 3 boxes (opens a chain of 3)."
        " h24 was better."
    )


@each(
    "turning_point, winners, key",
    [
        (31, (1,), "lost_game"),
        (31, (0, 1), "lost_win"),
        (None, (1,), "lost_most"),
        (30, (0, 1), "lost_most"),
        (None, (0,), "lost_most"),
    ],
)
def test_only_a_turning_point_lost_the_game(
    turning_point: int | None, winners: tuple[Seat, ...], key: str
) -> None:
    review = Review((FINDING,), 1, turning_point)
    assert loss_key(review, FINDING, winners) == key


def test_an_estimate_says_that_it_is_one() -> None:
    estimate = replace(FINDING, lost=2.5, exact=False)
    assert "lost about 2 of the margin" in finding_in_short(estimate, None)
