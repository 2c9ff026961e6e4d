// load_model_file: a network from a file, whichever kind it is: .onnx, a Hugging Face config.json or a folder that has
// one, the header of a .gguf.
#pragma once

#include <optional>
#include <string>

#include "model/ir/graph.h"
#include "model/onnx/import.h"

namespace plimsoll {

struct LoadOptions {
  ImportLimits limits;                     // of .onnx files
  std::optional<int64_t> sequence;         // tokens of a sample; else the smaller of 2,048 and the network's own
  std::optional<int64_t> vocabulary = {};  // tokens that it knows, instead of its own
};

enum class ModelFile { onnx, config, gguf };

// Whether a name is that of a file that people call a model, also of kinds that are refused with what to do instead.
bool has_ending_of_a_model(const std::string& path);

// By its ending, or for a folder by what it has.
ModelFile kind_of_model_file(const std::string& path);

// The caller adds the path to an error.
Result<Graph> load_model_file(const std::string& path, const LoadOptions& options = {});

}  // namespace plimsoll
