#include "plan/devices/calibrate.h"

#include <fmt/format.h>

#include "plan/devices/write_device.h"

namespace plimsoll {
namespace {

constexpr double kMostOfSheet = 2;  // boost clocks go beyond data sheets, but not this far

Status check_rate(const Device& device, DType format, FlopsPerSecond rate) {
  const auto peak = device.product_peak(format);
  if (!peak)
    return user_error(fmt::format("{} has no peak in {}", device.name, name_of(format)),
                      "give the rate in another format");
  if (rate.per_second > kMostOfSheet * peak->per_second || rate.per_second <= 0)
    return user_error(fmt::format("a rate of {:.4g} TFLOP/s was given, expected at most {:.4g}, twice the data sheet's",
                                  rate.per_second / 1e12, kMostOfSheet * peak->per_second / 1e12),
                      "is the unit right?");
  return {};
}

Status check_bandwidth(const Device& device, BytesPerSecond bandwidth) {
  const double sheet = device.memory_bandwidth->per_second;
  if (bandwidth.per_second > kMostOfSheet * sheet || bandwidth.per_second <= 0)
    return user_error(
        fmt::format("a bandwidth of {:.4g} GB/s was given, expected at most {:.4g}, twice the data sheet's",
                    bandwidth.per_second / 1e9, kMostOfSheet * sheet / 1e9),
        "is the unit right?");
  return {};
}

}  // namespace

Result<Device> calibrated(Device device, const Calibration& calibration) {
  if (device.kind != DeviceKind::gpu)
    return user_error(fmt::format("{} is a {}, expected a gpu", device.name, name_of(device.kind)));
  if (!calibration.gemm && !calibration.bandwidth)
    return user_error("neither a rate nor a bandwidth was given, expected at least one of them");
  constexpr const char* kKey = "calibration";
  std::erase_if(device.sources, [](const Source& source) { return source.key == kKey; });
  device.sources.push_back({kKey, calibration.source, calibration.date});
  if (calibration.gemm) {
    PLIM_TRY(check_rate(device, calibration.format, *calibration.gemm));
    set_figure(device, {.field = "gemm_rate." + std::string(name_of(calibration.format)),
                        .value = calibration.gemm->per_second / 1e12,
                        .unit = "TFLOP/s",
                        .source = kKey,
                        .date = {},
                        .note = {}});
  }
  if (calibration.bandwidth) {
    PLIM_TRY(check_bandwidth(device, *calibration.bandwidth));
    set_figure(device, {.field = "reached_bandwidth",
                        .value = calibration.bandwidth->per_second / 1e9,
                        .unit = "GB/s",
                        .source = kKey,
                        .date = {},
                        .note = {}});
  }
  return device;
}

}  // namespace plimsoll
