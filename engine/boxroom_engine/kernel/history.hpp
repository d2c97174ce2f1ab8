// How well moves have done so far in a search: the history heuristic.
//
// A move that reached the goal in one position is likely to reach it in another one, so it is tried
// early there (Schaeffer, The history heuristic and alpha-beta search enhancements in practice,
// 1989). It is the order of moves that decides how many positions alpha-beta has to search.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace kernel {

class History {
  public:
    // Moves are numbered below `moves`.
    explicit History(int moves) {
        for (auto& of_player : records_) of_player.resize(moves);
    }

    // The odds that a move of the player, 0 or 1, reaches the goal.
    float odds(int player, int move) const {
        const Record& record = records_[player][move];
        return (record.successes + PRIOR) / (record.failures + PRIOR);
    }

    // Counts a move that was searched in so many nodes. What took many says more.
    void add(int player, int move, bool reached, std::uint64_t nodes) {
        Record& record = records_[player][move];
        record.successes *= KEPT;
        record.failures *= KEPT;
        (reached ? record.successes : record.failures) += std::sqrt(static_cast<float>(nodes));
    }

  private:
    struct Record {
        float successes = 0, failures = 0;
    };

    static constexpr float PRIOR = 8;     // successes and failures of a move that is new
    static constexpr float KEPT = 0.999F; // the part that is kept each time, as the search moves on

    std::array<std::vector<Record>, 2> records_;
};

}  // namespace kernel
