// What is known of a value: the margin to come for the player who is to move.
#pragma once

#include <algorithm>

namespace kernel {

struct Bounds {
    int least, most;

    static constexpr Bounds any() { return {-1000, 1000}; }  // of boards of up to 31×31

    Bounds operator-() const { return {-most, -least}; }
    Bounds within(Bounds other) const {
        return {std::max(least, other.least), std::min(most, other.most)};
    }
    // A value has the parity of the number of boxes that are left.
    Bounds of_parity(int left) const {
        return {least + ((least ^ left) & 1), most - ((most ^ left) & 1)};
    }
    bool is_exact() const { return least == most; }
    bool decide(int goal) const { return least >= goal || most < goal; }
    // The goal within these bounds that is nearest to another one; of their parity, or above it.
    int nearest(int goal) const {
        goal = std::clamp(goal, least + 1, most);
        return goal + ((goal ^ most) & 1);
    }
};

// What follows from open captures, all of them taken but perhaps the last: the mover takes
// `taken` and then moves in the rest, or leaves the last `handover` boxes to the opponent, who
// takes them and moves in the rest: 2 of a chain, 4 of a loop, 0 where there is no such choice.
// So with r the value of the rest this is worth taken + max(r, -2 * handover - r) (BCG's
// double-dealing; Barker & Korf's half-open chains).
struct Captures {
    int taken, handover;

    Bounds bounds(Bounds r) const {
        const int least = handover ? std::clamp(-handover, r.least, r.most) : r.least;
        return {value(least), std::max(value(r.least), value(r.most))};
    }

    int value(int r) const { return taken + (handover ? std::max(r, -2 * handover - r) : r); }
};

}  // namespace kernel
