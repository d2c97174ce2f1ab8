// The kernel as a library with a plain C interface, which library.py loads.
//
// Functions return 0, or the kind of an error, of which `kernel_error` tells more. No call is a
// crash: solvers are known by numbers, and every argument is checked but the lengths of the
// caller's arrays, which the comments below give. No function calls back: a search looks at its
// deadline and at the caller's `Signals` (stop.hpp).

#include <algorithm>
#include <limits>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "search.hpp"
#include "stop.hpp"
#include "tree.hpp"

#define EXPORTED extern "C" __attribute__((visibility("default")))

// Each signature stands here alone: library.py reads the text.
#define INTERFACE(...)                                      \
    extern "C" {                                            \
    __VA_ARGS__                                             \
    }                                                       \
    EXPORTED const char* kernel_interface() { return #__VA_ARGS__; }

#pragma GCC visibility push(default)
INTERFACE(
    // The last error of this thread, as a sentence.
    const char* kernel_error(void);

    // The first line of what the compiler says of its version.
    const char* kernel_compiler(void);

    // The edges of the largest boards.
    int kernel_most_edges(void);

    // Makes a solver, with a table of at most so many bytes.
    int kernel_open(int rows, int cols, uint64_t table_bytes, int64_t* solver);
    int kernel_close(int64_t solver);

    // The size of the table; and unless `memory` is null, once no search runs, its memory, which
    // then has that size and is there until the solver is closed.
    int kernel_table(int64_t solver, void** memory, uint64_t* bytes);

    // Search::solve. `drawn` has as many words as the edges take; `first_goal` counts if there
    // `has_goal`; for `signals` see Stop. `outcome` gets least, most, nodes, whether it is exact,
    // and the number of best moves; `best` has room for all edges.
    int kernel_solve(int64_t solver, const uint64_t* drawn, int all_moves, int has_goal,
                     int first_goal, uint64_t most_nodes, double seconds, void* signals,
                     int64_t* outcome, int* best);

    // Search::bounded. `outcome` gets least, most and nodes.
    int kernel_bounded(int64_t solver, const uint64_t* drawn, int goal, uint64_t most_nodes,
                       double seconds, void* signals, int64_t* outcome);

    // Tree::grow. `branches` has room for two more than there are edges, each with the edge, the
    // visits, and for each player the share, then the boxes; `found` gets their number.
    int kernel_grow(int64_t solver, const uint64_t* drawn, int players, const int* scores,
                    int handover, uint64_t playouts, uint64_t seed, double seconds, void* signals,
                    double* branches, int* found);
)
#pragma GCC visibility pop

namespace {

using kernel::Bits;
using kernel::Narrow;
using kernel::Search;
using kernel::Signals;
using kernel::Stop;
using kernel::Wide;

constexpr int ABI = 1;  // to be raised with every change of INTERFACE or of what it means
constexpr int MOST_EDGES = 2048;  // 31×31 boxes
constexpr int MOST_PLAYERS = 256;
constexpr int MOST_SCORE = 1 << 20;

enum Error { NONE, WRONG_CALL, NO_MEMORY, BROKEN };

thread_local std::string last_error;

template <class... Words> using OneSearch = std::variant<std::unique_ptr<Search<Words>>...>;

// A search with words as wide as the board needs.
using AnySearch = OneSearch<Narrow, Wide, Bits<4>, Bits<8>, Bits<16>, Bits<32>>;

template <std::size_t NTH = 0> AnySearch search_of(int rows, int cols, std::size_t table_bytes) {
    using One = typename std::variant_alternative_t<NTH, AnySearch>::element_type;
    if constexpr (NTH + 1 < std::variant_size_v<AnySearch>)
        if (2 * rows * cols + rows + cols > One::MOST_EDGES)
            return search_of<NTH + 1>(rows, cols, table_bytes);
    return std::make_unique<One>(rows, cols, table_bytes);
}

void check(bool is_right, const char* sentence) {
    if (!is_right) throw std::invalid_argument(sentence);
}

// Exact search as what a tree asks.
template <class Word> class Foresight : public kernel::Oracle {
  public:
    explicit Foresight(Search<Word>& search) : search_(search) {}

    std::optional<bool> reaches(const kernel::Field& field, int goal, std::uint64_t most_nodes,
                                std::uint64_t& nodes) override {
        Word undrawn{};
        for (int edge = 0; edge < field.edges(); ++edge)
            if (!field.is_drawn(edge)) undrawn |= kernel::single<Word>(edge);
        const kernel::Bounds bounds = search_.bounded(undrawn, goal, most_nodes);
        nodes = search_.nodes();
        if (!bounds.decide(goal)) return std::nullopt;
        return bounds.least >= goal;
    }

  private:
    Search<Word>& search_;
};

// One board's search behind one type.
class Solver {
  public:
    Solver(int rows, int cols, std::uint64_t table_bytes) : rows_(rows), cols_(cols) {
        check(rows >= 1 && cols >= 1, "a board is at least 1×1");
        check(2LL * rows * cols + rows + cols <= MOST_EDGES,
              "the kernel's boards have at most 2048 edges");
        check(table_bytes <= std::numeric_limits<std::size_t>::max() / 4, "so large a table can't be");
        search_ = search_of(rows, cols, table_bytes);
    }

    // What `with(search, undrawn)` gives, which runs alone.
    template <class With> auto searched(const std::uint64_t* drawn, With with) {
        check(drawn, "the drawn edges are missing");
        return std::visit([&](auto& search) {
            const auto all = search->edges();
            const auto undrawn = all & ~set_of<std::decay_t<decltype(all)>>(drawn);
            const std::lock_guard one_at_a_time(mutex_);
            return with(*search, undrawn);
        }, search_);
    }

    std::vector<kernel::Judged> grow(const std::uint64_t* drawn, const std::vector<int>& scores,
                                     int handover, std::uint64_t playouts, std::uint64_t seed,
                                     const Stop& stop) {
        return searched(drawn, [&](auto& search, auto undrawn) {
            search.table().make_room();
            Foresight foresight(search);
            kernel::Tree tree(rows_, cols_, scores, &foresight);
            std::vector<int> edges;
            for (auto set = search.edges() & ~undrawn; set; set = kernel::without_first(set))
                edges.push_back(kernel::lowest(set));
            return tree.grow(edges, handover, playouts, seed, stop);
        });
    }

    void* table_memory() {
        const std::lock_guard one_at_a_time(mutex_);
        return table().memory();
    }

    std::size_t table_bytes() { return table().bytes(); }

  private:
    template <class Word> Word set_of(const std::uint64_t* words) const {
        const int edges = 2 * rows_ * cols_ + rows_ + cols_;
        Word set{};
        for (int at = 0; at < edges; at += 64) set |= Word{words[at / 64]} << at;
        return set;
    }

    kernel::Table& table() {
        return std::visit([](auto& search) -> kernel::Table& { return search->table(); }, search_);
    }

    int rows_, cols_;
    std::mutex mutex_;
    AnySearch search_;
};

// All solvers that are open, by number. A search keeps its solver, so closing it meanwhile is safe.
class Solvers {
  public:
    std::int64_t add(std::shared_ptr<Solver> solver) {
        const std::lock_guard alone(mutex_);
        open_[++last_] = std::move(solver);
        return last_;
    }

    std::shared_ptr<Solver> at(std::int64_t number) {
        const std::lock_guard alone(mutex_);
        const auto found = open_.find(number);
        check(found != open_.end(), "there is no such solver");
        return found->second;
    }

    // The solver ends outside of the lock: its memory may take a while.
    std::shared_ptr<Solver> remove(std::int64_t number) {
        const std::shared_ptr<Solver> removed = at(number);
        const std::lock_guard alone(mutex_);
        open_.erase(number);
        return removed;
    }

  private:
    std::mutex mutex_;
    std::int64_t last_ = 0;
    std::unordered_map<std::int64_t, std::shared_ptr<Solver>> open_;
};

// Never destroyed: at the end of a process other threads may still search.
Solvers& solvers() {
    static Solvers& all = *new Solvers;
    return all;
}

// Turns what `function` throws into the kind of the error.
template <class Function> int guarded(Function function) noexcept {
    try {
        function();
        return NONE;
    } catch (const std::invalid_argument& error) {
        last_error = error.what();
        return WRONG_CALL;
    } catch (const std::bad_alloc&) {
        last_error = "there isn't enough memory";
        return NO_MEMORY;
    } catch (const std::exception& error) {
        last_error = error.what();
        return BROKEN;
    } catch (...) {
        last_error = "the kernel failed";
        return BROKEN;
    }
}

// Every value is within these bounds, and there is room for the search's arithmetic.
int bounded_goal(int goal) { return std::clamp(goal, -MOST_EDGES, MOST_EDGES); }

}  // namespace

EXPORTED int kernel_abi() { return ABI; }

const char* kernel_error() { return last_error.c_str(); }

const char* kernel_compiler() {
#ifdef KERNEL_COMPILER
    return KERNEL_COMPILER;
#else
    return __VERSION__;
#endif
}

int kernel_most_edges() { return MOST_EDGES; }

int kernel_open(int rows, int cols, uint64_t table_bytes, int64_t* solver) {
    return guarded([&] {
        check(solver, "the place for the solver's number is missing");
        *solver = solvers().add(std::make_shared<Solver>(rows, cols, table_bytes));
    });
}

int kernel_close(int64_t solver) {
    return guarded([&] { solvers().remove(solver); });
}

int kernel_table(int64_t solver, void** memory, uint64_t* bytes) {
    return guarded([&] {
        check(bytes, "the place for the size is missing");
        const std::shared_ptr<Solver> found = solvers().at(solver);
        *bytes = found->table_bytes();
        if (memory) *memory = found->table_memory();
    });
}

int kernel_solve(int64_t solver, const uint64_t* drawn, int all_moves, int has_goal,
                 int first_goal, uint64_t most_nodes, double seconds, void* signals,
                 int64_t* outcome, int* best) {
    return guarded([&] {
        check(outcome && best, "the place for the outcome is missing");
        const Stop stop(seconds, static_cast<Signals*>(signals));
        std::optional<int> goal;
        if (has_goal) goal = bounded_goal(first_goal);
        const kernel::Outcome found =
            solvers().at(solver)->searched(drawn, [&](auto& search, auto undrawn) {
                return search.solve(undrawn, all_moves, goal, most_nodes, stop);
            });
        outcome[0] = found.value.least;
        outcome[1] = found.value.most;
        outcome[2] = static_cast<std::int64_t>(found.nodes);
        outcome[3] = found.exact;
        outcome[4] = static_cast<std::int64_t>(found.best.size());
        std::copy(found.best.begin(), found.best.end(), best);
    });
}

int kernel_bounded(int64_t solver, const uint64_t* drawn, int goal, uint64_t most_nodes,
                   double seconds, void* signals, int64_t* outcome) {
    return guarded([&] {
        check(outcome, "the place for the outcome is missing");
        const Stop stop(seconds, static_cast<Signals*>(signals));
        solvers().at(solver)->searched(drawn, [&](auto& search, auto undrawn) {
            const kernel::Bounds found =
                search.bounded(undrawn, bounded_goal(goal), most_nodes, stop);
            outcome[0] = found.least;
            outcome[1] = found.most;
            outcome[2] = static_cast<std::int64_t>(search.nodes());
        });
    });
}

int kernel_grow(int64_t solver, const uint64_t* drawn, int players, const int* scores,
                int handover, uint64_t playouts, uint64_t seed, double seconds, void* signals,
                double* branches, int* found) {
    return guarded([&] {
        check(players >= 2, "a tree is for two players or more");
        check(players <= MOST_PLAYERS, "a tree is for 256 players at most");
        check(scores && branches && found, "the scores, or the place for the branches, are missing");
        check(std::all_of(scores, scores + players,
                          [](int score) { return 0 <= score && score <= MOST_SCORE; }),
              "a score is a number of boxes");
        const Stop stop(seconds, static_cast<Signals*>(signals));
        const std::vector<kernel::Judged> judged = solvers().at(solver)->grow(
            drawn, std::vector<int>(scores, scores + players), handover, playouts, seed, stop);
        double* to = branches;
        for (const kernel::Judged& each : judged) {
            *to++ = each.edge;
            *to++ = static_cast<double>(each.visits);
            to = std::copy(each.share.begin(), each.share.end(), to);
            to = std::copy(each.boxes.begin(), each.boxes.end(), to);
        }
        *found = static_cast<int>(judged.size());
    });
}
