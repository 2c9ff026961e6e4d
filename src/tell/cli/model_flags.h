// The flags that say which network, how large and in which format, and the Program they give. Shared
// by every verb that takes a MODEL, so that they mean the same everywhere.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "model/ir/program.h"

namespace plimsoll {

struct ModelFlags {
  std::string batch, dtype, input, classes, max_nodes;
  std::vector<std::string> dims;

  void declare(CLI::App& app);

  // The format as it is shown: what was asked for, else the network's own.
  std::string dtype_shown(const std::string& model) const;
};

// MODEL is a zoo name or the path of an .onnx file.
bool is_file_name(const std::string& model);

Result<Program> load_program(const std::string& model, const ModelFlags& flags);

}  // namespace plimsoll
