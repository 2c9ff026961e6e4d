#include "plan/ask/token_attention.h"

#include <algorithm>

#include "base/rows/named.h"

namespace plimsoll {

Status take_possible_attention(TrainingSetup& setup, const ModelRequest& model, std::vector<std::string>& notes) {
  if (setup.attention != AttentionKernel::sdpa) return {};
  PLIM_ASSIGN(const auto graph, load_graph(model));
  const bool single = std::any_of(graph->nodes.begin(), graph->nodes.end(), [](const Node& node) {
    return node.op_name == "grouped_attention" && node.attributes.integer("single_operations", 0) != 0;
  });
  if (!single) return {};
  setup.attention = AttentionKernel::eager;
  notes.push_back(
      fmt::format("transformers computes the attention of this family from single operations and keeps its scores; {} "
                  "flash plans one kernel for it.",
                  named("attention")));
  return {};
}

}  // namespace plimsoll
