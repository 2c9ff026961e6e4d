// Convolutions with a kernel for each channel against sums in double, for each instruction set that this machine has.
#include "run/exec/depthwise/depthwise.h"

#include <gtest/gtest.h>

#include "run/exec/depthwise/depthwise_loops.h"
#include "tests/unit/run/exec/tiled_conv_check.h"

namespace plimsoll {
namespace {

const DepthwiseLoops* depthwise_of(const std::string& set) {
#if defined(__x86_64__)
  if (has_instruction_set(set)) return set == "avx512" ? &depthwise_avx512() : &depthwise_avx2();
#endif
  return nullptr;
}

struct Numbered {
  const DepthwiseConv& conv;
  int64_t block;

  int64_t blocks() const { return (conv.channels + block - 1) / block; }
  int64_t value(int64_t n, int64_t c, int64_t place, int64_t places) const {
    if (conv.channels_last) return (n * places + place) * conv.channels + c;
    return ((n * blocks() + c / block) * places + place) * block + c % block;
  }
  int64_t values(int64_t places) const { return conv.batch * blocks() * block * places; }
  int64_t weight(int64_t c, int64_t tap) const {
    return (c / block * conv.kernel_height * conv.kernel_width + tap) * block + c % block;
  }
  int64_t weights() const { return blocks() * block * conv.kernel_height * conv.kernel_width; }
};

struct DepthwiseCase {
  DepthwiseConv conv;
  Numbered at;
  int64_t ins, outs, taps;
  std::vector<float> x, weights, shift, dy;

  DepthwiseCase(const DepthwiseConv& given, int64_t block)
      : conv(given),
        at{conv, block},
        ins(conv.in_height * conv.in_width),
        outs(conv.out_height * conv.out_width),
        taps(conv.kernel_height * conv.kernel_width),
        x(size_t(at.values(ins))),
        weights(size_t(at.weights())),
        shift(size_t(at.blocks() * block)),
        dy(size_t(at.values(outs))) {
    std::mt19937 random(11);
    std::normal_distribution<float> normal;
    for (int64_t c = 0; c < conv.channels; ++c) {  // what pads a block stays 0
      shift[size_t(c)] = normal(random);
      for (int64_t tap = 0; tap < taps; ++tap) weights[size_t(at.weight(c, tap))] = normal(random);
      for (int64_t n = 0; n < conv.batch; ++n) {
        for (int64_t i = 0; i < ins; ++i) x[size_t(at.value(n, c, i, ins))] = normal(random);
        for (int64_t i = 0; i < outs; ++i) dy[size_t(at.value(n, c, i, outs))] = normal(random);
      }
    }
  }
  DepthwiseCase(const DepthwiseCase&) = delete;

  // f(input, output, tap), as indices into the arrays, for every product of the definition.
  template <class F>
  void for_products(F&& f) const {
    for (int64_t n = 0; n < conv.batch; ++n)
      for (int64_t c = 0; c < conv.channels; ++c)
        for (int64_t out = 0; out < outs; ++out)
          for (int64_t tap = 0; tap < taps; ++tap) {
            const int64_t row = out / conv.out_width * conv.stride_down + tap / conv.kernel_width - conv.pad_top;
            const int64_t column = out % conv.out_width * conv.stride_along + tap % conv.kernel_width - conv.pad_left;
            if (row < 0 || row >= conv.in_height || column < 0 || column >= conv.in_width) continue;
            f(size_t(at.value(n, c, row * conv.in_width + column, ins)), size_t(at.value(n, c, out, outs)),
              size_t(at.weight(c, tap)));
          }
  }
};

std::vector<float> rounded(const std::vector<double>& numbers) { return {numbers.begin(), numbers.end()}; }

void check_depthwise(const DepthwiseLoops& loops, const DepthwiseConv& conv) {
  const DepthwiseCase one(conv, loops.block);
  std::vector<double> y(one.dy.size()), dx(one.x.size()), dw(one.weights.size());
  for (int64_t n = 0; n < conv.batch; ++n)
    for (int64_t c = 0; c < conv.channels; ++c)
      for (int64_t i = 0; i < one.outs; ++i) y[size_t(one.at.value(n, c, i, one.outs))] = one.shift[size_t(c)];
  one.for_products([&](size_t in, size_t out, size_t tap) {
    y[out] += double(one.x[in]) * one.weights[tap];
    dx[in] += double(one.dy[out]) * one.weights[tap];
    dw[tap] += double(one.dy[out]) * one.x[in];
  });
  const float nan = std::nanf("");  // what is not written must be seen
  constexpr double kError = 1e-6;
  std::vector<float> found(y.size(), nan);
  loops.forward(conv, one.x.data(), one.weights.data(), one.shift.data(), found.data());
  EXPECT_LT(error(found, rounded(y)), kError) << "forward";

  DepthwiseConv onto = conv;
  onto.adds = onto.relu = true;
  loops.forward(onto, one.x.data(), one.weights.data(), one.shift.data(), found.data());
  std::vector<double> sum = y;
  for (double& number : sum) number = std::max(0.0, 2 * number);
  EXPECT_LT(error(found, rounded(sum)), kError) << "added to what is there, cut at zero";

  found.assign(dx.size(), nan);
  loops.grad_data(conv, one.dy.data(), one.weights.data(), found.data());
  EXPECT_LT(error(found, rounded(dx)), kError) << "gradient of the input";

  found.assign(dw.size(), nan);
  std::vector<float> work(size_t(loops.gradient_space(conv)), nan);
  loops.grad_weights(conv, one.x.data(), one.dy.data(), found.data(), work.data());
  EXPECT_LT(error(found, rounded(dw)), kError) << "gradient of the weights";
}

DepthwiseConv conv_of(int64_t kernel, int64_t stride, int64_t size, int64_t pad) {
  DepthwiseConv conv{.batch = 2,
                     .channels = 16,
                     .in_height = size + 1,
                     .in_width = size,
                     .kernel_height = kernel,
                     .kernel_width = kernel,
                     .stride_down = stride,
                     .stride_along = stride,
                     .pad_top = pad,
                     .pad_left = pad};
  conv.out_height = (conv.in_height + 2 * pad - kernel) / stride + 1;
  conv.out_width = (conv.in_width + 2 * pad - kernel) / stride + 1;
  return conv;
}

class Depthwise : public testing::TestWithParam<const char*> {};

TEST_P(Depthwise, IsTheConvolutionAtEverySize) {
  const DepthwiseLoops* loops = depthwise_of(GetParam());
  if (!loops) GTEST_SKIP() << "this machine has no " << GetParam();
  for (const int64_t kernel : {1, 2, 3, 4, 5, 7, 9, 11})
    for (const int64_t stride : {1, 2})
      for (const int64_t size : {5, 14, 23})
        for (const int64_t pad : {int64_t{0}, kernel / 2, kernel - 1})
          for (const bool last : {false, true}) {
            if (size + 2 * pad < kernel) continue;
            DepthwiseConv conv = conv_of(kernel, stride, size, pad);
            conv.channels_last = last;
            SCOPED_TRACE(testing::Message() << "kernel " << kernel << ", stride " << stride << ", size " << size
                                            << ", padding " << pad << (last ? ", channels last" : ""));
            check_depthwise(*loops, conv);
          }
}

TEST_P(Depthwise, HasAxesThatDiffer) {
  const DepthwiseLoops* loops = depthwise_of(GetParam());
  if (!loops) GTEST_SKIP() << "this machine has no " << GetParam();
  DepthwiseConv conv = conv_of(7, 2, 20, 1);
  conv.kernel_height = 3;
  conv.stride_down = 3;
  conv.channels = 19;  // no whole blocks
  conv.out_height = (conv.in_height + 2 - 3) / 3 + 1;
  conv.threads = 2;
  check_depthwise(*loops, conv);
  conv = conv_of(5, 1, 9, 2);
  conv.channels = 3;
  conv.batch = 1;
  check_depthwise(*loops, conv);
}

TEST_P(Depthwise, IsTheSameForAnyNumberOfThreads) {
  const DepthwiseLoops* loops = depthwise_of(GetParam());
  if (!loops) GTEST_SKIP() << "this machine has no " << GetParam();
  DepthwiseConv conv = conv_of(7, 1, 14, 3);
  const DepthwiseCase one(conv, loops->block);
  std::vector<std::vector<float>> found;
  for (const int threads : {1, 2, 3}) {
    conv.threads = threads;
    std::vector<float> work(size_t(loops->gradient_space(conv))), dw(one.weights.size());
    loops->grad_weights(conv, one.x.data(), one.dy.data(), dw.data(), work.data());
    found.push_back(dw);
  }
  EXPECT_EQ(found[0], found[1]);
  EXPECT_EQ(found[0], found[2]);
}

INSTANTIATE_TEST_SUITE_P(Sets, Depthwise, testing::Values("avx2", "avx512"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace plimsoll
