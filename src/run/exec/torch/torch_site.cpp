#include "run/exec/torch/torch_site.h"

#include "run/exec/torch/steering.h"

namespace plimsoll {
namespace {

bool is_float(DType type) { return type == DType::f32 || type == DType::f64; }

}  // namespace

const TorchTensor& TorchOperands::absent() {
  static const TorchTensor none;
  return none;
}

void TorchOperands::give(size_t i, const TorchTensor& result) const {
  if (!has_out(i) || !result.present() || result.data() == out(i).data()) return;
  if (AllocationScope* scope = AllocationScope::now()) scope->given(i, result, out(i));
  copy_into(out(i), result);
}

bool TorchSite::of_floats() const { return has_input(0) && is_float(input(0).dtype); }

bool TorchSite::all_floats() const {
  if (!of_floats()) return false;
  for (const auto* ids : {&operation.inputs, &operation.outputs})
    for (const ValueId id : *ids)
      if (id.present() && program_.value(id).type->dtype != input(0).dtype) return false;
  return true;
}

}  // namespace plimsoll
