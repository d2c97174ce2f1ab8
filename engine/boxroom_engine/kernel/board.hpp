// One board as bit sets, and what a position on it consists of.
//
// A position is the set of edges that aren't drawn, as two words: `across` has the horizontal
// ones, `down` the vertical ones, both in rows of `cols + 1` bits. The box in row r and column
// c is bit r * (cols + 1) + c; its top and left side are the same bit of `across` and `down`,
// its bottom is one row further in `across`, its right side one bit further in `down`. So all
// boxes are classified at once, with about thirty operations.
//
// The words of this module are Berlekamp's (The Dots and Boxes Game, 2000): the degree of a
// box is the number of its undrawn sides; boxes of degree two make chains and loops; those of
// degree three or four are joints.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "words.hpp"

namespace kernel {

template <class Word> struct Edges {  // undrawn
    Word across, down;
};

// Boxes by degree. `joints` are those of degree three or four.
template <class Word> struct Degrees {
    Word one, two, joints;
};

// A chain or loop: how many boxes it has, and whether no undrawn edge leads on to a joint.
struct Chain {
    int length;
    bool loop, isolated;
};

// Where a string leads: to that side of the box at `place`, or to the ground if that is negative.
struct Way {
    int place, side, length;
};

constexpr int MOST_SYMMETRIES = 8;

template <class Word> class Board {
  public:
    Board(int rows, int cols) : rows(rows), cols(cols), stride(cols + 1) {
        for (int row = 0; row < rows; ++row)
            for (int col = 0; col < cols; ++col) boxes |= single<Word>(row * stride + col);
        number_edges();
        find_symmetries();
    }

    // The words for a set of undrawn edges in the numbering of games/dots/rules/grid.py.
    Edges<Word> unpack(Word set) const {
        Edges<Word> free{};
        for (; set; set = without_first(set)) {
            const int edge = lowest(set);
            (edge < horizontals ? free.across : free.down) |= single<Word>(place[edge]);
        }
        return free;
    }

    Degrees<Word> degrees(const Edges<Word>& free) const {
        const Word top = free.across, bottom = free.across >> stride;
        const Word left = free.down, right = free.down >> 1;
        const Word one_of = top ^ bottom, both = top & bottom;
        const Word one_of_sides = left ^ right, both_sides = left & right;
        const Word odd = one_of ^ one_of_sides, carry = one_of & one_of_sides;
        const Word two = both ^ both_sides ^ carry, four = both & both_sides;
        return {odd & ~two & boxes, two & ~odd & boxes, ((two & odd) | four) & boxes};
    }

    // The undrawn edges around a set of boxes.
    Edges<Word> around(const Edges<Word>& free, Word set) const {
        return {free.across & (set | set << stride), free.down & (set | set << 1)};
    }

    // The boxes that undrawn edges join to those of a set.
    Word beside(const Edges<Word>& free, Word set) const {
        return ((set << 1 & free.down) | (set & free.down) >> 1 | (set << stride & free.across) |
                (set & free.across) >> stride) & boxes;
    }

    // The chain or loop with the lowest box of `two`, whose boxes are taken out of that set.
    Chain chain(const Edges<Word>& free, Word& two) const {
        Word set = first_of(two);
        Word near = beside(free, set);
        for (Word more; (more = near & two & ~set); near = beside(free, set)) set |= more;
        two &= ~set;
        const int links =
            count(set << 1 & set & free.down) + count(set << stride & set & free.across);
        const int length = count(set);
        return {length, links == length, !(near & ~set)};
    }

    // Where one gets to from a box through its undrawn edge on one side, past so many boxes of
    // degree two. There must be nothing to capture.
    Way follow(const Edges<Word>& free, const Word& joints, int place, int side) const {
        for (int length = 0;; ++length) {
            place = next(place, side);
            if (place < 0 || !has(boxes, place)) return {-1, side, length};
            side = (side + 2) % 4;
            if (has(joints, place)) return {place, side, length};
            int other = 0;
            while (other == side || !is_free(free, place, other)) ++other;
            side = other;
        }
    }

    // Sides are numbered from the top, counterclockwise.
    bool is_free(const Edges<Word>& free, int place, int side) const {
        const int bit = place + (side == 2 ? stride : side == 3);
        return has(side % 2 ? free.down : free.across, bit);
    }

    // The number of the edge on that side as in games/dots/rules/grid.py.
    int edge(int place, int side) const {
        const int bit = place + (side == 2 ? stride : side == 3);
        return (side % 2 ? down_at : across_at)[bit];
    }

    // The number of a box as in games/dots/rules/grid.py.
    int number(int place) const { return place / stride * cols + place % stride; }

    int rows, cols, stride;
    int edges = 0, horizontals = 0;
    Word boxes{};
    std::vector<int> place;                // for each edge its bit in `across` or `down`
    std::vector<int> across_at, down_at;   // and the other way round
    std::vector<int> late;                 // for each edge how many are tried before it
    std::vector<int> ring;                 // for each edge a number for all as far off the centre
    std::vector<std::vector<int>> images;  // for each symmetry the number of each box's image

  private:
    int next(int place, int side) const {
        return place + std::array{-stride, -1, stride, 1}[side];
    }

    void number_edges() {
        horizontals = (rows + 1) * cols;
        edges = horizontals + rows * stride;
        across_at.assign((rows + 1) * stride, -1);
        down_at.assign((rows + 1) * stride, -1);
        std::vector<std::pair<int, int>> order;
        for (int edge = 0; edge < edges; ++edge) {
            const bool flat = edge < horizontals;
            const int nth = flat ? edge : edge - horizontals, wide = flat ? cols : stride;
            const int row = nth / wide, col = nth % wide;
            place.push_back(row * stride + col);
            (flat ? across_at : down_at)[place.back()] = edge;
            const int y = flat ? 2 * row : 2 * row + 1, x = flat ? 2 * col + 1 : 2 * col;
            // Centre first; on an oblong board rather across its waist than along it. No two
            // edges are equally late: the stricter the order, the more lines meet.
            const bool along = flat == (cols >= rows);
            const int distance = (y - rows) * (y - rows) + (x - cols) * (x - cols);
            order.push_back({2 * distance + 5 * along, edge});
        }
        std::sort(order.begin(), order.end());
        late.resize(edges);
        ring.resize(edges);
        for (int nth = 0, rings = 0; nth < edges; ++nth) {
            rings += nth && order[nth].first != order[nth - 1].first;
            late[order[nth].second] = nth;
            ring[order[nth].second] = rings;
        }
    }

    // The mirror images and turns of the board. What is the same map as another, on boards of one
    // row, counts once.
    void find_symmetries() {
        for (int kind = 0; kind < (rows == cols ? MOST_SYMMETRIES : MOST_SYMMETRIES / 2); ++kind) {
            std::vector<int> image;
            for (int row = 0; row < rows; ++row)
                for (int col = 0; col < cols; ++col) image.push_back(box_image(kind, row, col));
            if (std::find(images.begin(), images.end(), image) == images.end())
                images.push_back(image);
        }
    }

    int box_image(int kind, int row, int col) const {
        const int y = kind & 1 ? rows - 1 - row : row, x = kind & 2 ? cols - 1 - col : col;
        return kind & 4 ? x * cols + y : y * cols + x;
    }
};

}  // namespace kernel
