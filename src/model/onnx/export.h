// export_onnx: a Graph and its weights → an .onnx file that other programs open: IR version 8, opset 17, the batch
// still open. What has to be declined is declined before anything is written.
//
// The file is written from front to back, weights a piece at a time, so neither it nor a tensor of it is ever held in
// memory. Past protobuf's limit of 2 GiB the weights go to a file of their own beside it, FILE.onnx.data. Both take
// their places when they are whole. Parameters that no operation reads are left out.
#pragma once

#include <string>

#include "model/ir/graph.h"
#include "model/ir/weights.h"
#include "model/onnx/metadata.h"

namespace plimsoll {

struct ExportOptions {
  int64_t largest_file = (int64_t{1} << 31) - (1 << 20);  // bytes; larger ones get a file for the weights
  bool numbers = true;                                    // false: shapes alone, to look at
  Metadata metadata = {};                                 // written beside the graph
};

struct Exported {
  int64_t bytes = 0;         // of the model
  int64_t weight_bytes = 0;  // of the file of weights beside it; 0: there is none
  int64_t tensors = 0;       // stored ones
};

// `weights` has every parameter and buffer that is read.
Result<Exported> export_onnx(const Graph& graph, const Weights& weights, const std::string& path,
                             const ExportOptions& options = {});

}  // namespace plimsoll
