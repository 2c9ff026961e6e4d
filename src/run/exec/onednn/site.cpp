#include "run/exec/onednn/site.h"

namespace plimsoll {

bool Site::all_f32() const {
  for (const auto* ids : {&operation.inputs, &operation.outputs})
    for (const ValueId id : *ids)
      if (id.present() && program.value(id).type->dtype != DType::f32) return false;
  return true;
}

Layout Site::layout(size_t i) const {
  const auto& chosen = layouts_[size_t(operation.inputs[i].index)];
  return chosen ? *chosen : row_major(input(i));
}

void Site::all_row_major() {
  for (size_t i = 0; i < operation.inputs.size(); ++i)
    if (has_input(i)) need_row_major(i);
  for (size_t i = 0; i < operation.outputs.size(); ++i)
    if (has_output(i)) give_row_major(i);
}

void Site::clear() {
  needs_.assign(operation.inputs.size(), std::nullopt);
  gives_.assign(operation.outputs.size(), std::nullopt);
  method.reset();
  is_view = false;
}

std::unique_ptr<Kernel> Site::give_view(Layout seen) {
  need(0, layout(0));
  give(0, std::move(seen));
  is_view = true;
  return loop_kernel([](const Places&) {});
}

}  // namespace plimsoll
