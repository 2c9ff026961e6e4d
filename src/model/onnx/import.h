// (the onnx branch brings the real one)
#pragma once
#include <string>
#include "model/ir/graph.h"
namespace plimsoll {
struct ImportLimits {
  int64_t nodes = 200'000;
  int64_t inputs = 100'000;
};
Result<Graph> import_onnx(const std::string& path, const ImportLimits& limits);
}  // namespace plimsoll
