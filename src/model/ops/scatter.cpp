#include "model/ops/scatter.h"

#include <fmt/format.h>

#include "base/text.h"
#include "model/ir/for_type.h"
#include "model/ops/all_ops.h"
#include "model/ops/gradient.h"
#include "model/ops/wrapping.h"

namespace plimsoll {

Result<ScatterReduction> read_reduction(const Attributes& attributes) {
  const std::string name = attributes.text("reduction", "none");
  if (name == "none") return ScatterReduction::none;
  if (name == "add") return ScatterReduction::add;
  if (name == "mul") return ScatterReduction::multiply;
  if (name == "max") return ScatterReduction::maximum;
  if (name == "min") return ScatterReduction::minimum;
  return user_error(fmt::format("reduction is {}, expected none, add, mul, max or min", in_quotes(name)));
}

bool scatter_one(ScatterReduction reduction, const TensorView& updates, int64_t from, const TensorView& y, int64_t to) {
  if (reduction == ScatterReduction::none) {
    copy_element(updates, from, y, to, element_size(y.dtype()));
    return true;
  }
  return for_number(y.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T update = updates.as<T>()[from];
    T& there = y.as<T>()[to];
    switch (reduction) {
      case ScatterReduction::none: break;
      case ScatterReduction::add: there = wrapping_add(there, update); break;
      case ScatterReduction::multiply: there = wrapping_multiply(there, update); break;
      case ScatterReduction::maximum: there = std::max(there, update); break;
      case ScatterReduction::minimum: there = std::min(there, update); break;
    }
  });
}

Cost scatter_cost(const OpCall& call) {
  const bool replaces = call.attributes.text("reduction", "none") == "none";
  return {{}, replaces ? Flops(0) : as<Flops>(call.type(2).elements())};
}

void scatter_gradient(Backward& backward, std::string_view gather) {
  const ScatterReduction reduction = *read_reduction(backward.attributes());
  if (reduction != ScatterReduction::none && reduction != ScatterReduction::add)
    return backward.fail("updates that are multiplied or compared with what is there have no gradient");
  const ValueId dy = backward.gradient(), places = backward.input(1);
  const Attributes axis{{"axis", backward.attributes().integer("axis", 0)}};
  if (backward.wants(2)) backward.set(2, backward.emit(op_named(gather), {dy, places}, axis));
  if (!backward.wants(0)) return;
  if (reduction == ScatterReduction::add) return backward.set(0, dy);
  const ValueId nothing = zeros(backward, backward.call().type(2));
  backward.set(0, backward.emit(backward.op(), {dy, places, nothing}, axis));
}

Bytes scatter_moved(const OpCall& call) {
  return call.type(0).bytes() * 2 + call.type(1).bytes() + call.type(2).bytes() * 2;
}

}  // namespace plimsoll
