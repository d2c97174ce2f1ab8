// What stands for a position in the table: sums of random numbers, one for each of its strings.
//
// So a move changes a key by as many numbers as it changes strings. Of mirror images and turns of
// a position the least sum stands for all. That two positions of a search have a key in common is
// as good as impossible, see ADR 8.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "board.hpp"

namespace kernel {

struct Key {
    std::uint64_t hash;
    std::uint32_t check;  // the same for all images, whichever of them are looked at
};

// Random numbers for a place where a string can end: a box of the board, or the ground.
struct Marks {
    std::array<std::uint64_t, MOST_SYMMETRIES> images;  // of this place, under each symmetry
    std::uint64_t orbit;                                 // of the first of the images
};

class Keys {
  public:
    // A number for the check and one for each image; or sums of such.
    using Numbers = std::array<std::uint64_t, 1 + MOST_SYMMETRIES>;

    // `marks` has one for each box, and two more: for the ground, and for what loops lie on.
    explicit Keys(std::vector<Marks> marks)
        : marks_(std::move(marks)), places_(static_cast<int>(marks_.size())) {
        use({0});
    }

    int ground() const { return places_ - 2; }
    int loops() const { return places_ - 1; }

    // Which images of positions are looked at from now on; at first only they themselves. It takes
    // some ten microseconds, so it isn't for every position that is searched.
    void use(const std::vector<int>& images) {
        if (images == images_) return;
        images_ = images;
        numbers_ = 1 + static_cast<int>(images.size());
        stored_.clear();
        if (places_ > MOST_STORED) return;
        for (int one = 0; one < places_; ++one)
            for (int other = 0; other < places_; ++other)
                for (int length = 0; length < STORED_LENGTHS; ++length) {
                    const Numbers numbers = of_string(one, other, length);
                    stored_.insert(stored_.end(), numbers.begin(), numbers.begin() + numbers_);
                }
    }

    // Counts a string of that many boxes between two places in, or out.
    void add(Numbers& sums, int one, int other, int length) const {
        change<1>(sums, one, other, length);
    }
    void subtract(Numbers& sums, int one, int other, int length) const {
        change<-1>(sums, one, other, length);
    }

    // Whether two images of a position are the same, so that it is a mirror image of itself.
    bool is_symmetric(Numbers sums) const {
        std::sort(sums.begin() + 1, sums.begin() + numbers_);
        return std::adjacent_find(sums.begin() + 1, sums.begin() + numbers_) !=
               sums.begin() + numbers_;
    }

    Key key(const Numbers& sums) const {
        return {*std::min_element(sums.begin() + 1, sums.begin() + numbers_),
                static_cast<std::uint32_t>(sums[0])};
    }

  private:
    // On boards of so few places the numbers of short strings are stored.
    static constexpr int MOST_STORED = 102, STORED_LENGTHS = 8;

    template <int BY> void change(Numbers& sums, int one, int other, int length) const {
        if (length < STORED_LENGTHS && !stored_.empty())
            change<BY>(sums, &stored_[index(one, other, length)]);
        else
            change<BY>(sums, of_string(one, other, length).data());
    }

    template <int BY> void change(Numbers& sums, const std::uint64_t* numbers) const {
        for (int i = 0; i < numbers_; ++i) sums[i] += BY > 0 ? numbers[i] : -numbers[i];
    }

    int index(int one, int other, int length) const {
        return ((one * places_ + other) * STORED_LENGTHS + length) * numbers_;
    }

    Numbers of_string(int one, int other, int length) const {
        const std::uint64_t boxes = static_cast<std::uint64_t>(length) * 0x9e3779b97f4a7c15;
        const Marks &a = marks_[one], &b = marks_[other];
        Numbers numbers{mixed(a.orbit + b.orbit + boxes)};
        for (std::size_t i = 0; i < images_.size(); ++i)
            numbers[i + 1] = mixed(a.images[images_[i]] + b.images[images_[i]] + boxes);
        return numbers;
    }

    static std::uint64_t mixed(std::uint64_t z) {  // as in SplitMix64 (Steele, Lea & Flood 2014)
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
        z = (z ^ z >> 27) * 0x94d049bb133111eb;
        return z ^ z >> 31;
    }

    std::vector<Marks> marks_;
    int places_;
    std::vector<int> images_;
    int numbers_ = 1;  // for the check and each image
    std::vector<std::uint64_t> stored_;
};

}  // namespace kernel
