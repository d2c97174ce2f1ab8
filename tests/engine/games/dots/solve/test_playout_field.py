"""The field against what the theory says of the same position, and endings against plain max^n."""

import random
from functools import cache

from hypothesis import given
from hypothesis import strategies as st
from tests.engine.games.dots.boards import (
    critical_position,
    drawn_but,
    drawn_in,
    endgame_position,
    positions,
    still_positions,
)

from boxroom_engine.games.dots import Border, Dots, Position
from boxroom_engine.games.dots.play.offers import offer_in
from boxroom_engine.games.dots.solve.playout_field import (
    Field,
    PlayoutString,
    final_shares,
)
from boxroom_engine.games.dots.theory.captures import (
    after_taking_all,
    captures,
    captures_after,
    degrees,
    neutral,
)
from boxroom_engine.games.dots.theory.endgame import Opening, endgame_value, opening_value
from boxroom_engine.games.dots.theory.strings import Chain, Loop, parts_of

Lengths = tuple[int, ...]
Shares = tuple[int, ...]


def field_of(position: Position) -> Field:
    field = Field(position.game.grid)
    for edge in drawn_in(position):
        field.draw(edge)
    return field


@st.composite
def tables(draw: st.DrawFn) -> Dots:
    """A board for two to five players."""
    size = st.integers(2, 7)
    return Dots(draw(size), draw(size), draw(st.sampled_from(Border)), draw(st.integers(2, 5)))


class TestField:
    @given(positions())
    def test_it_is_the_position_box_by_box(self, position: Position) -> None:
        field = field_of(position)
        assert field.undrawn() == position.game.grid.all_drawn ^ position.edges
        assert tuple(field.degree) == degrees(position)
        assert field.neutral() == list(neutral(position))

    @given(positions())
    def test_all_that_is_on_offer_can_be_taken(self, position: Position) -> None:
        field = field_of(position)
        taken = sum(field.take_from(edge)[0] for edge in drawn_in(position))
        assert taken == len(captures(position))
        rest = after_taking_all(position)
        assert field.undrawn() == position.game.grid.all_drawn ^ rest.edges

    def test_a_copy_is_changed_alone(self) -> None:
        field = Field(Dots(2, 2, Border.NONE, 2).grid)
        copy = field.copy()
        copy.draw(0)
        assert list(copy.degree) == [3, 4, 4, 4]
        assert list(field.degree) == [4, 4, 4, 4]
        assert 0 in field.neutral()


class TestStrings:
    @given(still_positions())
    def test_they_are_the_chains_and_loops(self, position: Position) -> None:
        parts = parts_of(position)
        strings: list[Chain | Loop] = [*parts.chains, *parts.loops]
        theirs = sorted(strings, key=lambda string: min(string.boxes))
        found = field_of(position).strings()
        assert [string.length for string in found] == [string.length for string in theirs]
        for string, other in zip(found, theirs, strict=True):
            assert string.opening in other.edges

    @given(still_positions())
    def test_opening_one_takes_what_follows(self, position: Position) -> None:
        grid, field = position.game.grid, field_of(position)
        for string in field.strings():
            after = field.copy()
            opened = after.open(string.opening)
            assert opened.boxes == captures_after(grid, position.edges, string.opening)
            taken = after_taking_all(position.play(grid.moves[string.opening]))
            assert after.undrawn() == grid.all_drawn ^ taken.edges
            offer = offer_in(position.play(grid.moves[string.opening]))
            assert offer is not None
            assert opened.declinable == (offer.declined or 0)

    def test_a_chain_of_two_is_opened_in_the_middle(self) -> None:
        position = drawn_but(1, 2, "v0 v1 v2")
        (string,) = field_of(position).strings()
        assert string == PlayoutString(2, position.game.parse_move("v1"))
        assert field_of(position).open(string.opening) == Opening(2, 0)

    def test_a_loop_is_opened_as_one(self) -> None:
        field = field_of(drawn_but(2, 2, "v1 h2 h3 v4"))
        (string,) = field.strings()
        assert field.open(string.opening) == Opening(4, 4)

    def test_a_chain_back_to_its_joint_takes_the_joint_with_it(self) -> None:
        # Boxes 1, 2 and 3 lead from box 0 around to it; its third edge leads to the ground.
        field = field_of(drawn_but(2, 2, "h0 v1 h2 h3 v4"))
        (string,) = field.strings()
        assert string.length == 3
        assert field.open(string.opening) == Opening(4, 2)


@cache
def best_shares(players: int, chains: Lengths, loops: Lengths) -> Shares:
    """The boxes of each, from the player to open one, if each wants boxes, then to be ahead.

    Open the shortest chain or the shortest loop; equals are decided for the chain, and for taking
    all.
    """
    ways = []
    if chains:
        rest = best_shares(players, chains[1:], loops)
        ways.append(taken_or_left(chains[0], 2 if chains[0] > 2 else 0, rest))
    if loops:
        ways.append(taken_or_left(loops[0], 4, best_shares(players, chains, loops[1:])))
    return max(ways, key=lambda shares: wish(shares, 0), default=(0,) * players)


def taken_or_left(boxes: int, left: int, rest: Shares) -> Shares:
    """The next player takes all and opens the rest, or leaves the last to the one after."""
    players = len(rest)
    take = {(1 + seat) % players: share for seat, share in enumerate(rest)}
    take[1] += boxes
    leave = {(2 + seat) % players: share for seat, share in enumerate(rest)}
    leave[1] += boxes - left
    leave[2 % players] += left
    ways = [take, leave] if left else [take]
    return max(
        (tuple(way[seat] for seat in range(players)) for way in ways),
        key=lambda shares: wish(shares, 1),
    )


def wish(shares: Shares, player: int) -> tuple[int, int]:
    others = [share for seat, share in enumerate(shares) if seat != player]
    return shares[player], shares[player] - max(others)


class TestFinalShares:
    @given(tables(), st.integers(0, 2**32))
    def test_every_box_goes_to_somebody(self, game: Dots, seed: int) -> None:
        field = field_of(critical_position(game, random.Random(seed)))
        left = sum(degree > 0 for degree in field.degree)
        shares = final_shares(field, game.seats)
        assert len(shares) == game.seats
        assert min(shares) >= 0
        assert sum(shares) == left

    @given(tables(), st.integers(0, 2**32))
    def test_for_two_it_is_exact_without_joints(self, game: Dots, seed: int) -> None:
        position = endgame_position(Dots(game.rows, game.cols, game.border, 2), random.Random(seed))
        own, other = final_shares(field_of(position), 2)
        assert own - other == endgame_value(position)

    @given(tables(), st.integers(0, 2**32))
    def test_chains_and_loops_alone_go_to_who_wants_most(self, game: Dots, seed: int) -> None:
        position = endgame_position(game, random.Random(seed))
        parts = parts_of(position)
        chains, loops = (
            tuple(sorted(string.length for string in strings))
            for strings in (parts.chains, parts.loops)
        )
        shares = best_shares(game.seats, chains, loops)
        assert tuple(final_shares(field_of(position), game.seats)) == shares
        if game.seats == 2:
            assert shares[0] - shares[1] == opening_value(chains, loops)

    def test_three_at_a_chain_take_all_of_it(self) -> None:
        # The one who would get the next chain is the third, not the one who declines.
        two_chains = drawn_but(2, 3, "v0 v1 v2 v3 v4 v5 v6 v7")
        assert final_shares(field_of(two_chains), 2) == [2, 4]
        assert final_shares(field_of(two_chains), 3) == [0, 3, 3]

    def test_shortest_first_around_a_joint(self) -> None:
        # Boxes 0, 2 and 3 are chains of one around box 1; when one is taken, three are a chain.
        assert final_shares(field_of(drawn_but(2, 3, "v0 v1 v2 v3 h4 h7")), 2) == [3, 1]
