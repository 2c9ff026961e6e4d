// Convolutions by Fourier transforms against sums in double, for each instruction set that this machine has.
#include "run/exec/fft/fft.h"

#include "run/exec/fft/fft_loops.h"
#include "tests/unit/run/exec/tiled_conv_check.h"

namespace plimsoll {
namespace {

constexpr double kFftError = 1e-6;

struct Kernel2d {
  int64_t height, width;
};

FftConv conv_of(int64_t batch, int64_t in, int64_t out, int64_t height, int64_t width, Kernel2d kernel, int64_t pad,
                int size, int threads) {
  FftConv conv;
  conv.batch = batch;
  conv.in_channels = in;
  conv.out_channels = out;
  conv.in_height = height;
  conv.in_width = width;
  conv.kernel_height = kernel.height;
  conv.kernel_width = kernel.width;
  conv.pad_top = conv.pad_left = pad;
  conv.out_height = height + 2 * pad - kernel.height + 1;
  conv.out_width = width + 2 * pad - kernel.width + 1;
  conv.size = size;
  conv.threads = threads;
  return conv;
}

const FftLoops* fft_loops_of(const std::string& set) {
#if defined(__x86_64__)
  if (has_instruction_set(set)) return set == "avx512" ? &fft_avx512() : &fft_avx2();
#endif
  return nullptr;
}

class Fft : public testing::TestWithParam<std::tuple<const char*, int>> {};

TEST_P(Fft, IsTheConvolution) {
  const auto& [set, size] = GetParam();
  const FftLoops* loops = fft_loops_of(set);
  if (!loops) GTEST_SKIP() << "this machine has no " << set;
  const FftConv cases[] = {
      conv_of(1, 16, 16, 12, 12, {5, 5}, 2, size, 1),   // the usual
      conv_of(2, 32, 16, 13, 9, {5, 5}, 2, size, 2),    // tiles that reach over the edge
      conv_of(3, 20, 37, 9, 11, {5, 5}, 2, size, 2),    // channels that do not fill their blocks
      conv_of(1, 16, 48, 14, 11, {7, 7}, 0, size, 3),   // no padding, more threads than blocks of tiles
      conv_of(2, 24, 16, 7, 6, {7, 7}, 6, size, 1),     // all the padding there can be
      conv_of(1, 16, 16, 1, 1, {3, 3}, 1, size, 2),     // one place
      conv_of(2, 16, 16, 11, 13, {3, 3}, 1, size, 2),   // a small kernel
      conv_of(1, 16, 20, 9, 12, {1, 7}, 3, size, 2),    // not square
      conv_of(2, 16, 16, 15, 18, {7, 2}, 1, size, 3),   // nor odd
      conv_of(2, 48, 48, 9, 9, {5, 5}, 2, size, 2),     // many channels: all threads work on the same tiles
      conv_of(40, 32, 32, 3, 3, {3, 3}, 1, 32, 3),      // in several blocks
      conv_of(1, 16, 32, 40, 40, {5, 5}, 2, size, 1),   // many tiles: several blocks
      conv_of(1, 16, 16, 19, 17, {11, 11}, 5, 16, 2)};  // a large kernel
  for (const auto& conv : cases) {
    SCOPED_TRACE(to_string(conv));
    check_tiled_conv(*loops, conv, kFftError);
  }
}

INSTANTIATE_TEST_SUITE_P(Sets, Fft, testing::Combine(testing::Values("avx2", "avx512"), testing::Values(8, 16, 32)),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param)) + "_size" +
                                  std::to_string(std::get<1>(info.param));
                         });

TEST(FftResult, IsScaledShiftedAndCutAtZero) {
  const int64_t block = tiled_conv_block();
  if (block == 0) GTEST_SKIP() << "no kernels for this machine";
  FftConv conv = conv_of(1, block, block, 4, 4, {5, 5}, 2, 8, 1);
  conv.relu = true;
  std::vector<float> x(size_t(block * 16), 1.0f), weights(size_t(25 * block * block), 0.0f);
  std::vector<float> scale(size_t(block), 2.0f), shift(size_t(block), 1.0f), y(x.size(), -1.0f);
  for (int64_t c = 0; c < block; ++c) weights[size_t((12 * block + c) * block + c)] = 1.0f;  // y is x
  shift[1] = -3.0f;
  std::vector<float> work(size_t(fft_loops().space(conv)));
  fft_loops().convolve(conv, x.data(), weights.data(), {scale.data(), shift.data()}, y.data(), work.data());
  EXPECT_NEAR(y[0], 3.0f, 1e-5f);
  EXPECT_EQ(y[1], 0.0f);
}

TEST(FftResult, IsTheSameForAnyNumberOfThreads) {
  const int64_t block = tiled_conv_block();
  if (block == 0) GTEST_SKIP() << "no kernels for this machine";
  std::mt19937 random(5);
  Numbers x(2, 32, 15 * 15), weights(32, 32, 25);
  randomise(x, random);
  randomise(weights, random);
  const auto x_blocked = x.blocked(block), w_blocked = blocked_weights(weights, block);
  std::vector<std::vector<float>> results;
  for (const int threads : {1, 2, 3}) {
    const FftConv conv = conv_of(2, 32, 32, 15, 15, {5, 5}, 2, 16, threads);
    std::vector<float> work(size_t(fft_loops().space(conv))), y(x_blocked.size());
    fft_loops().convolve(conv, x_blocked.data(), w_blocked.data(), {}, y.data(), work.data());
    results.push_back(y);
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

TEST(FftSize, IsLargerThanTheKernel) {
  EXPECT_GT(fft_size(conv_of(1, 16, 16, 40, 40, {5, 5}, 2, 8, 1)), 5);
  EXPECT_EQ(fft_size(conv_of(1, 16, 16, 40, 40, {17, 3}, 2, 8, 1)), 32);
  EXPECT_EQ(fft_size(conv_of(1, 16, 16, 40, 40, {3, 32}, 2, 8, 1)), 0);
}

TEST(FftGain, GrowsWithTheKernel) {
  const auto gain = [](int64_t kernel) {
    const FftConv conv = conv_of(8, 64, 64, 56, 56, {kernel, kernel}, kernel / 2, 8, 1);
    return fft_gain(conv, fft_size(conv));
  };
  EXPECT_LT(gain(1), 1);
  EXPECT_GT(gain(5), 2);
  EXPECT_GT(gain(11), gain(7));
  EXPECT_GT(gain(7), gain(5));
}

}  // namespace
}  // namespace plimsoll
