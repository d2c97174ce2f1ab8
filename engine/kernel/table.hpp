// The transposition table: for positions without a capture, between what bounds the value is.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace kernel {

// A fixed number of buckets of one cache line each. A full bucket gives up what cost least to
// find out.
template <class Key> class Table {
  public:
    struct Entry {
        Key key;  // 0, the full board, is never stored: it marks what is empty
        std::int16_t least, most;
        std::uint8_t effort;  // the logarithm of the nodes that were searched
    };

    explicit Table(std::size_t bytes) {
        while (2 * size_ * sizeof(Bucket) <= bytes) size_ *= 2;
        // Zeroed by the system, page by page, when it is first touched, so a large table costs a
        // small search nothing; in huge pages where there are any, or each look into it would
        // miss the page tables as well.
        memory_.reset(std::calloc(size_ * sizeof(Bucket) + HUGE_PAGE, 1));
        if (!memory_) throw std::bad_alloc{};
        const auto address = reinterpret_cast<std::uintptr_t>(memory_.get());
        buckets_ = reinterpret_cast<Bucket*>((address + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1));
#ifdef MADV_HUGEPAGE
        madvise(buckets_, size_ * sizeof(Bucket), MADV_HUGEPAGE);
#endif
    }

    void prefetch(Key key) const { __builtin_prefetch(&bucket(key)); }

    const Entry* find(Key key) const {
        for (const Entry& entry : bucket(key).entries)
            if (entry.key == key) return &entry;
        return nullptr;
    }

    // Narrows the bounds that are known of a position.
    void store(Key key, int least, int most, std::uint64_t nodes) {
        const auto effort = static_cast<std::uint8_t>(std::bit_width(nodes));
        Entry* worst = nullptr;
        for (Entry& entry : bucket(key).entries) {
            if (entry.key == key) {
                entry.least = std::max(entry.least, static_cast<std::int16_t>(least));
                entry.most = std::min(entry.most, static_cast<std::int16_t>(most));
                entry.effort = std::max(entry.effort, effort);
                return;
            }
            if (!worst || !entry.key || (worst->key && entry.effort < worst->effort))
                worst = &entry;
        }
        *worst = {key, static_cast<std::int16_t>(least), static_cast<std::int16_t>(most), effort};
    }

    std::size_t bytes() const { return size_ * sizeof(Bucket); }

  private:
    static constexpr std::uintptr_t HUGE_PAGE = 2 << 20;

    struct alignas(64) Bucket {
        Entry entries[64 / sizeof(Entry)];
    };

    Bucket& bucket(Key key) const { return buckets_[hash(key) & (size_ - 1)]; }

    static std::uint64_t hash(std::uint64_t key) {
        key = (key ^ key >> 32) * 0x9fb21c651e98df25;
        return key ^ key >> 29;
    }
    static std::uint64_t hash(unsigned __int128 key) {
        return hash(static_cast<std::uint64_t>(key) ^
                    static_cast<std::uint64_t>(key >> 64) * 0xd6e8feb86659fd93);
    }

    std::size_t size_ = 1;
    struct Free {
        void operator()(void* memory) const { std::free(memory); }
    };
    std::unique_ptr<void, Free> memory_;
    Bucket* buckets_;
};

}  // namespace kernel
