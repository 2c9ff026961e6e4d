// Roles of stored tensors: whether an initializer is a parameter, a buffer or a constant follows
// from who reads it.
#pragma once

#include <unordered_map>

#include "model/ir/graph.h"

namespace plimsoll {

// The ways a value is read, a bit each.
using UsedAs = uint8_t;
constexpr UsedAs kNotUsed = 0, kUsedAsData = 1, kUsedAsWeight = 2, kUsedAsBuffer = 4, kUsedAsSetting = 8;

// For nodes with subgraphs: how the inner graphs use what is captured, by node index; entry i is for
// the i-th of the node's last inputs.
using CaptureUses = std::unordered_map<size_t, std::vector<UsedAs>>;

// The uses of every value of the graph. Operations that only reshape or convert are looked through:
// what they read is used as their output is.
std::vector<UsedAs> find_uses(const Graph& graph, const CaptureUses& captures);

struct StoredKind {
  bool constant_node = false;  // in the file as a Constant node and not as an initializer
  TensorType type;
};

Role role_of(const StoredKind& stored, UsedAs uses);

}  // namespace plimsoll
