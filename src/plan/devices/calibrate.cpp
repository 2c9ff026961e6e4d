#include "plan/devices/calibrate.h"

#include <fmt/format.h>

#include <algorithm>

#include "plan/devices/write_device.h"

namespace plimsoll {
namespace {

// Boost clocks go beyond data sheets, but not this far; and what reaches less than this is a mistake in the unit or a
// card that does something else.
constexpr double kMostOfSheet = 2, kLeastOfSheet = 0.02;

template <class Rate>
Status check_against_sheet(std::string_view what, Rate given, Rate sheet) {
  if (given.per_second > 0 && given.per_second <= kMostOfSheet * sheet.per_second &&
      given.per_second >= kLeastOfSheet * sheet.per_second)
    return {};
  return user_error(fmt::format("{} of {} was given where the data sheet says {}, expected {} to {} times that", what,
                                human_rate(given), human_rate(sheet), kLeastOfSheet, kMostOfSheet),
                    "is the unit right?");
}

// On a machine that was probed the best that was seen there counts too: its peaks are low where it was busy.
Status take_rate(Device& device, DType format, FlopsPerSecond rate) {
  const auto peak = device.product_peak(format);
  if (!peak)
    return user_error(fmt::format("{} has no peak in {}", device.name, name_of(format)),
                      "give the rate in another format");
  FlopsPerSecond sheet = *peak;
  for (const auto& probed : device.conv_rates.rows()) sheet = std::max(sheet, probed.rate);
  PLIM_TRY(check_against_sheet("a rate", rate, sheet));
  set_figure(device, {.field = "gemm_rate." + std::string(name_of(format)),
                      .value = rate.per_second / 1e12,
                      .unit = "TFLOP/s",
                      .source = std::string(kCalibrationSource),
                      .date = {},
                      .note = {}});
  return {};
}

Status take_bandwidth(Device& device, BytesPerSecond bandwidth) {
  BytesPerSecond sheet = device.memory_bandwidth.value_or(bandwidth);
  for (const auto& probed : device.memory_bound_rates.rows()) sheet = std::max(sheet, probed.rate);
  PLIM_TRY(check_against_sheet("a bandwidth", bandwidth, sheet));
  set_figure(device, {.field = "reached_bandwidth",
                      .value = bandwidth.per_second / 1e9,
                      .unit = "GB/s",
                      .source = std::string(kCalibrationSource),
                      .date = {},
                      .note = {}});
  return {};
}

}  // namespace

DType product_format(const Device& device) { return device.matrix_peak.contains(DType::f16) ? DType::f16 : DType::f32; }

Result<Device> calibrated(Device device, const Calibration& calibration) {
  if (device.kind != DeviceKind::gpu && device.kind != DeviceKind::cpu)
    return user_error(fmt::format("{} is {} {}, expected a gpu or a cpu", device.name,
                                  device.kind == DeviceKind::instance ? "an" : "a", name_of(device.kind)),
                      device.contains.empty() ? "" : "calibrate " + device.contains.front().device);
  if (!calibration.gemm && !calibration.bandwidth)
    return user_error("neither a rate nor a bandwidth was given, expected at least one of them");
  std::erase_if(device.sources, [](const Source& source) { return source.key == kCalibrationSource; });
  device.sources.push_back({std::string(kCalibrationSource), calibration.source, calibration.date});
  if (calibration.gemm) PLIM_TRY(take_rate(device, calibration.format, *calibration.gemm));
  if (calibration.bandwidth) PLIM_TRY(take_bandwidth(device, *calibration.bandwidth));
  return device;
}

}  // namespace plimsoll
