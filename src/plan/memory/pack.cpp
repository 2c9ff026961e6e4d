#include "plan/memory/pack.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "base/check.h"
#include "plan/memory/live_bytes.h"
#include "plan/memory/placer.h"
#include "plan/memory/size_rules.h"

namespace plimsoll {
namespace {

// What is good enough in each round, as a multiple of the bound; the last in all rounds after it.
constexpr double kEnough[] = {1.002, 1.005, 1.01, 1.015, 1.02};
constexpr size_t kMostRounds = 300;
constexpr size_t kEnoughLooked = 20'000'000;  // runs met in all, after which the best that was found has to do
constexpr size_t kMostPlaced = 25'000;  // blocks placed in all, after which only the rounds of kEnough are finished

// The largest of any range of numbers: a tree of the larger of two, which takes no more memory than twice the numbers.
class RangeMaximum {
 public:
  explicit RangeMaximum(const std::vector<int64_t>& numbers) : count_(numbers.size()), tree_(2 * numbers.size()) {
    std::copy(numbers.begin(), numbers.end(), tree_.begin() + ptrdiff_t(count_));
    for (size_t i = count_ - 1; i > 0; --i) tree_[i] = std::max(tree_[2 * i], tree_[2 * i + 1]);
  }
  int64_t of(int32_t first, int32_t last) const {
    int64_t largest = 0;
    for (size_t a = size_t(first) + count_, b = size_t(last) + count_ + 1; a < b; a /= 2, b /= 2) {
      if (a & 1) largest = std::max(largest, tree_[a++]);
      if (b & 1) largest = std::max(largest, tree_[--b]);
    }
    return largest;
  }

 private:
  size_t count_;
  std::vector<int64_t> tree_;  // node k is over nodes 2k and 2k+1; the numbers are the last half
};

using Ids = std::vector<int32_t>;
using Key = std::array<int64_t, 3>;

Ids descending(const std::vector<Key>& keys) {
  Ids ids(keys.size());
  std::iota(ids.begin(), ids.end(), 0);
  std::stable_sort(ids.begin(), ids.end(), [&](int32_t a, int32_t b) { return keys[size_t(a)] > keys[size_t(b)]; });
  return ids;
}

// How a block that had to go above the bound is favoured in the next round.
enum class Favour { half_way, first };

// One line of the search: an order, and how it learns from a placement.
struct Line {
  Favour favour;
  Ids order;

  void learn(const std::vector<bool>& above);
};

void Line::learn(const std::vector<bool>& above) {
  if (favour == Favour::first) {
    std::stable_partition(order.begin(), order.end(), [&](int32_t id) { return above[size_t(id)]; });
    return;
  }
  // Half the way to the front, for all at once: sorting by place, halved for the favoured.
  std::vector<std::pair<size_t, int32_t>> places;
  for (size_t i = 0; i < order.size(); ++i) places.emplace_back(above[size_t(order[i])] ? i : 2 * i + 1, order[i]);
  std::stable_sort(places.begin(), places.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (size_t i = 0; i < order.size(); ++i) order[i] = places[i].second;
}

// Where room is scarcest comes first; among equals what lives longest, or is largest. Then, round after round, the
// blocks that found no room below the bound are placed earlier.
class Search {
 public:
  explicit Search(std::vector<Block> blocks) : placer_(std::move(blocks)) {
    const auto bytes = live_bytes(placer_.blocks(), moments_of(placer_.blocks())).value();
    bound_ = *std::max_element(bytes.begin(), bytes.end());
    const RangeMaximum largest(bytes);
    std::vector<Key> by_life, by_size;
    for (const auto& block : placer_.blocks()) {
      const int64_t peak = largest.of(block.first, block.last), size = block.size.value();
      by_life.push_back({peak, block.last - block.first, size});
      by_size.push_back({peak, size, 0});
    }
    lines_.push_back({Favour::half_way, descending(by_life)});
    lines_.push_back({Favour::first, descending(by_size)});
    lines_.push_back({Favour::half_way, lines_[1].order});
  }

  int64_t bound() const { return bound_; }

  Placement run() {
    for (size_t round = 0; round < kMostRounds; ++round) {
      if (round >= std::size(kEnough) && placed_ > kMostPlaced) break;
      const double enough = kEnough[std::min(round, std::size(kEnough) - 1)];
      for (auto& line : lines_) {
        if (within(enough) || looked_ > kEnoughLooked) return std::move(best_);
        try_line(line);
      }
    }
    return std::move(best_);
  }

 private:
  bool within(double share) const { return double(best_.arena) <= share * double(bound_); }

  void try_line(Line& line) {
    Placement placement = placer_.place(line.order, bound_, best_.arena);
    placed_ += placement.placed;
    looked_ += placement.looked;
    std::vector<bool> above;
    for (size_t i = 0; i < placement.offsets.size(); ++i)
      above.push_back(placement.offsets[i] + placer_.blocks()[i].size.value() > bound_);
    line.learn(above);
    if (placement.arena < best_.arena) best_ = std::move(placement);
  }

  Placer placer_;
  int64_t bound_ = 0;
  std::vector<Line> lines_;
  Placement best_{.arena = std::numeric_limits<int64_t>::max()};
  size_t placed_ = 0;
  size_t looked_ = 0;
};

}  // namespace

Packing pack(std::span<const Block> blocks) {
  Packing result;
  result.offsets.assign(blocks.size(), Bytes(0));
  std::vector<Block> rounded;
  std::vector<size_t> index;
  Bytes sum;
  for (size_t i = 0; i < blocks.size(); ++i) {
    PLIM_CHECK(0 <= blocks[i].first && blocks[i].first <= blocks[i].last, "a block is alive from first to last");
    const Bytes size = rounded_up(blocks[i].size, kAlignment);
    sum += size;
    if (size == Bytes(0)) continue;
    rounded.push_back({size, blocks[i].first, blocks[i].last});
    index.push_back(i);
  }
  if (sum.overflowed()) result.arena = result.bound = Bytes(Bytes::kOverflow);
  if (sum.overflowed() || rounded.empty()) return result;
  Search search(std::move(rounded));
  const Placement placement = search.run();
  for (size_t i = 0; i < index.size(); ++i) result.offsets[index[i]] = Bytes(placement.offsets[i]);
  result.arena = Bytes(placement.arena);
  result.bound = Bytes(search.bound());
  return result;
}

}  // namespace plimsoll
