// Convolutions by tiles against sums in double: what Winograd's and Fourier's tests share.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "run/exec/tiled_conv/way_back.h"

namespace plimsoll {

// A row of numbers (batch, channels, places) in plain order, and the same in blocks of channels.
struct Numbers {
  int64_t outer, channels, places;
  std::vector<double> plain;

  Numbers(int64_t outer, int64_t channels, int64_t places)
      : outer(outer), channels(channels), places(places), plain(size_t(outer * channels * places)) {}

  double& at(int64_t o, int64_t c, int64_t p) { return plain[size_t((o * channels + c) * places + p)]; }

  std::vector<float> blocked(int64_t block) {
    const int64_t blocks = (channels + block - 1) / block;
    std::vector<float> result(size_t(outer * blocks * places * block), 0.0f);
    for (int64_t o = 0; o < outer; ++o)
      for (int64_t c = 0; c < channels; ++c)
        for (int64_t p = 0; p < places; ++p)
          result[size_t(((o * blocks + c / block) * places + p) * block + c % block)] = float(at(o, c, p));
    return result;
  }
};

inline void randomise(Numbers& numbers, std::mt19937& random) {
  std::normal_distribution<float> normal;
  for (double& number : numbers.plain) number = normal(random);
}

// As OIhw{block}i{block}o.
inline std::vector<float> blocked_weights(Numbers& weights, int64_t block) {
  const int64_t outs = (weights.outer + block - 1) / block, ins = (weights.channels + block - 1) / block;
  std::vector<float> result(size_t(outs * ins * weights.places * block * block), 0.0f);
  for (int64_t o = 0; o < weights.outer; ++o)
    for (int64_t i = 0; i < weights.channels; ++i)
      for (int64_t p = 0; p < weights.places; ++p)
        result[size_t((((o / block * ins + i / block) * weights.places + p) * block + i % block) * block + o % block)] =
            float(weights.at(o, i, p));
  return result;
}

// Everything that follows from x, weights and the output's gradient, by the definition.
struct Expected {
  Numbers y, dx, dweights;

  Expected(const TiledConv& conv, Numbers& x, Numbers& weights, Numbers& dy)
      : y(conv.batch, conv.out_channels, conv.out_height * conv.out_width),
        dx(conv.batch, conv.in_channels, conv.in_height * conv.in_width),
        dweights(conv.out_channels, conv.in_channels, conv.kernel_height * conv.kernel_width) {
    for (int64_t n = 0; n < conv.batch; ++n)
      for (int64_t o = 0; o < conv.out_channels; ++o)
        for (int64_t place = 0; place < conv.out_height * conv.out_width; ++place)
          for (int64_t tap = 0; tap < dweights.places; ++tap) {
            const int64_t row = place / conv.out_width + tap / conv.kernel_width - conv.pad_top;
            const int64_t column = place % conv.out_width + tap % conv.kernel_width - conv.pad_left;
            if (row < 0 || row >= conv.in_height || column < 0 || column >= conv.in_width) continue;
            const int64_t from = row * conv.in_width + column;
            for (int64_t i = 0; i < conv.in_channels; ++i) {
              y.at(n, o, place) += x.at(n, i, from) * weights.at(o, i, tap);
              dx.at(n, i, from) += dy.at(n, o, place) * weights.at(o, i, tap);
              dweights.at(o, i, tap) += dy.at(n, o, place) * x.at(n, i, from);
            }
          }
  }
};

// The root of the mean square of the differences, as a share of the numbers' own.
inline double error(const std::vector<float>& ours, const std::vector<float>& expected) {
  double numbers = 0, differences = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    numbers += double(expected[i]) * expected[i];
    differences += std::pow(double(ours[i]) - expected[i], 2);
  }
  const double share = std::sqrt(differences / numbers);
  return std::isfinite(share) ? share : 1;
}

// All three directions.
template <class Conv>
void check_tiled_conv(const TiledLoops<Conv>& loops, const Conv& conv, double stated_error) {
  const int64_t block = loops.block;
  std::mt19937 random(3);
  Numbers x(conv.batch, conv.in_channels, conv.in_height * conv.in_width);
  Numbers weights(conv.out_channels, conv.in_channels, conv.kernel_height * conv.kernel_width);
  Numbers dy(conv.batch, conv.out_channels, conv.out_height * conv.out_width);
  for (Numbers* numbers : {&x, &weights, &dy}) randomise(*numbers, random);
  Expected expected(conv, x, weights, dy);
  const auto x_blocked = x.blocked(block), w_blocked = blocked_weights(weights, block), dy_blocked = dy.blocked(block);
  const float nan = std::nanf("");  // what is not written must be seen

  std::vector<float> y(expected.y.blocked(block).size(), nan), work(size_t(loops.space(conv)), nan);
  loops.convolve(conv, x_blocked.data(), w_blocked.data(), {}, y.data(), work.data());
  EXPECT_LT(error(y, expected.y.blocked(block)), stated_error) << "forward";

  Conv onto = conv;
  onto.adds = true;
  std::vector<float> sum = expected.y.blocked(block);  // to which the same is added
  loops.convolve(onto, x_blocked.data(), w_blocked.data(), {}, sum.data(), work.data());
  for (float& number : sum) number /= 2;
  EXPECT_LT(error(sum, expected.y.blocked(block)), stated_error) << "added to what is there";

  const Conv back = way_back(conv);
  std::vector<float> dx(expected.dx.blocked(block).size(), nan);
  work.assign(size_t(loops.space(back)), nan);
  loops.convolve(back, dy_blocked.data(), w_blocked.data(), {}, dx.data(), work.data());
  EXPECT_LT(error(dx, expected.dx.blocked(block)), stated_error) << "gradient of the input";

  std::vector<float> dw(w_blocked.size(), nan);
  work.assign(size_t(loops.gradient_space(conv)), nan);
  loops.gradient(conv, x_blocked.data(), dy_blocked.data(), dw.data(), work.data());
  EXPECT_LT(error(dw, blocked_weights(expected.dweights, block)), stated_error) << "gradient of the weights";
}

// This machine has that instruction set.
inline bool has_instruction_set(const std::string& set) {
#if defined(__x86_64__)
  if (set == "avx512") return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
  return set.empty();
#endif
}

inline std::string to_string(const TiledConv& conv) {
  return std::to_string(conv.batch) + "x" + std::to_string(conv.in_channels) + "x" + std::to_string(conv.in_height) +
         "x" + std::to_string(conv.in_width) + " to " + std::to_string(conv.out_channels) + " by " +
         std::to_string(conv.kernel_height) + "x" + std::to_string(conv.kernel_width) + ", padding " +
         std::to_string(conv.pad_top) + ", threads " + std::to_string(conv.threads);
}

}  // namespace plimsoll
