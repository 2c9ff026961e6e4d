// The child's side of AnswerProcess: answers questions of the page, a line each, from standard input on standard
// output.
#pragma once

#include <cstdint>
#include <optional>

#include "base/result.h"

namespace plimsoll {

struct AnswerLines {
  std::optional<int64_t> memory;  // bytes of address space
  bool network = false;           // the descriptor kNetworkDescriptor has an .onnx file to answer about
  bool patient = false;           // lets others go first
};

// Until standard input ends. An alarm ends a question that takes too long when nobody is left to do so.
Status answer_lines(const AnswerLines& options);

}  // namespace plimsoll
