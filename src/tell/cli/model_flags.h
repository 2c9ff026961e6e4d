// The flags that say which network, how large and in which format, and the Program they give. Shared
// by every verb that takes a MODEL, so that they mean the same everywhere.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "model/onnx/import.h"
#include "plan/verdict/network.h"

namespace plimsoll {

struct ModelFlags {
  std::string batch, dtype, input, classes, sequence, max_nodes;
  std::vector<std::string> dims;

  void declare(CLI::App& app, const std::string& batch_help = "samples a step (default 1)");

  Result<std::optional<int64_t>> read_batch() const;
  Result<NumberFormat> read_format() const;  // f32, the network's own, when none is given

  // The format as it is shown: what was asked for, else the network's own.
  std::string dtype_shown(const std::string& model) const;
};

// MODEL is a zoo name or the path of an .onnx file, a config.json, a folder that has one, or a .gguf.
bool is_file_name(const std::string& model);

// The graph; `weights` are those of an .onnx file, nullptr for a network of the zoo.
Result<ImportedNetwork> load_model(const std::string& model, const ModelFlags& flags);

Result<Network> load_network(const std::string& model, const ModelFlags& flags);
Result<Program> load_program(const std::string& model, const ModelFlags& flags);

}  // namespace plimsoll
