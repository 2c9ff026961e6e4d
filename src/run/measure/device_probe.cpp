#include "run/measure/device_probe.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/today.h"
#include "plan/devices/calibrate.h"
#include "plan/devices/this_device.h"
#include "plan/devices/write_device.h"
#include "run/exec/device_here.h"
#include "run/exec/this_engine.h"
#include "run/exec/torch/device_speed.h"
#include "run/exec/torch/torch_library.h"

namespace plimsoll {
namespace {

constexpr Seconds kProbedFor{0.5}, kProbedQuickly{0.05};

DType probed_type(ComputeFormat::Numbers format) {
  switch (format) {
    case ComputeFormat::Numbers::tf32: return DType::tf32;
    case ComputeFormat::Numbers::bf16: return DType::bf16;
    case ComputeFormat::Numbers::f16: return DType::f16;
    default: return DType::f32;
  }
}

void set_measured(Device& device, const std::string& field, double value, const char* unit, std::string note = {}) {
  set_figure(device, {field, value, unit, std::string(kCalibrationSource), {}, std::move(note)});
}

// A GPU that no catalog describes has for its peaks what it reached.
void take_for_peaks(Device& device, const DeviceProbe& probe) {
  for (const auto& [format, rate] : probe.products) {
    const DType type = probed_type(format);
    const bool general = type == DType::f32;
    if (general ? device.peak.contains(type) : device.matrix_peak.contains(type)) continue;
    if (!general && device.kind != DeviceKind::gpu) continue;
    set_measured(device, (general ? "peak." : "matrix_peak.") + std::string(name_of(type)), rate.per_second / 1e12,
                 "TFLOP/s", "reached by a product; no data sheet is known");
  }
  if (!device.memory_bandwidth)
    set_measured(device, "memory_bandwidth", probe.copy.per_second / 1e9, "GB/s",
                 "reached by a copy; no data sheet is known");
}

}  // namespace

Result<DeviceProbe> measure_device(const RunDevice& device, bool quick, const ProbeProgress& progress) {
  const auto say = [&](std::string_view what) {
    if (progress) progress(what);
  };
  DeviceProbe probe;
  probe.date = today();
  probe.quick = quick;
  probe.device = device;
  probe.threads = engine_options(std::nullopt, ConvSetting::automatic).threads;
  PLIM_ASSIGN(probe.described, described_device(device));
  PLIM_ASSIGN(const DeviceSpeed speed, DeviceSpeed::open(device, probe.threads, quick ? kProbedQuickly : kProbedFor));
  probe.torch = opened_torch().version();
  probe.context = speed.context();
  probe.rows = speed.rows();
  probe.copied = speed.copied();
  say("products of matrices");
  for (const ComputeFormat::Numbers format : {ComputeFormat::Numbers::f32, ComputeFormat::Numbers::tf32,
                                              ComputeFormat::Numbers::bf16, ComputeFormat::Numbers::f16}) {
    if (format == ComputeFormat::Numbers::tf32 && device.kind != RunDevice::Kind::cuda) continue;
    if (const auto rate = speed.product(format)) probe.products.push_back({format, *rate});
  }
  say("copies");
  PLIM_ASSIGN(probe.copy, speed.copy());
  PLIM_ASSIGN(probe.to_device, speed.to_device());
  PLIM_ASSIGN(probe.to_host, speed.to_host());
  say("what a call costs");
  PLIM_ASSIGN(probe.call, speed.call());
  return probe;
}

Device probed_device(const DeviceProbe& probe) {
  Device device = probe.described;
  const std::string title = fmt::format("measured by plimsoll probe through PyTorch {}", probe.torch);
  std::erase_if(device.sources, [](const Source& source) { return source.key == kCalibrationSource; });
  device.sources.push_back({std::string(kCalibrationSource), title, probe.date});
  device.note = fmt::format("A call of PyTorch takes {:.2f} µs{}.", probe.call.value * 1e6,
                            probe.context ? fmt::format(", its libraries hold {}", human_bytes(*probe.context)) : "");
  take_for_peaks(device, probe);
  for (const auto& [format, rate] : probe.products)
    set_measured(device, "gemm_rate." + std::string(name_of(probed_type(format))), rate.per_second / 1e12, "TFLOP/s",
                 fmt::format("of {0} x {0} matrices", probe.rows));
  set_measured(device, "reached_bandwidth", probe.copy.per_second / 1e9, "GB/s",
               fmt::format("of a copy of {}", human_bytes(probe.copied)));
  if (probe.device.kind == RunDevice::Kind::cuda)
    set_measured(device, "host_link", std::min(probe.to_device, probe.to_host).per_second / 1e9, "GB/s",
                 fmt::format("to it {}, from it {}", human_rate(probe.to_device), human_rate(probe.to_host)));
  return device;
}

}  // namespace plimsoll
