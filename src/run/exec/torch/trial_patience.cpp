#include "run/exec/torch/trial_patience.h"

#include <algorithm>

namespace plimsoll {

std::optional<Seconds> TrialPatience::too_long(Flops done, Seconds spent) const {
  constexpr Seconds kSaysLittle{1};
  if (spent < std::min(kSaysLittle, most_) || done == Flops(0)) return std::nullopt;
  const Seconds whole{spent.value * double(all_.value()) / double(done.value())};
  return whole > most_ ? std::optional(whole) : std::nullopt;
}

}  // namespace plimsoll
