// ChannelSums: adds up samples by channel, for their mean and deviation. Samples that are not CHW count as one channel.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "run/data/normalised.h"

namespace plimsoll {

class ChannelSums {
 public:
  explicit ChannelSums(const TensorType& type)
      : channels_(type.shape.rank() == 3 ? size_t(type.shape[0]) : 1),
        plane_(size_t(type.elements().value()) / channels_),
        sum_(channels_),
        squares_(channels_) {}

  int64_t samples() const { return samples_; }
  void add(std::span<const float> sample) {
    for (size_t c = 0; c < channels_; ++c)
      for (const float number : sample.subspan(c * plane_, plane_)) {
        sum_[c] += number;
        squares_[c] += double(number) * number;
      }
    ++samples_;
  }

  ChannelStatistics statistics() const {
    ChannelStatistics statistics;
    const double all = double(samples_) * double(plane_);
    for (size_t c = 0; samples_ > 0 && c < channels_; ++c) {
      const double mean = sum_[c] / all;
      statistics.mean.push_back(mean / 255);
      statistics.deviation.push_back(std::sqrt(std::max(0.0, squares_[c] / all - mean * mean)) / 255);
    }
    return statistics;
  }

 private:
  size_t channels_, plane_;
  std::vector<double> sum_, squares_;
  int64_t samples_ = 0;
};

}  // namespace plimsoll
