#include "model/ir/graph.h"

#include <fmt/format.h>

#include "base/text.h"

namespace plimsoll {
namespace {

std::string names(const Graph& graph, const std::vector<ValueId>& ids) {
  std::string text;
  for (const ValueId id : ids)
    text += (text.empty() ? "" : ", ") + (id.present() ? printable(graph.value(id).name, 80) : "-");
  return text;
}

}  // namespace

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

std::string print(const Graph& graph) {
  std::string out = fmt::format("graph {}\n", printable(graph.name, 80));
  for (const ValueId id : graph.inputs)
    out += fmt::format("  input {} {}\n", printable(graph.value(id).name, 80),
                       text(graph.value(id).shape.value_or(SymbolicShape{})));
  for (const auto& node : graph.nodes)
    out += fmt::format("  {} = {}({})  # {}\n", names(graph, node.outputs), printable(node.op_name, 80),
                       names(graph, node.inputs), printable(node.name, 80));
  return out + fmt::format("  output {}\n", names(graph, graph.outputs));
}

}  // namespace plimsoll
