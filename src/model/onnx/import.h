// import_onnx: an .onnx file → Graph. The file is a stranger's: it is checked byte by byte before
// protobuf sees it, its weights are neither read nor held, and nothing outside its folder is opened.
//
// Pipeline: open (source) → scan, which leaves the weights out → protobuf → functions inlined,
// nodes ordered → values with roles, nodes with operations → Graph. Weights are only weighed.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "model/ir/graph.h"
#include "model/ir/weights.h"

namespace plimsoll {

struct ImportLimits {
  int64_t nodes = 200'000;   // --max-nodes: nodes in all, subgraphs and inlined functions included
  int64_t inputs = 200'000;  // inputs of the network, and of any one node
};

// Warnings a user should see are in Graph::notes. The caller adds the path to an error.
Result<Graph> import_onnx(const std::string& path, const ImportLimits& limits = {});

// The same with the numbers of its parameters and buffers, which are read from the file and its external data when they
// are asked for. `weights` keeps the file open; it holds no numbers itself but of tensors that are tiny.
struct ImportedNetwork {
  Graph graph;
  std::unique_ptr<Weights> weights;
};
Result<ImportedNetwork> import_onnx_with_weights(const std::string& path, const ImportLimits& limits = {});

// The same from memory; external data counts as absent.
Result<Graph> import_onnx_bytes(std::string_view bytes, const ImportLimits& limits = {});

// A TensorProto in a file of its own (.pb), as ONNX's test data has them.
Result<Tensor> read_tensor_file(const std::string& path);

}  // namespace plimsoll
