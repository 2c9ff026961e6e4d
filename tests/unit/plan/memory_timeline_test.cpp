// The timeline of a step's memory: its highest point is the peak that is told, whoever computes.
#include <gtest/gtest.h>

#include <algorithm>

#include "model/ir/bind.h"
#include "model/optim/all_optimizers.h"
#include "model/zoo/all_models.h"
#include "plan/devices/all_devices.h"
#include "plan/verdict/candidate.h"
#include "plan/verdict/fit.h"
#include "plan/verdict/load_line.h"
#include "tests/zoo_program.h"

namespace plimsoll {
namespace {

Network timeline_network(const std::string& name) {
  const auto graph = std::make_shared<const Graph>(*build_model(name, {}));
  return Network(name, [graph](std::optional<int64_t> batch, const NumberFormat& format) {
    return bind(*graph, {.batch = batch, .parameters = format.parameters, .activations = format.activations});
  });
}

struct TimelineCase {
  const char* model;
  Framework framework;
  const char* format;
  const char* optimizer;  // nullptr: inference
  std::optional<int64_t> batch;
};

void expect_true_timeline(const BatchLoad& load, const std::string& what) {
  const std::vector<Bytes> sums = load.timeline.sums();
  ASSERT_FALSE(sums.empty()) << what;
  EXPECT_EQ(sums.size(), load.timeline.workspace.size()) << what;
  const auto highest = std::max_element(sums.begin(), sums.end());
  EXPECT_EQ(*highest, load.peak.expected) << what;
  for (size_t i = 0; i < sums.size(); ++i) {
    EXPECT_GE(load.timeline.tensors[i], Bytes(0)) << what << " " << i;
    EXPECT_GE(load.timeline.workspace[i], Bytes(0)) << what << " " << i;
  }
  EXPECT_EQ(load.breakdown.total(), load.peak.expected) << what;
}

TEST(MemoryTimeline, ItsHighestPointIsThePeak) {
  const TimelineCase cases[] = {
      {"resnet18", Framework::pytorch, "f32", "momentum", {}},
      {"resnet18", Framework::pytorch, "amp", "adam", 16},
      {"resnet18", Framework::pytorch, "f32", nullptr, {}},
      {"vgg11", Framework::tensorflow, "f32", "adam", 8},
      {"mobilenet_v2", Framework::plimsoll, "f32", "adam", {}},
      {"densenet121", Framework::plimsoll, "f32", nullptr, 4},
      {"vit_b_16", Framework::pytorch, "f16", "momentum", 4096},  // far past the line
  };
  for (const auto& tried : cases) {
    const Network network = timeline_network(tried.model);
    FitQuestion question;
    question.network = &network;
    question.format = *number_format(tried.format);
    if (tried.optimizer) question.step.optimizer = *find_optimizer(tried.optimizer);
    question.framework = tried.framework;
    question.device = find_candidate("nvidia-t4")->part;
    question.memory = *question.device->memory;
    question.load_line = kLoadLine;
    question.batch = tried.batch;
    question.alternatives = false;
    const auto answer = fit(question);
    ASSERT_TRUE(answer.ok()) << answer.error().line();
    const std::string what = std::string(tried.model) + " " + tried.format;
    expect_true_timeline(answer->load, what);
    if (tried.framework == Framework::plimsoll) continue;
    const MemoryTimeline& timeline = answer->load.timeline;
    EXPECT_EQ(timeline.fixed, answer->load.breakdown[MemoryPart::fixed]) << what;
    const bool scratch =
        std::any_of(timeline.workspace.begin(), timeline.workspace.end(), [](Bytes bytes) { return bytes > Bytes(0); });
    EXPECT_TRUE(scratch) << what << ": an allocator rounds, if nothing else";
  }
}

// PyTorch keeps the batch until the step is over, and gradients from step to step: they are no scratch memory.
TEST(MemoryTimeline, WhatIsKeptIsCountedAsWhatItIs) {
  const Network network = timeline_network("alexnet");
  FitQuestion question;
  question.network = &network;
  question.format = *number_format("f32");
  question.step.optimizer = *find_optimizer("momentum");
  question.framework = Framework::pytorch;
  question.memory = Bytes(int64_t{16} << 30);
  question.load_line = kLoadLine;
  question.batch = 8;
  question.alternatives = false;
  const auto answer = fit(question);
  ASSERT_TRUE(answer.ok()) << answer.error().line();
  const Bytes pictures(8 * (3 * 224 * 224 * 4)), labels(1024);  // at most
  EXPECT_GE(answer->load.breakdown[MemoryPart::input], pictures);
  EXPECT_LE(answer->load.breakdown[MemoryPart::input], pictures + labels);
  EXPECT_GE(answer->load.breakdown[MemoryPart::gradients], answer->load.breakdown[MemoryPart::parameters]);
}

// The accuracy of a profile is that of what was measured: convolutional networks, trained in f32.
TEST(FitAccuracy, IsOnlyClaimedForWhatWasMeasured) {
  const auto note = [](const char* model, const char* format, bool trains) {
    const Network network = timeline_network(model);
    FitQuestion question;
    question.network = &network;
    question.format = *number_format(format);
    if (trains) question.step.optimizer = *find_optimizer("momentum");
    question.framework = Framework::pytorch;
    question.memory = Bytes(int64_t{16} << 30);
    question.load_line = kLoadLine;
    question.batch = 2;
    question.alternatives = false;
    const auto answer = fit(question);
    EXPECT_TRUE(answer.ok());
    return answer.ok() && answer->notes.size() == 1 ? answer->notes[0] : "";
  };
  EXPECT_NE(note("resnet18", "f32", true).find("median error"), std::string::npos);
  for (const auto& other :
       {note("resnet18", "f32", false), note("resnet18", "amp", true), note("bert_base", "f32", true)}) {
    EXPECT_EQ(other.find("median error"), std::string::npos) << other;
    EXPECT_NE(other.find("how far off it is here is not known"), std::string::npos) << other;
  }
}

struct BoundsCase {
  const char* model;
  const char* optimizer;  // nullptr: inference
  int64_t batch, micro_batches;
  double recompute;
};

// The timeline is a replay's: it counts tensors as they come and go. On a T4 convolutions have workspaces; on a V100
// they have none.
void expect_bounds_of_a_replay(const BoundsCase& one, const char* name) {
  const Device device = *find_device(name);
  const FrameworkProfile profile(Framework::pytorch, &device, false);
  StepOptions options = step_options(Framework::pytorch);
  if (one.optimizer) options.optimizer = *find_optimizer(one.optimizer);
  options.micro_batches = one.micro_batches;
  options.recompute = one.recompute;
  const auto step = make_step(zoo_program(one.model, {}, one.batch), options);
  ASSERT_TRUE(step.ok()) << step.error().line();
  const Lifetimes life = lifetimes(*step, profile);
  std::vector<MemoryInUse> timeline;
  const FrameworkPeak peak = framework_peak(profile, *step, life, std::nullopt, &timeline);
  const NeededBounds bounds = needed_bounds(profile, *step, life);
  Bytes tensors, all;
  for (const auto& moment : timeline) {
    tensors = std::max(tensors, moment.tensors);
    all = std::max(all, moment.all);
  }
  EXPECT_GE(bounds.least, tensors);
  EXPECT_LE(bounds.least, all);
  EXPECT_LE(peak.needed - peak.fixed, bounds.most);
  EXPECT_GE(peak.needed - peak.fixed, bounds.least);
  Lifetimes without = life;
  while (!without.storages.back().value.present()) without.storages.pop_back();
  EXPECT_EQ(needed_bounds(profile, *step, without).least, tensors);
  EXPECT_EQ(needed_bounds(profile, *step, without).most, bounds.most);
}

TEST(NeededBounds, AreThoseOfTheFullestMomentOfAReplay) {
  const BoundsCase cases[] = {{"lenet5", "momentum", 64, 1, 0},  {"resnet18", "adam", 8, 1, 0},
                              {"resnet18", "sgd", 8, 2, 0},      {"resnet18", "momentum", 32, 1, 0.35},
                              {"googlenet", nullptr, 16, 1, 0},  {"vgg11", "momentum", 1, 1, 0},
                              {"mobilenet_v2", "adam", 4, 1, 0}, {"alexnet", "sgd", 128, 4, 0}};
  for (const auto& one : cases)
    for (const char* device : {"nvidia-t4", "nvidia-v100-16gb"}) {
      SCOPED_TRACE(one.model);
      SCOPED_TRACE(device);
      expect_bounds_of_a_replay(one, device);
    }
}

}  // namespace
}  // namespace plimsoll
