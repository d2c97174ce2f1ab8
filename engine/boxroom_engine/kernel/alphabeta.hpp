// Null-window alpha-beta over a graph of strings, with a table of what is known.
//
// Positions without captures only: what a move lets the opponent capture is settled with it. The
// sources are those of search.hpp.
#pragma once

#include <algorithm>
#include <bit>
#include <limits>
#include <memory>

#include "bounds.hpp"
#include "graph.hpp"
#include "history.hpp"
#include "stop.hpp"
#include "table.hpp"

namespace kernel {

struct Stopped {};  // thrown through a search: nothing is stored on the way

class AlphaBeta {
  public:
    // Edges have records numbered below `records`; the table takes up to so many bytes.
    AlphaBeta(Graph graph, int records, std::size_t bytes)
        : graph_(std::move(graph)), table_(bytes), history_(KINDS + records),
          moves_(std::make_unique_for_overwrite<Move[]>(MOST_MOVES)),
          ranks_(std::make_unique_for_overwrite<Rank[]>(MOST_MOVES)) {}

    // To be filled with the position that `search` and `known` are about.
    Graph& graph() { return graph_; }

    // Ends all searches from now on after so many nodes, or when `stop` says so.
    void begin(std::uint64_t most_nodes, const Stop& stop) {
        nodes_ = depth_ = used_moves_ = 0;
        most_nodes_ = most_nodes;
        pause_ = std::min(NODES_BETWEEN_STOPS, most_nodes);
        stop_ = stop;
    }

    std::uint64_t nodes() const { return nodes_; }
    Table& table() { return table_; }

    // What is known of the value without a search.
    Bounds known() const {
        return remembered(graph_.key()).within(without_search());
    }

    // Bounds of the value with captures before, for `player`, 0 or 1; they are on one side of `goal`.
    Bounds search(const Captures& captures, int goal, int player) {
        if (captures.handover && captures.taken - captures.handover >= goal)
            return {captures.taken - captures.handover, captures.taken + graph_.summary().left};
        const int taking = goal - captures.taken;
        Bounds r = search(taking, player);
        if (captures.handover && r.least < taking)
            r = search(captures.taken - 2 * captures.handover - goal + 1, 1 - player).within(r);
        return captures.bounds(r);
    }

  private:
    static constexpr int LONG = 3;     // boxes of a long string, or more
    static constexpr int LATE = 4096;  // more than a board has edges, or a string boxes
    static constexpr std::uint64_t NODES_BETWEEN_STOPS = 1024;
    // Beyond these it is stopped, which happens on large boards only: they bound the stack and the
    // memory of searches that wouldn't come to an end in anybody's time.
    static constexpr int MOST_DEPTH = 128, MOST_MOVES = 1 << 14;
    static constexpr int FEW_JOINTS = 6;  // or fewer: long strings are opened last
    static constexpr int LAG = 4;  // children
    static constexpr int MOST_LISTED = 4;  // openings of isolated strings

    // A string to cut, with what it lets the opponent capture.
    struct Cut : Captures {
        int end;     // or CHAIN, LOOP
        int record;  // in the history
        int late;    // how late it is tried, if nothing else is known
    };
    struct Move : Cut {
        Bounds known;  // of what it leads to, without a search or the table
        Key key;
        int short_strings;  // in what it leads to
    };
    // When to try a move, and its number: the greatest is tried first.
    using Rank = std::uint64_t;
    static constexpr int CHAIN = -1, LOOP = -2;
    // Of isolated strings: chains of one, of two, long ones, loops. They have the first records.
    static constexpr int KINDS = 4;
    // How much better the odds of a move are for each short string that it leaves the opponent less,
    // who then has fewer moves that could refute it.
    static constexpr float SHORT_STRING = 1.65F;

    // Bounds of the value; they are on one side of `goal`.
    Bounds search(int goal, int player) {
        const int left = graph_.summary().left;
        goal += (goal ^ left) & 1;
        Bounds known = without_search();
        if (known.decide(goal)) return known;
        const Key key = graph_.key();
        known = remembered(key).within(known);
        if (known.decide(goal)) return known;
        if (nodes_ == pause_) pause();
        const std::uint64_t began = nodes_++;
        if (++depth_ > MOST_DEPTH ||
            used_moves_ + graph_.most_strings() + MOST_LISTED > MOST_MOVES)
            throw Stopped{};
        known = best_of_moves(goal, left, player).within(known).of_parity(left);
        --depth_;
        table_.store(key, known, nodes_ - began);
        return known;
    }

    void pause() {
        if (nodes_ >= most_nodes_ || stop_(nodes_)) throw Stopped{};
        pause_ = std::min(nodes_ + NODES_BETWEEN_STOPS, most_nodes_);
    }

    // Long strings are seldom opened while there are other moves. So towards the end, where most
    // positions are, they are listed and looked up only if nothing else reaches the goal.
    Bounds best_of_moves(int goal, int left, int player) {
        Move* const moves = &moves_[used_moves_];
        const bool at_once = graph_.summary().joints > FEW_JOINTS;
        int size = list_short(moves);
        if (at_once) size += list_long(moves + size);
        int best = best_of(moves, size, goal, player, -left);
        if (best < goal && !at_once) best = best_of(moves, list_long(moves), goal, player, best);
        return best < goal ? Bounds{-left, best} : Bounds{best, left};
    }

    // A bound of what the best of these moves leads to, or one before them, whose bound is `best`:
    // a lower bound if it reaches the goal, else an upper one.
    int best_of(Move* moves, int size, int goal, int player, int best) {
        const Graph::Mark here = graph_.mark();
        // What the table knows of the children comes before any of them is searched. It is asked
        // a few children late, when the memory has had time to answer.
        int kept = 0;
        for (int i = 0; i < size + LAG; ++i) {
            if (i < size) look_ahead(moves[i], here);
            if (i < LAG) continue;
            const Move& move = moves[i - LAG];
            const Bounds known = -move.bounds(known_after(move));
            if (known.least >= goal) return known.least;
            if (known.most < goal)
                best = std::max(best, known.most);
            else if (const int at = kept++; at != i - LAG)
                moves[at] = move;
        }
        const int first = used_moves_;
        Rank* const ranks = &ranks_[first];
        rank(moves, kept, player, ranks);
        used_moves_ += kept;
        for (int i = 0; i < kept && best < goal; ++i) {
            // Most lists are left after a move or two, so they aren't sorted.
            bring_forward_first(ranks + i, kept - i);
            Move& move = moves[ranks[i] % MOST_MOVES];
            const std::uint64_t began = nodes_;
            play(move);
            const Bounds found = -search(move, 1 - goal, 1 - player);
            graph_.undo(here);
            const bool reached = found.least >= goal;
            history_.add(player, move.record, reached, nodes_ - began);
            best = std::max(best, reached ? found.least : found.most);
        }
        used_moves_ = first;
        return best;
    }

    // Ranks by the odds of reaching the goal, then by how late a move is tried otherwise. The odds
    // are positive, and the bits of positive floating-point numbers are in the numbers' order.
    void rank(const Move* moves, int size, int player, Rank* ranks) const {
        const int short_strings = graph_.summary().short_strings;
        for (int i = 0; i < size; ++i) {
            const float odds = history_.odds(player, moves[i].record) *
                               with_fewer(short_strings - moves[i].short_strings);
            const auto early = static_cast<Rank>(2 * LATE - moves[i].late);
            ranks[i] = Rank{std::bit_cast<std::uint32_t>(odds)} << 32 | early * MOST_MOVES | i;
        }
    }

    // Exchanges the greatest of the ranks and the first of them. Without a jump: which of them is the
    // greatest can't be predicted.
    static void bring_forward_first(Rank* ranks, int size) {
        int at = 0;
        Rank greatest = ranks[0];
        for (int i = 1; i < size; ++i) {
            at = ranks[i] > greatest ? i : at;
            greatest = std::max(greatest, ranks[i]);
        }
        ranks[at] = ranks[0];
        ranks[0] = greatest;
    }

    // What so many short strings less multiply the odds of a move by; more of them, if negative.
    static float with_fewer(int short_strings) {
        float factor = 1;
        for (; short_strings > 0; --short_strings) factor *= SHORT_STRING;
        for (; short_strings < 0; ++short_strings) factor /= SHORT_STRING;
        return factor;
    }

    // Finds out what a move leads to, and has the table's answer on its way, if there can be one.
    void look_ahead(Move& move, const Graph::Mark& here) {
        play(move);
        move.known = without_search();
        if (!move.known.is_exact()) {
            move.key = graph_.key();
            table_.prefetch(move.key);
        }
        move.short_strings = graph_.summary().short_strings;
        graph_.undo(here);
    }

    Bounds known_after(const Move& move) const {
        return move.known.is_exact() ? move.known : remembered(move.key).within(move.known);
    }

    Bounds without_search() const {
        const int left = graph_.summary().left;
        return graph_.summary().joints ? Bounds{-left, left} : ending();
    }

    Bounds remembered(const Key& key) const {
        const auto* entry = table_.find(key);
        return entry ? entry->bounds() : Bounds::any();
    }

    // Leaves the graph as it is when the move was made and all was captured.
    void play(Move& move) {
        if (move.end == CHAIN)
            graph_.open_chain(move.taken);
        else if (move.end == LOOP)
            graph_.open_loop(move.taken);
        else
            move.taken = graph_.cut(move.end);
    }

    // The moves worth a look. Of each string one edge stands for all: whichever is drawn, the rest
    // is the same. In a chain of two it is the middle one, which leaves the opponent no choice
    // (Berlekamp's hard-hearted handout). A string without boxes is a neutral edge.
    //
    // Of the isolated chains of three or more only a shortest is opened, of the isolated loops
    // only a shortest, of chains of one and of two any: a box more in an isolated chain or loop
    // changes the value of any position by at most one (induction over the moves), so who opens
    // the shorter loses nothing (Buzzard & Ciere for positions of nothing else).
    int list_short(Move* moves) const {
        int size = 0;
        const auto add = [&](const Cut& cut) { static_cast<Cut&>(moves[size++]) = cut; };
        graph_.each_string(0, LONG - 1, [&](int end, int length) {
            const auto [record, late] = graph_.edge(end);
            add({{length, 0}, end, KINDS + record, length ? length : LONG + late});
        });
        for (const int length : {1, 2})
            if (graph_.chains(length)) add({{length, 0}, CHAIN, length - 1, length});
        return size;
    }

    int list_long(Move* moves) const {
        int size = 0;
        const auto add = [&](int length, int handover, int end, int record) {
            static_cast<Cut&>(moves[size++]) = {{length, handover}, end, record, LATE + length};
        };
        graph_.each_string(LONG, graph_.longest(), [&](int end, int length) {
            add(length, 2, end, KINDS + graph_.edge(end).record);
        });
        if (graph_.summary().long_chains) add(graph_.shortest_chain(), 2, CHAIN, 2);
        if (graph_.summary().loops) add(graph_.shortest_loop(), 4, LOOP, 3);
        return size;
    }

    // The value when only chains and loops are left. To open a shortest chain or a shortest loop
    // is best (Buzzard & Ciere), so the positions that can come up differ by how many of each were
    // opened. With r the value of the rest, opening a chain of one is worth -(1 + r), of two in
    // the middle -(2 + r), of n -(n - 2 + |2 + r|), a loop -(n - 4 + |4 + r|).
    Bounds ending() const {
        values_.assign(graph_.summary().loops + 1, 0);  // for the longest 0, 1 ... loops
        open_loops(0);
        for (int length = graph_.longest(); length > 0; --length)
            for (int chain = 0; chain < graph_.chains(length); ++chain) open_loops(length);
        return {values_.back(), values_.back()};
    }

    // Adds a chain, if its length isn't 0, to what `values_` are about.
    void open_loops(int chain) const {
        if (chain) values_[0] = open_chain(chain, values_[0]);
        std::size_t i = 1;
        for (int length = graph_.longest(); i < values_.size(); --length)
            for (int loop = 0; loop < graph_.loops(length); ++loop, ++i) {
                const int opened = 4 - length - std::abs(4 + values_[i - 1]);
                values_[i] = chain ? std::max(open_chain(chain, values_[i]), opened) : opened;
            }
    }

    static int open_chain(int length, int r) {
        return length < 3 ? -(length + r) : 2 - length - std::abs(2 + r);
    }

    Graph graph_;
    Table table_;
    History history_;
    Stop stop_;
    std::uint64_t nodes_ = 0, pause_ = 0, most_nodes_ = 0;
    int depth_ = 0;
    // The moves of all positions that are being searched, one list behind the other.
    int used_moves_ = 0;
    std::unique_ptr<Move[]> moves_;
    std::unique_ptr<Rank[]> ranks_;
    mutable std::vector<int> values_;
};

}  // namespace kernel
