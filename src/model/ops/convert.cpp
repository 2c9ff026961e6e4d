#include "model/ops/convert.h"

#include "model/ir/for_type.h"
#include "model/ops/all_ops.h"
#include "model/ops/onnx_types.h"
#include "model/ops/saturating.h"

namespace plimsoll {

bool convert_reference(const OpCall&, std::span<const TensorView> in, std::span<const TensorView> out) {
  bool computed = false;
  for_type(in[0].dtype(), [&](auto from) {
    computed = for_type(out[0].dtype(), [&](auto to) {
      const auto* x = in[0].as<decltype(from)>();
      auto* y = out[0].as<decltype(to)>();
      const int64_t count = out[0].size();
      for (int64_t i = 0; i < count; ++i) y[i] = convert_number<decltype(to)>(x[i]);
    });
  });
  return computed;
}

void convert_gradient(Backward& backward) {
  if (!backward.wants(0) || !backward.gradient().present()) return;
  const DType from = backward.call().dtype(0);
  if (!is_floating(from) || !is_floating(backward.output_type(0).dtype)) return;
  if (backward.type_of(backward.gradient()).dtype == from) return backward.set(0, backward.gradient());
  const int64_t to = onnx_of_dtype(from);
  if (to == 0) return backward.fail("its gradient cannot be converted back");
  backward.set(0, backward.emit(op_named("cast"), {backward.gradient()}, {{"to", to}}));
}

}  // namespace plimsoll
