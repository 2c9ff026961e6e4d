#include "model/ir/graph.h"

#include "base/text.h"

namespace plimsoll {

Status validate(const Graph& graph) {
  std::vector<bool> ready(graph.values.size(), false);
  for (size_t i = 0; i < graph.values.size(); ++i) ready[i] = graph.values[i].role != Role::activation;
  const auto in_range = [&](ValueId id) { return id.index >= -1 && id.index < int32_t(graph.values.size()); };
  for (const auto& node : graph.nodes) {
    for (const ValueId id : node.inputs)
      if (!in_range(id) || (id.present() && !ready[size_t(id.index)]))
        return user_error("reads a value before it is produced").in("node " + in_quotes(node.name));
    for (const ValueId id : node.outputs) {
      if (!in_range(id) || (id.present() && ready[size_t(id.index)]))
        return user_error("produces a value that is there already").in("node " + in_quotes(node.name));
      if (id.present()) ready[size_t(id.index)] = true;
    }
  }
  for (const ValueId id : graph.outputs)
    if (!in_range(id) || !id.present() || !ready[size_t(id.index)]) return user_error("an output is never produced");
  return {};
}

}  // namespace plimsoll
