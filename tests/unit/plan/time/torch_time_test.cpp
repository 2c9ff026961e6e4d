// Single kernels of PyTorch on GPUs: what sets their pace besides the peak and the bandwidth of the card.
#include "plan/time/torch_time.h"

#include <gtest/gtest.h>

#include "plan/devices/all_devices.h"

namespace plimsoll {
namespace {

const TimeParameters kOlder;
const TorchParameters kNumbers;

double seconds(const Device& card, const TimedOperation& operation, ImageLayout layout = ImageLayout::nchw) {
  const Execution execution{.dtype = DType::f16, .layout = layout};
  return TorchTime(card, execution, kOlder, kNumbers)(operation, true).seconds.value;
}

TimedOperation batch_norm(double channels) {
  return {.work = Work::normalise, .dtype = DType::f16, .bytes = 400e6, .norm = Norm::batch, .channels = channels};
}

TEST(TorchTime, BatchNormsOfFewChannelsLeaveMultiprocessorsIdle) {
  const Device card = *find_device("nvidia-a100-40gb");
  EXPECT_GT(seconds(card, batch_norm(16)), 2 * seconds(card, batch_norm(256)));
  EXPECT_DOUBLE_EQ(seconds(card, batch_norm(256)), seconds(card, batch_norm(1024)));
  EXPECT_DOUBLE_EQ(seconds(card, batch_norm(16), ImageLayout::nhwc), seconds(card, batch_norm(256), ImageLayout::nhwc))
      << "with channels last the rows are shared out";
}

// Memory that is four times as fast does not make sums over a batch four times as fast.
TEST(TorchTime, BatchNormsAreBoundByMultiprocessorsWhereMemoryIsFast) {
  Device card = *find_device("nvidia-h20");
  const double before = seconds(card, batch_norm(256));
  card.memory_bandwidth->per_second *= 4;
  EXPECT_GT(seconds(card, batch_norm(256)), 0.7 * before);
}

// The same sums as a convolution with windows and as a plain product.
double conv_against_product(const Device& card) {
  TimedOperation conv{.work = Work::convolution, .dtype = DType::f16};
  conv.product = {.rows = 512, .columns = 64 * 784, .depth = 4608, .taps = 9, .channels = 512};
  conv.flops = 2 * conv.product.rows * conv.product.columns * conv.product.depth;
  conv.bytes = 2 * (conv.product.columns * 1024 + conv.product.rows * conv.product.depth);
  TimedOperation product = conv;
  product.work = Work::product;
  return seconds(card, conv, ImageLayout::nhwc) / seconds(card, product);
}

TEST(TorchTime, QuickMatrixUnitsWaitForTheOperandsOfConvolutions) {
  const double desktop = conv_against_product(*find_device("nvidia-rtx-3090"));
  EXPECT_GT(conv_against_product(*find_device("nvidia-a100-80gb")), 1.2 * desktop);
  EXPECT_NEAR(conv_against_product(*find_device("nvidia-rtx-4090")), desktop, 0.05 * desktop);
}

}  // namespace
}  // namespace plimsoll
