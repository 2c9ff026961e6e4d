#include "run/data/subset.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/ops/counter_random.h"

namespace plimsoll {
namespace {

class Subset : public DatasetAround {
 public:
  Subset(DatasetPtr inner, std::vector<uint32_t> indices, const std::string& name)
      : DatasetAround(std::move(inner)), indices_(std::move(indices)) {
    info_.name = name;
    info_.memory += Bytes(int64_t(indices_.size() * sizeof(uint32_t)));
    for (const uint32_t index : indices_) info_.identity = joined(info_.identity, uint64_t{index});
  }

  int64_t size() const override { return int64_t(indices_.size()); }
  Status get(int64_t index, int64_t epoch, std::span<std::byte> input, int64_t& label,
             std::span<std::byte> scratch) const override {
    return inner_->get(indices_[size_t(index)], epoch, input, label, scratch);
  }
  Status labels(std::span<int64_t> into) const override {
    std::vector<int64_t> all(static_cast<size_t>(inner_->size()));
    PLIM_TRY(inner_->labels(all));
    std::transform(indices_.begin(), indices_.end(), into.begin(), [&](uint32_t index) { return all[index]; });
    return {};
  }
  std::string describe(int64_t index) const override { return inner_->describe(indices_[size_t(index)]); }

 private:
  std::vector<uint32_t> indices_;
};

}  // namespace

DatasetPtr subset(DatasetPtr inner, std::vector<uint32_t> indices, const std::string& name) {
  return std::make_shared<Subset>(std::move(inner), std::move(indices), name);
}

Result<Split> split(const DatasetPtr& whole, double share, uint64_t seed, const std::string& part_name) {
  std::vector<int64_t> labels(static_cast<size_t>(whole->size()));
  PLIM_TRY(whole->labels(labels));
  // Each class in an order of its own that the seed shuffles; its first share is the part.
  std::vector<uint32_t> order(labels.size()), rest, part;
  for (size_t i = 0; i < order.size(); ++i) order[i] = uint32_t(i);
  const uint64_t key = scatter_bits(seed);
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    if (labels[a] != labels[b]) return labels[a] < labels[b];
    return scatter_bits(key ^ a) < scatter_bits(key ^ b);
  });
  for (size_t first = 0; first < order.size();) {
    size_t last = first;
    while (last < order.size() && labels[order[last]] == labels[order[first]]) ++last;
    const size_t middle = first + size_t(std::llround(share * double(last - first)));
    part.insert(part.end(), order.begin() + long(first), order.begin() + long(middle));
    rest.insert(rest.end(), order.begin() + long(middle), order.begin() + long(last));
    first = last;
  }
  if (rest.empty() || part.empty())
    return user_error(fmt::format("a share of {} of {} samples leaves {} and {}, expected some on both sides", share,
                                  with_commas(whole->size()), rest.size(), part.size()))
        .in(whole->info().name);
  std::sort(rest.begin(), rest.end());  // in the files' order
  std::sort(part.begin(), part.end());
  const std::string& name = whole->info().name;
  return Split{subset(whole, std::move(rest), name), subset(whole, std::move(part), part_name)};
}

}  // namespace plimsoll
