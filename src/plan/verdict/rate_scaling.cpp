#include "plan/verdict/rate_scaling.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {
namespace {

constexpr double kWarmUpEpochs = 5;
constexpr double kLongestWarmUp = 0.25;  // of a run

}  // namespace

std::string_view name_of(RateRule rule) {
  switch (rule) {
    case RateRule::linear: return "linear";
    case RateRule::square_root: return "sqrt";
    case RateRule::none: return "none";
  }
  return "";
}

RateRule usual_rule(std::string_view optimizer) {
  for (const std::string_view name : {"sgd", "momentum", "nesterov", "lars"})
    if (optimizer == name) return RateRule::linear;
  return RateRule::square_root;
}

double rate_factor(RateRule rule, double batch, double reference) {
  switch (rule) {
    case RateRule::linear: return batch / reference;
    case RateRule::square_root: return std::sqrt(batch / reference);
    case RateRule::none: return 1;
  }
  return 1;
}

int64_t warm_up_steps(double factor, double samples, double batch, double steps) {
  if (factor <= 1) return 0;
  return int64_t(std::ceil(std::min(kWarmUpEpochs * samples / batch, kLongestWarmUp * steps)));
}

}  // namespace plimsoll
