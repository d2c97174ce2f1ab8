// The kernel as a Python module: see _kernel.pyi in boxroom_engine/games/dots.

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <mutex>

#include "search.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using Narrow = std::uint64_t;
using kernel::Wide;

constexpr int MOST_EDGES = 128;

Wide from_python(const nb::int_& set) {
    const nb::int_ low_bits(0xffffffffffffffffULL);
    const auto low = nb::cast<Narrow>(set & low_bits);
    const auto high = nb::cast<Narrow>(set >> nb::int_(64));
    return Wide{high} << 64 | low;
}

// One board's search behind one type, with words as wide as the board needs.
class Solver {
    // What `with(search, undrawn)` gives, which runs alone and without the interpreter's lock.
    template <class With> auto searched(const nb::int_& drawn, With with) {
        const Wide all = edges_ == MOST_EDGES ? ~Wide{0} : (Wide{1} << edges_) - 1;
        const Wide undrawn = all & ~from_python(drawn);
        const nb::gil_scoped_release release;
        const std::lock_guard one_at_a_time(mutex_);
        return narrow_ ? with(*narrow_, static_cast<Narrow>(undrawn)) : with(*wide_, undrawn);
    }

  public:
    Solver(int rows, int cols, std::size_t table_bytes) {
        if (rows < 1 || cols < 1) throw nb::value_error("a board is at least 1×1");
        const long long edges = 2LL * rows * cols + rows + cols;
        if (edges > MOST_EDGES) throw nb::value_error("the kernel's boards have at most 128 edges");
        edges_ = static_cast<int>(edges);
        if (edges <= 64)
            narrow_ = std::make_unique<kernel::Search<Narrow>>(rows, cols, table_bytes);
        else
            wide_ = std::make_unique<kernel::Search<Wide>>(rows, cols, table_bytes);
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

    nb::tuple bounded(const nb::int_& drawn, int goal, std::uint64_t most_nodes) {
        std::uint64_t nodes = 0;
        const kernel::Bounds value = searched(drawn, [&](auto& search, auto undrawn) {
            const kernel::Bounds bounds = search.bounded(undrawn, goal, most_nodes);
            nodes = search.nodes();
            return bounds;
        });
        return nb::make_tuple(value.least, value.most, nodes);
    }

    std::size_t table_bytes() const {
        return narrow_ ? narrow_->table_bytes() : wide_->table_bytes();
    }

  private:
    static std::function<bool()> asking(const nb::object& stop) {
        if (stop.is_none()) return {};
        return [&stop] {
            const nb::gil_scoped_acquire acquire;
            return nb::cast<bool>(stop());
        };
    }

    int edges_;
    std::mutex mutex_;
    std::unique_ptr<kernel::Search<Narrow>> narrow_;
    std::unique_ptr<kernel::Search<Wide>> wide_;
};

}  // namespace

NB_MODULE(_kernel, module) {
    module.attr("MOST_EDGES") = MOST_EDGES;
    nb::class_<Solver>(module, "Solver")
        .def(nb::init<int, int, std::size_t>(), "rows"_a, "cols"_a, "table_bytes"_a)
        .def_prop_ro("table_bytes", &Solver::table_bytes)
        .def("solve", &Solver::solve, "drawn"_a, "moves"_a, "first_goal"_a.none(),
             "stop"_a.none())
        .def("bounded", &Solver::bounded, "drawn"_a, "goal"_a, "most_nodes"_a);
}
