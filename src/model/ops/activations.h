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

template <class T>
T sigmoid(T x) {
  return T(1) / (T(1) + std::exp(-x));
}

// The derivative of gelu: Φ(x) + x · φ(x), φ being the normal density.
template <class T>
T gelu_slope(T x) {
  const T density = T(std::sqrt(0.5 * std::numbers::inv_pi)) * std::exp(T(-0.5) * x * x);
  return T(0.5) * (T(1) + std::erf(x / std::numbers::sqrt2_v<T>)) + x * density;
}

template <class T>
T tanh_gelu_slope(T x) {
  const T slope = T(std::sqrt(2.0 * std::numbers::inv_pi));
  const T t = std::tanh(slope * (x + T(0.044715) * x * x * x));
  return T(0.5) * (T(1) + t) + T(0.5) * x * (T(1) - t * t) * slope * (T(1) + T(3 * 0.044715) * x * x);
}

// The derivative of x · sigmoid(alpha · x).
template <class T>
T scaled_silu_slope(T x, T alpha) {
  const T s = sigmoid(alpha * x);
  return s * (T(1) + alpha * x * (T(1) - s));
}

}  // namespace plimsoll
