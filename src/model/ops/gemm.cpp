// gemm: the fully connected layer, y = alpha · x · W + beta · bias, either matrix transposed on
// request. n inputs to k outputs cost 2nk operations: n products and n additions each, the bias
// being one of them.
#include <fmt/format.h>

#include "model/ir/for_type.h"
#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

struct Sizes {
  int64_t rows, inner, columns;
  bool transpose_a, transpose_b;
};

Result<Sizes> sizes_of(const OpCall& call) {
  const Shape& a = call.shape(0);
  const Shape& b = call.shape(1);
  if (a.rank() != 2 || b.rank() != 2)
    return user_error(fmt::format("expected two matrices, found {} and {}", a.text(), b.text()));
  const bool ta = call.attributes.integer("transA", 0) != 0, tb = call.attributes.integer("transB", 0) != 0;
  if (a[ta ? 0 : 1] != b[tb ? 1 : 0])
    return user_error(fmt::format("{}{} and {}{} do not multiply: {} is not {}", a.text(), ta ? " (transposed)" : "",
                                  b.text(), tb ? " (transposed)" : "", a[ta ? 0 : 1], b[tb ? 1 : 0]));
  return Sizes{a[ta ? 1 : 0], a[ta ? 0 : 1], b[tb ? 0 : 1], ta, tb};
}

Result<std::vector<TensorType>> infer_gemm(const OpCall& call) {
  PLIM_ASSIGN(Sizes size, sizes_of(call));
  const Shape shape{size.rows, size.columns};
  if (call.has(2)) {
    PLIM_ASSIGN(Shape with_bias, broadcast(shape, call.shape(2)));
    if (with_bias != shape)
      return user_error(fmt::format("bias of shape {} does not broadcast to {}", call.shape(2).text(), shape.text()));
  }
  return std::vector{TensorType{call.dtype(0), shape}};
}

Cost cost_gemm(const OpCall& call) {
  const Count inner(call.shape(0)[call.attributes.integer("transA", 0) != 0 ? 0 : 1]);
  const Count macs = call.outputs[0].elements() * inner;
  return {as<Macs>(macs), as<Flops>(macs * 2)};
}

bool reference_gemm(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  const Sizes size = *sizes_of(call);
  const double alpha = call.attributes.number("alpha", 1), beta = call.attributes.number("beta", 1);
  return for_number(in[0].dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T* a = in[0].as<T>();
    const T* b = in[1].as<T>();
    T* y = out[0].as<T>();
    for (int64_t i = 0; i < size.rows; ++i)
      for (int64_t j = 0; j < size.columns; ++j) {
        double sum = 0;
        for (int64_t k = 0; k < size.inner; ++k)
          sum += double(a[size.transpose_a ? k * size.rows + i : i * size.inner + k]) *
                 double(b[size.transpose_b ? j * size.inner + k : k * size.columns + j]);
        y[i * size.columns + j] = T(alpha * sum);
      }
    if (in.size() <= 2 || !in[2].present()) return;
    const T* bias = in[2].as<T>();
    broadcast_walk<1>(out[0].shape(), {&in[2].shape()},
                      [&](int64_t i, const auto& at) { y[i] = T(double(y[i]) + beta * double(bias[at[0]])); });
  });
}

std::vector<OpExample> examples_gemm() {
  const auto f32 = [](Shape shape) { return OpExample::Input{{DType::f32, std::move(shape)}}; };
  return {{"linear", {{"transB", int64_t{1}}}, {f32({2, 7}), f32({5, 7}), f32({5})}},
          {"scaled, no bias", {{"alpha", 0.5}}, {f32({2, 3}), f32({3, 4})}}};
}

}  // namespace

const Op& gemm_op() {
  static const Op op{.name = "gemm",
                     .onnx = {"Gemm"},
                     .roles = "xww",
                     .required_inputs = 2,
                     .infer = infer_gemm,
                     .cost = cost_gemm,
                     .reference = reference_gemm,
                     .examples = examples_gemm};
  return op;
}

}  // namespace plimsoll
