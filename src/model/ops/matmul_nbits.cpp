// matmul_nbits: onnxruntime's product with weights of a few bits: a (… × K) times weights of N rows of K numbers,
// packed in blocks of `block_size` that share a scale (input 2) and maybe a zero point (input 3). Input 4 is an order
// of columns, input 5 a bias. The weights are unpacked on the way in and never stored unpacked. Cost: the product, as
// if they had all their bits, and 2 a weight for unpacking it.
#include <fmt/format.h>

#include "model/ops/example.h"
#include "model/ops/matrix_product.h"
#include "model/ops/quantise.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_matmul_nbits(const OpCall& call) {
  const int64_t k = call.attributes.integer("K", 0), n = call.attributes.integer("N", 0);
  const int64_t block = call.attributes.integer("block_size", 32);
  Shape shape = call.shape(0);
  if (shape.rank() < 1 || k < 1 || n < 1 || block < 1 || shape[shape.rank() - 1] != k)
    return user_error(fmt::format("input {} with K {}, N {} and block_size {}: expected rows of K numbers",
                                  shape.text(), k, n, block));
  if (call.shape(1).rank() < 1 || call.shape(1)[0] != n)
    return user_error(fmt::format("weights are {}, expected {} rows", call.shape(1).text(), n));
  shape[shape.rank() - 1] = n;
  return std::vector{TensorType{call.dtype(0), shape}};
}

Cost cost_matmul_nbits(const OpCall& call) {
  const Count weights = Count(call.attributes.integer("K", 0)) * call.attributes.integer("N", 0);
  Cost cost = product_cost(call.outputs[0].elements(), call.attributes.integer("K", 0));
  cost.flops += as<Flops>(weights * 2);
  return cost;
}

std::vector<OpExample> examples_matmul_nbits() {
  using example::f32;
  return {{"blocks of 16",
           {{"K", int64_t{32}}, {"N", int64_t{3}}, {"bits", int64_t{4}}, {"block_size", int64_t{16}}},
           {f32({2, 5, 32}), {{DType::u4, {3, 2, 16}}}, f32({6})},
           1,
           false,
           false}};
}

}  // namespace

const Op& matmul_nbits_op() {
  static const Op op{.name = "matmul_nbits",
                     .kind = OpKind::product,
                     .onnx = {"com.microsoft:MatMulNBits", "com.microsoft:MatMulBnb4"},
                     .roles = "xwbbbw",
                     .required_inputs = 3,
                     .infer = infer_matmul_nbits,
                     .cost = cost_matmul_nbits,
                     .gradient = decline_quantised,
                     .examples = examples_matmul_nbits};
  return op;
}

}  // namespace plimsoll
