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

#include <optional>
#include <random>
#include <utility>

#include "alphabeta.hpp"
#include "board.hpp"
#include "graph.hpp"

namespace kernel {

struct Outcome {
    Bounds value;
    std::vector<int> best{};   // edges known to reach value.least
    std::uint64_t nodes = 0;
    bool exact = false;        // least == most, and `best` has what was asked for
};

template <class Word> class Search {
  public:
    static constexpr int MOST_EDGES = CAPACITY<Word>;

    Search(int rows, int cols, std::size_t bytes)
        : board_(rows, cols),
          search_(Graph(rows * cols, Keys(marks(board_))), 4 * rows * cols + board_.edges, bytes) {}

    // The value of the position with this set of undrawn edges, and a best move or all of them.
    // Whether the value is at least `first_goal` is found out before anything else. After so many
    // nodes, or when `stop` says so, it ends with what is known by then.
    Outcome solve(Word undrawn, bool all_moves, std::optional<int> first_goal,
                  std::uint64_t most_nodes, const Stop& stop) {
        table().make_room();
        search_.begin(most_nodes, stop);
        use_symmetries(undrawn);
        Outcome outcome{unknown(undrawn)};
        try {
            find_value(undrawn, first_goal, outcome);
            if (all_moves) find_moves(undrawn, outcome);
            outcome.exact = true;
        } catch (const Stopped&) {
        }
        std::sort(outcome.best.begin(), outcome.best.end());
        outcome.nodes = nodes();
        return outcome;
    }

    // Bounds of the position's value that are on one side of `goal`. After so many nodes, or when
    // `stop` says so, it is given up; then they are no more than what can be said without a search.
    Bounds bounded(Word undrawn, int goal, std::uint64_t most_nodes, const Stop& stop = {}) {
        search_.begin(most_nodes, stop);
        const Bounds unsearched = unknown(undrawn);
        if (unsearched.decide(goal)) return unsearched;
        try {
            return bounds(settle(board_.unpack(undrawn)), goal, 0).within(unsearched);
        } catch (const Stopped&) {
            return unsearched;
        }
    }

    // How many positions the last call of `solve` or `bounded` searched.
    std::uint64_t nodes() const { return search_.nodes(); }

    // The set of all edges of the board.
    Word edges() const {
        Word edges{};
        for (int edge = 0; edge < board_.edges; ++edge) edges |= single<Word>(edge);
        return edges;
    }

    Table& table() { return search_.table(); }

  private:
    static constexpr int MOST_LOST = 2;  // joints, under a symmetry that is worth looking at

    struct Settled : Captures {
        Edges<Word> rest;
    };

    struct Drawn {  // what an edge leads to; if boxes were won, the same player moves on
        int won;
        Settled after;

        int player() const { return won ? 0 : 1; }
        int goal_after(int goal) const { return won ? goal - won : 1 - goal; }
        Bounds before(Bounds r) const { return won ? Bounds{won + r.least, won + r.most} : -r; }
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

    // Narrows the bounds until they meet: by steps that double, and once a goal was reached and one
    // wasn't, by goals halfway between. A search takes the longer the nearer its goal is to the value.
    // A move that reaches `least` is always there as well.
    void find_value(Word undrawn, std::optional<int> first_goal, Outcome& outcome) {
        const Settled root = settle(board_.unpack(undrawn));
        Bounds& known = outcome.value;
        int goal = first_goal.value_or(root.taken + 1), step = 0;
        bool is_reached = false, is_missed = false;  // a goal so far
        while (known.least < known.most) {
            goal = known.nearest(goal);
            const Bounds found = bounds(root, goal, 0).within(known).of_parity(known.most);
            known = found;
            if (found.least >= goal) {
                outcome.best = {move_reaching(undrawn, found.least)};
                is_reached = true;
                goal = found.least + 1 + step;
            } else {
                is_missed = true;
                goal = found.most - step;
            }
            if (is_reached && is_missed) goal = (known.least + known.most) / 2 + 1;
            step = 2 * step + 2;
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
        const Bounds found = bounds(edge.after, edge.goal_after(goal), edge.player());
        return edge.before(found).least >= goal;
    }

    bool is_known_to_reach(const Drawn& edge, int goal) {
        fill(edge.after.rest);
        return edge.before(edge.after.bounds(search_.known())).least >= goal;
    }

    // `player` is 0 if who is to move there is who was at first.
    Bounds bounds(const Settled& position, int goal, int player) {
        fill(position.rest);
        return search_.search(position, goal, player);
    }

    // Tells the search's graph of a position without captures.
    void fill(const Edges<Word>& free) {
        Graph& graph = search_.graph();
        const Degrees<Word> degrees = board_.degrees(free);
        graph.clear(count(degrees.joints));
        for (Word set = degrees.joints; set; set = without_first(set))
            graph.add_joint(board_.number(lowest(set)));
        add_strings(graph, free, degrees.joints);
        for (Word two = degrees.two; two;) {
            const Chain chain = board_.chain(free, two);
            if (chain.isolated && chain.loop) graph.add_loop(chain.length);
            if (chain.isolated && !chain.loop) graph.add_chain(chain.length);
        }
    }

    void add_strings(Graph& graph, const Edges<Word>& free, const Word& joints) const {
        std::vector<int> ends_at((board_.rows + 1) * board_.stride);  // the first for each place
        int ends = 0;
        for (Word set = joints; set; set = without_first(set), ends += 4)
            ends_at[lowest(set)] = ends;
        for (Word set = joints; set; set = without_first(set))
            for (int place = lowest(set), side = 0; side < 4; ++side) {
                if (!board_.is_free(free, place, side)) continue;
                const Way way = board_.follow(free, joints, place, side);
                const int far = way.place < 0 ? graph.ground_end() : ends_at[way.place] + way.side;
                graph.add_string(ends_at[place] + side, far, way.length, edge(place, side));
            }
    }

    // What the order of moves knows of the edge on that side of a box.
    //
    // Each side of each box has a record. Where the position that is solved is its own mirror image,
    // as an empty board is, sides would have records of their own that mean the same, and
    // different lines lead to fewer positions in common. There all edges as far off the centre
    // share one.
    Graph::Edge edge(int place, int side) const {
        const int box = board_.number(place), edge = board_.edge(place, side);
        const int shared = 4 * board_.rows * board_.cols + board_.ring[edge];
        return {is_symmetric_ ? shared : 4 * box + side, board_.late[edge]};
    }

    // Looks for those mirror images and turns that the search may come across as well: under which
    // nearly all joints of the position are joints again. The others would only cost time.
    void use_symmetries(Word undrawn) {
        const Settled root = settle(board_.unpack(undrawn));
        const Word joints = board_.degrees(root.rest).joints;
        std::vector<bool> is_joint(board_.rows * board_.cols);
        for (Word set = joints; set; set = without_first(set))
            is_joint[board_.number(lowest(set))] = true;
        std::vector<int> near;
        for (std::size_t s = 0; s < board_.images.size(); ++s) {
            int lost = 0;
            for (std::size_t box = 0; box < is_joint.size(); ++box)
                lost += is_joint[box] && !is_joint[board_.images[s][box]];
            if (lost <= MOST_LOST) near.push_back(static_cast<int>(s));
        }
        search_.graph().keys().use(near);
        fill(root.rest);
        is_symmetric_ = search_.graph().is_symmetric();
    }

    // Random numbers for a board's boxes, the ground and loops.
    static std::vector<Marks> marks(const Board<Word>& board) {
        const int boxes = board.rows * board.cols;
        std::vector<std::uint64_t> random(2 * (boxes + 2));
        std::mt19937_64 source(boxes);  // the same numbers in every build
        for (auto& number : random) number = source();
        std::vector<Marks> marks(boxes + 2);
        for (int place = 0; place < boxes + 2; ++place) {
            int first = place;
            for (std::size_t s = 0; s < board.images.size(); ++s) {
                const int image = place < boxes ? board.images[s][place] : place;
                marks[place].images[s] = random[image];
                first = std::min(first, image);
            }
            marks[place].orbit = random[boxes + 2 + first];
        }
        return marks;
    }

    Board<Word> board_;
    AlphaBeta search_;
    bool is_symmetric_ = false;  // the position that was solved last, with what can be taken taken
};

}  // namespace kernel
