// top_k: the k largest (or smallest) numbers along an axis and where they were, equal ones in the
// order of their places. Counts one comparison a number, the least that a selection needs.
#include <fmt/format.h>

#include <bit>
#include <numeric>

#include "model/ir/for_type.h"
#include "model/ir/work_limit.h"
#include "model/ops/all_ops.h"
#include "model/ops/element_moves.h"
#include "model/ops/example.h"
#include "model/ops/gradient.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_top_k(const OpCall& call) {
  Shape shape = call.shape(0);
  PLIM_ASSIGN(const int axis, normalise_axis(call.attributes.integer("axis", -1), shape.rank()));
  PLIM_ASSIGN(const auto k, call.integers("k", 1));
  if (!k || k->size() != 1) return user_error("expected one number k");
  if ((*k)[0] < 0 || (*k)[0] > shape[axis])
    return user_error(fmt::format("k is {} but axis {} of {} has size {}", (*k)[0], axis, shape.text(), shape[axis]));
  shape[axis] = (*k)[0];
  return std::vector{TensorType{call.dtype(0), shape}, TensorType{DType::i64, shape}};
}

// Sorted by number, NaN as the largest so that the order is total, then by place.
template <class T>
std::vector<int64_t> best(const T* x, int64_t size, int64_t stride, bool largest) {
  std::vector<int64_t> places(size_t(size), 0);
  std::iota(places.begin(), places.end(), 0);
  const auto above = [](T a, T b) { return a > b || (a != a && b == b); };
  std::stable_sort(places.begin(), places.end(), [&](int64_t a, int64_t b) {
    return largest ? above(x[a * stride], x[b * stride]) : above(x[b * stride], x[a * stride]);
  });
  return places;
}

bool reference_top_k(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (call.outputs[0].elements() == Count(0)) return true;
  const Shape& shape = in[0].shape();
  const int axis = *normalise_axis(call.attributes.integer("axis", -1), shape.rank());
  if (!may_work(in[0].type->elements() * int64_t(std::bit_width(uint64_t(shape[axis]))))) return false;
  const bool largest = call.attributes.integer("largest", 1) != 0;
  const int64_t size = shape[axis], k = call.outputs[0].shape[axis];
  const int64_t outer = shape.elements(0, axis).value(), inner = shape.elements(axis + 1, shape.rank()).value();
  return for_number(in[0].dtype(), [&](auto zero) {
    using T = decltype(zero);
    for (int64_t i = 0; i < outer * inner; ++i) {
      const T* x = in[0].as<T>() + i / inner * size * inner + i % inner;
      const auto places = best(x, size, inner, largest);
      for (int64_t n = 0; n < k; ++n) {
        const int64_t to = (i / inner * k + n) * inner + i % inner;
        if (out[0].present()) out[0].as<T>()[to] = x[places[size_t(n)] * inner];
        if (out.size() > 1 && out[1].present()) out[1].as<int64_t>()[to] = places[size_t(n)];
      }
    }
  });
}

Cost cost_top_k(const OpCall& call) { return {{}, as<Flops>(call.type(0).elements())}; }

// The places are known from the forward pass, or from choosing once more where nobody asked for them.
void gradient_top_k(Backward& backward) {
  if (!backward.gradient().present()) return;
  ValueId places = backward.output(1);
  if (!places.present()) {
    std::vector<ValueId> inputs{backward.input(0)};
    if (backward.input(1).present()) inputs.push_back(backward.input(1));
    places = backward.emit(backward.op(), std::move(inputs), backward.attributes(), 2)[1];
  }
  const ValueId nothing = zeros(backward, {backward.type_of(backward.gradient()).dtype, backward.call().shape(0)});
  backward.set(0, backward.emit(op_named("scatter_elements"), {nothing, places, backward.gradient()},
                                {{"axis", backward.attributes().integer("axis", -1)}}));
}

std::vector<OpExample> examples_top_k() {
  return {{"largest", {}, {example::f32({2, 3, 5}), example::ints({2})}, 2},
          {"smallest, inner axis",
           {{"axis", int64_t{1}}, {"largest", int64_t{0}}},
           {example::f32({2, 4, 3}), example::ints({3})},
           2},
          {"k as attribute", {{"k", int64_t{1}}}, {example::f32({2, 5})}}};
}

}  // namespace

const Op& top_k_op() {
  static const Op op{.name = "top_k",
                     .onnx = {"TopK"},
                     .roles = "xc",
                     .infer = infer_top_k,
                     .cost = cost_top_k,
                     .reference = reference_top_k,
                     .gradient = gradient_top_k,
                     .examples = examples_top_k};
  return op;
}

}  // namespace plimsoll
