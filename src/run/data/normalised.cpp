#include "run/data/normalised.h"

#include <fmt/format.h>

#include <cmath>

#include "run/data/aligned_memory.h"
#include "run/data/channel_sums.h"

namespace plimsoll {
namespace {

int64_t channels_of(const Shape& shape) { return shape.rank() == 3 ? shape[0] : 1; }

class Normalised : public DatasetAround {
 public:
  Normalised(DatasetPtr inner, const ChannelStatistics& statistics) : DatasetAround(std::move(inner)) {
    for (size_t i = 0; i < statistics.mean.size(); ++i) {
      scale_.push_back(float(1 / (255 * statistics.deviation[i])));
      shift_.push_back(float(-statistics.mean[i] / statistics.deviation[i]));
    }
  }

  Status get(int64_t index, int64_t epoch, std::span<std::byte> input, int64_t& label,
             std::span<std::byte> scratch) const override {
    PLIM_TRY(inner_->get(index, epoch, input, label, scratch));
    const auto numbers = floats(input);
    const size_t plane = numbers.size() / scale_.size();
    for (size_t c = 0; c < scale_.size(); ++c)
      for (float& number : numbers.subspan(c * plane, plane)) number = number * scale_[c] + shift_[c];
    return {};
  }

 private:
  std::vector<float> scale_, shift_;
};

}  // namespace

Result<ChannelStatistics> channel_statistics(const Dataset& dataset, int64_t most, bool skip_bad) {
  const TensorType& type = dataset.info().type.input;
  if (type.dtype != DType::f32) return user_error("tokens have no mean and deviation").in(dataset.info().name);
  const AlignedMemory sample(type.bytes()), scratch(dataset.scratch());
  if (!sample.ok() || !scratch.ok()) return environment_error("there is no memory for one sample");
  const auto numbers = floats(sample.span().first(size_t(type.bytes().value())));
  ChannelSums sums(type);
  const int64_t count = std::min(most, dataset.size());
  for (int64_t i = 0; i < count; ++i) {
    int64_t label = 0;
    const auto index = int64_t(double(i) * double(dataset.size()) / double(count));
    auto status = dataset.get(index, 0, sample.span().first(numbers.size_bytes()), label, scratch.span());
    if (!status.ok() && skip_bad && status.error().kind == ErrorKind::user) continue;
    PLIM_TRY(std::move(status));
    sums.add(numbers);
  }
  if (sums.samples() == 0) return user_error("has no sample that can be read").in(dataset.info().name);
  return sums.statistics();
}

Result<DatasetPtr> normalised(DatasetPtr inner, const ChannelStatistics& statistics) {
  const auto channels = size_t(channels_of(inner->info().type.input.shape));
  ChannelStatistics each = statistics;
  if (each.mean.empty()) each.mean.assign(1, 0);
  if (each.deviation.empty()) each.deviation.assign(1, 1);
  if (each.mean.size() == 1) each.mean.assign(channels, each.mean[0]);
  if (each.deviation.size() == 1) each.deviation.assign(channels, each.deviation[0]);
  if (inner->info().type.input.dtype != DType::f32)
    return user_error("tokens cannot be normalised").in(inner->info().name);
  if (each.mean.size() != channels || each.deviation.size() != channels)
    return user_error(fmt::format("there are {} means and {} deviations for {} channels", statistics.mean.size(),
                                  statistics.deviation.size(), channels))
        .in(inner->info().name);
  for (const double deviation : each.deviation)
    if (!(deviation > 0) || !std::isfinite(deviation))
      return user_error(fmt::format("a channel's deviation is {}, expected a number above 0", deviation))
          .in(inner->info().name);
  return DatasetPtr(std::make_shared<Normalised>(std::move(inner), each));
}

}  // namespace plimsoll
