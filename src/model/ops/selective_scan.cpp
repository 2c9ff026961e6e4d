// selective_scan: the recurrence of Mamba (Gu 2023; Dao 2024). Inputs: x (batch, sequence, heads × head), steps (batch,
// sequence, heads), decays (heads, state) or (heads, 1), which are negative, B and C (batch, sequence, groups × state)
// and a skip (heads). Each head has a state (head, state):
//   state = exp(step · decay) · state + step · x ⊗ B,   y = state · C + skip · x.
// Mamba 1 has heads of one number and decays of (heads, state); Mamba 2 one decay a head. `groups` share B and C.
// Cost: 9 a number of the state and position. It is no matrix product.
// Backward, the states are computed again, so that nothing but the inputs is kept.
#include <fmt/format.h>

#include <cmath>

#include "model/ops/doubles.h"
#include "model/ops/example.h"
#include "model/ops/gradient.h"

namespace plimsoll {
namespace {

struct Sizes {
  int64_t batch, sequence, heads, head, state, groups, decays;
};

Result<Sizes> scan_sizes(const OpCall& call, size_t first = 0) {
  const Shape &x = call.shape(first), &steps = call.shape(first + 1), &decays = call.shape(first + 2),
              &b = call.shape(first + 3), &c = call.shape(first + 4), &skip = call.shape(first + 5);
  const int64_t groups = call.attributes.integer("groups", 1);
  if (x.rank() != 3 || steps.rank() != 3 || decays.rank() != 2 || b.rank() != 3 || b != c || groups < 1)
    return user_error(fmt::format("x {}, steps {}, decays {}, B {} and C {} are not of a scan's ranks", x.text(),
                                  steps.text(), decays.text(), b.text(), c.text()));
  const int64_t heads = decays[0];
  const bool good = heads > 0 && x[2] % heads == 0 && heads % groups == 0 && b[2] % groups == 0 &&
                    skip == Shape{heads} && steps == Shape{x[0], x[1], heads} && b[0] == x[0] && b[1] == x[1] &&
                    (decays[1] == 1 || decays[1] == b[2] / groups);
  if (!good)
    return user_error(fmt::format("x {}, steps {}, decays {}, B {} in {} groups and skip {} do not belong together",
                                  x.text(), steps.text(), decays.text(), b.text(), groups, skip.text()));
  return Sizes{x[0], x[1], heads, x[2] / heads, b[2] / groups, groups, decays[1]};
}

Result<std::vector<TensorType>> infer_selective_scan(const OpCall& call) {
  PLIM_TRY(scan_sizes(call));
  return std::vector{call.type(0)};
}

Count state_numbers(const Sizes& size) {
  return Count(size.batch) * size.sequence * size.heads * size.head * size.state;
}

Cost cost_selective_scan(const OpCall& call) { return {{}, as<Flops>(state_numbers(*scan_sizes(call)) * 9)}; }

struct Inputs {
  explicit Inputs(std::span<const TensorView> in)
      : x(read_doubles(in[0])),
        steps(read_doubles(in[1])),
        decays(read_doubles(in[2])),
        b(read_doubles(in[3])),
        c(read_doubles(in[4])),
        skip(read_doubles(in[5])) {}
  std::vector<double> x, steps, decays, b, c, skip;
};

// Where the numbers of one head at one position are.
struct Place {
  size_t x, step, decay, bc;

  Place(const Sizes& size, int64_t n, int64_t h, int64_t s)
      : x(size_t(((n * size.sequence + s) * size.heads + h) * size.head)),
        step(size_t((n * size.sequence + s) * size.heads + h)),
        decay(size_t(h * size.decays)),
        bc(size_t(((n * size.sequence + s) * size.groups + h / (size.heads / size.groups)) * size.state)) {}
  size_t decay_of(const Sizes& size, size_t k) const { return decay + (size.decays == 1 ? 0 : k); }
};

// The state of one head after each position, the first being 0.
std::vector<double> states_of(const Sizes& size, const Inputs& in, int64_t n, int64_t h) {
  const auto head = size_t(size.head), width = size_t(size.state), one = head * width;
  std::vector<double> states(size_t(size.sequence + 1) * one);
  for (int64_t s = 0; s < size.sequence; ++s) {
    const Place at(size, n, h, s);
    const double* was = states.data() + size_t(s) * one;
    double* now = states.data() + size_t(s + 1) * one;
    for (size_t p = 0; p < head; ++p)
      for (size_t k = 0; k < width; ++k)
        now[p * width + k] = std::exp(in.steps[at.step] * in.decays[at.decay_of(size, k)]) * was[p * width + k] +
                             in.steps[at.step] * in.x[at.x + p] * in.b[at.bc + k];
  }
  return states;
}

bool reference_selective_scan(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const Sizes size = *scan_sizes(call);
  const Inputs inputs(in);
  const auto head = size_t(size.head), width = size_t(size.state);
  std::vector<double> y(size_t(out[0].size()));
  for (int64_t n = 0; n < size.batch; ++n)
    for (int64_t h = 0; h < size.heads; ++h) {
      const auto states = states_of(size, inputs, n, h);
      for (int64_t s = 0; s < size.sequence; ++s) {
        const Place at(size, n, h, s);
        const double* state = states.data() + size_t(s + 1) * head * width;
        for (size_t p = 0; p < head; ++p) {
          double sum = inputs.skip[size_t(h)] * inputs.x[at.x + p];
          for (size_t k = 0; k < width; ++k) sum += state[p * width + k] * inputs.c[at.bc + k];
          y[at.x + p] = sum;
        }
      }
    }
  write_doubles(out, 0, y);
  return true;
}

struct Gradients {
  explicit Gradients(const Inputs& in)
      : x(in.x.size()),
        steps(in.steps.size()),
        decays(in.decays.size()),
        b(in.b.size()),
        c(in.c.size()),
        skip(in.skip.size()) {}
  std::vector<double> x, steps, decays, b, c, skip;

  // One head of one sample, from the last position to the first.
  void add(const Sizes& size, const Inputs& in, const std::vector<double>& dy, int64_t n, int64_t h) {
    const auto head = size_t(size.head), width = size_t(size.state), one = head * width;
    const auto states = states_of(size, in, n, h);
    std::vector<double> dstate(one);
    for (int64_t s = size.sequence; s-- > 0;) {
      const Place at(size, n, h, s);
      const double* was = states.data() + size_t(s) * one;
      const double* now = was + one;
      const double step = in.steps[at.step];
      for (size_t p = 0; p < head; ++p) {
        const double slope = dy[at.x + p], number = in.x[at.x + p];
        skip[size_t(h)] += slope * number;
        x[at.x + p] += slope * in.skip[size_t(h)];
        for (size_t k = 0; k < width; ++k) {
          double& d = dstate[p * width + k];
          c[at.bc + k] += slope * now[p * width + k];
          d += slope * in.c[at.bc + k];
          const double decay = in.decays[at.decay_of(size, k)], kept = std::exp(step * decay);
          const double by_exponent = d * kept * was[p * width + k];
          steps[at.step] += by_exponent * decay + d * number * in.b[at.bc + k];
          decays[at.decay_of(size, k)] += by_exponent * step;
          x[at.x + p] += d * step * in.b[at.bc + k];
          b[at.bc + k] += d * step * number;
          d *= kept;
        }
      }
    }
  }
};

bool reference_selective_scan_grad(const OpCall& call, std::span<const TensorView> in,
                                   std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const Sizes size = *scan_sizes(call, 1);
  const Inputs inputs(in.subspan(1));
  const auto dy = read_doubles(in[0]);
  Gradients sums(inputs);
  for (int64_t n = 0; n < size.batch; ++n)
    for (int64_t h = 0; h < size.heads; ++h) sums.add(size, inputs, dy, n, h);
  write_doubles(out, 0, sums.x);
  write_doubles(out, 1, sums.steps);
  write_doubles(out, 2, sums.decays);
  write_doubles(out, 3, sums.b);
  write_doubles(out, 4, sums.c);
  write_doubles(out, 5, sums.skip);
  return true;
}

Result<std::vector<TensorType>> infer_selective_scan_grad(const OpCall& call) {
  PLIM_TRY(scan_sizes(call, 1));
  if (call.shape(0) != call.shape(1)) return user_error("the gradient is not of the input's shape");
  std::vector<TensorType> outputs;
  for (size_t i = 1; i <= 6; ++i) outputs.push_back(call.type(i));
  return outputs;
}

const Op& selective_scan_grad() {
  static const Op op{.name = "selective_scan_grad",
                     .onnx = {},
                     .roles = "xxxwxxw",
                     .required_inputs = 7,
                     .infer = infer_selective_scan_grad,
                     .cost =
                         [](const OpCall& call) {
                           return Cost{{}, as<Flops>(state_numbers(*scan_sizes(call, 1)) * 24)};
                         },
                     .reference = reference_selective_scan_grad};
  return op;
}

void gradient_selective_scan(Backward& backward) {
  std::vector<ValueId> inputs{backward.gradient()};
  for (size_t i = 0; i < 6; ++i) inputs.push_back(backward.input(i));
  const auto gradients = backward.emit(selective_scan_grad(), std::move(inputs), backward.attributes(), 6);
  for (size_t i = 0; i < 6; ++i)
    if (backward.wants(i)) backward.set(i, gradients[i]);
}

std::vector<OpExample> examples_selective_scan() {
  using example::f32;
  return {{"Mamba 1", {}, {f32({2, 3, 2}), f32({2, 3, 2}), f32({2, 3}), f32({2, 3, 3}), f32({2, 3, 3}), f32({2})}},
          {"Mamba 2, two groups",
           {{"groups", int64_t{2}}},
           {f32({2, 2, 4}), f32({2, 2, 2}), f32({2, 1}), f32({2, 2, 6}), f32({2, 2, 6}), f32({2})}}};
}

}  // namespace

const Op& selective_scan_op() {
  static const Op op{.name = "selective_scan",
                     .onnx = {},
                     .roles = "xxvxxv",
                     .required_inputs = 6,
                     .infer = infer_selective_scan,
                     .cost = cost_selective_scan,
                     .reference = reference_selective_scan,
                     .gradient = gradient_selective_scan,
                     .examples = examples_selective_scan};
  return op;
}

}  // namespace plimsoll
