// The end of a search: a deadline, and a flag in memory that the caller sees as well.
#pragma once

#include <chrono>
#include <cstdint>

namespace kernel {

// The memory that a search and its caller share. The caller may be another thread, or process.
struct Signals {
    std::int64_t stop;   // set by the caller: anything but 0 ends the search
    std::int64_t nodes;  // set by the search now and then: how many positions it has searched
};

class Stop {
  public:
    // Never.
    Stop() = default;

    // After so many seconds from now, or when `signals`, if there are any, say so.
    Stop(double seconds, Signals* signals) : signals_(signals) {
        if (!(seconds < LONGEST)) return;
        has_deadline_ = true;
        deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                       std::chrono::duration<double>(seconds > 0 ? seconds : 0));
    }

    // Whether to stop, after so many positions.
    bool operator()(std::uint64_t nodes) const {
        if (signals_) {
            __atomic_store_n(&signals_->nodes, static_cast<std::int64_t>(nodes), __ATOMIC_RELAXED);
            if (__atomic_load_n(&signals_->stop, __ATOMIC_RELAXED)) return true;
        }
        return has_deadline_ && Clock::now() >= deadline_;
    }

  private:
    using Clock = std::chrono::steady_clock;
    static constexpr double LONGEST = 1e9;  // seconds; more is for ever, infinity and NaN as well

    Signals* signals_ = nullptr;
    bool has_deadline_ = false;
    Clock::time_point deadline_;
};

}  // namespace kernel
