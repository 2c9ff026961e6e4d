#include "model/ops/variadic.h"

namespace plimsoll {

int64_t present_inputs(const OpCall& call) {
  int64_t present = 0;
  for (size_t i = 0; i < call.input_count(); ++i) present += call.has(i) ? 1 : 0;
  return present;
}

std::vector<OpExample> variadic_examples() {
  const auto f32 = [](Shape shape) { return OpExample::Input{{DType::f32, std::move(shape)}}; };
  return {{"one", {}, {f32({2, 3})}},
          {"two", {}, {f32({2, 3}), f32({2, 3})}},
          {"three, broadcast", {}, {f32({2, 1, 4}), f32({2, 3, 1}), f32({2, 3, 4})}}};
}

}  // namespace plimsoll
