// A look at a dataset: every sample is read once, counted, and added to the statistics; those that cannot be read are
// named.
#pragma once

#include "run/data/normalised.h"

namespace plimsoll {

struct PartSummary {
  std::string part;  // "train"
  int64_t samples = 0;
  std::vector<int64_t> counts;   // of each class, among those that could be read
  std::vector<std::string> bad;  // a line for each sample that could not, the first thousand
  int64_t bad_count = 0;
  ChannelStatistics statistics;  // empty for tokens
  double unknown_share = 0;      // of tokens that are not padding: words that the vocabulary does not have
};

Result<PartSummary> inspect_part(const DatasetPtr& dataset, const std::string& part, int workers);

}  // namespace plimsoll
