#include "tell/report/repeated_layers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

namespace plimsoll {
namespace {

constexpr size_t kFewest = 3;  // blocks alike: fewer are shown as they are

// "model.layers.12.mlp.act": "model.layers", "12" and ".mlp.act".
struct NumberedName {
  std::string_view list, number, rest;
};

NumberedName numbered(std::string_view name) {
  for (size_t dot = name.find('.'); dot != std::string_view::npos; dot = name.find('.', dot + 1)) {
    const size_t end = std::min(name.find('.', dot + 1), name.size());
    const std::string_view part = name.substr(dot + 1, end - dot - 1);
    const bool number =
        !part.empty() && std::all_of(part.begin(), part.end(), [](unsigned char c) { return std::isdigit(c); });
    if (number) return {name.substr(0, dot), part, name.substr(end)};
  }
  return {};
}

struct Block {
  size_t first = 0, end = 0;  // rows
  NumberedName name;
};

std::vector<Block> blocks_of(const std::vector<LayerWeight>& rows) {
  std::vector<Block> blocks;
  for (size_t i = 0; i < rows.size(); ++i) {
    const NumberedName name = numbered(rows[i].name);
    const bool same = !blocks.empty() && !name.number.empty() && blocks.back().name.number == name.number &&
                      blocks.back().name.list == name.list;
    if (!same) blocks.push_back({i, i, name});
    blocks.back().end = i + 1;
  }
  return blocks;
}

bool are_alike(const LayerWeight& a, const LayerWeight& b) {
  return a.op == b.op && a.params == b.params && a.macs == b.macs && a.flops == b.flops && a.outputs == b.outputs &&
         a.activation_bytes == b.activation_bytes && a.moved == b.moved && a.certainty == b.certainty &&
         numbered(a.name).rest == numbered(b.name).rest;
}

bool are_alike(const std::vector<LayerWeight>& rows, const Block& a, const Block& b) {
  if (a.name.number.empty() || a.name.list != b.name.list || a.end - a.first != b.end - b.first) return false;
  for (size_t i = 0; i < a.end - a.first; ++i)
    if (!are_alike(rows[a.first + i], rows[b.first + i])) return false;
  return true;
}

LayerWeight sum_of(const std::vector<LayerWeight>& rows, const Block& first, const Block& last, size_t blocks) {
  std::vector<LayerWeight> all(rows.begin() + std::ptrdiff_t(first.first), rows.begin() + std::ptrdiff_t(last.end));
  for (auto& row : all) row.name = first.name.list;
  LayerWeight sum = grouped(all, 1).front();
  sum.name = fmt::format("{}.{} … {}", first.name.list, first.name.number, last.name.number);
  sum.op = fmt::format("{} times the same", blocks);
  return sum;
}

}  // namespace

std::vector<LayerWeight> without_repeats(const std::vector<LayerWeight>& rows) {
  std::vector<LayerWeight> shown;
  const auto blocks = blocks_of(rows);
  for (size_t i = 0; i < blocks.size();) {
    shown.insert(shown.end(), rows.begin() + std::ptrdiff_t(blocks[i].first),
                 rows.begin() + std::ptrdiff_t(blocks[i].end));
    size_t end = i + 1;
    while (end < blocks.size() && are_alike(rows, blocks[i], blocks[end])) ++end;
    if (end - i < kFewest) end = i + 1;
    else shown.push_back(sum_of(rows, blocks[i + 1], blocks[end - 1], end - i - 1));
    i = end;
  }
  return shown;
}

}  // namespace plimsoll
