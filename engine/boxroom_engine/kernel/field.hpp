// A position on a board of any size, box by box, and how it ends when no neutral edge is left.
//
// Where board.hpp has sets of edges for searches that look at all boxes at once, this has arrays,
// for playouts that draw edge after edge. Edges and boxes are numbered as in
// games/dots/rules/grid.py; the words are Berlekamp's, see games/dots/theory/strings.py.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <tuple>
#include <vector>

namespace kernel {

constexpr int GROUND = -1;

struct Layout {
    Layout(int rows, int cols) {
        const int horizontals = (rows + 1) * cols;
        edges = horizontals + rows * (cols + 1);
        boxes = rows * cols;
        beside.assign(edges, {GROUND, GROUND});
        for (int row = 0; row < rows; ++row)
            for (int col = 0; col < cols; ++col) {
                const int top = row * cols + col, left = horizontals + row * (cols + 1) + col;
                const int box = static_cast<int>(sides.size());
                sides.push_back({top, top + cols, left, left + 1});
                // Of the two boxes beside an edge the first is below it or right of it.
                beside[top][0] = beside[left][0] = beside[top + cols][1] = beside[left + 1][1] = box;
            }
    }

    int other(int edge, int box) const { return beside[edge][beside[edge][0] == box]; }

    int edges, boxes;
    std::vector<std::array<int, 4>> sides;
    std::vector<std::array<int, 2>> beside;  // GROUND beyond the border
};

// A chain or loop; `opening` is an edge that stands for all of it, in a chain of two the middle
// one (Berlekamp's hard-hearted handout).
struct String {
    int length, opening;
    bool loop;
};

// How many boxes opening a string lets the next player take, and how many of them, the last, may
// be left to the one after: 2 of a chain, 4 of a loop, 0 without such a choice.
struct Opened {
    int boxes, handover;
};

class Field {
  public:
    explicit Field(const Layout& layout)
        : layout_(&layout), drawn_(layout.edges, 0), degree_(layout.boxes, 4), joints_(layout.boxes),
          joint_sides_(4 * layout.boxes) {}

    int edges() const { return layout_->edges; }
    bool is_drawn(int edge) const { return drawn_[edge]; }
    int degree(int box) const { return degree_[box]; }
    // Boxes of degree three or four, and their undrawn sides together: how much is undecided.
    int joints() const { return joints_; }
    int joint_sides() const { return joint_sides_; }

    bool is_neutral(int edge) const {
        if (drawn_[edge]) return false;
        for (const int box : layout_->beside[edge])
            if (box != GROUND && degree_[box] < 3) return false;
        return true;
    }

    void draw(int edge) {
        drawn_[edge] = 1;
        for (const int box : layout_->beside[edge])
            if (box != GROUND && degree_[box]-- > 2) {
                const bool is_joint = degree_[box] > 2;
                joints_ -= !is_joint;
                joint_sides_ -= is_joint ? 1 : 3;
            }
    }

    // Takes every box that can be taken, beginning beside `edge`, and draws in `edges` what that
    // draws. Returns how many.
    int take_from(int edge, std::vector<int>& edges) {
        int taken = 0;
        std::size_t looked = edges.size();
        for (int at = edge;; at = edges[looked++]) {
            for (const int box : layout_->beside[at])
                if (box != GROUND && degree_[box] == 1) {
                    const int last = undrawn_side(box, -1);
                    draw(last);
                    edges.push_back(last);
                    for (const int near : layout_->beside[last])
                        taken += near != GROUND && degree_[near] == 0;
                }
            if (looked == edges.size()) return taken;
        }
    }

    // Opens a string and takes all that follows; `edges` gets every edge that this draws.
    Opened open(const String& string, std::vector<int>& edges) {
        draw(string.opening);
        edges.push_back(string.opening);
        const int taken = take_from(string.opening, edges);
        return {taken, string.loop ? 4 : taken > 2 ? 2 : 0};
    }

    // The string that a box of degree two is in. `each` is called with its boxes.
    template <class Each> String string_at(int box, Each each) const {
        each(box);
        String string{1, undrawn_side(box, -1), false};
        const std::array<int, 2> ways{string.opening, undrawn_side(box, string.opening)};
        for (const int way : ways) {
            int edge = way;
            for (int at = layout_->other(edge, box); at != GROUND && degree_[at] == 2;) {
                if (at == box) {
                    string.loop = true;
                    return string;
                }
                each(at);
                if (++string.length == 2) string.opening = edge;
                edge = undrawn_side(at, edge);
                at = layout_->other(edge, at);
            }
        }
        return string;
    }
    String string_at(int box) const {
        return string_at(box, [](int) {});
    }

  private:
    // The first undrawn side of a box that isn't `but`.
    int undrawn_side(int box, int but) const {
        for (const int edge : layout_->sides[box])
            if (!drawn_[edge] && edge != but) return edge;
        return but;
    }

    const Layout* layout_;
    std::vector<std::uint8_t> drawn_, degree_;
    int joints_, joint_sides_;
};

// What each player gets, counted from the one who has to open something, in turn order.
using Shares = std::vector<int>;

// How a position without neutral edges is likely to end, for any number of players.
//
// Whoever is to move opens a shortest string, the next takes what that gives, all of it or all but
// the last two or four, whichever is better. What is left afterwards is the same either way, so
// the strings are opened in one order whoever opens them, and are valued from the last to the
// first. Once only chains and loops are left that touch nothing else, either may be first; for
// two players that is exact (games/dots/theory/endgame.py), the rest is an estimate by opening the
// shortest first (games/dots/theory/forecast.py).
class Ending {
  public:
    Ending(const Layout& layout, int players)
        : layout_(layout), players_(players), marked_(layout.boxes), take_(players),
          leave_(players) {}

    // Plays `field` to the end.
    void settle(Field& field, Shares& shares) {
        find_strings(field);
        opened_.clear();
        while (field.joints() && !strings_.empty()) open_shortest(field);
        settle_loose(field, shares);
        for (std::size_t i = opened_.size(); i-- > 0;) {
            open(opened_[i], shares, after_);
            shares.swap(after_);
        }
    }

  private:
    struct Seen {
        int length, box;
        bool operator<(const Seen& other) const {  // the shortest is the top of a heap
            return std::tie(length, box) > std::tie(other.length, other.box);
        }
    };

    void find_strings(const Field& field) {
        strings_.clear();
        std::fill(marked_.begin(), marked_.end(), 0);
        for (int box = 0; box < layout_.boxes; ++box)
            if (field.degree(box) == 2 && !marked_[box])
                strings_.push_back({field.string_at(box, [&](int each) { marked_[each] = 1; }).length,
                                    box});
        std::make_heap(strings_.begin(), strings_.end());
    }

    // Strings only ever get longer, when a joint between them loses an edge. So the length that is
    // known of the shortest is looked at again before it counts.
    void open_shortest(Field& field) {
        std::pop_heap(strings_.begin(), strings_.end());
        const Seen seen = strings_.back();
        strings_.pop_back();
        if (field.degree(seen.box) != 2) return;
        const String string = field.string_at(seen.box);
        if (string.length > seen.length) {
            strings_.push_back({string.length, seen.box});
            std::push_heap(strings_.begin(), strings_.end());
            return;
        }
        edges_.clear();
        opened_.push_back(field.open(string, edges_));
    }

    // What chains and loops are worth that touch nothing else, by how many of each are left.
    void settle_loose(const Field& field, Shares& shares) {
        chains_.clear();
        loops_.clear();
        std::fill(marked_.begin(), marked_.end(), 0);
        for (const Seen& seen : strings_) {
            if (marked_[seen.box] || field.degree(seen.box) != 2) continue;
            const String string = field.string_at(seen.box, [&](int each) { marked_[each] = 1; });
            (string.loop ? loops_ : chains_).push_back(string.length);
        }
        std::sort(chains_.begin(), chains_.end(), std::greater<>());
        std::sort(loops_.begin(), loops_.end(), std::greater<>());
        row_.assign(loops_.size() + 1, Shares(players_, 0));
        for (std::size_t c = 0; c <= chains_.size(); ++c)
            for (std::size_t l = 0; l <= loops_.size(); ++l) {
                if (c) {
                    const int length = chains_[c - 1];
                    open({length, length > 2 ? 2 : 0}, row_[l], after_);
                    row_[l] = after_;
                }
                if (l) {
                    open({loops_[l - 1], 4}, row_[l - 1], after_);
                    if (!c || better(after_, row_[l], 0)) row_[l] = after_;
                }
            }
        shares = row_.back();
    }

    // What it is worth to open this if the rest is worth `rest`, to whoever opens that.
    void open(const Opened& opened, const Shares& rest, Shares& worth) {
        const auto give = [&](int from, Shares& to) {
            for (int i = 0; i < players_; ++i) to[(from + i) % players_] = rest[i];
        };
        give(1, take_);
        take_[1] += opened.boxes;
        worth = take_;
        if (!opened.handover) return;
        give(2, leave_);
        leave_[1] += opened.boxes - opened.handover;
        leave_[2 % players_] += opened.handover;
        if (better(leave_, take_, 1)) worth = leave_;
    }

    // More boxes for `player`, or as many and more ahead of the best of the others.
    bool better(const Shares& one, const Shares& other, int player) const {
        if (one[player] != other[player]) return one[player] > other[player];
        return players_ > 2 && best_but(one, player) < best_but(other, player);
    }

    int best_but(const Shares& shares, int player) const {
        int best = 0;
        for (int i = 0; i < players_; ++i)
            if (i != player) best = std::max(best, shares[i]);
        return best;
    }

    const Layout& layout_;
    int players_;
    std::vector<Seen> strings_;  // a heap, the shortest first
    std::vector<std::uint8_t> marked_;
    std::vector<Opened> opened_;
    std::vector<int> edges_, chains_, loops_;
    std::vector<Shares> row_;
    Shares take_, leave_, after_;
};

}  // namespace kernel
