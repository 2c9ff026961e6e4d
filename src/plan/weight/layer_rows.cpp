#include "plan/weight/layer_rows.h"

#include <algorithm>

namespace plimsoll {
namespace {

struct SortKey {
  const char* name;
  double (*value)(const LayerWeight&);
};

constexpr SortKey kKeys[] = {
    {"params", [](const LayerWeight& l) { return double(l.params.value()); }},
    {"macs", [](const LayerWeight& l) { return double(l.macs.value()); }},
    {"flops", [](const LayerWeight& l) { return double(l.flops.value()); }},
    {"activations", [](const LayerWeight& l) { return double(l.activation_bytes.value()); }},
    {"naive", [](const LayerWeight& l) { return double(l.naive_bytes.value()); }},
    {"moved", [](const LayerWeight& l) { return double(l.moved.value()); }},
    {"intensity", [](const LayerWeight& l) { return l.intensity(); }},
};

}  // namespace

const std::vector<std::string>& sort_keys() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    for (const auto& key : kKeys) names.emplace_back(key.name);
    return names;
  }();
  return kNames;
}

std::vector<LayerWeight> layer_rows(const Weight& weight, const WeighView& view) {
  auto rows = grouped(weight.layers, view.depth);
  for (const auto& key : kKeys)
    if (view.sort == key.name)
      std::stable_sort(rows.begin(), rows.end(),
                       [&](const auto& a, const auto& b) { return key.value(a) > key.value(b); });
  if (view.top > 0 && int64_t(rows.size()) > view.top) rows.resize(size_t(view.top));
  return rows;
}

std::string_view certainty_name(Certainty certainty) {
  switch (certainty) {
    case Certainty::exact: return "exact";
    case Certainty::at_most: return "at most";
    case Certainty::unbounded: return "unbounded";
    case Certainty::unknown: return "unknown";
  }
  return "";
}

}  // namespace plimsoll
