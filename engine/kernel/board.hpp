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
#include <type_traits>
#include <vector>

#include "words.hpp"

namespace kernel {

constexpr int MOST_SYMMETRIES = 8;

template <class Word> struct Edges {  // undrawn
    Word across, down;
};

// Boxes by degree. `joints` are those of degree three or four.
template <class Word> struct Degrees {
    Word one, two, joints;
};

// A chain or loop: its boxes, how many, and whether free edges lead on to a joint.
template <class Word> struct Chain {
    Word boxes;
    int length;
    bool loop, isolated;
};

template <class Word> class Board {
  public:
    // What stands for a position in a table: the set of its undrawn edges itself or, on boards
    // of more than 128 edges, a hash of it, the xor of a random number for each.
    static constexpr bool HASHES = CAPACITY<Word> > CAPACITY<Wide>;
    using Key = std::conditional_t<HASHES, Wide, Word>;
    using Keys = std::array<Key, MOST_SYMMETRIES>;

    static constexpr int MOST_BOXES = CAPACITY<Word> / 2;  // each has two edges or more

    Board(int rows, int cols) : rows(rows), cols(cols), stride(cols + 1) {
        for (int row = 0; row < rows; ++row)
            for (int col = 0; col < cols; ++col) boxes |= single<Word>(row * stride + col);
        number_edges();
        order_border();
        find_symmetries();
    }

    // The words for a set of undrawn edges in the numbering of games/dots/grid.py. Of the
    // border sides of one box, those with the lower numbers count as drawn first: all of them
    // join the box to the ground, so which of them are drawn makes no difference (in the
    // Nimstring graph they are parallel edges; Berlekamp, Conway & Guy, Winning Ways, ch. 16).
    Edges<Word> unpack(Word set) const {
        for (int round = 0; round < 3; ++round)  // a box has up to four
            for (int edge = 0; edge < edges; ++edge)
                if (before[edge] >= 0 && has(set, before[edge]) && !has(set, edge))
                    set ^= single<Word>(before[edge]) | single<Word>(edge);
        Edges<Word> free{};
        for (; set; set = without_first(set)) draw(free, lowest(set));
        return free;
    }

    // Adds an edge, or removes it.
    void draw(Edges<Word>& free, int edge) const {
        (edge < horizontals ? free.across : free.down) ^= single<Word>(place[edge]);
    }

    // The position's numbers under all symmetries, the first of them without any.
    Keys keys(const Edges<Word>& free) const {
        Keys keys{};
        change(keys, free);
        return keys;
    }

    void change(Keys& keys, const Edges<Word>& edges) const {
        for (Word set = edges.across; set; set = without_first(set))
            change(keys, across_at[lowest(set)]);
        for (Word set = edges.down; set; set = without_first(set))
            change(keys, down_at[lowest(set)]);
    }

    void change(Keys& keys, int edge) const {
        for (int s = 0; s < MOST_SYMMETRIES; ++s) keys[s] ^= images[edge][s];
    }

    Key canonical(const Keys& keys) const {
        Key least = keys[0];
        for (int s = 1; s < symmetries; ++s) least = std::min(least, keys[s]);
        return least;
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
    Chain<Word> chain(const Edges<Word>& free, Word& two) const {
        Word set = first_of(two);
        Word near = beside(free, set);
        for (Word more; (more = near & two & ~set); near = beside(free, set)) set |= more;
        two &= ~set;
        const int links = count(set << 1 & set & free.down) + count(set << stride & set & free.across);
        const int length = count(set);
        return {set, length, links == length, !(near & ~set)};
    }

    int rows, cols, stride;
    int edges = 0, horizontals = 0, symmetries = 0;
    Word boxes{};
    std::vector<int> place;                // for each edge its bit in `across` or `down`
    std::vector<int> across_at, down_at;   // and the other way round
    std::vector<int> before;               // the border side of the same box to draw first, or -1
    std::vector<int> off_centre;           // for each edge how late it is tried
    std::vector<Keys> images;              // for each edge its part of a key under each symmetry

  private:
    void number_edges() {
        horizontals = (rows + 1) * cols;
        edges = horizontals + rows * stride;
        across_at.assign((rows + 1) * stride, -1);
        down_at.assign((rows + 1) * stride, -1);
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
            off_centre.push_back((2 * distance + 5 * along) * edges + edge);
        }
    }

    static Key key_of(int edge) {
        if constexpr (HASHES)
            return Key{random(2 * edge)} << 64 | random(2 * edge + 1);
        else
            return single<Word>(edge);
    }

    // SplitMix64 (Steele, Lea & Flood 2014): the same numbers in every build.
    static std::uint64_t random(std::uint64_t nth) {
        std::uint64_t z = (nth + 1) * 0x9e3779b97f4a7c15;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
        z = (z ^ z >> 27) * 0x94d049bb133111eb;
        return z ^ z >> 31;
    }

    int top(int row, int col) const { return row * cols + col; }
    int left(int row, int col) const { return horizontals + row * stride + col; }

    std::vector<int> border_sides(int row, int col) const {
        std::vector<int> sides;
        if (row == 0) sides.push_back(top(row, col));
        if (row == rows - 1) sides.push_back(top(row + 1, col));
        if (col == 0) sides.push_back(left(row, col));
        if (col == cols - 1) sides.push_back(left(row, col + 1));
        return sides;
    }

    void order_border() {
        before.assign(edges, -1);
        for (int row = 0; row < rows; ++row)
            for (int col = 0; col < cols; ++col) {
                const auto sides = border_sides(row, col);
                for (std::size_t i = 1; i < sides.size(); ++i) before[sides[i]] = sides[i - 1];
            }
    }

    // The mirror images and turns of the board, as maps of boxes; the border sides of a box go
    // to those of its image in their order, so that images are drawn in their order too.
    void find_symmetries() {
        images.assign(edges, Keys{});
        std::vector<std::vector<int>> found;
        for (int kind = 0; kind < (rows == cols ? 8 : 4); ++kind) {
            std::vector<int> image(edges);
            for (int row = 0; row < rows; ++row)
                for (int col = 0; col < cols; ++col) map_box(kind, row, col, image);
            if (std::find(found.begin(), found.end(), image) != found.end()) continue;
            for (int edge = 0; edge < edges; ++edge) images[edge][found.size()] = key_of(image[edge]);
            found.push_back(image);
        }
        symmetries = static_cast<int>(found.size());
    }

    std::array<int, 2> map(int kind, int row, int col) const {
        const int y = kind & 1 ? rows - 1 - row : row, x = kind & 2 ? cols - 1 - col : col;
        return kind & 4 ? std::array{x, y} : std::array{y, x};
    }

    void map_box(int kind, int row, int col, std::vector<int>& image) const {
        const auto [y, x] = map(kind, row, col);
        const auto from = border_sides(row, col), to = border_sides(y, x);
        for (std::size_t i = 0; i < from.size(); ++i) image[from[i]] = to[i];
        if (row + 1 < rows) image[top(row + 1, col)] = between({y, x}, map(kind, row + 1, col));
        if (col + 1 < cols) image[left(row, col + 1)] = between({y, x}, map(kind, row, col + 1));
    }

    int between(std::array<int, 2> one, std::array<int, 2> other) const {
        return one[1] == other[1] ? top(std::max(one[0], other[0]), one[1])
                                  : left(one[0], std::max(one[1], other[1]));
    }
};

}  // namespace kernel
