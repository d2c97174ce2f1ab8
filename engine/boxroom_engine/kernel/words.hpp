// Sets of edges or boxes as words: one machine word, two of them, or as many as a board needs.
//
// All of them have `& | ^ ~ << >>`, are true unless empty, and are taken apart by the functions
// below. No other arithmetic: a set is no number.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace kernel {

using Narrow = std::uint64_t;
using Wide = unsigned __int128;

// A set of up to 64 * SIZE elements.
template <int SIZE> struct Bits {
    std::array<std::uint64_t, SIZE> words{};

    constexpr Bits() = default;
    explicit constexpr Bits(std::uint64_t lowest) { words[0] = lowest; }

    static constexpr Bits single(int index) {
        Bits bits;
        bits.words[index / 64] = std::uint64_t{1} << index % 64;
        return bits;
    }

    explicit constexpr operator bool() const {
        std::uint64_t any = 0;
        for (const auto word : words) any |= word;
        return any;
    }

    constexpr Bits& operator&=(const Bits& other) {
        for (int i = 0; i < SIZE; ++i) words[i] &= other.words[i];
        return *this;
    }
    constexpr Bits& operator|=(const Bits& other) {
        for (int i = 0; i < SIZE; ++i) words[i] |= other.words[i];
        return *this;
    }
    constexpr Bits& operator^=(const Bits& other) {
        for (int i = 0; i < SIZE; ++i) words[i] ^= other.words[i];
        return *this;
    }
    friend constexpr Bits operator&(Bits one, const Bits& other) { return one &= other; }
    friend constexpr Bits operator|(Bits one, const Bits& other) { return one |= other; }
    friend constexpr Bits operator^(Bits one, const Bits& other) { return one ^= other; }

    constexpr Bits operator~() const {
        Bits bits;
        for (int i = 0; i < SIZE; ++i) bits.words[i] = ~words[i];
        return bits;
    }

    constexpr Bits operator<<(int by) const {
        const int whole = by / 64, part = by % 64;
        Bits bits;
        for (int i = whole; i < SIZE; ++i) {
            bits.words[i] = words[i - whole] << part;
            if (part && i > whole) bits.words[i] |= words[i - whole - 1] >> (64 - part);
        }
        return bits;
    }

    constexpr Bits operator>>(int by) const {
        const int whole = by / 64, part = by % 64;
        Bits bits;
        for (int i = 0; i + whole < SIZE; ++i) {
            bits.words[i] = words[i + whole] >> part;
            if (part && i + whole + 1 < SIZE)
                bits.words[i] |= words[i + whole + 1] << (64 - part);
        }
        return bits;
    }
};

// How many elements fit.
template <class Word> constexpr int CAPACITY = 8 * sizeof(Word);

template <class Word> constexpr Word single(int index) {
    if constexpr (CAPACITY<Word> <= CAPACITY<Wide>)
        return Word{1} << index;
    else
        return Word::single(index);
}

template <class Word> constexpr bool has(const Word& set, int index) {
    if constexpr (CAPACITY<Word> <= CAPACITY<Wide>)
        return set >> index & 1;
    else
        return set.words[index / 64] >> index % 64 & 1;
}

// How many there are.
inline int count(Narrow set) { return std::popcount(set); }
inline int count(Wide set) {
    return std::popcount(static_cast<Narrow>(set)) + std::popcount(static_cast<Narrow>(set >> 64));
}
template <int SIZE> int count(const Bits<SIZE>& set) {
    int count = 0;
    for (const auto word : set.words) count += std::popcount(word);
    return count;
}

// The number of the first one; there must be one.
inline int lowest(Narrow set) { return std::countr_zero(set); }
inline int lowest(Wide set) {
    const auto low = static_cast<Narrow>(set);
    return low ? std::countr_zero(low) : 64 + std::countr_zero(static_cast<Narrow>(set >> 64));
}
template <int SIZE> int lowest(const Bits<SIZE>& set) {
    int i = 0;
    while (!set.words[i]) ++i;
    return 64 * i + std::countr_zero(set.words[i]);
}

// The set of the first one alone, and the set of all others.
inline Narrow first_of(Narrow set) { return set & -set; }
inline Wide first_of(Wide set) { return set & -set; }
template <int SIZE> Bits<SIZE> first_of(const Bits<SIZE>& set) {
    return Bits<SIZE>::single(lowest(set));
}

inline Narrow without_first(Narrow set) { return set & (set - 1); }
inline Wide without_first(Wide set) { return set & (set - 1); }
template <int SIZE> Bits<SIZE> without_first(const Bits<SIZE>& set) { return set ^ first_of(set); }

}  // namespace kernel
