// A position without captures as joints and strings: what the search moves on.
//
// Boxes of degree three or four are joints. A string is a row of boxes of degree two, or of none
// (then it is a single edge), between two joints, or from a joint to the ground, or from a joint
// back to it. What touches no joint is isolated: chains from ground to ground, and loops. Which
// way a string runs, and where an isolated one lies, makes no difference to what the position is
// worth (BCG's "strings and coins"): positions that differ by no more than that are one here.
//
// Nor do two isolated chains of one box make a difference, or two of two boxes, so they are left
// out: who gains without them plays as if they weren't there, and answers the opening of one by
// taking it and opening the other, in the middle, which leaves the opponent no choice. Each gets
// one of them, and it is the same player's turn as before. To pass the boxes up is no better
// (Barker & Korf). Once nothing else is left, the two are worth 0.
//
// Every move cuts a string. The joints at its ends become parts of other strings if they have
// degree two then. All this is done in place and can be undone.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "keys.hpp"

namespace kernel {

class Graph {
  public:
    // What belongs to all of the position.
    struct Summary {
        int left = 0;  // boxes, but for chains that cancel
        int joints = 0, long_chains = 0, loops = 0;
        int short_strings = 0;  // at joints, of fewer than three boxes
        Keys::Numbers sums{};
    };

    // For boards of so many boxes.
    Graph(int boxes, Keys keys) : boxes_(boxes), keys_(std::move(keys)) {}

    Keys& keys() { return keys_; }

    // Empties it, for a position of so many joints.
    void clear(int joints) {
        summary_ = {};
        changes_ = 0;
        ground_end_ = 4 * joints;
        place_of_.assign(4 * joints + 4, keys_.ground());
        edges_.assign(4 * joints, {});
        chains_at_ = ground_end_ + 4;
        loops_at_ = chains_at_ + boxes_ + 1;
        alive_at_ = loops_at_ + boxes_ + 1;
        cells_.assign(alive_at_ + joints / 32 + 1, {});
        std::fill_n(cells_.begin(), ground_end_, Cell{GONE, 0});
        std::fill_n(cells_.begin() + ground_end_, 4, string(ground_end_, 0));
        before_.resize(16 * cells_.size());
    }

    void add_joint(int box) {
        const int joint = summary_.joints++;
        std::fill_n(place_of_.begin() + 4 * joint, 4, box);
        flip(joint);
        ++summary_.left;
    }

    // The other end of strings that lead to the ground. The end on side s of joint j is 4 * j + s.
    int ground_end() const { return ground_end_; }

    // What the search's order of moves knows of an edge.
    struct Edge {
        int record;  // of its success so far
        int late;    // how late it is tried, if nothing else is known
    };

    // Adds a string that has not been added from its other end. `edge` is the one at this end.
    void add_string(int end, int far, int length, Edge edge) {
        edges_[end] = edge;
        if (cells_[end].far != GONE) return;
        summary_.left += length;
        link(end, far, length);
    }

    void add_chain(int length) {
        summary_.left += length;
        isolate(false, length);
    }

    void add_loop(int length) {
        summary_.left += length;
        isolate(true, length);
    }

    const Summary& summary() const { return summary_; }
    Edge edge(int end) const { return edges_[end]; }
    int chains(int length) const { return cells_[chains_at_ + length].length; }
    int loops(int length) const { return cells_[loops_at_ + length].length; }

    int longest() const { return boxes_; }  // or more

    // There must be one; a long one, if a chain.
    int shortest_chain() const { return shortest(chains_at_, 3); }
    int shortest_loop() const { return shortest(loops_at_, 4); }

    // How many there are at most: as many as the joints have ends.
    int most_strings() const { return 4 * summary_.joints; }

    bool is_symmetric() const { return keys_.is_symmetric(summary_.sums); }
    Key key() const { return keys_.key(summary_.sums); }

    // Calls `with(end, length)` for one end of each string of `least` to `most` boxes, but for one
    // that is like another: of strings of the same length between the same places only one.
    template <class With> void each_string(int least, int most, With with) const {
        for (int at = alive_at_; at < static_cast<int>(cells_.size()); ++at)
            for (std::uint32_t set = cells_[at].bits(); set; set &= set - 1) {
                const int first = 4 * (32 * (at - alive_at_) + std::countr_zero(set));
                for (int end = first; end < first + 4; ++end) {
                    const int length = cells_[end].length;
                    if (length >= least && length <= most && is_first_of_its_like(end, first))
                        with(end, length);
                }
            }
    }

    // Draws an edge of a string and takes what can be taken then: how many boxes that are.
    int cut(int end) {
        const int far = cells_[end].far;
        int taken = remove(end);
        taken += loosened(end / 4);
        if (far / 4 != end / 4) taken += loosened(far / 4);
        return taken;
    }

    void open_chain(int length) {
        summary_.left -= length;
        change_chains(length, -1);
    }

    void open_loop(int length) {
        summary_.left -= length;
        change_loops(length, -1);
    }

    // Where changes can be taken back to.
    struct Mark {
        int changes;
        Summary summary;
    };

    Mark mark() const { return {changes_, summary_}; }

    void undo(const Mark& mark) {
        while (changes_ > mark.changes) {
            const Change& change = before_[--changes_];
            cells_[change.index] = change.before;
        }
        summary_ = mark.summary;
    }

  private:
    static constexpr int GONE = -1;

    // Of these the graph consists, for `undo` to know nothing else. First come the ends of strings,
    // each on one side of a joint, with the number of the other end and of the boxes in between.
    // The ground counts as a joint that has ends enough and is never looked at: its first end is
    // where strings lead. Then come how many isolated chains there are of each length, and loops;
    // then bits for the joints that are left.
    struct Cell {
        std::int16_t far, length;

        std::uint32_t bits() const { return std::bit_cast<std::uint32_t>(*this); }
    };

    struct Change {
        int index;
        Cell before;
    };

    void set(int index, Cell cell) {
        before_[changes_++] = {index, cells_[index]};
        cells_[index] = cell;
    }

    void flip(int joint) {
        const int index = alive_at_ + joint / 32;
        set(index, std::bit_cast<Cell>(cells_[index].bits() ^ std::uint32_t{1} << joint % 32));
    }

    int shortest(int at, int length) const {
        while (!cells_[at + length].length) ++length;
        return length;
    }

    bool is_first_of_its_like(int end, int first) const {
        const Cell string = cells_[end];
        if (string.far < end) return false;  // counted from there, or gone
        for (int other = first; other < end; ++other)
            if (cells_[other].far != GONE && cells_[other].length == string.length &&
                place_of_[cells_[other].far] == place_of_[string.far])
                return false;
        return true;
    }

    // What is left of a joint that lost a string: how many boxes of it and beyond can be taken.
    int loosened(int joint) {
        std::array<int, 4> ends;
        int degree = 0;
        for (int end = 4 * joint; end < 4 * joint + 4; ++end)
            if (cells_[end].far != GONE) ends[degree++] = end;
        if (degree > 2) return 0;
        flip(joint);
        --summary_.joints;
        if (degree == 2) {
            dissolve(ends[0], ends[1]);
            return 0;
        }
        // It had a string back to itself, and is taken with the one that is left. The last edge
        // of that may take from another joint its degree, but never as much as to take it too.
        --summary_.left;
        const int far = cells_[ends[0]].far;
        const int taken = 1 + remove(ends[0]);
        loosened(far / 4);
        return taken;
    }

    // Makes two strings and the joint between them, which is gone, one string. Nobody looks at the
    // ends on a joint that is gone, so they stay as they are.
    void dissolve(int one, int other) {
        const Cell first = cells_[one], second = cells_[other];
        discount(one);
        if (first.far == other) return isolate(true, first.length + 1);
        discount(other);
        link(first.far, second.far, first.length + second.length + 1);
    }

    // Joins two ends by a string.
    void link(int one, int other, int length) {
        if (one == ground_end_ && other == ground_end_) return isolate(false, length);
        set(one, string(other, length));
        set(other, string(one, length));
        summary_.short_strings += length < 3;
        keys_.add(summary_.sums, place_of_[one], place_of_[other], length);
    }

    // Takes a string away with its boxes: how many these are.
    int remove(int end) {
        const int length = cells_[end].length;
        forget(end);
        summary_.left -= length;
        return length;
    }

    void forget(int end) {
        discount(end);
        const int far = cells_[end].far;
        set(end, {GONE, 0});
        set(far, {GONE, 0});
    }

    // Counts a string out of what belongs to all of the position.
    void discount(int end) {
        const Cell gone = cells_[end];
        summary_.short_strings -= gone.length < 3;
        keys_.subtract(summary_.sums, place_of_[end], place_of_[gone.far], gone.length);
    }

    void isolate(bool loop, int length) {
        if (loop) return change_loops(length, 1);
        if (length > 2 || !chains(length)) return change_chains(length, 1);
        change_chains(length, -1);
        summary_.left -= 2 * length;
    }

    void change_chains(int length, int by) {
        set(chains_at_ + length, string(0, chains(length) + by));
        if (length > 2) summary_.long_chains += by;
        recount(keys_.ground(), length, by);
    }

    void change_loops(int length, int by) {
        set(loops_at_ + length, string(0, loops(length) + by));
        summary_.loops += by;
        recount(keys_.loops(), length, by);
    }

    void recount(int place, int length, int by) {
        if (by > 0)
            keys_.add(summary_.sums, place, place, length);
        else
            keys_.subtract(summary_.sums, place, place, length);
    }

    static Cell string(int far, int length) {
        return {static_cast<std::int16_t>(far), static_cast<std::int16_t>(length)};
    }

    int boxes_;
    Keys keys_;
    std::vector<int> place_of_;  // for each end
    std::vector<Edge> edges_;    // for each end that was added
    int ground_end_ = 0, chains_at_ = 0, loops_at_ = 0, alive_at_ = 0;
    std::vector<Cell> cells_;
    std::vector<Change> before_;
    int changes_ = 0;
    Summary summary_;
};

}  // namespace kernel
