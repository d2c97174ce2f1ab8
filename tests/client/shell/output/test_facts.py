"""Findings of a review as sentences."""

from msgspec import to_builtins
from msgspec.structs import replace
from tests.cases import each
from tests.engine.room.hosting import playing

from boxroom_client.shell.output.facts import (
    finding_in_short,
    finding_sentences,
    review_in_words,
)
from boxroom_engine.games.dots.abilities import ABILITIES
from boxroom_engine.games.dots.theory.control import Handout
from boxroom_engine.games.dots.theory.facts import FirstOpened, Gets, Opens, Shape, Waits
from boxroom_engine.review.review import Effect, Finding, Review

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
        to_builtins(Waits()),
        to_builtins(FirstOpened(by_mover=False, shape=Shape.CHAIN, boxes=10)),
        to_builtins(Gets(17, 5)),
    ),
    effect=Effect.LOST_GAME,
)


def test_a_finding_is_told_in_one_or_two_sentences() -> None:
    assert finding_in_short(FINDING, "Bob") == (
        "Move 31: Bob lost 8 boxes with v10; h24 was better."
    )
    assert finding_sentences(FINDING, None, ABILITIES.facts) == (
        "You lost the game with v10, move 31: it gives away 3 boxes (opens a chain of 3)."
        " h24 was better: it gives away a box (a handout)"
        " and is safe: nobody can take a box after it (neutral)."
        " After h24 the other player must open the next long chain (10 boxes):"
        " you get 17 more boxes, the other player 5."
    )
    assert "After h24 the other player must open" in finding_sentences(
        FINDING, "Bob", ABILITIES.facts
    )


def test_facts_of_a_newer_server_are_left_out() -> None:
    newer = {"fact": "twirls", "times": 2}, {"fact": "takes", "boxes": "many"}
    finding = replace(FINDING, facts=(*newer, *FINDING.facts), better_facts=newer)
    assert finding_sentences(finding, None, ABILITIES.facts) == (
        "You lost the game with v10, move 31: it gives away 3 boxes (opens a chain of 3)."
        " h24 was better."
    )


@each(
    "effect, words",
    [
        (Effect.LOST_WIN, "You turned a win into a draw with v10"),
        (Effect.LOST_RESULT, "You gave away a better result with v10"),
        (Effect.LOST_BOXES, "You lost boxes with v10"),
        (Effect.LOST_ANYWAY, "You lost boxes with v10"),
    ],
)
def test_only_the_last_change_of_the_winner_lost_the_game(effect: Effect, words: str) -> None:
    told = finding_sentences(replace(FINDING, effect=effect), None, ABILITIES.facts)
    assert told.startswith(words)


def test_an_estimate_says_that_it_is_one() -> None:
    estimate = replace(FINDING, lost=2.5, exact=False)
    assert "lost about a box with" in finding_in_short(estimate, None)


def told(review: Review, opening: int = 0) -> str:
    """Return the review of Ada's game, which began with so many moves, in words for her."""
    hosted = playing()
    hosted.plays("Ada", "h0")
    hosted.plays("Bob", "v0")
    room = hosted.room
    room = replace(room, settings=replace(room.settings, opening=room.tokens[:opening]))
    return " ".join(review_in_words(review, room, "Ada", every=False))


def test_moves_that_were_played_before_arent_called_too_early() -> None:
    assert "Move 1 isn't judged: it is too early." in told(Review((), 2))
    text = told(Review((), 2, behind=0), opening=1)
    assert "The first move was played before." in text
    assert "The other player could win from the start" in text
    assert "too early" not in text
    text = told(Review((), 3, behind=0), opening=1)
    assert "You were behind at move 3 already" in text
    assert "Move 2 isn't judged: it is too early." in text


def test_findings_that_changed_nothing_arent_said_to_cost_less_than_others() -> None:
    anyway = replace(FINDING, effect=Effect.LOST_ANYWAY)
    assert "A move cost boxes, but changed nothing: /review all tells it." in told(
        Review((anyway,), 1, behind=0)
    )
