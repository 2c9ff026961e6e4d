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

// Numbers, not bytes, take most of a multiprocessor's time: an A100 and an H20 train in f32 quicker than by bytes.
TEST(TorchTime, BatchNormsOf32BitsTakeLessThanTwiceAsLong) {
  TimedOperation wide = batch_norm(256);
  wide.dtype = DType::f32, wide.bytes *= 2;
  const Device card = *find_device("nvidia-h20");
  EXPECT_NEAR(seconds(card, wide) / seconds(card, batch_norm(256)), 1.5, 0.1);
}

// Operators in f32 called one by one (neusight): a layer norm reaches 0.6 of the bandwidth, a softmax of short rows
// 0.85.
TEST(TorchTime, NormsOf32BitsReadTheirRowsTwiceAndShortSoftmaxesOnce) {
  const Device card = *find_device("nvidia-v100-pcie-16gb");
  const Execution execution{.dtype = DType::f32};
  const auto share = [&](double row) {
    const TimedOperation norm{.work = Work::normalise, .bytes = 1e9, .norm = Norm::row, .channels = row};
    const TorchTime time(card, execution, kOlder, kNumbers);
    return norm.bytes / time(norm, false).seconds.value / card.memory_bandwidth->per_second;
  };
  EXPECT_NEAR(share(0), 0.6, 0.05) << "a layer norm";
  EXPECT_NEAR(share(4096), 0.6, 0.05) << "a softmax of long rows";
  EXPECT_NEAR(share(512), 0.85, 0.05);
}

// f32 products (neusight): a T4 loses a sixth where rows do not begin at multiples of 16 bytes, an A100 nothing.
TEST(TorchTime, UnevenRowsCostPowerBeforeAmpere) {
  const auto loss = [](const char* card, double depth) {
    TimedOperation product{.work = Work::product, .dtype = DType::f32};
    product.product = {.rows = 4096, .columns = 4096, .depth = depth, .channels = depth};
    product.flops = 2 * 4096.0 * 4096 * depth;
    const Execution execution{.dtype = DType::f32};
    return TorchTime(*find_device(card), execution, kOlder, kNumbers)(product, false).seconds.value;
  };
  EXPECT_NEAR(loss("nvidia-t4", 4095) / loss("nvidia-t4", 4096), 1.2, 0.06);
  EXPECT_NEAR(loss("nvidia-a100-40gb", 4095) / loss("nvidia-a100-40gb", 4096), 1, 0.01);
}

// Trainings (batch12, gpu_insights): MIOpen's gradients take longer than what they are the gradients of, and 16 bits
// save nothing on Apple's GPUs.
TEST(TorchTime, LibrariesOfOtherMakersHaveTheirOwnCosts) {
  TimedOperation conv{.work = Work::convolution, .dtype = DType::f16};
  conv.product = {.rows = 512, .columns = 64 * 784, .depth = 4608, .taps = 9, .channels = 512};
  conv.flops = 2 * conv.product.rows * conv.product.columns * conv.product.depth;
  TimedOperation gradient = conv;
  gradient.work = Work::grad_data;
  const auto longer = [&](const char* card) {
    return seconds(*find_device(card), gradient) / seconds(*find_device(card), conv);
  };
  EXPECT_GT(longer("amd-rx-6700-xt"), 1.2);
  EXPECT_LT(longer("nvidia-rtx-3090"), 1.2);
  const TimedOperation pass{.work = Work::element, .dtype = DType::f16, .bytes = 1e9};
  TimedOperation full = pass;
  full.dtype = DType::f32, full.bytes *= 2;
  const Device apple = *find_device("apple-m1-max-gpu"), other = *find_device("nvidia-rtx-3090");
  EXPECT_NEAR(seconds(apple, full) / seconds(apple, pass), 1, 0.01);
  EXPECT_NEAR(seconds(other, full) / seconds(other, pass), 2, 0.05);
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

TimedOperation grouped_conv(double groups, double width) {
  TimedOperation conv{.work = Work::convolution, .dtype = DType::f16};
  conv.product = {.groups = groups, .rows = width, .columns = 64 * 784, .depth = 9 * width, .taps = 9};
  conv.product.channels = width;
  conv.flops = 2 * groups * width * conv.product.columns * conv.product.depth;
  conv.bytes = 4 * groups * width * conv.product.columns;
  return conv;
}

// timm on a 3090: ResNeXt trains faster with channels last, ResNeSt, whose groups are two, two to three times as
// slowly.
TEST(TorchTime, ChannelsLastTrainsGroupsThatCudnnDoesNotKnowSlowly) {
  const Device card = *find_device("nvidia-rtx-3090");
  const auto against_planes = [&](double groups, double width) {
    const TimedOperation conv = grouped_conv(groups, width);
    return seconds(card, conv, ImageLayout::nhwc) / seconds(card, conv);
  };
  EXPECT_LT(against_planes(32, 8), 1.1);
  EXPECT_GT(against_planes(2, 128), 3);
}

TimedOperation depthwise_conv(double side) {
  TimedOperation conv{.work = Work::convolution, .dtype = DType::f16};
  conv.product = {.groups = 512, .rows = 1, .columns = 64 * 784, .depth = side * side, .taps = side * side};
  conv.product.channels = 1;
  conv.flops = 2 * conv.product.groups * conv.product.columns * conv.product.depth;
  conv.bytes = 4 * conv.product.groups * conv.product.columns;
  return conv;
}

TEST(TorchTime, LargeDepthwiseWindowsTakeAsLongAsTheirInstructions) {
  const Device card = *find_device("nvidia-rtx-3090");
  EXPECT_LT(seconds(card, depthwise_conv(5)), 1.5 * seconds(card, depthwise_conv(3)));
  EXPECT_GT(seconds(card, depthwise_conv(7)), 4 * seconds(card, depthwise_conv(5)));
  EXPECT_NEAR(seconds(card, depthwise_conv(9)) / seconds(card, depthwise_conv(7)), 81.0 / 49, 0.05);
  // An A100 issues as many instructions as a 3090, which counts twice as many operations for each.
  const double a100 = seconds(*find_device("nvidia-a100-40gb"), depthwise_conv(9));
  EXPECT_NEAR(a100 / seconds(card, depthwise_conv(9)), 1, 0.2);
}

TEST(TorchTime, RowsThatBeginAtOddAddressesAreLoadedSlowly) {
  const Device card = *find_device("nvidia-rtx-3090");
  const auto product = [&](double depth) {
    TimedOperation product{.work = Work::product, .dtype = DType::f16};
    product.product = {.rows = 1024, .columns = 8192, .depth = depth, .channels = depth};
    product.flops = 2 * 1024 * 8192 * depth;
    product.bytes = 2 * (1024 * depth + 8192 * depth + 1024 * 8192);
    return seconds(card, product);
  };
  EXPECT_GT(product(4095), 1.3 * product(4096));
  EXPECT_NEAR(product(4088) / product(4096), 1, 0.01);
}

// EfficientFormerV2 takes ten times as long as its bytes need: a thread for each position reads plane after plane.
TEST(TorchTime, ManySmallPlanesAreInterpolatedOneAfterAnother) {
  const Device card = *find_device("nvidia-rtx-3090");
  TimedOperation upsample{.work = Work::element, .dtype = DType::f16, .bytes = 1024 * 1024 * 245.0 * 2};
  const double moved = seconds(card, upsample);
  upsample.channels = 1024 * 1024;
  EXPECT_GT(seconds(card, upsample), 100 * moved);
  const Execution compiled{.dtype = DType::f16, .compiled = true};
  EXPECT_LE(TorchTime(card, compiled, kOlder, kNumbers)(upsample, false).seconds.value, moved);
}

}  // namespace
}  // namespace plimsoll
