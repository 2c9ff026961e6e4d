// dft: the discrete Fourier transform along an axis; the last axis holds real or complex numbers.
// Counted as fast transforms, see fourier.h.
#include <fmt/format.h>

#include "model/ir/for_type.h"
#include "model/ir/work_limit.h"
#include "model/ops/adjoint.h"
#include "model/ops/doubles.h"
#include "model/ops/example.h"
#include "model/ops/fourier.h"

namespace plimsoll {
namespace {

struct Transform {
  int axis = 0;
  int64_t length = 0, bins = 0;
  bool inverse = false;
};

Result<Transform> read_dft(const OpCall& call) {
  const Shape& from = call.shape(0);
  if (from.rank() < 2 || from[from.rank() - 1] < 1 || from[from.rank() - 1] > 2)
    return user_error(fmt::format("signals have the shape {}, expected a last size of 1 or 2", from.text()));
  PLIM_ASSIGN(const auto axis, call.integers("axis", 2));
  if (axis && axis->size() != 1) return user_error("expected one axis");
  Transform transform;
  PLIM_ASSIGN(transform.axis, normalise_axis(axis ? (*axis)[0] : -2, from.rank()));
  if (transform.axis == from.rank() - 1) return user_error("the last axis holds the parts of a number");
  PLIM_ASSIGN(const auto length, call.integers("dft_length", 1));
  if (length && (length->size() != 1 || (*length)[0] < 1))
    return user_error(fmt::format("dft_length is {}, expected one positive number", fmt::join(*length, ", ")));
  transform.length = length ? (*length)[0] : from[transform.axis];
  transform.inverse = call.attributes.integer("inverse", 0) != 0;
  const bool half = call.attributes.integer("onesided", 0) != 0;
  if (half && transform.inverse) return user_error("onesided and inverse exclude each other");
  transform.bins = half ? transform.length / 2 + 1 : transform.length;
  return transform;
}

Result<std::vector<TensorType>> infer_dft(const OpCall& call) {
  PLIM_ASSIGN(const Transform transform, read_dft(call));
  TensorType type = call.type(0);
  type.shape[transform.axis] = transform.bins;
  type.shape[type.shape.rank() - 1] = 2;
  return std::vector{type};
}

bool reference_dft(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  const Transform transform = *read_dft(call);
  const Shape& from = in[0].shape();
  const Count work = out[0].type->elements() * transform.length;
  if (work > Count(kMostFourierWork) || !may_work(work)) return false;
  if (out[0].size() == 0) return true;
  const int64_t parts = from[from.rank() - 1], steps = from[transform.axis];
  const int64_t outer = from.elements(0, transform.axis).value();
  const int64_t inner = from.elements(transform.axis + 1, from.rank() - 1).value();
  return for_float(in[0].dtype(), [&](auto zero) {
    using T = decltype(zero);
    for (int64_t i = 0; i < outer * inner; ++i) {
      Signal signal(size_t(transform.length), 0);
      for (int64_t n = 0; n < std::min(steps, transform.length); ++n) {
        const T* x = in[0].as<T>() + ((i / inner * steps + n) * inner + i % inner) * parts;
        signal[size_t(n)] = {double(x[0]), parts == 2 ? double(x[1]) : 0};
      }
      const Signal bins = fourier(signal, transform.bins, transform.inverse);
      for (int64_t k = 0; k < transform.bins; ++k) {
        T* y = out[0].as<T>() + ((i / inner * transform.bins + k) * inner + i % inner) * 2;
        y[0] = T(bins[size_t(k)].real());
        y[1] = T(bins[size_t(k)].imag());
      }
    }
  });
}

// dy → dx: transformed the other way, without what the forward length cuts off or the onesided half leaves out.
bool reference_dft_grad(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  const ForwardCall forward(call);
  const Transform transform = *read_dft(*forward);
  const Shape& to = out[0].shape();
  if (!all_numbers(in, out) || in[0].type->elements() * transform.length > Count(kMostFourierWork)) return false;
  const int64_t parts = to[to.rank() - 1], steps = to[transform.axis];
  const int64_t inner = to.elements(transform.axis + 1, to.rank() - 1).value();
  const int64_t signals = to.elements(0, transform.axis).value() * inner;
  const auto dy = read_doubles(in[0]);
  std::vector<double> dx(size_t(out[0].size()));
  for (int64_t i = 0; i < signals; ++i) {
    Signal bins(size_t(transform.length), 0);
    for (int64_t k = 0; k < transform.bins; ++k) {
      const auto at = size_t(((i / inner * transform.bins + k) * inner + i % inner) * 2);
      bins[size_t(k)] = {dy[at], dy[at + 1]};
    }
    const Signal signal = fourier_back(bins, transform.inverse);
    for (int64_t n = 0; n < std::min(steps, transform.length); ++n) {
      const auto at = size_t(((i / inner * steps + n) * inner + i % inner) * parts);
      dx[at] = signal[size_t(n)].real();
      if (parts == 2) dx[at + 1] = signal[size_t(n)].imag();
    }
  }
  write_doubles(out, 0, dx);
  return true;
}

Cost transform_cost(const OpCall& call) {
  const auto transform = read_dft(call);
  if (!transform.ok()) return {};
  const Shape& from = call.shape(0);
  const Count signals = from.elements(0, transform->axis) * from.elements(transform->axis + 1, from.rank() - 1);
  return {{}, as<Flops>(signals * fourier_flops(transform->length))};
}

void gradient_dft(Backward& backward) {
  static const Op grad = adjoint_op(
      "dft_grad", [](const OpCall& call) { return transform_cost(*ForwardCall(call)); }, reference_dft_grad);
  emit_moved_back(backward, grad);
}

std::vector<OpExample> examples_dft() {
  return {{"real, half", {{"axis", int64_t{1}}, {"onesided", int64_t{1}}}, {example::f32({2, 8, 1})}},
          {"back, longer",
           {{"inverse", int64_t{1}}},
           {example::f32({2, 3, 5, 2}), example::known(integer_scalar(6)), example::known(integer_scalar(-3))}}};
}

}  // namespace

const Op& dft_op() {
  static const Op op{.name = "dft",
                     .onnx = {"DFT"},
                     .roles = "xcc",
                     .infer = infer_dft,
                     .cost = transform_cost,
                     .reference = reference_dft,
                     .gradient = gradient_dft,
                     .examples = examples_dft};
  return op;
}

}  // namespace plimsoll
