// Tuning: what of a network of tokens is trained: all of it, adapters beside its layers, or all but what rests. As
// text: "full", "lora:16", "qlora:16:q,v", "dora:8:all", "freeze:*embed*".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace plimsoll {

enum class TuningKind { full, lora, qlora, dora, freeze };

struct Tuning {
  TuningKind kind = TuningKind::full;
  int64_t rank = 0;
  std::vector<std::string> targets;  // of kTargets; empty: every layer of a block
  std::string pattern;               // of parameters that rest

  bool adapts() const { return kind == TuningKind::lora || kind == TuningKind::qlora || kind == TuningKind::dora; }
  bool quantised() const { return kind == TuningKind::qlora; }
};

inline constexpr std::string_view kTargets[] = {"q", "k", "v", "o", "gate", "up", "down"};

Result<Tuning> parse_tuning(const std::string& called, const std::string& text);
std::string text_of(const Tuning& tuning);

// Which of kTargets a layer is, by the names that families give them: "q_proj" is q, "c_attn" is q, k and v in one.
std::vector<std::string_view> targets_of(std::string_view layer);

// '*' stands for anything; a pattern without one matches names that contain it.
bool matches(std::string_view pattern, std::string_view name);

}  // namespace plimsoll
