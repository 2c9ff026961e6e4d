// stft: Fourier transforms of the frames of a signal, each frame times a window. Inputs: signal (batch,
// steps, 1 or 2 parts), frame step, window, frame length. Counted as one product a number and fast
// transforms, see fourier.h.
#include <fmt/format.h>

#include "model/ir/for_type.h"
#include "model/ir/work_limit.h"
#include "model/ops/adjoint.h"
#include "model/ops/doubles.h"
#include "model/ops/example.h"
#include "model/ops/fourier.h"

namespace plimsoll {
namespace {

struct Frames {
  int64_t step = 0, length = 0, count = 0, bins = 0;
};

Result<Frames> read_frames(const OpCall& call) {
  const Shape& signal = call.shape(0);
  if (signal.rank() != 3 || signal[2] < 1 || signal[2] > 2)
    return user_error(fmt::format("the signal is {}, expected batch x steps x 1 or 2", signal.text()));
  PLIM_ASSIGN(const auto step, call.integers("frame_step", 1));
  PLIM_ASSIGN(const auto length, call.integers("frame_length", 3));
  const bool window = call.has(2);
  if (window && call.shape(2).rank() != 1)
    return user_error(fmt::format("the window has the shape {}, expected a vector", call.shape(2).text()));
  Frames frames;
  frames.step = step && step->size() == 1 ? (*step)[0] : 0;
  frames.length = length && length->size() == 1 ? (*length)[0] : window ? call.shape(2)[0] : 0;
  if (frames.step < 1 || frames.length < 1 || frames.length > signal[1] ||
      (window && call.shape(2)[0] != frames.length))
    return user_error(
        fmt::format("frames of {} every {} steps do not cut {}", frames.length, frames.step, signal.text()));
  frames.count = (signal[1] - frames.length) / frames.step + 1;
  const bool half = call.attributes.integer("onesided", 1) != 0 && signal[2] == 1;
  frames.bins = half ? frames.length / 2 + 1 : frames.length;
  return frames;
}

Result<std::vector<TensorType>> infer_stft(const OpCall& call) {
  PLIM_ASSIGN(const Frames frames, read_frames(call));
  if (call.has(2) && call.dtype(2) != call.dtype(0)) return user_error("window and signal are of different types");
  return std::vector{TensorType{call.dtype(0), Shape{call.shape(0)[0], frames.count, frames.bins, 2}}};
}

bool reference_stft(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  const Frames frames = *read_frames(call);
  const Count work = out[0].type->elements() * frames.length;
  if (work > Count(kMostFourierWork) || !may_work(work)) return false;
  const int64_t batch = in[0].shape()[0], steps = in[0].shape()[1], parts = in[0].shape()[2];
  const bool windowed = in.size() > 2 && in[2].present();
  return for_float(in[0].dtype(), [&](auto zero) {
    using T = decltype(zero);
    T* y = out[0].as<T>();
    for (int64_t i = 0; i < batch * frames.count; ++i) {
      Signal frame(size_t(frames.length), 0);
      for (int64_t n = 0; n < frames.length; ++n) {
        const T* x = in[0].as<T>() + (i / frames.count * steps + i % frames.count * frames.step + n) * parts;
        const double weight = windowed ? double(in[2].as<T>()[n]) : 1;
        frame[size_t(n)] = {double(x[0]) * weight, parts == 2 ? double(x[1]) * weight : 0};
      }
      for (const auto& bin : fourier(frame, frames.bins, false)) {
        *y++ = T(bin.real());
        *y++ = T(bin.imag());
      }
    }
  });
}

// dy → dx: every frame transformed back, times the window, added where it was cut out.
bool reference_stft_grad(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  const ForwardCall forward(call);
  const Frames frames = *read_frames(*forward);
  if (!all_numbers(in, out) || in[0].type->elements() * frames.length > Count(kMostFourierWork)) return false;
  const int64_t steps = out[0].shape()[1], parts = out[0].shape()[2];
  const auto dy = read_doubles(in[0]), window = read_doubles(in, 2);
  std::vector<double> dx(size_t(out[0].size()));
  for (int64_t i = 0; i < out[0].shape()[0] * frames.count; ++i) {
    Signal bins(size_t(frames.length), 0);
    for (int64_t k = 0; k < frames.bins; ++k) {
      const auto at = size_t((i * frames.bins + k) * 2);
      bins[size_t(k)] = {dy[at], dy[at + 1]};
    }
    const Signal frame = fourier_back(bins, false);
    for (int64_t n = 0; n < frames.length; ++n) {
      const auto at = size_t((i / frames.count * steps + i % frames.count * frames.step + n) * parts);
      const double weight = window.empty() ? 1 : window[size_t(n)];
      dx[at] += weight * frame[size_t(n)].real();
      if (parts == 2) dx[at + 1] += weight * frame[size_t(n)].imag();
    }
  }
  write_doubles(out, 0, dx);
  return true;
}

Cost cost_stft(const OpCall& call) {
  const auto frames = read_frames(call);
  if (!frames.ok()) return {};
  const Count each = fourier_flops(frames->length) + Count(call.has(2) ? frames->length : 0) * call.shape(0)[2];
  return {{}, as<Flops>(Count(call.shape(0)[0]) * frames->count * each)};
}

void gradient_stft(Backward& backward) {
  static const Op grad = adjoint_op(
      "stft_grad", [](const OpCall& call) { return cost_stft(*ForwardCall(call)); }, reference_stft_grad);
  emit_moved_back(backward, grad);
}

std::vector<OpExample> examples_stft() {
  const auto number = [](int64_t n) { return example::known(integer_scalar(n)); };
  const auto window = example::known(float_tensor({4}, {0, 0.5F, 1, 0.5F}));
  return {{"windowed", {}, {example::f32({2, 10, 1}), number(2), window, number(4)}},
          {"complex", {{"onesided", int64_t{0}}}, {example::f32({2, 10, 2}), number(3), window}}};
}

}  // namespace

const Op& stft_op() {
  static const Op op{.name = "stft",
                     .onnx = {"STFT"},
                     .roles = "xccc",
                     .required_inputs = 2,
                     .infer = infer_stft,
                     .cost = cost_stft,
                     .reference = reference_stft,
                     .gradient = gradient_stft,
                     .examples = examples_stft};
  return op;
}

}  // namespace plimsoll
