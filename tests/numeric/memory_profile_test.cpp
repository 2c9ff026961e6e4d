// The memory profiles of other frameworks against published runs.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>

#include "model/optim/all_optimizers.h"
#include "plan/devices/all_devices.h"
#include "plan/memory/framework_accuracy.h"
#include "plan/memory/framework_peak.h"
#include "tests/facts.h"
#include "tests/zoo_program.h"

namespace plimsoll {
namespace {

constexpr double kMiB = 1 << 20;

Device device_named(const std::string& name) {
  const auto device = find_device(name);
  EXPECT_TRUE(device.ok()) << name;
  return device.ok() ? *device : Device{};
}

// The table gives core counts; these are the catalog's devices with them.
Device device_of(const FactRow& row) {
  static const std::map<std::string, std::string> kDevices{
      {"2496", "nvidia-tesla-k80"}, {"2560", "nvidia-rtx-2070-super"}, {"5120", "nvidia-v100-16gb"}};
  const Device device = device_named(kDevices.at(row.at("cuda_cores")));
  EXPECT_EQ(std::to_string(device.units->value()), row.at("sm_count"));
  return device;
}

Program step_of(Framework framework, const std::string& model, int64_t batch, const std::string& optimizer) {
  StepOptions options = step_options(framework);
  options.optimizer = *find_optimizer(optimizer);
  auto step = make_step(zoo_program(model, {}, batch), options);
  EXPECT_TRUE(step.ok()) << step.error().line();
  return step.ok() ? *step : Program{};
}

struct Compared {
  FactRow row;
  Device device;
  FrameworkPeak peak;
  double measured = 0;  // bytes

  double error() const { return std::abs(double(peak.range.expected.value()) / measured - 1); }
  bool outside() const {
    return measured < double(peak.range.low.value()) || measured > double(peak.range.high.value());
  }
};

// The published runs are PyTorch's ImageNet example: SGD with momentum.
const std::vector<Compared>& compared() {
  static const auto all = [] {
    std::vector<Compared> result;
    std::map<std::pair<std::string, std::string>, Program> steps;
    for (const FactRow& row : facts("gpu_memory_schedtune.csv")) {
      Program& step = steps[{row.at("model"), row.at("batch")}];
      if (step.operations.empty())
        step = step_of(Framework::pytorch, row.at("model"), std::stoll(row.at("batch")), "momentum");
      const Device device = device_of(row);
      const FrameworkProfile profile(Framework::pytorch, &device, false);
      result.push_back({row, device, framework_peak(profile, step, lifetimes(step, profile)),
                        std::stod(row.at("measured_peak_mib")) * kMiB});
    }
    return result;
  }();
  return all;
}

ProfileAccuracy accuracy_now() {
  ProfileAccuracy now;
  std::vector<double> errors;
  double outside = 0;
  for (const auto& one : compared()) {
    errors.push_back(one.error());
    outside += one.outside() ? 1 : 0;
  }
  std::sort(errors.begin(), errors.end());
  const size_t n = errors.size();
  now.rows = int64_t(n);
  now.median_error = (errors[(n - 1) / 2] + errors[n / 2]) / 2;
  now.largest_error = errors.back();
  now.outside = outside / double(n);
  return now;
}

// Peaks of mnasnet with images of 86 × 86 on an RTX 3060. They hold no context: what xMem's authors estimate for them
// is the allocator's doing alone, and within 6 % of what we say is reserved.
std::vector<double> xmem_ratios() {
  std::vector<double> ratios;
  const Device device = device_named("nvidia-rtx-3060");
  const FrameworkProfile profile(Framework::pytorch, &device, false);
  StepOptions options = step_options(Framework::pytorch);
  for (const FactRow& row : facts("modern/xmem_rows.csv")) {
    options.optimizer = *find_optimizer(row.at("optimizer") == "AdamW" ? "adamw" : "adam");
    const int64_t batch = std::stoll(row.at("batch"));
    const auto step = make_step(zoo_program(row.at("model"), {.input = Shape{3, 86, 86}}, batch), options);
    EXPECT_TRUE(step.ok()) << row.at("model");
    const Bytes held = framework_peak(profile, *step, lifetimes(*step, profile)).held;
    EXPECT_NEAR(double(held.value()) / std::stod(row.at("xmem_bytes")), 1, 0.06) << batch;
    ratios.push_back(double(held.value()) / std::stod(row.at("measured_peak_bytes")));
  }
  return ratios;
}

// What tools/fit_memory_profile.py reads.
void write_rows(const char* path) {
  std::ofstream out(path);
  out << "model,batch,device,generation,units,measured,held,fixed\n";
  for (const auto& one : compared())
    out << one.row.at("model") << ',' << one.row.at("batch") << ',' << one.device.name << ',' << one.device.generation
        << ',' << one.device.units->value() << ',' << int64_t(one.measured) << ',' << one.peak.held.value() << ','
        << one.peak.fixed.value() << '\n';
}

TEST(MemoryProfile, PyTorchIsWithinTheMeasurements) {
  if (const char* path = std::getenv("PLIM_PROFILE_ROWS")) write_rows(path);
  const ProfileAccuracy now = accuracy_now();
  EXPECT_GE(now.rows, 100);
  EXPECT_LE(now.median_error, 0.08);
  EXPECT_LE(now.outside, 0.05);
}

// Too much rather than too little, and not by more than two in a hundred.
TEST(MemoryProfile, PyTorchIsHardlyBiased) {
  std::vector<double> ratios = xmem_ratios(), errors;
  for (const auto& one : compared()) ratios.push_back(double(one.peak.range.expected.value()) / one.measured);
  for (const double ratio : ratios) errors.push_back(std::abs(ratio - 1));
  std::sort(ratios.begin(), ratios.end());
  std::sort(errors.begin(), errors.end());
  EXPECT_GE(ratios[ratios.size() / 2], 1);
  EXPECT_LE(ratios[ratios.size() / 2], 1.02);
  EXPECT_LE(errors[errors.size() / 2], 0.05);
}

TEST(MemoryProfile, TheFiguresThatUsersSeeAreUpToDate) {
  const auto shown = accuracy_of(Framework::pytorch);
  ASSERT_TRUE(shown);
  const ProfileAccuracy now = accuracy_now();
  const std::string hint = "run tools/fit_memory_profile.py";
  EXPECT_EQ(shown->rows, now.rows) << hint;
  EXPECT_NEAR(shown->median_error, now.median_error, 1e-6) << hint;
  EXPECT_NEAR(shown->largest_error, now.largest_error, 1e-6) << hint;
  EXPECT_NEAR(shown->outside, now.outside, 1e-6) << hint;
}

TEST(MemoryProfile, RangesAreNarrow) {
  for (const auto& one : compared()) {
    const PeakRange& range = one.peak.range;
    EXPECT_LE(range.low, range.expected);
    EXPECT_LE(range.expected, range.high);
    EXPECT_LE(double(range.high.value()), 1.4 * double(range.low.value()));
  }
}

// TensorFlow says at its start how much of a card it has for tensors.
TEST(MemoryProfile, TensorFlowHasWhatItsLogsSay) {
  for (const FactRow& row : facts("tensorflow_usable_memory.csv")) {
    const Device device = device_named(row.at("device"));
    EXPECT_EQ(double(device.memory->value()), std::stod(row.at("memory_mib")) * kMiB) << device.name;
    const Bytes usable = *device.memory - FrameworkProfile(Framework::tensorflow, &device, false).fixed();
    const double logged = std::stod(row.at("usable_mib")) * kMiB;
    EXPECT_NEAR(double(usable.value()) / logged, 1, 0.08) << device.name;
  }
}

// The published runs of the cats-versus-dogs network: which batch ran on which card. Which tensor breaks it is a matter
// of some 50 MiB: the line through all logs leaves 67 MiB less than this card's own show, and with those the
// convolution behind the next pooling would break instead.
TEST(MemoryProfile, TensorFlowCarriesTheBatchesThatRan) {
  int seen = 0;
  for (const FactRow& row : facts("catsdogs_runs.csv")) {
    const Device device = device_named(row.at("hardware"));
    if (device.kind != DeviceKind::gpu) continue;
    const Program step = step_of(Framework::tensorflow, "catsdogs", std::stoll(row.at("batch")), "adam");
    const FrameworkProfile profile(Framework::tensorflow, &device, false);
    const Lifetimes life = lifetimes(step, profile);
    const FrameworkPeak peak = framework_peak(profile, step, life, *device.memory);
    const bool runs = row.at("outcome") == "runs";
    EXPECT_EQ(peak.range.expected <= *device.memory, runs) << device.name << " " << row.at("batch");
    EXPECT_EQ(peak.over.has_value(), !runs);
    if (peak.over) {
      const StorageLife& breaking = life.storages[size_t(*peak.over)];
      ASSERT_TRUE(breaking.value.present());
      const std::string shape = step.value(breaking.value).type->shape.text();
      EXPECT_NE(row.at("note").find(shape), std::string::npos) << shape << " but: " << row.at("note");
    }
    ++seen;
  }
  EXPECT_EQ(seen, 3);
}

// A library does without scratch memory where it would cross the line, so the line itself lowers the peak.
TEST(MemoryProfile, TheLineIsCrossedExactlyWhenThePeakIsBeyondIt) {
  const Device device = device_named("nvidia-gtx-1080-ti");
  const Program step = step_of(Framework::pytorch, "vgg13", 16, "momentum");
  for (const bool mixed : {false, true}) {
    const FrameworkProfile profile(Framework::pytorch, &device, mixed);
    const Lifetimes life = lifetimes(step, profile);
    const Bytes roomy = framework_peak(profile, step, life).range.expected;
    EXPECT_EQ(framework_peak(profile, step, life, roomy).range.expected, roomy);
    for (int percent = 0; percent <= 120; percent += 5) {
      const Bytes line(roomy.value() / 100 * percent);
      const FrameworkPeak peak = framework_peak(profile, step, life, line);
      EXPECT_EQ(peak.over.has_value(), peak.range.expected > line) << percent;
      if (peak.over) {
        EXPECT_NE(life.storages[size_t(*peak.over)].part, MemoryPart::workspace);
      }
    }
    const Bytes tight = framework_peak(profile, step, life, Bytes(0)).range.expected;
    EXPECT_LT(tight, roomy);
  }
}

TEST(MemoryProfile, EveryGpuOfTheCatalogHasRoomBesideTheContext) {
  const auto devices = all_devices();
  ASSERT_TRUE(devices.ok());
  for (const auto& device : *devices) {
    if (device.kind != DeviceKind::gpu || !device.memory) continue;
    for (const Framework framework : {Framework::pytorch, Framework::tensorflow}) {
      const Bytes fixed = FrameworkProfile(framework, &device, false).fixed();
      EXPECT_GT(double(fixed.value()), 200 * kMiB) << device.name;
      EXPECT_LT(fixed.value(), device.memory->value() / 2) << device.name;
    }
  }
}

// Mixed precision halves the activations, not the parameters; an inference keeps almost nothing.
TEST(MemoryProfile, LeanerStepsTakeLess) {
  const Device device = device_named("nvidia-v100-16gb");
  const auto graph = build_model("resnet50", {});
  ASSERT_TRUE(graph.ok());
  const auto held = [&](const BindOptions& format, bool trains) {
    const bool mixed = format.activations.has_value();
    const FrameworkProfile profile(Framework::pytorch, &device, mixed);
    StepOptions options = step_options(Framework::pytorch);
    if (trains) options.optimizer = *find_optimizer("momentum");
    const auto step = make_step(*bind(*graph, format), options);
    EXPECT_TRUE(step.ok());
    return framework_peak(profile, *step, lifetimes(*step, profile)).held;
  };
  const Bytes full = held({.batch = 32}, true);
  const Bytes mixed = held({.batch = 32, .parameters = DType::f32, .activations = DType::f16}, true);
  const Bytes inference = held({.batch = 32}, false);
  EXPECT_LT(double(mixed.value()), 0.65 * double(full.value()));
  EXPECT_GT(double(mixed.value()), 0.5 * double(full.value()));
  EXPECT_LT(double(inference.value()), 0.2 * double(full.value()));
}

}  // namespace
}  // namespace plimsoll
