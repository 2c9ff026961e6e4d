// What a fuzzed door of a dataset must keep to: an Error of one line, or samples that can be read.
#pragma once

#include <algorithm>
#include <string>

#include "base/check.h"
#include "run/data/aligned_memory.h"
#include "run/data/dataset.h"

namespace plimsoll {

inline void check_or_read(const Result<DatasetPtr>& set) {
  if (!set.ok()) {
    PLIM_CHECK(set.error().line().find('\n') == std::string::npos, "a message of more than one line");
    return;
  }
  const Dataset& dataset = **set;
  const Bytes sample = dataset.info().type.input.bytes();
  const AlignedMemory input(sample), scratch(dataset.scratch());
  for (int64_t i = 0; i < std::min<int64_t>(dataset.size(), 100); ++i) {
    int64_t label = -1;
    const auto status = dataset.get(i, 0, input.span().first(size_t(sample.value())), label, scratch.span());
    PLIM_CHECK(status.ok(), "a sample of an accepted set cannot be read");
    PLIM_CHECK(label >= 0 && label < dataset.info().type.classes, "a label outside the classes");
  }
}

}  // namespace plimsoll
