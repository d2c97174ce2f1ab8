// The kernel as a Python module: see _kernel.pyi in boxroom_engine/games/dots/solve.

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <mutex>
#include <variant>

#include "search.hpp"
#include "tree.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using kernel::Bits;
using kernel::Narrow;
using kernel::Search;
using kernel::Wide;

constexpr int MOST_EDGES = 2048;  // 31×31 boxes

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

template <class Word> Word from_python(const nb::int_& set) {
    Word word{};
    for (int at = 0; at < kernel::CAPACITY<Word>; at += 64) {
        const nb::object part = (set >> nb::int_(at)) & nb::int_(~Narrow{0});
        word |= Word{nb::cast<Narrow>(part)} << at;
    }
    return word;
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
    // What `with(search, undrawn)` gives, which runs alone and without the interpreter's lock.
    template <class With> auto searched(const nb::int_& drawn, With with) {
        return std::visit([&](auto& search) {
            const auto all = search->edges();
            const auto undrawn = all & ~from_python<std::decay_t<decltype(all)>>(drawn);
            const nb::gil_scoped_release release;
            const std::lock_guard one_at_a_time(mutex_);
            return with(*search, undrawn);
        }, search_);
    }

  public:
    Solver(int rows, int cols, std::size_t table_bytes) : rows_(rows), cols_(cols) {
        if (rows < 1 || cols < 1) throw nb::value_error("a board is at least 1×1");
        if (2LL * rows * cols + rows + cols > MOST_EDGES)
            throw nb::value_error("the kernel's boards have at most 2048 edges");
        search_ = search_of(rows, cols, table_bytes);
    }

    nb::tuple solve(const nb::int_& drawn, bool all_moves, std::optional<int> first_goal,
                    const nb::object& stop) {
        const auto ask = asking(stop);
        const kernel::Outcome outcome = searched(drawn, [&](auto& search, auto undrawn) {
            return search.solve(undrawn, all_moves, first_goal, ask);
        });
        return nb::make_tuple(outcome.value.least, outcome.value.most, outcome.best, outcome.nodes,
                              outcome.exact);
    }

    nb::tuple bounded(const nb::int_& drawn, int goal, std::uint64_t most_nodes,
                      const nb::object& stop) {
        std::uint64_t nodes = 0;
        const auto ask = asking(stop);
        const kernel::Bounds value = searched(drawn, [&](auto& search, auto undrawn) {
            const kernel::Bounds bounds = search.bounded(undrawn, goal, most_nodes, ask);
            nodes = search.nodes();
            return bounds;
        });
        return nb::make_tuple(value.least, value.most, nodes);
    }

    nb::list grow(const nb::int_& drawn, const std::vector<int>& scores, int handover,
                  std::uint64_t playouts, std::uint64_t seed, const nb::object& stop) {
        if (scores.size() < 2) throw nb::value_error("a tree is for two players or more");
        const auto ask = asking(stop);
        const std::vector<kernel::Judged> found = searched(drawn, [&](auto& search, auto undrawn) {
            search.table().make_room();
            Foresight foresight(search);
            kernel::Tree tree(rows_, cols_, scores, &foresight);
            std::vector<int> edges;
            for (auto set = search.edges() & ~undrawn; set; set = kernel::without_first(set))
                edges.push_back(kernel::lowest(set));
            return tree.grow(edges, handover, playouts, seed, ask);
        });
        nb::list judged;
        for (const auto& each : found)
            judged.append(nb::make_tuple(each.edge, each.visits, each.share, each.boxes));
        return judged;
    }

    kernel::Table& table() {
        return std::visit([](auto& search) -> kernel::Table& { return search->table(); }, search_);
    }

    std::size_t table_bytes() { return table().bytes(); }

    nb::object table_memory() {
        char* memory = nullptr;
        {
            // A search that runs needs the interpreter's lock to ask whether to stop.
            const nb::gil_scoped_release release;
            const std::lock_guard one_at_a_time(mutex_);
            memory = static_cast<char*>(table().memory());
        }
        const auto bytes = static_cast<Py_ssize_t>(table().bytes());
        return nb::steal(PyMemoryView_FromMemory(memory, bytes, PyBUF_WRITE));
    }

  private:
    static std::function<bool()> asking(const nb::object& stop) {
        if (stop.is_none()) return {};
        return [&stop] {
            const nb::gil_scoped_acquire acquire;
            return nb::cast<bool>(stop());
        };
    }

    int rows_, cols_;
    std::mutex mutex_;
    AnySearch search_;
};

}  // namespace

NB_MODULE(_kernel, module) {
    nb::set_leak_warnings(false);  // bots keep their solvers until their process ends
    module.attr("MOST_EDGES") = MOST_EDGES;
    nb::class_<Solver>(module, "Solver")
        .def(nb::init<int, int, std::size_t>(), "rows"_a, "cols"_a, "table_bytes"_a)
        .def_prop_ro("table_bytes", &Solver::table_bytes)
        .def("table_memory", &Solver::table_memory, nb::keep_alive<0, 1>())
        .def("solve", &Solver::solve, "drawn"_a, "moves"_a, "first_goal"_a.none(),
             "stop"_a.none())
        .def("bounded", &Solver::bounded, "drawn"_a, "goal"_a, "most_nodes"_a, "stop"_a.none())
        .def("grow", &Solver::grow, "drawn"_a, "scores"_a, "declinable"_a, "playouts"_a, "seed"_a,
             "stop"_a.none());
}
