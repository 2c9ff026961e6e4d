#include "run/exec/loops/flat.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "run/exec/loops/exponential.h"
#include "run/exec/loops/parallel.h"

namespace plimsoll {
namespace {

#define PLIM_FLAT(name, expression)                                                                       \
  PLIM_CLONES void name(const float* const* in, float* out, const float* set, int64_t from, int64_t to) { \
    const float *a = in[0], *b = in[1];                                                                   \
    [[maybe_unused]] const float s = set[0], t = set[1];                                                  \
    _Pragma("omp simd") for (int64_t i = from; i < to; ++i) {                                             \
      [[maybe_unused]] const float x = a[i], z = b[i];                                                    \
      out[i] = (expression);                                                                              \
    }                                                                                                     \
  }

// One operand: in[1] is in[0] again. x is the first operand's number, z the second's, s and t are the settings. A load
// or a jump in the loop would cost its vectors.
PLIM_FLAT(add, x + z)
PLIM_FLAT(add_relu, std::max(x + z, 0.0F))
PLIM_FLAT(sub, x - z)
PLIM_FLAT(mul, x* z)
PLIM_FLAT(div, x / z)
PLIM_FLAT(relu, std::max(x, 0.0F))
PLIM_FLAT(relu_grad, z > 0 ? x : 0.0F)  // from dy and y
PLIM_FLAT(neg, -x)
PLIM_FLAT(dropout, x)  // of an inference
PLIM_FLAT(leaky_relu, x > 0 ? x : x * s)
PLIM_FLAT(clip, x<s ? s : x> t ? t : x)
PLIM_FLAT(clip_grad, z > s && z < t ? x : 0.0F)  // from dy and y
PLIM_FLAT(hard_sigmoid, std::min(std::max(s* x + t, 0.0F), 1.0F))
PLIM_FLAT(hard_sigmoid_grad, z > 0 && z < 1 ? x * s : 0.0F)  // from dy and y
PLIM_FLAT(hard_swish, x* std::min(std::max(x / 6 + 0.5F, 0.0F), 1.0F))
PLIM_FLAT(hard_swish_grad, x*(z <= -3 ? 0.0F : z >= 3 ? 1.0F : z / 3 + 0.5F))  // from dy and x
PLIM_FLAT(sigmoid_grad, x* z*(1 - z))                                          // from dy and y
PLIM_FLAT(tanh_grad, x*(1 - z * z))                                            // from dy and y
PLIM_FLAT(exp_grad, x* z)                                                      // from dy and y
PLIM_FLAT(sqrt_grad, x * 0.5F / z)                                             // from dy and y
PLIM_FLAT(leaky_relu_grad, z > 0 ? x : x * s)                                  // from dy and y
PLIM_FLAT(elu_grad, z > 0 ? x : x * (z + s))                                   // from dy and y
PLIM_FLAT(selu_grad, z > 0 ? x * t : x * (z + s * t))                          // from dy and y
PLIM_FLAT(accumulate, x + z * s)

#undef PLIM_FLAT

// `result` is the hyperbolic tangent of x, with an exponential that cannot overflow.
#define PLIM_TANH(result, x)                               \
  PLIM_EXPONENTIAL(result##_small, -2.0F * std::abs((x))); \
  const float result = std::copysign((1 - result##_small) / (1 + result##_small), (x))

PLIM_CLONES void scaled_tanh(const float* const* in, float* out, const float* set, int64_t from, int64_t to) {
  const float *x = in[0], alpha = set[0], beta = set[1];
#pragma omp simd
  for (int64_t i = from; i < to; ++i) {
    PLIM_TANH(y, beta * x[i]);
    out[i] = alpha * y;
  }
}

// From dy and x.
PLIM_CLONES void scaled_tanh_grad(const float* const* in, float* out, const float* set, int64_t from, int64_t to) {
  const float *dy = in[0], *x = in[1], beta = set[1], slope = set[0] * set[1];
#pragma omp simd
  for (int64_t i = from; i < to; ++i) {
    PLIM_TANH(y, beta * x[i]);
    out[i] = dy[i] * slope * (1 - y * y);
  }
}

PLIM_CLONES void silu(const float* const* in, float* out, const float* set, int64_t from, int64_t to) {
  const float *x = in[0], alpha = set[0];
#pragma omp simd
  for (int64_t i = from; i < to; ++i) {
    PLIM_EXPONENTIAL(power, -alpha * x[i]);
    out[i] = x[i] / (1 + power);
  }
}

// From dy and x.
PLIM_CLONES void silu_grad(const float* const* in, float* out, const float* set, int64_t from, int64_t to) {
  const float *dy = in[0], *x = in[1], alpha = set[0];
#pragma omp simd
  for (int64_t i = from; i < to; ++i) {
    PLIM_EXPONENTIAL(power, -alpha * x[i]);
    const float share = 1 / (1 + power);
    out[i] = dy[i] * share * (1 + alpha * x[i] * (1 - share));
  }
}

constexpr FlatOperation kOperations[] = {
    {"add", false, 2, true, add},
    {"add", true, 2, true, add_relu},
    {"sub", false, 2, true, sub},
    {"mul", false, 2, true, mul},
    {"div", false, 2, false, div},
    {"relu", false, 1, true, relu},
    {"relu_grad", false, 2, true, relu_grad},
    {"neg", false, 1, true, neg},
    {"dropout", false, 1, true, dropout},
    {"leaky_relu", false, 1, true, leaky_relu, {{"alpha", 0.01}}},
    {"clip", false, 1, false, clip},
    {"clip_grad", false, 2, true, clip_grad},
    {"hard_sigmoid", false, 1, false, hard_sigmoid, {{"alpha", 0.2}, {"beta", 0.5}}},
    {"hard_sigmoid_grad", false, 2, true, hard_sigmoid_grad, {{"alpha", 0.2}, {"beta", 0.5}}},
    {"hard_swish", false, 1, true, hard_swish},
    {"hard_swish_grad", false, 2, true, hard_swish_grad},
    {"sigmoid_grad", false, 2, true, sigmoid_grad},
    {"tanh_grad", false, 2, true, tanh_grad},
    {"exp_grad", false, 2, true, exp_grad},
    {"sqrt_grad", false, 2, false, sqrt_grad},
    {"leaky_relu_grad", false, 2, true, leaky_relu_grad, {{"alpha", 0.01}}},
    {"elu_grad", false, 2, true, elu_grad, {{"alpha", 1}}},
    {"selu_grad",
     false,
     2,
     true,
     selu_grad,
     {{"alpha", 1.67326319217681884765625}, {"gamma", 1.05070102214813232421875}}},
    {"scaled_tanh", false, 1, true, scaled_tanh, {{"alpha", 1}, {"beta", 1}}},
    {"scaled_tanh_grad", false, 2, true, scaled_tanh_grad, {{"alpha", 1}, {"beta", 1}}},
    {"silu", false, 1, true, silu, {{"alpha", 1}}},
    {"silu_grad", false, 2, true, silu_grad, {{"alpha", 1}}},
    {"accumulate", false, 2, true, accumulate, {{"share", 1}}},
};

}  // namespace

std::span<const FlatOperation> all_flat_operations() { return kOperations; }

}  // namespace plimsoll
