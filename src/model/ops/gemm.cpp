// gemm: the fully connected layer, y = alpha · x · W + beta · bias, either matrix transposed on
// request. n inputs to k outputs cost 2nk operations: n products and n additions each, the bias
// being one of them. The activation of onnxruntime's FusedGemm is computed, but not counted.
#include <fmt/format.h>

#include "model/ops/doubles.h"
#include "model/ops/elementwise.h"
#include "model/ops/example.h"
#include "model/ops/fused_activation.h"
#include "model/ops/gradient.h"

namespace plimsoll {

const Op& gemm_op();

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
  PLIM_TRY(fused_activation(call.attributes));
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
  if (!all_numbers(in, out)) return false;
  const Sizes size = *sizes_of(call);
  const Activation activation = *fused_activation(call.attributes);
  const double alpha = call.attributes.number("alpha", 1), beta = call.attributes.number("beta", 1);
  const auto a = read_doubles(in[0]), b = read_doubles(in[1]), bias = read_doubles(in, 2);
  std::vector<double> y(size_t(out[0].size()));
  for (int64_t i = 0; i < size.rows; ++i)
    for (int64_t j = 0; j < size.columns; ++j) {
      double sum = 0;
      for (int64_t k = 0; k < size.inner; ++k)
        sum += a[size_t(size.transpose_a ? k * size.rows + i : i * size.inner + k)] *
               b[size_t(size.transpose_b ? j * size.inner + k : k * size.columns + j)];
      y[size_t(i * size.columns + j)] = alpha * sum;
    }
  if (!bias.empty())
    broadcast_walk<1>(out[0].shape(), {&in[2].shape()},
                      [&](int64_t i, const auto& at) { y[size_t(i)] += beta * bias[size_t(at[0])]; });
  for (double& number : y) number = activation(number);
  write_doubles(out, 0, y);
  return true;
}

std::vector<OpExample> examples_gemm() {
  using example::f32;
  return {{"linear", {{"transB", int64_t{1}}}, {f32({2, 7}), f32({5, 7}), f32({5})}},
          {"scaled, no bias", {{"alpha", 0.5}}, {f32({2, 3}), f32({3, 4})}},
          {"scaled, with bias", {{"alpha", 0.5}}, {f32({2, 3}), f32({3, 4}), f32({4})}}};
}

// y = alpha · A · B + beta · bias, with A and B as they are after transposing: dA = alpha · dy · Bᵗ,
// dB = alpha · Aᵗ · dy, each transposed back where it was transposed before.
void gradient_gemm(Backward& backward) {
  if (backward.attributes().has("activation"))
    return backward.fail("a product that was fused with what follows it has no gradient");
  const int64_t ta = backward.attributes().integer("transA", 0) != 0,
                tb = backward.attributes().integer("transB", 0) != 0;
  const double alpha = backward.attributes().number("alpha", 1), beta = backward.attributes().number("beta", 1);
  const ValueId a = backward.input(0), b = backward.input(1), dy = backward.gradient();
  const auto product = [&](ValueId left, int64_t turn_left, ValueId right, int64_t turn_right) {
    return backward.emit(gemm_op(), {left, right}, {{"transA", turn_left}, {"transB", turn_right}, {"alpha", alpha}});
  };
  if (backward.wants(0)) backward.set(0, ta ? product(b, tb, dy, 1) : product(dy, 0, b, 1 - tb));
  if (backward.wants(1)) backward.set(1, tb ? product(dy, 1, a, ta) : product(a, 1 - ta, dy, 0));
  if (backward.wants(2)) backward.set(2, scaled(backward, like_input(backward, 2, dy), beta));
}

}  // namespace

const Op& gemm_op() {
  static const Op op{.name = "gemm",
                     .kind = OpKind::product,
                     .starts = "mm0",
                     .onnx = {"Gemm", "com.microsoft:FusedGemm"},
                     .roles = "xww",
                     .required_inputs = 2,
                     .infer = infer_gemm,
                     .cost = cost_gemm,
                     .reference = reference_gemm,
                     .gradient = gradient_gemm,
                     .examples = examples_gemm};
  return op;
}

}  // namespace plimsoll
