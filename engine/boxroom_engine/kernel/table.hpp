// The transposition table: for positions without a capture, between what bounds the value is.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <new>
#include <utility>

#include "bounds.hpp"
#include "keys.hpp"

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace kernel {

// Buckets of one cache line each. A full bucket gives up what cost least to find out. The number of
// buckets grows with what is stored, because a small table stays in the processor's caches.
class Table {
  public:
    struct Entry {
        std::uint64_t hash;
        std::uint32_t check;
        std::int32_t least : 11, most : 11;
        std::uint32_t effort : 10;  // the logarithm of the nodes that were searched; 0 if empty

        bool is_of(const Key& key) const { return hash == key.hash && check == key.check; }
        Bounds bounds() const { return {least, most}; }
    };
    static_assert(sizeof(Entry) == 16);

    explicit Table(std::size_t bytes) {
        while (2 * most_ * sizeof(Bucket) <= bytes) most_ *= 2;
        size_ = std::min(most_, AT_FIRST);
        // Zeroed by the system, page by page, when it is first touched, so a large table costs a
        // small search nothing; in huge pages where there are any, or each look into it would
        // miss the page tables as well.
        memory_.reset(std::calloc(most_ * sizeof(Bucket) + HUGE_PAGE, 1));
        if (!memory_) throw std::bad_alloc{};
        const auto address = reinterpret_cast<std::uintptr_t>(memory_.get());
        buckets_ = reinterpret_cast<Bucket*>((address + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1));
#ifdef MADV_HUGEPAGE
        madvise(buckets_, most_ * sizeof(Bucket), MADV_HUGEPAGE);
#endif
    }

    void prefetch(const Key& key) const { __builtin_prefetch(&bucket(key)); }

    const Entry* find(const Key& key) const {
        for (const Entry& entry : bucket(key).entries)
            if (entry.is_of(key)) return &entry;
        return nullptr;
    }

    // Narrows the bounds that are known of a position.
    void store(const Key& key, Bounds bounds, std::uint64_t nodes) {
        if (stored_ == FULL * size_ && size_ < most_) grow();
        std::uint32_t effort = std::bit_width(nodes);
        Bucket& entries = bucket(key);
        Entry* entry = &entries.entries[0];
        for (Entry& other : entries.entries) {
            if (other.is_of(key)) {
                entry = &other;
                bounds = bounds.within(other.bounds());
                effort = std::max(effort, std::uint32_t{other.effort});
                break;
            }
            if (other.effort < entry->effort) entry = &other;
        }
        stored_ += !entry->effort;
        *entry = {key.hash, key.check, bounds.least, bounds.most, effort};
    }

    // Grows if it would soon have to, which takes some hundredths of a second for a large one: at
    // the start of a search they are a part of its time, later they would make a move late.
    void make_room() {
        if (2 * stored_ >= FULL * size_ && size_ < most_) grow();
    }

    // How large it can become.
    std::size_t bytes() const { return most_ * sizeof(Bucket); }

    // All of it, `bytes()` long, to be kept or replaced by what was kept. It grows to its full size,
    // by which entries find their buckets.
    void* memory() {
        while (size_ < most_) grow();
        return buckets_;
    }

  private:
    static constexpr std::uintptr_t HUGE_PAGE = 2 << 20;
    static constexpr std::size_t AT_FIRST = 4096;  // buckets
    static constexpr std::size_t FULL = 2;  // entries a bucket, on average, of a table that grows

    struct alignas(64) Bucket {
        Entry entries[64 / sizeof(Entry)];
    };

    Bucket& bucket(const Key& key) const { return buckets_[key.hash & (size_ - 1)]; }

    // Twice the buckets: one more bit of a hash says which of two an entry belongs in.
    void grow() {
        for (std::size_t i = 0; i < size_; ++i)
            for (std::size_t at = 0; at < std::size(buckets_[i].entries); ++at) {
                Entry& entry = buckets_[i].entries[at];
                if (entry.hash & size_) buckets_[i + size_].entries[at] = std::exchange(entry, {});
            }
        size_ *= 2;
    }

    std::size_t most_ = 1, size_ = 1;  // buckets
    std::size_t stored_ = 0;           // entries
    struct Free {
        void operator()(void* memory) const { std::free(memory); }
    };
    std::unique_ptr<void, Free> memory_;
    Bucket* buckets_;
};

}  // namespace kernel
