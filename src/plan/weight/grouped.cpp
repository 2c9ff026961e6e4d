// Layers in one row per name prefix, in the order in which each prefix first appears.
#include <unordered_map>

#include "plan/weight/layer_name.h"
#include "plan/weight/weigh.h"

namespace plimsoll {
namespace {

void merge(LayerWeight& group, const LayerWeight& layer) {
  group.output = layer.output;
  group.params += layer.params;
  group.buffers += layer.buffers;
  group.macs += layer.macs;
  group.flops += layer.flops;
  group.outputs += layer.outputs;
  group.param_bytes += layer.param_bytes;
  group.input_bytes += layer.input_bytes;
  group.output_bytes += layer.output_bytes;
  group.activation_bytes += layer.activation_bytes;
  group.naive_bytes += layer.naive_bytes;
  group.moved += layer.moved;
  group.operations += layer.operations;
  group.certainty = std::max(group.certainty, layer.certainty);
  if (group.op != layer.op) group.op = "group";
}

}  // namespace

std::vector<LayerWeight> grouped(const std::vector<LayerWeight>& layers, int depth) {
  if (depth <= 0) return layers;
  std::vector<LayerWeight> groups;
  std::unordered_map<std::string, size_t> by_prefix;
  for (const auto& layer : layers) {
    const std::string prefix(name_prefix(layer.name, depth));
    const auto [place, fresh] = by_prefix.emplace(prefix, groups.size());
    if (fresh) {
      groups.push_back(layer);
      groups.back().name = prefix;
    } else {
      merge(groups[place->second], layer);
    }
  }
  return groups;
}

}  // namespace plimsoll
