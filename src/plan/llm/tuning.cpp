#include "plan/llm/tuning.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/numbers.h"
#include "base/rows/choices.h"
#include "base/text.h"

namespace plimsoll {
namespace {

constexpr int64_t kDefaultRank = 16, kLargestRank = 65'536;

constexpr std::pair<TuningKind, std::string_view> kKinds[] = {{TuningKind::full, "full"},
                                                              {TuningKind::lora, "lora"},
                                                              {TuningKind::qlora, "qlora"},
                                                              {TuningKind::dora, "dora"},
                                                              {TuningKind::freeze, "freeze"}};

// Names of layers, by their last part or their last two.
struct LayerNames {
  std::string_view name;
  std::vector<std::string_view> targets;
};

const std::vector<LayerNames>& layer_names() {
  static const std::vector<LayerNames> all{{"q_proj", {"q"}},
                                           {"q_b_proj", {"q"}},
                                           {"query", {"q"}},
                                           {"q_lin", {"q"}},
                                           {"q", {"q"}},
                                           {"k_proj", {"k"}},
                                           {"key", {"k"}},
                                           {"k_lin", {"k"}},
                                           {"k", {"k"}},
                                           {"v_proj", {"v"}},
                                           {"value", {"v"}},
                                           {"v_lin", {"v"}},
                                           {"v", {"v"}},
                                           {"kv_b_proj", {"k", "v"}},
                                           {"qkv_proj", {"q", "k", "v"}},
                                           {"c_attn", {"q", "k", "v"}},
                                           {"query_key_value", {"q", "k", "v"}},
                                           {"Wqkv", {"q", "k", "v"}},
                                           {"o_proj", {"o"}},
                                           {"out_proj", {"o"}},
                                           {"out_lin", {"o"}},
                                           {"o", {"o"}},
                                           {"attn.c_proj", {"o"}},
                                           {"attention.dense", {"o"}},
                                           {"self_attention.dense", {"o"}},
                                           {"self_attn.dense", {"o"}},
                                           {"attention.output.dense", {"o"}},
                                           {"gate_proj", {"gate"}},
                                           {"gate_up_proj", {"gate", "up"}},
                                           {"wi_0", {"gate"}},
                                           {"up_proj", {"up"}},
                                           {"fc1", {"up"}},
                                           {"fc_in", {"up"}},
                                           {"c_fc", {"up"}},
                                           {"wi", {"up"}},
                                           {"wi_1", {"up"}},
                                           {"lin1", {"up"}},
                                           {"dense_h_to_4h", {"up"}},
                                           {"intermediate.dense", {"up"}},
                                           {"down_proj", {"down"}},
                                           {"fc2", {"down"}},
                                           {"fc_out", {"down"}},
                                           {"mlp.c_proj", {"down"}},
                                           {"wo", {"down"}},
                                           {"lin2", {"down"}},
                                           {"dense_4h_to_h", {"down"}},
                                           {"output.dense", {"down"}}};
  return all;
}

Result<std::vector<std::string>> parse_targets(const std::string& called, const std::string& text) {
  if (text == "all") return std::vector<std::string>{};
  const std::vector<std::string> known(std::begin(kTargets), std::end(kTargets));
  std::vector<std::string> targets;
  for (const auto& target : split(text, ',')) {
    if (std::find(known.begin(), known.end(), target) == known.end())
      return user_error(
          fmt::format("{} has the target {}, expected {} or all", called, in_quotes(target), fmt::join(known, ", ")),
          "for example lora:16:q,v");
    targets.push_back(target);
  }
  return targets;
}

}  // namespace

Result<Tuning> parse_tuning(const std::string& called, const std::string& text) {
  const size_t colon = text.find(':');
  const std::string kind = text.substr(0, colon), rest = colon == std::string::npos ? "" : text.substr(colon + 1);
  Tuning tuning;
  const auto found =
      std::find_if(std::begin(kKinds), std::end(kKinds), [&](const auto& k) { return k.second == kind; });
  if (found == std::end(kKinds))
    return user_error(
        fmt::format("{} is {}, expected full, lora:R, qlora:R, dora:R or freeze:PATTERN", called, in_quotes(text)),
        "for example lora:16:q,v");
  tuning.kind = found->first;
  if (tuning.kind == TuningKind::full) {
    if (!rest.empty()) return user_error(fmt::format("{} is {}: full takes nothing after it", called, in_quotes(text)));
    return tuning;
  }
  if (tuning.kind == TuningKind::freeze) {
    if (rest.empty())
      return user_error(fmt::format("{} is {}, expected the names of parameters that rest", called, in_quotes(text)),
                        "for example freeze:*embed*");
    tuning.pattern = rest;
    return tuning;
  }
  const size_t second = rest.find(':');
  const std::string rank = rest.substr(0, second);
  tuning.rank = kDefaultRank;
  if (!rank.empty()) {
    PLIM_ASSIGN(tuning.rank, parse_integer(called + "'s rank", rank, 1, kLargestRank));
  }
  tuning.targets = {"q", "v"};
  if (second != std::string::npos) {
    PLIM_ASSIGN(tuning.targets, parse_targets(called, rest.substr(second + 1)));
  }
  return tuning;
}

std::string text_of(const Tuning& tuning) {
  std::string_view kind;
  for (const auto& [value, name] : kKinds)
    if (value == tuning.kind) kind = name;
  if (tuning.kind == TuningKind::full) return std::string(kind);
  if (tuning.kind == TuningKind::freeze) return fmt::format("{}:{}", kind, tuning.pattern);
  return fmt::format("{}:{}:{}", kind, tuning.rank,
                     tuning.targets.empty() ? "all" : fmt::format("{}", fmt::join(tuning.targets, ",")));
}

std::vector<std::string_view> targets_of(std::string_view layer) {
  size_t longest = 0;
  std::vector<std::string_view> targets;
  for (const auto& names : layer_names()) {
    const std::string_view name = names.name;
    if (name.size() < longest || !layer.ends_with(name)) continue;
    if (layer.size() > name.size() && layer[layer.size() - name.size() - 1] != '.') continue;
    longest = name.size();
    targets = names.targets;
  }
  return targets;
}

bool matches(std::string_view pattern, std::string_view name) {
  if (pattern.find('*') == std::string_view::npos) return name.find(pattern) != std::string_view::npos;
  size_t at = 0;
  bool open = false;  // a star stands before what comes next
  while (true) {
    const size_t star = pattern.find('*');
    const std::string_view piece = pattern.substr(0, star);
    if (!open) {
      if (!name.substr(at).starts_with(piece)) return false;
      at += piece.size();
    } else if (star == std::string_view::npos) {
      return name.size() - at >= piece.size() && name.ends_with(piece);
    } else {
      const size_t found = name.find(piece, at);
      if (found == std::string_view::npos) return false;
      at = found + piece.size();
    }
    if (star == std::string_view::npos) return at == name.size();
    pattern = pattern.substr(star + 1);
    open = true;
    if (pattern.empty()) return true;
  }
}

}  // namespace plimsoll
