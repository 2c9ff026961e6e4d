// Pixels of 0 to 255 as the numbers that a network trains on: divided by 255, then by default less the mean and divided
// by the deviation of each channel.
#pragma once

#include <vector>

#include "run/data/dataset.h"

namespace plimsoll {

// Of each channel, of pixels divided by 255. Empty: nothing is taken off, nothing divided by.
struct ChannelStatistics {
  std::vector<double> mean, deviation;
};

// Over at most `most` samples, spread evenly over the set; flat samples count as one channel. Bad samples are errors,
// or passed over.
Result<ChannelStatistics> channel_statistics(const Dataset& dataset, int64_t most, bool skip_bad = false);

// One entry a channel, or one for all; deviations above 0.
Result<DatasetPtr> normalised(DatasetPtr inner, const ChannelStatistics& statistics);

}  // namespace plimsoll
