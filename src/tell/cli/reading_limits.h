// reading_limits: how long a verb may take, and how much memory, to answer about an .onnx file. A small file can ask
// for any amount of work; whoever weighs a stranger's file gets one line instead of a machine that no longer answers.
//
// Networks of the zoo are our own and are not limited.
#pragma once

#include <optional>
#include <string>

#include "base/rows/fields.h"

namespace plimsoll {

// What holds where no limit is given.
enum class UsualLimits : uint8_t { some, none };

struct LimitFlags {
  std::optional<int64_t> max_seconds;
  std::optional<Bytes> max_memory;

  void describe(Fields& fields, UsualLimits usual);
};

// From here on the process ends with one line and kExitUser where a limit is reached. `file`: what is read; empty:
// there is none, and nothing is limited.
void begin_limits(LimitFlags flags, UsualLimits usual, const std::string& file, bool json);

}  // namespace plimsoll
