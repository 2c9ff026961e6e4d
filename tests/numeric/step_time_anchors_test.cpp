// Commonly quoted figures of ResNet-50 training with PyTorch on devices without measured rows, as images per second.
// They come from many hosts and versions, without a source for each: a range, widened by half of itself either way. The
// shares of Kepler, Ampere, Ada and Hopper were set with these in view, so for them this guards against drift and
// proves nothing.
#include <gtest/gtest.h>

#include "model/ir/bind.h"
#include "model/optim/all_optimizers.h"
#include "model/passes/pipeline.h"
#include "model/zoo/all_models.h"
#include "plan/devices/all_devices.h"
#include "plan/time/step_time.h"

namespace plimsoll {
namespace {

struct Anchor {
  std::string device;
  int64_t batch;
  bool mixed;  // f16 activations
  double low, high;
};

double images_per_second(const Anchor& anchor) {
  const auto graph = build_model("resnet50", {});
  BindOptions options{.batch = anchor.batch};
  if (anchor.mixed) options.activations = DType::f16;
  auto program = bind(*graph, options);
  const auto step = make_step(std::move(*program), {.optimizer = *find_optimizer("momentum"), .fuse = false});
  const auto device = find_device(anchor.device);
  const auto time = step_time(*step, *device, {});
  EXPECT_TRUE(time.ok());
  return time.ok() ? double(anchor.batch) / time->total.value : 0;
}

TEST(StepTimeAnchors, ResNet50Training) {
  const Anchor anchors[] = {
      {"nvidia-tesla-k80", 32, false, 45, 60},     {"nvidia-gtx-1080-ti", 64, false, 190, 215},
      {"nvidia-p100-16gb", 64, false, 200, 230},   {"nvidia-v100-16gb", 64, false, 350, 400},
      {"nvidia-v100-16gb", 128, true, 700, 800},   {"nvidia-t4", 64, false, 110, 130},
      {"nvidia-t4", 64, true, 220, 260},           {"nvidia-titan-rtx", 64, false, 290, 320},
      {"nvidia-titan-rtx", 64, true, 550, 620},    {"nvidia-rtx-3090", 64, false, 330, 400},
      {"nvidia-rtx-3090", 128, true, 550, 750},    {"nvidia-a100-40gb", 128, false, 400, 800},
      {"nvidia-a100-40gb", 256, true, 780, 1300},  {"nvidia-rtx-4090", 128, true, 1100, 1300},
      {"nvidia-h100-80gb", 256, true, 1800, 2500},
  };
  for (const auto& anchor : anchors) {
    const double rate = images_per_second(anchor);
    EXPECT_GE(rate, anchor.low / 1.5) << anchor.device << (anchor.mixed ? " mixed" : " f32");
    EXPECT_LE(rate, anchor.high * 1.5) << anchor.device << (anchor.mixed ? " mixed" : " f32");
  }
}

}  // namespace
}  // namespace plimsoll
