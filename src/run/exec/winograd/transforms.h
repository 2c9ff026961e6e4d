// The one-dimensional transforms of F(m, 3), from one array of vectors to another, and what they are in two dimensions.
// Points of F(2, 3): 0, 1, -1, infinity; of F(4, 3): 0, 1, -1, 2, -2, infinity.
#pragma once

namespace plimsoll {
namespace {

// m outputs from m + 2 inputs by a kernel of 3.
template <int m>
struct Transforms;

template <>
struct Transforms<2> {
  template <class V>
  static void input(const V* d, V* o) {
    o[0] = d[0] - d[2];
    o[1] = d[1] + d[2];
    o[2] = d[2] - d[1];
    o[3] = d[1] - d[3];
  }
  template <class V>
  static void output(const V* m, V* y) {
    y[0] = m[0] + m[1] + m[2];
    y[1] = m[1] - m[2] - m[3];
  }
  template <class V>
  static void kernel(const V* g, V* o) {
    const V even = (g[0] + g[2]) * 0.5f, odd = g[1] * 0.5f;
    o[0] = g[0];
    o[1] = even + odd;
    o[2] = even - odd;
    o[3] = g[2];
  }
  template <class V>
  static void output_back(const V* y, V* o) {
    o[0] = y[0];
    o[1] = y[0] + y[1];
    o[2] = y[0] - y[1];
    o[3] = -y[1];
  }
  template <class V>
  static void kernel_back(const V* s, V* g) {
    const V sum = (s[1] + s[2]) * 0.5f;
    g[0] = s[0] + sum;
    g[1] = (s[1] - s[2]) * 0.5f;
    g[2] = sum + s[3];
  }
};

template <>
struct Transforms<4> {
  template <class V>
  static void input(const V* d, V* o) {
    const V even = d[4] - d[2] * 4.0f, odd = d[3] - d[1] * 4.0f;
    const V even2 = d[4] - d[2], odd2 = (d[3] - d[1]) * 2.0f;
    o[0] = d[0] * 4.0f - d[2] * 5.0f + d[4];
    o[1] = even + odd;
    o[2] = even - odd;
    o[3] = even2 + odd2;
    o[4] = even2 - odd2;
    o[5] = d[1] * 4.0f - d[3] * 5.0f + d[5];
  }
  template <class V>
  static void output(const V* m, V* y) {
    const V sum = m[1] + m[2], difference = m[1] - m[2];
    const V sum2 = m[3] + m[4], difference2 = m[3] - m[4];
    y[0] = m[0] + sum + sum2;
    y[1] = difference + difference2 * 2.0f;
    y[2] = sum + sum2 * 4.0f;
    y[3] = difference + difference2 * 8.0f + m[5];
  }
  template <class V>
  static void kernel(const V* g, V* o) {
    const V even = (g[0] + g[2]) * (-1.0f / 6), odd = g[1] * (-1.0f / 6);
    const V even2 = g[0] * (1.0f / 24) + g[2] * (1.0f / 6), odd2 = g[1] * (1.0f / 12);
    o[0] = g[0] * 0.25f;
    o[1] = even + odd;
    o[2] = even - odd;
    o[3] = even2 + odd2;
    o[4] = even2 - odd2;
    o[5] = g[2];
  }
  template <class V>
  static void output_back(const V* y, V* o) {
    const V even = y[0] + y[2], odd = y[1] + y[3];
    const V even2 = y[0] + y[2] * 4.0f, odd2 = y[1] * 2.0f + y[3] * 8.0f;
    o[0] = y[0];
    o[1] = even + odd;
    o[2] = even - odd;
    o[3] = even2 + odd2;
    o[4] = even2 - odd2;
    o[5] = y[3];
  }
  template <class V>
  static void kernel_back(const V* s, V* g) {
    const V sum = (s[1] + s[2]) * (-1.0f / 6), sum2 = s[3] + s[4];
    g[0] = s[0] * 0.25f + sum + sum2 * (1.0f / 24);
    g[1] = (s[1] - s[2]) * (-1.0f / 6) + (s[3] - s[4]) * (1.0f / 12);
    g[2] = sum + sum2 * (1.0f / 6) + s[5];
  }
};

// A transform of `from` numbers to `to` along both axes: at[from][from] to o[to][to].
template <int from, int to, class V, class F>
inline __attribute__((always_inline)) void both_axes(const V (&at)[from][from], V (&o)[to][to], F&& transform) {
  V half[from][to];
#pragma GCC unroll 8
  for (int i = 0; i < from; ++i) transform(at[i], half[i]);
#pragma GCC unroll 8
  for (int j = 0; j < to; ++j) {
    V column[from], result[to];
#pragma GCC unroll 8
    for (int i = 0; i < from; ++i) column[i] = half[i][j];
    transform(column, result);
#pragma GCC unroll 8
    for (int i = 0; i < to; ++i) o[i][j] = result[i];
  }
}

}  // namespace
}  // namespace plimsoll
