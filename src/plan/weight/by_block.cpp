// Rows for the parts of a stack of equal blocks. Numbers in names are what tells one block from the next, so they are
// written as a star; what follows the first star is cut after one part: the attention, the MLP, a norm of a block.
#include <algorithm>
#include <cctype>
#include <set>
#include <unordered_map>

#include "plan/weight/weigh.h"

namespace plimsoll {
namespace {

bool is_number(std::string_view part) {
  return !part.empty() && std::all_of(part.begin(), part.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

struct BlockName {
  std::string kind, which;  // "model.layers.*.mlp", and "3" of it
};

BlockName block_name(std::string_view name) {
  BlockName found;
  bool starred = false;
  int left = -1;
  while (!name.empty() && left != 0) {
    const size_t dot = name.find('.');
    const std::string_view part = name.substr(0, dot);
    name = dot == std::string_view::npos ? std::string_view() : name.substr(dot + 1);
    if (is_number(part)) {
      found.which += std::string(part) + ".";
      if (!starred) left = 2;
      starred = true;
    }
    found.kind += (found.kind.empty() ? "" : ".") + (is_number(part) ? std::string("*") : std::string(part));
    if (left > 0) --left;
  }
  return found;
}

}  // namespace

std::vector<BlockWeight> by_block(const std::vector<LayerWeight>& layers) {
  std::vector<BlockWeight> blocks;
  std::unordered_map<std::string, size_t> places;
  std::vector<std::set<std::string>> which;
  for (const auto& layer : layers) {
    const BlockName name = block_name(layer.name);
    const auto [place, fresh] = places.emplace(name.kind, blocks.size());
    if (fresh) {
      blocks.push_back({name.kind, 0, {}, {}, {}});
      which.emplace_back();
    }
    BlockWeight& block = blocks[place->second];
    block.params += layer.params;
    block.macs += layer.macs;
    block.flops += layer.flops;
    which[place->second].insert(name.which);
    block.count = int64_t(which[place->second].size());
  }
  return blocks;
}

}  // namespace plimsoll
