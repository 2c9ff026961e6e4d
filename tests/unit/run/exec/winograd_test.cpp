// Convolutions in Winograd's domain against sums in double, for each instruction set that this machine has.
#include "run/exec/winograd/winograd.h"

#include <gtest/gtest.h>

#include "run/exec/winograd/winograd_loops.h"
#include "tests/unit/run/exec/tiled_conv_check.h"

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

double stated_error(const WinogradConv& conv) { return conv.tile == 4 ? 1e-5 : 1e-6; }

const WinogradLoops* loops_of(const std::string& set) {
#if defined(__x86_64__)
  if (has_instruction_set(set)) return set == "avx512" ? &winograd_avx512() : &winograd_avx2();
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
    SCOPED_TRACE(to_string(conv));
    check_tiled_conv(*loops, conv, stated_error(conv));
  }
}

INSTANTIATE_TEST_SUITE_P(Sets, Winograd, testing::Combine(testing::Values("avx2", "avx512"), testing::Values(2, 4)),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param)) + "_tile" +
                                  std::to_string(std::get<1>(info.param));
                         });

TEST(WinogradResult, IsScaledShiftedAndCutAtZero) {
  const int64_t block = tiled_conv_block();
  if (block == 0) GTEST_SKIP() << "no kernels for this machine";
  WinogradConv conv = conv_of(1, block, block, 4, 4, 1, 4, 1);
  conv.relu = true;
  std::vector<float> x(size_t(block * 16), 0.0f), weights(size_t(9 * block * block), 0.0f);
  std::vector<float> scale(size_t(block), 2.0f), shift(size_t(block), 1.0f), y(x.size(), -1.0f);
  for (int64_t c = 0; c < block; ++c) weights[size_t((4 * block + c) * block + c)] = 1.0f;  // y is x
  shift[1] = -3.0f;
  for (size_t i = 0; i < x.size(); ++i) x[i] = 1.0f;
  std::vector<float> work(size_t(winograd_loops().space(conv)));
  winograd_loops().convolve(conv, x.data(), weights.data(), {scale.data(), shift.data()}, y.data(), work.data());
  EXPECT_NEAR(y[0], 3.0f, 1e-5f);
  EXPECT_EQ(y[1], 0.0f);
}

TEST(WinogradResult, IsTheSameForAnyNumberOfThreads) {
  if (tiled_conv_block() == 0) GTEST_SKIP() << "no kernels for this machine";
  std::mt19937 random(5);
  Numbers x(2, 32, 15 * 15), weights(32, 32, 9);
  randomise(x, random);
  randomise(weights, random);
  const auto x_blocked = x.blocked(tiled_conv_block()), w_blocked = blocked_weights(weights, tiled_conv_block());
  std::vector<std::vector<float>> results;
  for (const int threads : {1, 2, 3}) {
    const WinogradConv conv = conv_of(2, 32, 32, 15, 15, 1, 4, threads);
    std::vector<float> work(size_t(winograd_loops().space(conv))), y(x_blocked.size());
    winograd_loops().convolve(conv, x_blocked.data(), w_blocked.data(), {}, y.data(), work.data());
    results.push_back(y);
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

}  // namespace
}  // namespace plimsoll
