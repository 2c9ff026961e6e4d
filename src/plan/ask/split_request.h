// SplitRequest: over how many devices a network of text is divided and what the host keeps of it, whether it is trained
// or served.
#pragma once

#include <optional>
#include <string>

#include "base/rows/fields.h"

namespace plimsoll {

struct SplitRequest {
  std::optional<int64_t> workers, tensor_parallel;
  std::optional<std::string> offload;

  // `with_workers`: scale has numbers of its own.
  void describe(Fields& fields, bool with_workers);

  bool asked() const { return workers || tensor_parallel || offload; }
};

inline constexpr int64_t kMostTokenWorkers = 1'000'000;

// A number of devices, 1 unless said.
Row degree_row(const char* name, const char* help);

}  // namespace plimsoll
