// tensor_scatter: a cache with new entries written into it along one axis, from where each sample's index says. The
// cache keeps its size; positions past its end wrap to its start (circular) or write its last position.
#include <fmt/format.h>

#include "base/text.h"
#include "model/ops/copy.h"
#include "model/ops/element_moves.h"
#include "model/ops/example.h"
#include "model/ops/gradient.h"

namespace plimsoll {
namespace {

constexpr size_t kIndex = 2;

// Where entries of the update go, block by block of what lies after the axis.
struct Places {
  int64_t outer = 1, per_sample = 1, kept = 0, written = 0, block = 1;
  bool circular = false;
  std::vector<int64_t> first;  // of each sample; empty: 0

  int64_t entry(int64_t at, int64_t i) const {
    const int64_t begin = first.empty() ? 0 : first[size_t(at / per_sample)];  // any number at all
    if (circular) return (begin % kept + kept + i) % kept;
    return std::clamp<int64_t>(std::clamp(begin, -written, kept) + i, 0, kept - 1);
  }
};

Places places(const OpCall& call, const Shape& cache, const Shape& update) {
  Places places;
  const int axis = *normalise_axis(call.attributes.integer("axis", -2), cache.rank());
  places.outer = cache.elements(0, axis).value();
  places.per_sample = std::max<int64_t>(1, places.outer / std::max<int64_t>(1, cache[0]));
  places.kept = cache[axis];
  places.written = update[axis];
  places.block = cache.elements(axis + 1, cache.rank()).value();
  places.circular = call.attributes.text("mode", "linear") == "circular";
  return places;
}

Result<std::vector<TensorType>> infer_tensor_scatter(const OpCall& call) {
  const Shape &cache = call.shape(0), &update = call.shape(1);
  PLIM_ASSIGN(const int axis, normalise_axis(call.attributes.integer("axis", -2), cache.rank()));
  PLIM_TRY(check_same_dtype(call, 0, 2));
  const std::string mode = call.attributes.text("mode", "linear");
  if (mode != "linear" && mode != "circular")
    return user_error(fmt::format("mode is {}, expected linear or circular", in_quotes(mode)));
  bool fits = axis > 0 && update.rank() == cache.rank();
  for (int i = 0; fits && i < cache.rank(); ++i) fits = i == axis ? update[i] <= cache[i] : update[i] == cache[i];
  if (!fits)
    return user_error(
        fmt::format("an update {} does not fit a cache {} along axis {}", update.text(), cache.text(), axis));
  if (call.has(kIndex)) {
    PLIM_TRY(check_indices(call, kIndex));
    if (call.shape(kIndex) != Shape{cache[0]})
      return user_error(
          fmt::format("indices are {}, expected one for each of {} samples", call.shape(kIndex).text(), cache[0]));
  }
  return std::vector{call.type(0)};
}

bool reference_tensor_scatter(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  copy_reference(call, in, out);
  Places at = places(call, in[0].shape(), in[1].shape());
  if (call.has(kIndex)) at.first = integers_of(in[kIndex]);
  const size_t bytes = size_t(at.block) * element_size(in[0].dtype());
  for (int64_t o = 0; o < at.outer; ++o)
    for (int64_t i = 0; i < at.written; ++i)
      std::memcpy(out[0].data + size_t(o * at.kept + at.entry(o, i)) * bytes,
                  in[1].data + size_t(o * at.written + i) * bytes, bytes);
  return true;
}

// The entries that were written, out of a gradient of the whole cache. Inputs: dy, the indices.
const Op& written_entries() {
  static const Op op{.name = "tensor_scatter_grad",
                     .kind = OpKind::movement,
                     .onnx = {},
                     .roles = "xc",
                     .infer =
                         [](const OpCall& call) {
                           Shape shape = call.shape(0);
                           shape[*normalise_axis(call.attributes.integer("axis", -2), shape.rank())] =
                               call.attributes.integer("written", 0);
                           return Result<std::vector<TensorType>>(std::vector{TensorType{call.dtype(0), shape}});
                         },
                     .reference =
                         [](const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
                           Places at = places(call, in[0].shape(), out[0].shape());
                           if (call.has(1)) at.first = integers_of(in[1]);
                           const size_t bytes = size_t(at.block) * element_size(in[0].dtype());
                           for (int64_t o = 0; o < at.outer; ++o)
                             for (int64_t i = 0; i < at.written; ++i)
                               std::memcpy(out[0].data + size_t(o * at.written + i) * bytes,
                                           in[0].data + size_t(o * at.kept + at.entry(o, i)) * bytes, bytes);
                           return true;
                         }};
  return op;
}

void gradient_tensor_scatter(Backward& backward) {
  const ValueId dy = backward.gradient(), indices = backward.input(kIndex);
  const Shape& update = backward.call().shape(1);
  const int axis = *normalise_axis(backward.attributes().integer("axis", -2), update.rank());
  if (backward.wants(1))
    backward.set(1,
                 backward.emit(written_entries(), {dy, indices}, with(backward.attributes(), "written", update[axis])));
  if (!backward.wants(0)) return;
  const ValueId nothing = zeros(backward, backward.call().type(1));
  backward.set(0, backward.emit(backward.op(), {dy, nothing, indices}, backward.attributes()));
}

// The cache is copied, the update read and written.
Bytes moved_tensor_scatter(const OpCall& call) { return call.type(0).bytes() * 2 + call.type(1).bytes() * 2; }

std::vector<OpExample> examples_tensor_scatter() {
  return {{"from the start", {}, {example::f32({2, 5, 3}), example::f32({2, 2, 3})}},
          {"round the end",
           {{"mode", std::string("circular")}},
           {example::f32({2, 2, 4, 3}), example::f32({2, 2, 2, 3}), example::ints({3, 1})},
           1,
           false}};
}

}  // namespace

const Op& tensor_scatter_op() {
  static const Op op{.name = "tensor_scatter",
                     .kind = OpKind::movement,
                     .onnx = {"TensorScatter"},
                     .roles = "xxc",
                     .required_inputs = 2,
                     .infer = infer_tensor_scatter,
                     .reference = reference_tensor_scatter,
                     .gradient = gradient_tensor_scatter,
                     .examples = examples_tensor_scatter,
                     .moved = moved_tensor_scatter};
  return op;
}

}  // namespace plimsoll
