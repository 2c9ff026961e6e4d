// LimitsRequest: how long a verb may take, and how much memory, to answer about an .onnx file. A small file can ask for
// any amount of work. Networks of the zoo are our own and are not limited.
#pragma once

#include "base/rows/fields.h"

namespace plimsoll {

// What holds where no limit is given.
enum class UsualLimits : uint8_t { some, none };

struct LimitsRequest {
  std::optional<int64_t> max_seconds;
  std::optional<Bytes> max_memory;

  void describe(Fields& fields, UsualLimits usual);
  LimitsRequest with_usual(UsualLimits usual) const;
};

}  // namespace plimsoll
