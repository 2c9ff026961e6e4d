#include "plan/verdict/direct_instead.h"

#include <fmt/format.h>

namespace plimsoll {

std::string direct_instead_text(Bytes transformed, Bytes direct, std::optional<double> slowdown) {
  std::string text = fmt::format(
      "Convolutions are computed directly to stay under the line: the fastest methods (Winograd) would need {} more",
      human_bytes(transformed - direct));
  if (slowdown && *slowdown >= 1.05) text += fmt::format("; direct is about {:.1f} times slower here", *slowdown);
  return text + ".";
}

std::optional<double> slowdown_of(std::optional<Seconds> direct, std::optional<Seconds> transformed) {
  if (!direct || !transformed || !(transformed->value > 0)) return std::nullopt;
  return direct->value / transformed->value;
}

}  // namespace plimsoll
