#include "run/exec/loops/update_loop.h"

#include <cmath>
#include <vector>

#include "run/exec/loops/parallel.h"

namespace plimsoll {
namespace {

using Arrays = UpdateArrays;
using Settings = UpdateSettings;

PLIM_CLONES void sgd_range(const Arrays& a, const Settings& s, int64_t from, int64_t to) {
  float* w = a.parameter;
  const float* g = a.gradient;
  const float rate = a.learning_rate, decay = s.decay;
#pragma omp simd
  for (int64_t i = from; i < to; ++i) w[i] -= rate * (g[i] + decay * w[i]);
}

PLIM_CLONES void momentum_range(const Arrays& a, const Settings& s, int64_t from, int64_t to) {
  float *w = a.parameter, *m = a.first;
  const float* g = a.gradient;
  const float rate = a.learning_rate, decay = s.decay, momentum = s.momentum, share = a.step <= 1 ? 1 : 1 - s.dampening;
#pragma omp simd
  for (int64_t i = from; i < to; ++i) {
    m[i] = momentum * m[i] + share * (g[i] + decay * w[i]);
    w[i] -= rate * m[i];
  }
}

PLIM_CLONES void nesterov_range(const Arrays& a, const Settings& s, int64_t from, int64_t to) {
  float *w = a.parameter, *m = a.first;
  const float* g = a.gradient;
  const float rate = a.learning_rate, decay = s.decay, momentum = s.momentum;
#pragma omp simd
  for (int64_t i = from; i < to; ++i) {
    const float d = g[i] + decay * w[i];
    m[i] = momentum * m[i] + d;
    w[i] -= rate * (d + momentum * m[i]);
  }
}

PLIM_CLONES void rmsprop_range(const Arrays& a, const Settings& s, int64_t from, int64_t to) {
  float *w = a.parameter, *v = a.first;
  const float* g = a.gradient;
  const float rate = a.learning_rate, decay = s.decay, alpha = s.alpha, epsilon = s.epsilon;
#pragma omp simd
  for (int64_t i = from; i < to; ++i) {
    const float d = g[i] + decay * w[i];
    v[i] = alpha * v[i] + (1 - alpha) * d * d;
    w[i] -= rate * d / (std::sqrt(v[i]) + epsilon);
  }
}

PLIM_CLONES void lion_range(const Arrays& a, const Settings& s, int64_t from, int64_t to) {
  float *w = a.parameter, *m = a.first;
  const float* g = a.gradient;
  const float rate = a.learning_rate, shrink = a.learning_rate * s.decay, beta1 = s.beta1, beta2 = s.beta2;
#pragma omp simd
  for (int64_t i = from; i < to; ++i) {
    const float direction = beta1 * m[i] + (1 - beta1) * g[i];
    const float sign = direction > 0 ? 1.0F : direction < 0 ? -1.0F : 0.0F;
    w[i] -= shrink * w[i];
    w[i] -= rate * sign;
    m[i] = beta2 * m[i] + (1 - beta2) * g[i];
  }
}

// 1 - βᵗ, by which moments that started at zero are divided.
double correction(float beta, int64_t step) { return 1 - std::pow(double(beta), double(step)); }

// `coupled`: the decay is part of the gradient (Adam), else the weight shrinks by itself (AdamW).
PLIM_CLONES void adam_range(const Arrays& a, const Settings& s, bool coupled, int64_t from, int64_t to) {
  float *w = a.parameter, *m = a.first, *v = a.second;
  const float* g = a.gradient;
  const float beta1 = s.beta1, beta2 = s.beta2, epsilon = s.epsilon, inside = coupled ? s.decay : 0,
              shrink = coupled ? 0 : a.learning_rate * s.decay,
              rate = float(double(a.learning_rate) / correction(beta1, a.step)),
              root = float(1 / std::sqrt(correction(beta2, a.step)));
#pragma omp simd
  for (int64_t i = from; i < to; ++i) {
    const float d = g[i] + inside * w[i];
    m[i] = beta1 * m[i] + (1 - beta1) * d;
    v[i] = beta2 * v[i] + (1 - beta2) * d * d;
    w[i] -= shrink * w[i];
    w[i] -= rate * m[i] / (std::sqrt(v[i]) * root + epsilon);
  }
}

constexpr int64_t kPiece = 1 << 14;  // numbers whose squares are summed in f32 before they go into the f64 sum

PLIM_CLONES float squares(const float* x, int64_t count) {
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t i = 0; i < count; ++i) sum += x[i] * x[i];
  return sum;
}

// sum(piece's first, its size) added over all pieces.
template <class F>
double sum_of_pieces(int64_t size, F&& sum) {
  const int64_t pieces = (size + kPiece - 1) / kPiece;
  double total = 0;
  // A parallel reduction would add in an order that depends on the number of threads.
  constexpr int64_t kAtOnce = 256;
  double part[kAtOnce];
  for (int64_t first = 0; first < pieces; first += kAtOnce) {
    const int64_t now = std::min(kAtOnce, pieces - first);
    parallel_items(now, now * kPiece, [&](int64_t i) {
      const int64_t from = (first + i) * kPiece;
      part[i] = double(sum(from, std::min(kPiece, size - from)));
    });
    for (int64_t i = 0; i < now; ++i) total += part[i];
  }
  return total;
}

double norm(const float* x, int64_t size) {
  return std::sqrt(sum_of_pieces(size, [&](int64_t from, int64_t count) { return squares(x + from, count); }));
}

PLIM_CLONES void lars_range(const Arrays& a, const Settings& s, float rate, int64_t from, int64_t to) {
  float *w = a.parameter, *m = a.first;
  const float* g = a.gradient;
  const float momentum = s.momentum, decay = s.decay;
#pragma omp simd
  for (int64_t i = from; i < to; ++i) {
    m[i] = momentum * m[i] + rate * (g[i] + decay * w[i]);
    w[i] -= m[i];
  }
}

struct LambDirection {
  float first, second, epsilon, decay;
  float operator()(float m, float v, float w) const {
    return m * first / (std::sqrt(v * second) + epsilon) + decay * w;
  }
};

PLIM_CLONES float lamb_moments(const Arrays& a, const Settings& s, const LambDirection& direction, int64_t from,
                               int64_t to) {
  float *w = a.parameter, *m = a.first, *v = a.second, sum = 0;
  const float* g = a.gradient;
  const float beta1 = s.beta1, beta2 = s.beta2;
  const LambDirection at = direction;
#pragma omp simd reduction(+ : sum)
  for (int64_t i = from; i < to; ++i) {
    m[i] = beta1 * m[i] + (1 - beta1) * g[i];
    v[i] = beta2 * v[i] + (1 - beta2) * g[i] * g[i];
    const float d = at(m[i], v[i], w[i]);
    sum += d * d;
  }
  return sum;
}

PLIM_CLONES void lamb_range(const Arrays& a, const LambDirection& direction, float rate, int64_t from, int64_t to) {
  float *w = a.parameter, *m = a.first, *v = a.second;
  const LambDirection at = direction;
#pragma omp simd
  for (int64_t i = from; i < to; ++i) w[i] -= rate * at(m[i], v[i], w[i]);
}

template <void (*range)(const Arrays&, const Settings&, int64_t, int64_t)>
void run_range(const Arrays& a, const Settings& s) {
  parallel_ranges(a.size, [&](int64_t from, int64_t to) { range(a, s, from, to); });
}

template <bool coupled>
void run_adam(const Arrays& a, const Settings& s) {
  parallel_ranges(a.size, [&](int64_t from, int64_t to) { adam_range(a, s, coupled, from, to); });
}

void run_lars(const Arrays& a, const Settings& s) {
  const double weights = norm(a.parameter, a.size), gradient = norm(a.gradient, a.size);
  const double ratio = s.adapt && weights > 0 && gradient > 0 ? s.trust * weights / (gradient + s.decay * weights) : 1;
  const auto rate = float(a.learning_rate * ratio);
  if (a.trust_ratio && s.adapt) *a.trust_ratio = ratio;
  parallel_ranges(a.size, [&](int64_t from, int64_t to) { lars_range(a, s, rate, from, to); });
}

void run_lamb(const Arrays& a, const Settings& s) {
  const LambDirection direction{float(1 / correction(s.beta1, a.step)), float(1 / correction(s.beta2, a.step)),
                                s.epsilon, s.decay};
  const double weights = norm(a.parameter, a.size);
  const double length = std::sqrt(sum_of_pieces(
      a.size, [&](int64_t from, int64_t count) { return lamb_moments(a, s, direction, from, from + count); }));
  const double ratio = s.adapt && weights > 0 && length > 0 ? weights / length : 1;
  const auto rate = float(a.learning_rate * ratio);
  if (a.trust_ratio && s.adapt) *a.trust_ratio = ratio;
  parallel_ranges(a.size, [&](int64_t from, int64_t to) { lamb_range(a, direction, rate, from, to); });
}

constexpr UpdateLoop kLoops[] = {
    {"sgd_update", 0, run_range<sgd_range>},
    {"momentum_update", 1, run_range<momentum_range>},
    {"nesterov_update", 1, run_range<nesterov_range>},
    {"rmsprop_update", 1, run_range<rmsprop_range>},
    {"adam_update", 2, run_adam<true>},
    {"adamw_update", 2, run_adam<false>, {.decay = 0.01}},
    {"lion_update", 1, run_range<lion_range>, {.beta2 = 0.99}},
    {"lars_update", 1, run_lars},
    {"lamb_update", 2, run_lamb, {.decay = 0.01, .epsilon = 1e-6}},
};

}  // namespace

UpdateSettings::UpdateSettings(const UpdateDefaults& usual, const Attributes& attributes)
    : decay(float(attributes.number("weight_decay", usual.decay))),
      momentum(float(attributes.number("momentum", 0.9))),
      dampening(float(attributes.number("dampening", 0))),
      alpha(float(attributes.number("alpha", 0.99))),
      beta1(float(attributes.number("beta1", 0.9))),
      beta2(float(attributes.number("beta2", usual.beta2))),
      epsilon(float(attributes.number("epsilon", usual.epsilon))),
      trust(float(attributes.number("trust_coefficient", 0.001))),
      adapt(attributes.integer("adapt", 1) != 0) {}

std::span<const UpdateLoop> all_update_loops() { return kLoops; }

}  // namespace plimsoll
