// The formulas that several activation functions are made of, each for one number.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

namespace plimsoll {

// log(1 + e^x) without the overflow of e^x.
template <class T>
T softplus(T x) {
  return std::max(x, T(0)) + std::log1p(std::exp(-std::abs(x)));
}

// x · Φ(x), Φ being the normal distribution.
template <class T>
T gelu(T x) {
  return T(0.5) * x * (T(1) + std::erf(x / std::numbers::sqrt2_v<T>));
}

// The approximation of gelu that BERT and GPT-2 were trained with.
template <class T>
T tanh_gelu(T x) {
  const T slope = T(std::sqrt(2.0 * std::numbers::inv_pi));
  return T(0.5) * x * (T(1) + std::tanh(slope * (x + T(0.044715) * x * x * x)));
}

}  // namespace plimsoll
