#include "model/onnx/module_names.h"

#include <set>

#include "model/onnx/node_metadata.h"

namespace plimsoll {
namespace {

std::string without_number(const std::string& name) {
  const size_t last = name.find_last_not_of("0123456789");
  return last != std::string::npos && last > 0 && last + 1 < name.size() && name[last] == '_' ? name.substr(0, last)
                                                                                              : name;
}

// The path of the module that calls the operation; in a module with parts of its own, with the operation's name.
std::string layer_name(const std::vector<std::string>& scopes, const std::set<std::string>& inner) {
  if (scopes.size() < 2) return {};
  const std::string& path = scopes[scopes.size() - 2];
  const std::string operation = without_number(scopes.back());
  if (path.empty()) return operation;
  return inner.contains(path) ? path + "." + operation : path;
}

}  // namespace

void name_by_module(onnx::GraphProto& graph) {
  std::vector<std::vector<std::string>> scopes;
  std::set<std::string> inner;  // modules with parts
  bool any = false;
  for (const auto& node : graph.node()) {
    scopes.push_back(module_scopes(node));
    any = any || !scopes.back().empty();
    for (size_t i = 0; i + 2 < scopes.back().size(); ++i) inner.insert(scopes.back()[i]);
  }
  if (!any) return;
  for (int i = 0; i < graph.node_size(); ++i)
    if (std::string name = layer_name(scopes[size_t(i)], inner); !name.empty())
      graph.mutable_node(i)->set_name(std::move(name));
}

}  // namespace plimsoll
