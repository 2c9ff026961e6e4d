// gather_nd: the last axis of the indices holds tuples, each naming an element or a block of the
// data. Indices outside take the nearest end.
#include <fmt/format.h>

#include "model/ops/element_moves.h"
#include "model/ops/example.h"
#include "model/ops/gradient.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_gather_nd(const OpCall& call) {
  const Shape& data = call.shape(0);
  const Shape& indices = call.shape(1);
  PLIM_TRY(check_indices(call, 1));
  const int64_t batch = call.attributes.integer("batch_dims", 0);
  const auto mismatch = [&](const char* why) {
    return user_error(
        fmt::format("indices {} and data {} with batch_dims {}: {}", indices.text(), data.text(), batch, why));
  };
  if (data.rank() < 1 || indices.rank() < 1) return mismatch("expected at least one axis each");
  if (batch < 0 || batch >= data.rank() || batch >= indices.rank()) return mismatch("batch_dims is out of range");
  const int64_t tuple = indices[indices.rank() - 1];
  if (tuple < 1 || tuple > data.rank() - batch) return mismatch("the last size of the indices is out of range");
  for (int axis = 0; axis < batch; ++axis)
    if (data[axis] != indices[axis]) return mismatch("the batch sizes differ");
  for (int64_t axis = batch; axis < batch + tuple; ++axis)
    if (data[int(axis)] == 0 && indices.elements() != Count(0)) return mismatch("there is nothing to gather");
  Shape shape;
  for (int axis = 0; axis < indices.rank() - 1; ++axis) shape.push_back(indices[axis]);
  for (int64_t axis = batch + tuple; axis < data.rank(); ++axis) shape.push_back(data[int(axis)]);
  return std::vector{TensorType{call.dtype(0), shape}};
}

bool reference_gather_nd(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (out[0].size() == 0) return true;
  const Shape& data = in[0].shape();
  const Shape& shape = in[1].shape();
  const auto batch = int(call.attributes.integer("batch_dims", 0));
  const auto tuple = int(shape[shape.rank() - 1]);
  const auto indices = integers_of(in[1]);
  const auto strides = data.strides();
  const int64_t batches = data.elements(0, batch).value(), stride = data.elements(batch, data.rank()).value();
  const int64_t tuples = int64_t(indices.size()) / tuple / batches;
  const int64_t block = data.elements(batch + tuple, data.rank()).value();
  const size_t size = element_size(in[0].dtype());
  const int64_t* index = indices.data();
  std::byte* to = out[0].data;
  for (int64_t b = 0; b < batches; ++b)
    for (int64_t t = 0; t < tuples; ++t) {
      int64_t from = b * stride;
      for (int axis = batch; axis < batch + tuple; ++axis)
        from += clamp_index(*index++, data[axis]) * strides[size_t(axis)];
      std::memcpy(to, in[0].data + size_t(from) * size, size_t(block) * size);
      to += size_t(block) * size;
    }
  return true;
}

Bytes moved_gather_nd(const OpCall& call) { return call.type(1).bytes() + call.outputs[0].bytes() * 2; }

std::vector<OpExample> examples_gather_nd() {
  return {{"elements", {}, {example::f32({2, 2}), example::i64({3, 2})}},
          {"blocks in a batch", {{"batch_dims", int64_t{1}}}, {example::f32({2, 2, 3}), example::i64({2, 4, 1})}}};
}

}  // namespace

const Op& gather_nd_op() {
  static const Op op{.name = "gather_nd",
                     .kind = OpKind::movement,
                     .onnx = {"GatherND"},
                     .required_inputs = 2,
                     .infer = infer_gather_nd,
                     .reference = reference_gather_nd,
                     .gradient = movement_gradient<gather_nd_op>,
                     .examples = examples_gather_nd,
                     .moved = moved_gather_nd};
  return op;
}

}  // namespace plimsoll
