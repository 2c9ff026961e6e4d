#include "tests/fuzz/random_graphs/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include "run/exec/reference/reference_backend.h"
#include "tests/fuzz/random_graphs/trial.h"

namespace plimsoll {
namespace {

constexpr int kNoisyRuns = 4;
constexpr double kMostMoved = 0.01;  // of the largest number
constexpr double kSmallest = 1e-20;  // of a tensor's largest number: below it f32 runs out of digits
constexpr double kSmallLoss = 0.01;
constexpr double kMoves = 20;  // so many times what noise moves it, a kernel may be off

// Ways of convolving by tiles round more coarsely than a sum does.
struct Rounding {
  double noise, tolerance;
};
Rounding rounding_of(ConvSetting way) {
  const bool tiles = way == ConvSetting::winograd || way == ConvSetting::fft || way == ConvSetting::automatic;
  return tiles ? Rounding{3e-6, 2e-4} : Rounding{6e-7, 1e-4};
}

double largest_of(const std::vector<double>& numbers) {
  double largest = 0;
  for (const double number : numbers) largest = std::max(largest, std::abs(number));
  return largest;
}

bool finite(const std::vector<double>& numbers) {
  for (const double number : numbers)
    if (!std::isfinite(number)) return false;
  return true;
}

// NaN where either is.
double farthest(const std::vector<double>& a, const std::vector<double>& b) {
  double result = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    const double distance = std::abs(a[i] - b[i]);
    if (!(distance <= result)) result = distance;
    if (std::isnan(result)) return result;
  }
  return result;
}

class Comparer {
 public:
  explicit Comparer(const RandomGraph& random) : random_(random), rounding_(rounding_of(random.conv)) {}

  Comparison run() {
    exact_ = try_graph(random_, reference_backend(), {DType::f64});
    std::vector<Tried> ours;
    for (const Backend* backend : all_backends()) ours.push_back(try_graph(random_, *backend, {}));
    if (refused_alike(ours)) return result_;
    run_with_noise();
    for (const auto& [name, numbers] : exact_.numbers) judge(name, numbers, ours);
    return result_;
  }

  std::optional<Expected> first_output() {
    exact_ = try_graph(random_, reference_backend(), {DType::f64});
    if (!exact_.refusal.empty()) return std::nullopt;
    run_with_noise();
    const auto& numbers = exact_.numbers.at("output 0");
    const auto tolerance = tolerance_of("output 0", numbers);
    return tolerance ? std::optional(Expected{numbers, *tolerance}) : std::nullopt;
  }

 private:
  void run_with_noise() {
    for (const auto& [name, numbers] : exact_.numbers)
      if (name.starts_with("gradient")) largest_gradient_ = std::max(largest_gradient_, largest_of(numbers));
    for (int i = 0; i < kNoisyRuns; ++i)
      noisy_.push_back(try_graph(random_, reference_backend(), {DType::f64, rounding_.noise, uint64_t(i) + 1}));
  }

  bool refused_alike(const std::vector<Tried>& ours) {
    for (const auto& tried : ours)
      if (tried.refusal != ours[0].refusal)
        result_.difference = fmt::format("one refuses: '{}', the other: '{}'", ours[0].refusal, tried.refusal);
    result_.refusal = ours[0].refusal;
    if (!result_.difference.empty() || !result_.refusal.empty()) return true;
    if (!exact_.refusal.empty()) result_.difference = "refused in f64 alone: " + exact_.refusal;
    return !result_.difference.empty();
  }

  // How far it may be off; nullopt: it depends on the rounding.
  std::optional<double> tolerance_of(const std::string& name, const std::vector<double>& exact) const {
    const double scale = largest_of(exact);
    double moved = 0;
    for (const auto& noisy : noisy_) moved = std::max(moved, farthest(exact, noisy.numbers.at(name)));
    if (!finite(exact) || !(moved <= kMostMoved * scale) || scale < kSmallest) return std::nullopt;
    if (name.starts_with("gradient")) return kMoves * moved + rounding_.tolerance * std::max(scale, largest_gradient_);
    // An optimizer that divides by the gradient's size makes whatever it likes of one that is all rounding.
    if (name.starts_with("updated") && lost_in_rounding("gradient" + name.substr(std::strlen("updated"))))
      return std::nullopt;
    // A loss near 0 is what is left of scores that cancelled.
    return kMoves * moved + rounding_.tolerance * std::max(scale, name == "loss" ? kSmallLoss : 0);
  }

  // Some of its numbers may be all rounding.
  bool lost_in_rounding(const std::string& name) const {
    const auto found = exact_.numbers.find(name);
    if (found == exact_.numbers.end()) return false;
    const auto tolerance = tolerance_of(name, found->second);
    if (!tolerance) return true;
    return std::any_of(found->second.begin(), found->second.end(),
                       [&](double number) { return std::abs(number) <= *tolerance; });
  }

  void judge(const std::string& name, const std::vector<double>& exact, const std::vector<Tried>& ours) {
    auto tolerance = tolerance_of(name, exact);
    // The reference maths rounds as little as f32 can: what that moves is rounding, unless it is much.
    const auto plain = ours.back().numbers.find(name);
    if (tolerance && plain != ours.back().numbers.end() && plain->second.size() == exact.size()) {
      const double off = farthest(exact, plain->second);
      if (off > *tolerance && off < kMostMoved * largest_of(exact)) tolerance.reset();
    }
    ++(tolerance ? result_.compared : result_.left_out);
    for (size_t i = 0; tolerance && i < ours.size(); ++i) {
      const auto found = ours[i].numbers.find(name);
      if (found == ours[i].numbers.end() || found->second.size() != exact.size()) {
        note(fmt::format("{} has no '{}'", all_backends()[i]->name(), name));
        continue;
      }
      const double off = farthest(exact, found->second);
      if (!(off <= *tolerance))
        note(fmt::format("{}: '{}' is off by {:.3g}, {:.3g} at most; its largest number is {:.3g}",
                         all_backends()[i]->name(), name, off, *tolerance, largest_of(exact)));
    }
  }

  void note(const std::string& text) { result_.difference += (result_.difference.empty() ? "" : "\n    ") + text; }

  const RandomGraph& random_;
  const Rounding rounding_;
  Tried exact_;
  double largest_gradient_ = 0;
  std::vector<Tried> noisy_;
  Comparison result_;
};

}  // namespace

Comparison compare_graph(const RandomGraph& random) { return Comparer(random).run(); }

RandomGraph forward_of(RandomGraph random) {
  StepOptions step;
  step.fuse = random.step.fuse;
  step.parameters = Parameters::shared;  // they stay as the network has them
  random.step = step;
  return random;
}

std::optional<Expected> expected_output(const RandomGraph& random) {
  const RandomGraph forward = forward_of(random);
  return Comparer(forward).first_output();
}

}  // namespace plimsoll
