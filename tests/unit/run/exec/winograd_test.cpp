// Convolutions in Winograd's domain against sums in double, for each instruction set that this machine has.
#include "run/exec/winograd/winograd.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "run/exec/winograd/loops_table.h"

namespace plimsoll {
namespace {

WinogradConv conv_of(int64_t batch, int64_t in, int64_t out, int64_t height, int64_t width, int64_t pad, int tile,
                     int threads) {
  WinogradConv conv;
  conv.batch = batch;
  conv.in_channels = in;
  conv.out_channels = out;
  conv.in_height = height;
  conv.in_width = width;
  conv.pad_top = conv.pad_left = pad;
  conv.out_height = height + 2 * pad - 2;
  conv.out_width = width + 2 * pad - 2;
  conv.tile = tile;
  conv.threads = threads;
  return conv;
}

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

void randomise(Numbers& numbers, std::mt19937& random) {
  std::normal_distribution<float> normal;
  for (double& number : numbers.plain) number = normal(random);
}

// As OIhw{block}i{block}o.
std::vector<float> blocked_weights(Numbers& weights, int64_t block) {
  const int64_t outs = (weights.outer + block - 1) / block, ins = (weights.channels + block - 1) / block;
  std::vector<float> result(size_t(outs * ins * 9 * block * block), 0.0f);
  for (int64_t o = 0; o < weights.outer; ++o)
    for (int64_t i = 0; i < weights.channels; ++i)
      for (int64_t p = 0; p < 9; ++p)
        result[size_t((((o / block * ins + i / block) * 9 + p) * block + i % block) * block + o % block)] =
            float(weights.at(o, i, p));
  return result;
}

// Everything that follows from x, weights and the output's gradient, by the definition.
struct Expected {
  Numbers y, dx, dweights;

  Expected(const WinogradConv& conv, Numbers& x, Numbers& weights, Numbers& dy)
      : y(conv.batch, conv.out_channels, conv.out_height * conv.out_width),
        dx(conv.batch, conv.in_channels, conv.in_height * conv.in_width),
        dweights(conv.out_channels, conv.in_channels, 9) {
    for (int64_t n = 0; n < conv.batch; ++n)
      for (int64_t o = 0; o < conv.out_channels; ++o)
        for (int64_t place = 0; place < conv.out_height * conv.out_width; ++place)
          for (int64_t tap = 0; tap < 9; ++tap) {
            const int64_t row = place / conv.out_width + tap / 3 - conv.pad_top;
            const int64_t column = place % conv.out_width + tap % 3 - conv.pad_left;
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
double error(const std::vector<float>& ours, const std::vector<float>& expected) {
  double numbers = 0, differences = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    numbers += double(expected[i]) * expected[i];
    differences += std::pow(double(ours[i]) - expected[i], 2);
  }
  const double share = std::sqrt(differences / numbers);
  return std::isfinite(share) ? share : 1;
}

double stated_error(const WinogradConv& conv) { return conv.tile == 4 ? 1e-5 : 1e-6; }

void check(const WinogradLoops& loops, const WinogradConv& conv) {
  const int64_t block = loops.block;
  std::mt19937 random(3);
  Numbers x(conv.batch, conv.in_channels, conv.in_height * conv.in_width);
  Numbers weights(conv.out_channels, conv.in_channels, 9);
  Numbers dy(conv.batch, conv.out_channels, conv.out_height * conv.out_width);
  for (Numbers* numbers : {&x, &weights, &dy}) randomise(*numbers, random);
  Expected expected(conv, x, weights, dy);
  const auto x_blocked = x.blocked(block), w_blocked = blocked_weights(weights, block), dy_blocked = dy.blocked(block);
  const float nan = std::nanf("");  // what is not written must be seen

  std::vector<float> y(expected.y.blocked(block).size(), nan), work(size_t(loops.space(conv)), nan);
  loops.convolve(conv, x_blocked.data(), w_blocked.data(), {}, y.data(), work.data());
  EXPECT_LT(error(y, expected.y.blocked(block)), stated_error(conv)) << "forward";

  WinogradConv back = conv;
  std::swap(back.in_channels, back.out_channels);
  std::swap(back.in_height, back.out_height);
  std::swap(back.in_width, back.out_width);
  back.pad_top = back.pad_left = 2 - conv.pad_top;
  back.turned = true;
  std::vector<float> dx(expected.dx.blocked(block).size(), nan);
  work.assign(size_t(loops.space(back)), nan);
  loops.convolve(back, dy_blocked.data(), w_blocked.data(), {}, dx.data(), work.data());
  EXPECT_LT(error(dx, expected.dx.blocked(block)), stated_error(conv)) << "gradient of the input";

  std::vector<float> dw(w_blocked.size(), nan);
  work.assign(size_t(loops.gradient_space(conv)), nan);
  loops.gradient(conv, x_blocked.data(), dy_blocked.data(), dw.data(), work.data());
  EXPECT_LT(error(dw, blocked_weights(expected.dweights, block)), stated_error(conv)) << "gradient of the weights";
}

const WinogradLoops* loops_of(const std::string& set) {
#if defined(__x86_64__)
  if (set == "avx512" && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
    return &winograd_avx512();
  if (set == "avx2" && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return &winograd_avx2();
#endif
  return nullptr;
}

class Winograd : public testing::TestWithParam<std::tuple<const char*, int>> {};

TEST_P(Winograd, IsTheConvolution) {
  const auto& [set, tile] = GetParam();
  const WinogradLoops* loops = loops_of(set);
  if (!loops) GTEST_SKIP() << "this machine has no " << set;
  const WinogradConv cases[] = {
      conv_of(1, 16, 16, 8, 8, 1, tile, 1),     // whole tiles
      conv_of(2, 32, 16, 7, 9, 1, tile, 2),     // tiles that reach over the edge
      conv_of(3, 20, 37, 5, 6, 1, tile, 2),     // channels that do not fill their blocks
      conv_of(1, 16, 48, 6, 11, 0, tile, 3),    // no padding, more threads than blocks of tiles
      conv_of(2, 24, 16, 4, 3, 2, tile, 1),     // more padding than the usual
      conv_of(1, 16, 16, 1, 1, 1, tile, 2),     // one place
      conv_of(4, 144, 144, 9, 9, 1, tile, 2),   // many channels: all threads work on the same tiles
      conv_of(2, 16, 32, 40, 40, 1, tile, 2)};  // many tiles: several blocks
  for (const auto& conv : cases) {
    SCOPED_TRACE(testing::Message() << conv.batch << "x" << conv.in_channels << "x" << conv.in_height << "x"
                                    << conv.in_width << " to " << conv.out_channels << ", padding " << conv.pad_top
                                    << ", threads " << conv.threads);
    check(*loops, conv);
  }
}

INSTANTIATE_TEST_SUITE_P(Sets, Winograd, testing::Combine(testing::Values("avx2", "avx512"), testing::Values(2, 4)),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param)) + "_tile" +
                                  std::to_string(std::get<1>(info.param));
                         });

TEST(WinogradResult, IsScaledShiftedAndCutAtZero) {
  const int64_t block = winograd_block();
  if (block == 0) GTEST_SKIP() << "no kernels for this machine";
  WinogradConv conv = conv_of(1, block, block, 4, 4, 1, 4, 1);
  conv.relu = true;
  std::vector<float> x(size_t(block * 16), 0.0f), weights(size_t(9 * block * block), 0.0f);
  std::vector<float> scale(size_t(block), 2.0f), shift(size_t(block), 1.0f), y(x.size(), -1.0f);
  for (int64_t c = 0; c < block; ++c) weights[size_t((4 * block + c) * block + c)] = 1.0f;  // y is x
  shift[1] = -3.0f;
  for (size_t i = 0; i < x.size(); ++i) x[i] = 1.0f;
  std::vector<float> work(size_t(winograd_space(conv)));
  winograd(conv, x.data(), weights.data(), {scale.data(), shift.data()}, y.data(), work.data());
  EXPECT_NEAR(y[0], 3.0f, 1e-5f);
  EXPECT_EQ(y[1], 0.0f);
}

TEST(WinogradResult, IsTheSameForAnyNumberOfThreads) {
  if (winograd_block() == 0) GTEST_SKIP() << "no kernels for this machine";
  std::mt19937 random(5);
  Numbers x(2, 32, 15 * 15), weights(32, 32, 9);
  randomise(x, random);
  randomise(weights, random);
  const auto x_blocked = x.blocked(winograd_block()), w_blocked = blocked_weights(weights, winograd_block());
  std::vector<std::vector<float>> results;
  for (const int threads : {1, 2, 3}) {
    const WinogradConv conv = conv_of(2, 32, 32, 15, 15, 1, 4, threads);
    std::vector<float> work(size_t(winograd_space(conv))), y(x_blocked.size());
    winograd(conv, x_blocked.data(), w_blocked.data(), {}, y.data(), work.data());
    results.push_back(y);
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

}  // namespace
}  // namespace plimsoll
