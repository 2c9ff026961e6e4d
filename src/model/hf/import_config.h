// import_config: a Hugging Face config.json → Graph. The text is a stranger's; weights are never read. `params` of the
// graph are what the newest transformers, or diffusers, builds for the architecture that the file names.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/ir/graph.h"

namespace plimsoll {

struct ConfigOptions {
  std::optional<int64_t> sequence;         // tokens of a sample; else the smaller of 2,048 and the network's own
  std::string name;                        // of the graph; empty: the architecture's
  std::optional<int64_t> vocabulary = {};  // tokens that it knows, instead of its own
};

Result<Graph> import_config_text(std::string_view text, const ConfigOptions& options = {});

// A file, or a folder that has a config.json. The caller adds the path to an error.
Result<Graph> import_config(const std::string& path, const ConfigOptions& options = {});

}  // namespace plimsoll
