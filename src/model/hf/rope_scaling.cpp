// Rotary positions as config.json states them: a base, a part of the head, and ways to stretch positions beyond those
// that a network was trained on. All come down to one frequency a pair and a factor.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/text.h"
#include "model/hf/request.h"

namespace plimsoll {
namespace {

constexpr int64_t kLargestHead = 1 << 16;  // real ones have hundreds; each pair of numbers has a frequency of its own

// llama3: low frequencies are divided by the factor, high ones kept, those between blended.
void scale_llama3(const Config& scaling, std::vector<double>& frequencies) {
  const double factor = scaling.number("factor", 8), low = scaling.number("low_freq_factor", 1),
               high = scaling.number("high_freq_factor", 4);
  const double trained = scaling.number("original_max_position_embeddings", 8192);
  for (double& frequency : frequencies) {
    const double length = 2 * std::numbers::pi / frequency;
    if (length < trained / high) continue;
    const double blend = std::clamp((trained / length - low) / (high - low), 0.0, 1.0);
    frequency = (1 - blend) * frequency / factor + blend * frequency;
  }
}

// YaRN (Peng 2023): pairs that turn often keep their frequency, those that turn rarely are stretched.
double scale_yarn(const Config& scaling, double theta, std::vector<double>& frequencies) {
  const double factor = scaling.number("factor", 1), fast = scaling.number("beta_fast", 32),
               slow = scaling.number("beta_slow", 1);
  const double trained = scaling.number("original_max_position_embeddings", 4096);
  const auto pairs = double(frequencies.size());
  const auto pair_with_turns = [&](double turns) {
    return pairs * std::log(trained / (turns * 2 * std::numbers::pi)) / std::log(theta);
  };
  const bool rounded = scaling.flag("truncate", true);
  double first = pair_with_turns(fast), last = pair_with_turns(slow);
  if (rounded) {
    first = std::floor(first);
    last = std::ceil(last);
  }
  first = std::max(first, 0.0);
  last = std::min(last, 2 * pairs - 1);
  if (first == last) last += 0.001;
  for (size_t i = 0; i < frequencies.size(); ++i) {
    const double stretched = std::clamp((double(i) - first) / (last - first), 0.0, 1.0);
    frequencies[i] *= (1 - stretched) + stretched / factor;
  }
  const auto scale = [&](double by) { return factor <= 1 ? 1.0 : 0.1 * by * std::log(factor) + 1; };
  const double whole = scaling.number("mscale_all_dim", 0), part = scaling.number("mscale", 0);
  const double usual = whole != 0 && part != 0 ? scale(part) / scale(whole) : scale(1);
  return scaling.number("attention_factor", usual);
}

double scale_longrope(const Config& config, const Config& scaling, std::vector<double>& frequencies) {
  const auto factors = scaling.numbers("short_factor");
  scaling.numbers("long_factor");
  if (factors.size() != frequencies.size()) {
    config.fail(fmt::format("short_factor has {} numbers, expected {}", factors.size(), frequencies.size()));
    return 1;
  }
  for (size_t i = 0; i < factors.size(); ++i) frequencies[i] /= factors[i];
  const double trained =
      config.number("original_max_position_embeddings", scaling.number("original_max_position_embeddings", 4096));
  const double factor = config.number("max_position_embeddings", trained) / trained;
  return factor <= 1 ? 1 : std::sqrt(1 + std::log(factor) / std::log(trained));
}

double apply_scaling(const Config& config, const Config& scaling, double theta, std::vector<double>& frequencies) {
  const std::string type = scaling.text("rope_type|type", "default");
  if (type == "default" || type == "dynamic" || type == "mrope" || type == "proportional") return 1;
  if (type == "linear") {
    for (double& frequency : frequencies) frequency /= scaling.number("factor", 1);
    return 1;
  }
  if (type == "llama3") {
    scale_llama3(scaling, frequencies);
    return 1;
  }
  if (type == "yarn" || type == "deepseek_yarn") return scale_yarn(scaling, theta, frequencies);
  if (type == "longrope" || type == "su") return scale_longrope(config, scaling, frequencies);
  config.fail(fmt::format("the rope scaling {} is not supported", in_quotes(type)),
              "linear, dynamic, llama3, yarn or longrope");
  return 1;
}

}  // namespace

bool is_sound_head(const Config& config, int64_t head) {
  if (head <= kLargestHead) return true;
  config.fail(fmt::format("a head has {} numbers, expected at most {}", head, kLargestHead));
  return false;
}

std::shared_ptr<const RopeSpec> read_rope(const Config& config, int64_t head, const RopeDefaults& defaults) {
  Config stated = config.part(config.has("rope_parameters") ? "rope_parameters" : "rope_scaling");
  if (!defaults.kind.empty() && stated.has(defaults.kind)) stated = stated.part(defaults.kind);
  const double theta = stated.number("rope_theta", config.number("rope_theta|rotary_emb_base", defaults.theta));
  const double fraction =
      stated.number("partial_rotary_factor", config.number("partial_rotary_factor|rotary_pct", defaults.fraction));
  stated.ignore({"mrope_section", "mrope_interleaved"});
  if (!(theta > 1) || !(fraction > 0) || !(fraction <= 1)) {
    config.fail(fmt::format(
        "rope_theta is {} and the rotated share of a head {}, expected a base above 1 and a share of at most 1", theta,
        fraction));
    return nullptr;
  }
  if (!is_sound_head(config, head)) return nullptr;
  RopeSpec rope;
  const auto turned = int64_t(double(head) * fraction) / 2 * 2;
  if (turned != head) rope.turned = turned;
  rope.interleaved = defaults.interleaved;
  for (int64_t i = 0; i < turned / 2; ++i)
    rope.frequencies.push_back(std::pow(theta, -2.0 * double(i) / double(turned)));
  if (turned < 2) {
    config.fail(fmt::format("a head has {} numbers, expected an even number to rotate", head));
    return nullptr;
  }
  rope.scale = apply_scaling(config, stated, theta, rope.frequencies);
  return std::make_shared<const RopeSpec>(std::move(rope));
}

}  // namespace plimsoll
