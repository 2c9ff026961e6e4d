#include "model/onnx/order.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "base/field_mark.h"
#include "base/text.h"
#include "model/onnx/read_attributes.h"

namespace plimsoll {
namespace {

constexpr size_t kNamesShown = 8;  // of a long cycle

std::string cycle_text(const onnx::GraphProto& graph, const std::vector<int>& cycle) {
  std::string text;
  for (size_t i = 0; i < std::min(cycle.size(), kNamesShown); ++i)
    text += (i == 0 ? "" : " → ") + in_quotes(node_name(graph.node(cycle[i]), cycle[i]));
  if (cycle.size() > kNamesShown) text += fmt::format(" → … ({} nodes)", cycle.size());
  return text + " → " + in_quotes(node_name(graph.node(cycle[0]), cycle[0]));
}

}  // namespace

std::string node_name(const onnx::NodeProto& node, int index) {
  return node.name().empty() ? fmt::format("{}_{}", node.op_type(), index) : node.name();
}

std::string node_place(const onnx::NodeProto& node, int index) {
  return fmt::format("node {} ({})", in_quotes(node_name(node, index)), printable(node.op_type(), 80));
}

Result<Producers> find_producers(const onnx::GraphProto& graph) {
  Producers producers;
  for (int i = 0; i < graph.node_size(); ++i)
    for (const auto& output : graph.node(i).output()) {
      if (output.empty()) continue;
      const auto [entry, is_new] = producers.emplace(output, i);
      if (!is_new)
        return user_error(fmt::format("produces {}, which {} produces already", in_quotes(output),
                                      node_place(graph.node(entry->second), entry->second)))
            .in(node_place(graph.node(i), i));
    }
  return producers;
}

std::vector<std::string_view> FreeNames::read_by(const onnx::NodeProto& node) {
  std::vector<std::string_view> names(node.input().begin(), node.input().end());
  for (const auto* graph : subgraphs_of(node)) {
    const auto& free = of(*graph);
    names.insert(names.end(), free.begin(), free.end());
  }
  return names;
}

const std::vector<std::string_view>& FreeNames::of(const onnx::GraphProto& graph) {
  if (const auto known = known_.find(&graph); known != known_.end()) return known->second;
  std::unordered_set<std::string_view> own, seen;
  for (const auto& input : graph.input()) own.insert(input.name());
  for (const auto& tensor : graph.initializer()) own.insert(tensor.name());
  for (const auto& sparse : graph.sparse_initializer()) own.insert(sparse.values().name());
  for (const auto& node : graph.node()) own.insert(node.output().begin(), node.output().end());
  std::vector<std::string_view> names;
  const auto read = [&](std::string_view name) {
    if (!name.empty() && !own.contains(name) && left_ >= 0 && seen.insert(name).second) {
      names.push_back(name);
      --left_;
    }
  };
  for (const auto& node : graph.node())
    for (const auto name : read_by(node)) read(name);
  for (const auto& output : graph.output()) read(output.name());
  return known_.emplace(&graph, std::move(names)).first->second;
}

// Depth first, without recursion: a stranger's graph may be a chain of any length.
Result<std::vector<int>> sort_nodes(const onnx::GraphProto& graph, const Producers& producers, FreeNames& free_names) {
  struct Visit {
    int node;
    std::vector<int> after;  // nodes it follows that are still to be looked at
  };
  enum State : uint8_t { unseen, open, done };
  std::vector<State> state(size_t(graph.node_size()), unseen);
  std::vector<int> order;
  order.reserve(state.size());
  std::vector<Visit> path;
  const auto visit = [&](int node) {
    Visit next{node, {}};
    for (const auto name : free_names.read_by(graph.node(node)))
      if (const auto found = producers.find(name); found != producers.end() && state[size_t(found->second)] != done)
        next.after.push_back(found->second);
    std::reverse(next.after.begin(), next.after.end());
    state[size_t(node)] = open;
    path.push_back(std::move(next));
  };
  for (int first = 0; first < graph.node_size(); ++first) {
    if (free_names.exceeded())
      return user_error("its subgraphs take more values from the graphs around them than the limit of nodes allows",
                        "raise it with " + named("max_nodes"));
    if (state[size_t(first)] == unseen) visit(first);
    while (!path.empty()) {
      if (path.back().after.empty()) {
        state[size_t(path.back().node)] = done;
        order.push_back(path.back().node);
        path.pop_back();
        continue;
      }
      const int next = path.back().after.back();
      path.back().after.pop_back();
      if (state[size_t(next)] == unseen) visit(next);
      else if (state[size_t(next)] == open) {
        std::vector<int> cycle;
        for (auto at = path.rbegin(); at != path.rend(); ++at) {
          cycle.push_back(at->node);
          if (at->node == next) break;
        }
        std::reverse(cycle.begin(), cycle.end());
        return user_error(
            fmt::format("the graph has a cycle, each node reading the one before: {}", cycle_text(graph, cycle)));
      }
    }
  }
  return order;
}

}  // namespace plimsoll
