#include "plan/serving/expert_kernel.h"

#include <cmath>

namespace plimsoll {

CallTime expert_products(const ExpertCall& call, const KernelMachine& machine, const ExpertConstants& c) {
  constexpr double kTile = 64, kStateBytes = 2;
  const double reading = call.read * call.numbers * call.bytes / (machine.bandwidth * c.bandwidth_share);
  // The last tile of each expert is half empty.
  const double rows = call.tokens * call.chosen + call.read * kTile / 2;
  const double products = 2 * rows * call.numbers / (machine.products * c.products_share);
  const double states = call.tokens * call.chosen * (2 * call.width + call.numbers / call.width) * kStateBytes /
                        (machine.bandwidth * c.states_share);
  const double slower = machine.slower();
  return {{c.start * slower}, {std::hypot(reading, products) + states + c.expert * call.experts * slower}};
}

}  // namespace plimsoll
