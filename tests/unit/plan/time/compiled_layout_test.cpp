// The layout that torch.compile gives a network's convolutions.
#include "plan/time/compiled_layout.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TimedOperation conv(double groups, double kernels, double channels, double taps) {
  TimedOperation conv{.work = Work::convolution, .flops = groups * kernels * channels * taps};
  conv.product = {.groups = groups, .rows = kernels, .taps = taps, .channels = channels};
  return conv;
}

ImageLayout layout(std::vector<TimedOperation> operations, bool trains, bool compiled = true,
                   ImageLayout asked = ImageLayout::nchw) {
  const TimedProgram program{.operations = std::move(operations), .trains = trains};
  return layout_that_runs(program, {.layout = asked, .compiled = compiled});
}

TEST(CompiledLayout, IsChannelsLastAsARule) {
  for (const bool trains : {false, true}) {
    EXPECT_EQ(layout({conv(1, 512, 512, 9)}, trains), ImageLayout::nhwc);
    EXPECT_EQ(layout({conv(1, 512, 512, 9)}, trains, false), ImageLayout::nchw) << "without torch.compile";
    EXPECT_EQ(layout({conv(512, 1, 1, 9), conv(1, 512, 512, 1)}, trains), ImageLayout::nhwc) << "depthwise";
  }
}

TEST(CompiledLayout, GroupsKeepTheirPlanesInTraining) {
  const std::vector<TimedOperation> network = {conv(1, 1024, 1024, 9), conv(32, 8, 8, 9)};
  EXPECT_EQ(layout(network, true), ImageLayout::nchw);
  EXPECT_EQ(layout(network, false), ImageLayout::nhwc) << "where they are a small part of an inference";
  EXPECT_EQ(layout({conv(1, 64, 256, 1), conv(2, 128, 128, 9)}, false), ImageLayout::nchw) << "and a large one";
  EXPECT_EQ(layout(network, true, true, ImageLayout::nhwc), ImageLayout::nhwc) << "asked for";
}

TEST(CompiledLayout, FewerChannelsThanBeforeKeepTheirPlanesInTraining) {
  EXPECT_EQ(layout({conv(1, 32, 128, 9), conv(1, 128, 512, 1)}, true), ImageLayout::nchw);
  EXPECT_EQ(layout({conv(1, 32, 128, 9), conv(1, 128, 512, 1)}, false), ImageLayout::nhwc);
  EXPECT_EQ(layout({conv(1, 64, 64, 9)}, true), ImageLayout::nchw) << "small ones alone";
}

}  // namespace
}  // namespace plimsoll
