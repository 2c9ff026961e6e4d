#include "model/ops/convert.h"

#include "model/ir/for_type.h"
#include "model/ops/saturating.h"

namespace plimsoll {

bool convert_reference(const OpCall&, std::span<const TensorView> in, std::span<const TensorView> out) {
  bool computed = false;
  for_type(in[0].dtype(), [&](auto from) {
    computed = for_type(out[0].dtype(), [&](auto to) {
      const auto* x = in[0].as<decltype(from)>();
      auto* y = out[0].as<decltype(to)>();
      for (int64_t i = 0; i < out[0].size(); ++i) y[i] = convert_number<decltype(to)>(x[i]);
    });
  });
  return computed;
}

}  // namespace plimsoll
