#include "plan/time/network_kind.h"

namespace plimsoll {

std::string_view name_of(NetworkKind kind) {
  constexpr std::string_view kNames[] = {"convolutions", "grouped convolutions", "matrix products"};
  return kNames[size_t(kind)];
}

NetworkKind kind_of(const TimedProgram& program) {
  constexpr double kManyGrouped = 0.15;  // of the convolutions
  double convolutions = 0, products = 0, grouped = 0, all = 0;
  for (const auto& operation : program.operations) {
    if (operation.phase != Phase::forward) continue;
    if (operation.work == Work::product) products += operation.flops * operation.repeat;
    if (operation.work != Work::convolution) continue;
    convolutions += operation.flops * operation.repeat;
    all += operation.repeat;
    if (operation.product.groups > 1) grouped += operation.repeat;
  }
  if (products >= convolutions) return NetworkKind::products;
  return grouped >= kManyGrouped * all ? NetworkKind::grouped : NetworkKind::convolutions;
}

}  // namespace plimsoll
