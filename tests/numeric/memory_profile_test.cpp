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
Device device_of(const Row& row) {
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
  Row row;
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
    for (const Row& row : facts("gpu_memory_schedtune.csv")) {
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

}  // namespace
}  // namespace plimsoll
