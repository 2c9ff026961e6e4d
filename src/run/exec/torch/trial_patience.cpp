#include "run/exec/torch/trial_patience.h"

namespace plimsoll {

std::optional<Seconds> TrialPatience::too_long(Flops done, Seconds spent) const {
  constexpr double kSaysLittle = 1.0 / 60;  // of the time that there is
  if (spent.value < kSaysLittle * most_.value || done == Flops(0)) return std::nullopt;
  const Seconds whole{spent.value * double(all_.value()) / double(done.value())};
  return whole > most_ ? std::optional(whole) : std::nullopt;
}

}  // namespace plimsoll
