// The order of a graph's nodes: each after the nodes whose outputs it reads, otherwise as in the file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "onnx/onnx.pb.h"

namespace plimsoll {

// "conv1", or "Conv_12" for a node without a name.
std::string node_name(const onnx::NodeProto& node, int index);

// "node 'conv1' (Conv)": the place in a message.
std::string node_place(const onnx::NodeProto& node, int index);

// Which node produces a name. An error names a value that two nodes produce.
using Producers = std::unordered_map<std::string_view, int>;
Result<Producers> find_producers(const onnx::GraphProto& graph);

// What subgraphs take from the graphs around them, each worked out once. A name that passes through
// many levels counts at each of them: the sum is limited, or a small file could make a huge one of it.
class FreeNames {
 public:
  explicit FreeNames(int64_t limit) : left_(limit) {}

  // The names a node reads from its own graph: its inputs, and what its subgraphs take from outside.
  std::vector<std::string_view> read_by(const onnx::NodeProto& node);
  bool exceeded() const { return left_ < 0; }

 private:
  const std::vector<std::string_view>& of(const onnx::GraphProto& graph);

  std::unordered_map<const onnx::GraphProto*, std::vector<std::string_view>> known_;
  int64_t left_;
};

// Indices of the nodes in order. A cycle is an error that names its nodes.
Result<std::vector<int>> sort_nodes(const onnx::GraphProto& graph, const Producers& producers, FreeNames& free_names);

}  // namespace plimsoll
