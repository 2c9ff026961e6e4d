#include "tell/report/colours.h"

#include <fmt/format.h>

#include <algorithm>

namespace plimsoll {
namespace {

constexpr Tint kTints[] = {
    {"part-parameters", "#1f6fae", "#62aee8"},
    {"part-gradients", "#1f7d70", "#55c6b4"},
    {"part-optimizer", "#7a4f9a", "#bb9ade"},
    {"part-activations", "#b4610b", "#f0a94e"},
    {"part-workspace", "#86644f", "#c9a793"},
    {"part-input", "#5c7a17", "#a8c763"},
    {"part-fixed", "#6b7680", "#9fabb5"},
    {"part-adapters", "#b03a78", "#ee8fbd"},
    {"part-logits", "#8a6d00", "#dcc25a"},
    {"part-cache", "#0a7f96", "#5fd3e6"},
    {"part-exchange", "#4d5bb5", "#9aa6ee"},
    {"part-slack", "#8b959e", "#76838e"},
    {"kind-convolution", "#6ac8fe", "#0b77a3"},
    {"kind-grad-data", "#bee1ff", "#5887a4"},
    {"kind-grad-weights", "#36a9ed", "#025d88"},
    {"kind-product", "#d7adfb", "#865fa9"},
    {"kind-attention", "#04d2de", "#097c82"},
    {"kind-element", "#efb272", "#996424"},
    {"kind-normalise", "#60d2a8", "#027f5d"},
    {"kind-pool", "#a6c97a", "#567a2c"},
    {"kind-reduce", "#fea4c5", "#b24c78"},
    {"kind-update", "#d2be6c", "#7e701b"},
    {"kind-nothing", "#cbd3d8", "#595f64"},
    {"run-0", "#362dcd", "#8f8cff"},
    {"run-1", "#e05a00", "#fc5b15"},
    {"run-2", "#0a8f3c", "#06c750"},
    {"run-3", "#d12fb8", "#ed44ec"},
    {"run-4", "#4d4e03", "#a19e54"},
    {"run-5", "#842d3c", "#f55884"},
    {"place-usual", "#6f7f8c", "#8b9aa8"},
    {"place-best", "#0b5f86", "#6cc0e8"},
    {"place-taken", "#16683a", "#72d39c"},
    {"place-chosen", "#a34a15", "#f0a070"},
};

using Title = std::pair<std::string_view, std::string_view>;

constexpr Title kKinds[] = {{"convolution", "convolution"},
                            {"grad data", "convolution, gradient of its input"},
                            {"grad weights", "convolution, gradient of its weights"},
                            {"product", "matrix product"},
                            {"attention", "attention"},
                            {"element", "element by element"},
                            {"normalise", "normalisation and softmax"},
                            {"pool", "pooling"},
                            {"reduce", "sums"},
                            {"update", "update of parameters"},
                            {"nothing", "views, free of charge"}};

constexpr Title kParts[] = {{"fixed", "driver and libraries"}, {"input", "input batch"},
                            {"optimizer", "optimizer state"},  {"cache", "cache of keys and values"},
                            {"slack", "gaps and rounding"},    {"spare", "taken only if there is room"}};

std::string_view title_of(std::span<const Title> titles, std::string_view name) {
  for (const auto& [known, title] : titles)
    if (known == name) return title;
  return name;
}

std::string rules(std::string_view Tint::*colour) {
  std::string style;
  for (const Tint& tint : kTints) {
    const bool line = tint.name.starts_with("run-") || tint.name.starts_with("place-");
    style +=
        fmt::format(".{}{{fill:{}{}}}", tint.name, tint.*colour, line ? fmt::format(";stroke:{}", tint.*colour) : "");
  }
  return style;
}

}  // namespace

std::span<const Tint> all_tints() { return kTints; }

std::string kind_class(std::string_view kind) {
  const bool known = std::any_of(std::begin(kKinds), std::end(kKinds), [&](const Title& t) { return t.first == kind; });
  std::string name = fmt::format("kind-{}", known ? kind : "nothing");
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

std::string part_class(std::string_view part) {
  if (part == "communication") return "part-exchange";
  return fmt::format("part-{}", part == "spare" ? "slack" : part);
}

std::string_view kind_title(std::string_view kind) { return title_of(kKinds, kind); }
std::string_view part_title(std::string_view part) { return title_of(kParts, part); }

const std::string& tint_style() {
  static const std::string style =
      rules(&Tint::light) + "@media screen and (prefers-color-scheme:dark){" + rules(&Tint::dark) + "}";
  return style;
}

}  // namespace plimsoll
