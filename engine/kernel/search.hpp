// Exact play for two: null-window alpha-beta on the margin that is still to come.
//
// The value of a position is what the player to move wins from here on, less what the opponent
// wins, both playing best. Captures that are open are settled at once (`settle`), so a search
// only visits positions without any. Sources, by the names that comments use:
//   Berlekamp: The Dots and Boxes Game (2000)
//   BCG: Berlekamp, Conway & Guy, Winning Ways, chapter 16
//   Barker & Korf: Solving Dots-and-Boxes (AAAI 2012)
//   Buzzard & Ciere: Playing simple loony dots and boxes endgames optimally (2014)
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "board.hpp"
#include "table.hpp"

namespace kernel {

struct Stopped {};  // thrown through a search: nothing is stored on the way

// What is known of a value.
struct Bounds {
    int least, most;

    Bounds operator-() const { return {-most, -least}; }
    Bounds within(Bounds other) const {
        return {std::max(least, other.least), std::min(most, other.most)};
    }
    // A value has the parity of the number of boxes that are left.
    Bounds of_parity(int left) const {
        return {least + ((least ^ left) & 1), most - ((most ^ left) & 1)};
    }
    bool decide(int goal) const { return least >= goal || most < goal; }
    // The goal within these bounds that is nearest to another one; of their parity, or above it.
    int nearest(int goal) const {
        goal = std::clamp(goal, least + 1, most);
        return goal + ((goal ^ most) & 1);
    }
};

struct Outcome {
    Bounds value;
    std::vector<int> best{};   // edges known to reach value.least
    std::uint64_t nodes = 0;
    bool exact = false;        // least == most, and `best` has what was asked for
};

template <class Word> class Search {
  public:
    using Stop = std::function<bool()>;

    static constexpr int MOST_EDGES = CAPACITY<Word>;

    Search(int rows, int cols, std::size_t bytes)
        : board_(rows, cols), table_(bytes),
          most_moves_(std::min(MOST_MOVES, board_.edges * (board_.edges + 3) / 2)),
          moves_(std::make_unique_for_overwrite<Move[]>(most_moves_)) {}

    // The value of the position with this set of undrawn edges, and a best move or all of them.
    // Whether the value is at least `first_goal` is found out before anything else.
    Outcome solve(Word undrawn, bool all_moves, std::optional<int> first_goal, Stop stop) {
        begin(std::numeric_limits<std::uint64_t>::max(), std::move(stop));
        Outcome outcome{unknown(undrawn)};
        try {
            find_value(undrawn, first_goal, outcome);
            if (all_moves) find_moves(undrawn, outcome);
            outcome.exact = true;
        } catch (const Stopped&) {
        }
        std::sort(outcome.best.begin(), outcome.best.end());
        outcome.nodes = nodes_;
        return outcome;
    }

    // Bounds of the position's value that are on one side of `goal`. After so many nodes it is
    // given up; then they are no more than what can be said without a search.
    Bounds bounded(Word undrawn, int goal, std::uint64_t most_nodes) {
        begin(most_nodes, {});
        const Bounds unsearched = unknown(undrawn);
        if (unsearched.decide(goal)) return unsearched;
        try {
            return bounds(settle(board_.unpack(undrawn)), goal).within(unsearched);
        } catch (const Stopped&) {
            return unsearched;
        }
    }

    // How many positions the last call of `solve` or `bounded` searched.
    std::uint64_t nodes() const { return nodes_; }

    // The set of all edges of the board.
    Word edges() const {
        Word edges{};
        for (int edge = 0; edge < board_.edges; ++edge) edges |= single<Word>(edge);
        return edges;
    }

    std::size_t table_bytes() const { return table_.bytes(); }

  private:
    using Key = typename Board<Word>::Key;
    using Keys = typename Board<Word>::Keys;

    static constexpr int LATE = 2'000'000'000;  // beyond the rank of any edge
    static constexpr std::uint64_t NODES_BETWEEN_STOPS = 4096;
    // Beyond these it is stopped. On boards of up to 128 edges they aren't reached; on others they
    // bound the stack and the memory of searches that wouldn't come to an end in anybody's time.
    static constexpr int MOST_DEPTH = 128, MOST_MOVES = 1 << 14;
    static constexpr int MOST_STRINGS = Board<Word>::MOST_BOXES;

    // What follows from open captures, all of them taken but perhaps the last: the mover takes
    // `taken` and then moves in `rest`, or leaves the last `handover` boxes to the opponent,
    // who takes them and moves in `rest`: 2 of a chain, 4 of a loop, 0 where there is no such
    // choice. So with r the value of `rest` this is worth taken + max(r, -2 * handover - r)
    // (BCG's double-dealing; Barker & Korf's half-open chains).
    struct Captures {
        int taken, handover;

        Bounds bounds(Bounds r) const {
            const auto value = [this](int r) {
                return taken + (handover ? std::max(r, -2 * handover - r) : r);
            };
            const int least = handover ? std::clamp(-handover, r.least, r.most) : r.least;
            return {value(least), std::max(value(r.least), value(r.most))};
        }
    };

    struct Settled : Captures {
        Edges<Word> rest;
    };

    struct Drawn {  // what an edge leads to; if boxes were won, the same player moves on
        int won;
        Settled after;

        int goal_after(int goal) const { return won ? goal - won : 1 - goal; }
        Bounds before(Bounds r) const { return won ? Bounds{won + r.least, won + r.most} : -r; }
    };

    struct Move : Captures {  // with what it lets the opponent capture
        Edges<Word> drawn;
        int rank;
        Key key;
    };

    // The boxes with a side that isn't drawn.
    Word live(const Edges<Word>& free) const {
        return (free.across | free.across >> board_.stride | free.down | free.down >> 1) &
               board_.boxes;
    }

    int boxes_left(const Edges<Word>& free) const { return count(live(free)); }

    static void remove(Edges<Word>& free, const Edges<Word>& edges) {
        free.across &= ~edges.across;
        free.down &= ~edges.down;
    }

    // The boxes that lose their last side with these edges.
    int completed(const Edges<Word>& before, const Edges<Word>& edges) const {
        Edges<Word> after = before;
        remove(after, edges);
        return boxes_left(before) - boxes_left(after);
    }

    // Takes what can be taken.
    //
    // First what is safe to take: a capture whose edge leads to no box of degree two, or to one
    // that is about to be taken from its other side as well. Whoever passes it up can be copied
    // by one who takes it and is two boxes ahead (Barker & Korf). One at a time, because a
    // capture may turn a joint into a part of another chain. Then everything else: it makes no
    // difference in which order (Berlekamp), and the last two boxes of a chain or four of a
    // loop can be left. It is a chain if an edge leads out of what was taken, to the ground or
    // to a joint: that edge can be kept until the end.
    Settled settle(Edges<Word> free) const {
        int taken = 0;
        for (Word one = board_.degrees(free).one; one;) {
            const Word box = first_of(one);
            const Edges<Word> edge = board_.around(free, box);
            const Degrees<Word> degrees = board_.degrees(free);
            const Word next = board_.beside(free, box) & degrees.two;
            if (next && !(board_.beside(free, next) & degrees.one & ~box)) {
                one ^= box;
                continue;
            }
            taken += completed(free, edge);
            remove(free, edge);
            one = board_.degrees(free).one;
        }
        const Edges<Word> before = free;
        while (const Word one = board_.degrees(free).one) remove(free, board_.around(free, one));
        const Word captured = live(before) & ~live(free);
        if (!captured) return {{taken, 0}, free};
        const Edges<Word> drawn{before.across ^ free.across, before.down ^ free.down};
        return {{taken + count(captured), leads_out(drawn, captured) ? 2 : 4}, free};
    }

    // Whether one of the edges has only one of the boxes beside it.
    bool leads_out(const Edges<Word>& edges, Word boxes) const {
        return (edges.across & (boxes ^ boxes << board_.stride)) ||
               (edges.down & (boxes ^ boxes << 1));
    }

    // What can be said of the value without a search or the table.
    Bounds unknown(Word undrawn) const {
        const Settled root = settle(board_.unpack(undrawn));
        const int left = boxes_left(root.rest);
        return root.bounds({-left, left});
    }

    void begin(std::uint64_t most_nodes, Stop stop) {
        nodes_ = depth_ = used_moves_ = 0;
        most_nodes_ = most_nodes;
        pause_ = std::min(NODES_BETWEEN_STOPS, most_nodes);
        stop_ = std::move(stop);
    }

    void pause() {
        if (nodes_ >= most_nodes_ || (stop_ && stop_())) throw Stopped{};
        pause_ = std::min(nodes_ + NODES_BETWEEN_STOPS, most_nodes_);
    }

    // Narrows the bounds until they meet. A move that reaches `least` is always there as well.
    void find_value(Word undrawn, std::optional<int> first_goal, Outcome& outcome) {
        const Settled root = settle(board_.unpack(undrawn));
        Bounds& known = outcome.value;
        int goal = first_goal.value_or(root.taken + 1);
        while (known.least < known.most) {
            goal = known.nearest(goal);
            const Bounds found = bounds(root, goal).within(known).of_parity(known.most);
            if (found.least >= goal) outcome.best = {move_reaching(undrawn, found.least)};
            known = found;
            goal = found.least >= goal ? found.least + 1 : found.most;
        }
        if (outcome.best.empty() && undrawn) outcome.best = {move_reaching(undrawn, known.least)};
    }

    // An edge, in the caller's numbering, by which `goal` is reached; there is one. The search
    // that found this out has nearly always left in the table which one it is.
    int move_reaching(Word undrawn, int goal) {
        for (Word set = undrawn; set; set = without_first(set))
            if (is_known_to_reach(draw(undrawn, first_of(set)), goal)) return lowest(set);
        Word set = undrawn;
        while (!reaches(draw(undrawn, first_of(set)), goal)) set = without_first(set);
        return lowest(set);
    }

    // Every other edge, in the caller's numbering, that reaches the value as well.
    void find_moves(Word undrawn, Outcome& outcome) {
        const int known = outcome.best.empty() ? -1 : outcome.best.front();
        for (Word set = undrawn; set; set = without_first(set))
            if (lowest(set) != known && reaches(draw(undrawn, first_of(set)), outcome.value.least))
                outcome.best.push_back(lowest(set));
    }

    Drawn draw(Word undrawn, Word edge) const {
        const Edges<Word> after = board_.unpack(undrawn ^ edge);
        return {boxes_left(board_.unpack(undrawn)) - boxes_left(after), settle(after)};
    }

    bool reaches(const Drawn& edge, int goal) {
        return edge.before(bounds(edge.after, edge.goal_after(goal))).least >= goal;
    }

    bool is_known_to_reach(const Drawn& edge, int goal) const {
        return edge.before(edge.after.bounds(known(edge.after.rest))).least >= goal;
    }

    // What is known of the value of a position without captures.
    Bounds known(const Edges<Word>& free) const {
        const Degrees<Word> degrees = board_.degrees(free);
        if (!degrees.joints) {
            const int value = ending(free, degrees.two);
            return {value, value};
        }
        const int left = boxes_left(free);
        const auto* entry = table_.find(board_.canonical(board_.keys(free)));
        return entry ? Bounds{entry->least, entry->most} : Bounds{-left, left};
    }

    Bounds bounds(const Settled& position, int goal) {
        return bounds(position, position.rest, board_.keys(position.rest), goal);
    }

    // Bounds of the value of a position with open captures; they are on one side of `goal`.
    Bounds bounds(const Captures& what, const Edges<Word>& rest, const Keys& keys, int goal) {
        if (what.handover && what.taken - what.handover >= goal)
            return {what.taken - what.handover, 2 * Board<Word>::MOST_BOXES};
        const int taking = goal - what.taken;
        Bounds r = search(rest, keys, taking);
        if (what.handover && r.least < taking)
            r = search(rest, keys, what.taken - 2 * what.handover - goal + 1).within(r);
        return what.bounds(r);
    }

    // Bounds of the value of a position without captures; they are on one side of `goal`.
    Bounds search(const Edges<Word>& free, const Keys& keys, int goal) {
        const int left = boxes_left(free);
        Bounds known{-left, left};
        if (known.decide(goal)) return known;
        goal += (goal ^ left) & 1;
        const Degrees<Word> degrees = board_.degrees(free);
        if (!degrees.joints) {
            const int value = ending(free, degrees.two);
            return {value, value};
        }
        const Key key = board_.canonical(keys);
        if (const auto* entry = table_.find(key)) {
            known = {entry->least, entry->most};
            if (known.decide(goal)) return known;
        }
        if (nodes_ == pause_) pause();
        const std::uint64_t began = nodes_++;
        const int first = used_moves_;
        if (++depth_ > MOST_DEPTH || first + board_.edges > most_moves_) throw Stopped{};
        known = best_of_moves(free, keys, degrees, goal, left).within(known).of_parity(left);
        used_moves_ = first;
        --depth_;
        table_.store(key, known.least, known.most, nodes_ - began);
        return known;
    }

    Bounds best_of_moves(const Edges<Word>& free, const Keys& keys, const Degrees<Word>& degrees,
                         int goal, int left) {
        Move* const moves = &moves_[used_moves_];
        const int size = list_moves(free, degrees, moves);
        for (int i = 0; i < size; ++i) {
            Keys after = keys;
            board_.change(after, moves[i].drawn);
            moves[i].key = board_.canonical(after);
            table_.prefetch(moves[i].key);
        }
        // What the table knows of the children comes before any of them is searched.
        int kept = 0, most = -left;
        for (int i = 0; i < size; ++i) {
            const int after = left - moves[i].taken;
            const auto* entry = table_.find(moves[i].key);
            const Bounds known =
                -moves[i].bounds(entry ? Bounds{entry->least, entry->most} : Bounds{-after, after});
            if (known.least >= goal) return {known.least, left};
            if (known.most < goal)
                most = std::max(most, known.most);
            else
                moves[kept++] = moves[i];
        }
        std::sort(moves, moves + kept,
                  [](const Move& a, const Move& b) { return a.rank < b.rank; });
        used_moves_ += kept;
        for (int i = 0; i < kept; ++i) {
            Edges<Word> rest = free;
            remove(rest, moves[i].drawn);
            Keys after = keys;
            board_.change(after, moves[i].drawn);
            const Bounds found = -bounds(moves[i], rest, after, 1 - goal);
            if (found.least >= goal) return {found.least, left};
            most = std::max(most, found.most);
        }
        return {-left, most};
    }

    // The moves worth a look. Of each chain or loop one edge stands for all: whichever is drawn,
    // the rest is the same. In a chain of two it is the middle one, which leaves the opponent
    // no choice (Berlekamp's hard-hearted handout).
    //
    // Of the isolated chains of three or more only a shortest is opened, of the isolated loops
    // only a shortest, of chains of one and of two any: a box more in an isolated chain or loop
    // changes the value of any position by at most one (induction over the moves), so who opens
    // the shorter loses nothing (Buzzard & Ciere for positions of nothing else).
    int list_moves(const Edges<Word>& free, const Degrees<Word>& degrees, Move* moves) const {
        int size = 0;
        Word two = degrees.two;
        const Edges<Word> unsafe = board_.around(free, two);
        add_neutral(free, free.across & ~unsafe.across, board_.across_at, true, moves, size);
        add_neutral(free, free.down & ~unsafe.down, board_.down_at, false, moves, size);
        std::array<Chain<Word>, 4> shortest{};  // isolated: of one, of two, longer, loop
        while (two) {
            const Chain<Word> chain = board_.chain(free, two);
            if (chain.isolated) {
                auto& known = shortest[chain.loop ? 3 : std::min(chain.length, 3) - 1];
                if (!known.length || chain.length < known.length) known = chain;
            } else {
                moves[size++] = opening(free, chain);
            }
        }
        for (const auto& chain : shortest)
            if (chain.length) moves[size++] = opening(free, chain);
        return size;
    }

    void add_neutral(const Edges<Word>& free, Word set, const std::vector<int>& edge_at, bool flat,
                     Move* moves, int& size) const {
        for (; set; set = without_first(set)) {
            const int edge = edge_at[lowest(set)];
            const int first = board_.before[edge];
            if (first >= 0) {
                const Word other = single<Word>(board_.place[first]);
                if ((first < board_.horizontals ? free.across : free.down) & other) continue;
            }
            const Word bit = first_of(set);
            moves[size++] = {{0, 0}, flat ? Edges<Word>{bit, {}} : Edges<Word>{{}, bit},
                             board_.off_centre[edge], 0};
        }
    }

    Move opening(const Edges<Word>& free, const Chain<Word>& chain) const {
        const int handover = chain.loop ? 4 : chain.length > 2 ? 2 : 0;
        const int rank = (chain.length < 3 ? -LATE : LATE) + chain.length;
        Move move{{chain.length, handover}, board_.around(free, chain.boxes), rank, 0};
        if (chain.isolated) return move;
        Edges<Word> rest = free;
        remove(rest, move.drawn);
        // A chain from a joint of degree three back to it takes the joint with it, and what
        // follows. The edge out of that can be left to the end.
        while (const Word one = board_.degrees(rest).one) {
            const Edges<Word> edges = board_.around(rest, one);
            move.taken += completed(rest, edges);
            move.drawn.across |= edges.across;
            move.drawn.down |= edges.down;
            remove(rest, edges);
        }
        return move;
    }

    // The value when only chains and loops are left that touch nothing else. To open a shortest
    // chain or a shortest loop is best (Buzzard & Ciere), so the positions that can come up
    // differ by how many of each were opened. With r the value of the rest, opening a chain of
    // one is worth -(1 + r), of two in the middle -(2 + r), of n -(n - 2 + |2 + r|), a loop
    // -(n - 4 + |4 + r|).
    int ending(const Edges<Word>& free, Word two) const {
        std::array<int, MOST_STRINGS> chains, loops;
        int n_chains = 0, n_loops = 0;
        while (two) {
            const Chain<Word> chain = board_.chain(free, two);
            (chain.loop ? loops[n_loops++] : chains[n_chains++]) = chain.length;
        }
        std::sort(chains.begin(), chains.begin() + n_chains, std::greater<>());
        std::sort(loops.begin(), loops.begin() + n_loops, std::greater<>());
        std::array<int, MOST_STRINGS + 1> value{};  // for the longest `i` loops and, at last, all chains
        for (int c = 0; c <= n_chains; ++c)
            for (int l = 0; l <= n_loops; ++l) {
                int best = c || l ? std::numeric_limits<int>::min() : 0;
                if (c) best = open_chain(chains[c - 1], value[l]);
                if (l) best = std::max(best, 4 - loops[l - 1] - std::abs(4 + value[l - 1]));
                value[l] = best;
            }
        return value[n_loops];
    }

    static int open_chain(int length, int r) {
        return length < 3 ? -(length + r) : 2 - length - std::abs(2 + r);
    }

    Board<Word> board_;
    Table<Key> table_;
    Stop stop_;
    std::uint64_t nodes_ = 0, pause_ = 0, most_nodes_ = 0;
    int depth_ = 0;
    // The moves of all positions that are being searched, one list behind the other.
    int used_moves_ = 0, most_moves_;
    std::unique_ptr<Move[]> moves_;
};

}  // namespace kernel
