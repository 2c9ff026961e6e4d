// The flags that say how workers are connected and how gradients travel between them.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "plan/verdict/scale.h"

namespace plimsoll {

struct WiringFlags {
  std::string link, inside, per_node, exchange = "all-reduce", wire, bucket;

  void declare(CLI::App& app);

  // For up to `most` workers. What had to be assumed is added to `notes`. The question has its device and its job.
  Status read(ScaleQuestion& question, int64_t most, std::vector<std::string>& notes) const;
};

}  // namespace plimsoll
