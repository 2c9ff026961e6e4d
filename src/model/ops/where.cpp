// where: a where the condition holds, else b, all three broadcast. A choice, so no arithmetic is counted.
#include "model/ops/elementwise.h"
#include "model/ops/gradient.h"

namespace plimsoll {

const Op& where_op();

namespace {

Result<std::vector<TensorType>> infer_where(const OpCall& call) {
  PLIM_ASSIGN(auto types, broadcast_type(call));
  types[0].dtype = call.dtype(1);
  return types;
}

bool reference_where(const OpCall&, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (in[0].dtype() != DType::boolean || in[1].dtype() != in[2].dtype()) return false;
  return for_type(in[1].dtype(), [&](auto zero) {
    using T = decltype(zero);
    const int64_t count = out[0].size();
    const auto is_plain = [&](const TensorView& view) { return view.size() == 1 || view.size() == count; };
    if (is_plain(in[0]) && is_plain(in[1]) && is_plain(in[2])) {  // masks, which are large: nothing to look up
      const int64_t steps[] = {in[0].size() == 1 ? 0 : 1, in[1].size() == 1 ? 0 : 1, in[2].size() == 1 ? 0 : 1};
      const bool* chosen = in[0].as<bool>();
      const T *one = in[1].as<T>(), *other = in[2].as<T>();
      T* y = out[0].as<T>();
      for (int64_t i = 0; i < count; ++i) y[i] = chosen[i * steps[0]] ? one[i * steps[1]] : other[i * steps[2]];
      return;
    }
    broadcast_walk<3>(out[0].shape(), {&in[0].shape(), &in[1].shape(), &in[2].shape()}, [&](int64_t i, const auto& at) {
      out[0].as<T>()[i] = in[0].as<bool>()[at[0]] ? in[1].as<T>()[at[1]] : in[2].as<T>()[at[2]];
    });
  });
}

// dy where the input was chosen, else 0.
void gradient_where(Backward& backward) {
  const ValueId dy = backward.gradient();
  for (size_t i = 1; i < 3; ++i) {
    if (!backward.wants(i)) continue;
    const ValueId zero = backward.constant(Tensor(TensorType{backward.type_of(dy).dtype, {}}));
    const ValueId chosen = backward.emit(where_op(), {backward.input(0), i == 1 ? dy : zero, i == 1 ? zero : dy});
    backward.set(i, like_input(backward, i, chosen));
  }
}

std::vector<OpExample> examples_where() {
  return {{"mask", {}, {{{DType::boolean, {2, 1, 4}}}, {{DType::f32, {2, 3, 4}}}, {{DType::f32, {}}}}},
          {"integers", {}, {{{DType::boolean, {2}}}, {{DType::i64, {2}}}, {{DType::i64, {2}}}}}};
}

}  // namespace

const Op& where_op() {
  static const Op op{.name = "where",
                     .onnx = {"Where"},
                     .required_inputs = 3,
                     .infer = infer_where,
                     .reference = reference_where,
                     .gradient = gradient_where,
                     .examples = examples_where,
                     .elementwise = true};
  return op;
}

}  // namespace plimsoll
