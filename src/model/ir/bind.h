// bind: Graph → Program. Sets the symbolic sizes, runs every shape rule, computes what follows
// from the graph alone (shape arithmetic, constants), resolves If and Loop, and costs what is left.
#pragma once

#include "model/ir/graph.h"
#include "model/ir/program.h"

namespace plimsoll {

struct BindOptions {
  std::optional<int64_t> batch;      // nullopt: 1, or the batch the file was exported with
  Bindings dims;                     // other symbolic sizes: --dim sequence=128
  std::optional<Shape> sample;       // replaces the first input's shape after the batch: --input
  std::optional<DType> parameters;   // stores floating parameters and buffers in this format
  std::optional<DType> activations;  // and everything else that is floating in this one
  bool write_out_loops = false;      // round by round, where they are short: what a run and a gradient need
};

Result<Program> bind(const Graph& graph, const BindOptions& options);

}  // namespace plimsoll
