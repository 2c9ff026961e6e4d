#include "plan/verdict/visible_memory.h"

#include <algorithm>

namespace plimsoll {
namespace {

// PyTorch names the capacity when it runs out of it: 14.56 to 14.76 GiB of a T4's 16. The little that the driver keeps
// of every card is in what the framework takes before the first tensor (framework_context.h), as is all of it under
// TensorFlow.
constexpr double kBesideChecksums = 15.0 / 16;

}  // namespace

double load_line_on(const Device* device, Framework framework, double asked) {
  if (device == nullptr || framework != Framework::pytorch) return asked;
  // GDDR7 has room of its own for them: a PRO 6000 shows 95.6 GiB of 96, and pays with bandwidth alone.
  const bool beside = device->ecc == "inline" && device->generation != "blackwell";
  return beside ? std::min(asked, kBesideChecksums) : asked;
}

}  // namespace plimsoll
