// Made-up samples of a given type: noise, or any tokens, by seed and number. For benchmarks, where only sizes matter.
#pragma once

#include "run/data/dataset.h"

namespace plimsoll {

// f32: evenly in 0 to 255. i64: tokens of 0 to `tokens` - 1.
Result<DatasetPtr> synthetic(const SampleType& type, int64_t size, uint64_t seed, int64_t tokens = 1000);

}  // namespace plimsoll
