#include "plan/time/reachable.h"

#include <optional>

#include "plan/time/power_limit.h"

namespace plimsoll {
namespace {

// A design's needs: power that large products draw at the full clock for each nominal teraflop, and what the rest of
// the chip lets through.
struct Design {
  double matrix_watts;     // of the f16 matrix peak
  double general_watts;    // of the f32 peak
  double general_share;    // of the f32 peak where power is no limit; pipes shared with integers reach two thirds
  double bandwidth_share;  // against kCopyShare of the nominal one
  double sustained = 1;    // of the reachable matrix rate, by products one after another
};

// From gemm_peaks (V100, V100S, 2080, A100 of 250 to 400 W, 3090, 4090, H20, H200, GH200, B200, MI325X) and from
// neusight's and deepbench's products (T4, V100, A100); Blackwell's desktop chips are taken to be like Ada's. An A100's
// best shapes reach 0.86 of its peak, thousands of products of language models 0.78 at most (vidur); Hopper and the
// large Blackwell, of which best shapes alone were measured, are taken to lose as much.
// Bandwidths from gpu_bandwidth (A100, H100, H200, MI100, MI210) and from passes over large tensors (neusight: V100,
// A100, MI100, MI210); Blackwell's large chips are taken to be like Hopper's.
Design design_of(const Device& device) {
  const std::string& name = device.generation;
  const bool large = device.compute_capability == "8.0" || device.compute_capability.starts_with("10.");
  if (name == "volta") return {3.2, 18, 0.9, 0.96};
  if (name == "turing") return {2.44, 21.4, 0.92, 1};
  if (name == "ampere") return large ? Design{1.28, 20.5, 1, 0.91, 0.91} : Design{2.3, 9.8, 0.7, 1};
  if (name == "ada") return {1.42, 5.4, 0.67, 1};
  if (name == "hopper") return {1.13, 7, 0.75, 0.91, 0.91};
  if (name == "blackwell") return large ? Design{0.635, 7, 0.88, 0.91, 0.91} : Design{1.42, 3.6, 0.67, 1};
  if (name == "cdna3") return {1.47, 12, 0.9, 0.9};
  if (name == "cdna4") return {1.06, 12, 0.9, 0.9};
  if (name.starts_with("cdna")) return {2.85, 12, 0.9, 0.85};
  // Their libraries are young: from ResNet-50 in training on an M1, an M1 Max, an M4 and an A770, against an RTX 3090
  // (gpu_insights).
  if (device.vendor == "apple") return {1.7, 10, 0.6, 0.7};
  if (device.vendor == "intel") return {1.7, 10, 0.45, 0.5, 0.45};
  return {1.7, 10, 0.8, 1};
}

// Servers' and professional cards keep their checksums in the same GDDR memory as the data. P4 and T4 reach 0.75 of the
// nominal bandwidth where V100 and A100, whose memory has room of its own for them, reach 0.88 (neusight_ops).
constexpr double kChecked = 0.85;

double most_of_matrix(const Device& device) {
  constexpr double kHalfRate = 1.03, kFullRate = 0.86;
  return has_half_rate(device) ? kHalfRate : kFullRate;
}

std::optional<double> per_second(const std::map<DType, FlopsPerSecond>& rates, DType dtype) {
  const auto found = rates.find(dtype);
  return found == rates.end() ? std::nullopt : std::optional(found->second.per_second);
}

// Against what is drawn at the full clock.
double power_of(const Device& device, std::optional<double> peak, double watts_per_teraflop) {
  return device.tdp && peak ? device.tdp->value / (*peak / 1e12 * watts_per_teraflop) : 1;
}

// What products one after another lose is lost to filling the units. An H20, with a seventh of an H100's rate, reaches
// 0.96 of it (gemm_peaks).
bool has_quick_matrix_units(const Device& device) {
  constexpr double kQuick = 6;  // times the general units' rate
  const auto f16 = per_second(device.matrix_peak, DType::f16), f32 = per_second(device.peak, DType::f32);
  return !f16 || !f32 || *f16 > kQuick * *f32;
}

}  // namespace

// Their f16 is a quarter of int8, not half of it.
bool has_half_rate(const Device& device) {
  const auto f16 = per_second(device.matrix_peak, DType::f16), int8 = per_second(device.matrix_peak, DType::i8);
  return f16 && int8 && *int8 > 3 * *f16;
}

Reachable::Reachable(const Device& device) : device_(device) {
  const Design design = design_of(device);
  const auto f16 = per_second(device.matrix_peak, DType::f16);
  matrix_share_ = most_of_matrix(device) * clock_under(power_of(device, f16, design.matrix_watts));
  if (has_quick_matrix_units(device)) sustained_ = design.sustained;
  if (const auto measured = per_second(device.gemm_rate, DType::f16); measured && f16)
    matrix_share_ = *measured / *f16, sustained_ = 1;
  const auto f32 = per_second(device.peak, DType::f32);
  general_power_ = power_of(device, f32, design.general_watts);
  general_share_ = design.general_share * clock_under(general_power_);
  if (const auto measured = per_second(device.gemm_rate, DType::f32); measured && f32)
    general_share_ = *measured / *f32;
  bandwidth_ = device.memory_bandwidth ? device.memory_bandwidth->per_second * design.bandwidth_share : 1e9;
  if (device.ecc == "inline") bandwidth_ *= kChecked;
  if (device.reached_bandwidth) bandwidth_ = device.reached_bandwidth->per_second / kCopyShare;
}

double Reachable::matrix(DType dtype) const {
  if (const auto measured = per_second(device_.gemm_rate, dtype); measured && device_.matrix_peak.contains(dtype))
    return *measured;
  return per_second(device_.matrix_peak, dtype).value_or(0) * matrix_share_;
}

double Reachable::sustained(DType dtype) const { return matrix(dtype) * sustained_; }

double Reachable::general(DType dtype) const {
  const double f32 = per_second(device_.peak, DType::f32).value_or(1e9);
  return per_second(device_.peak, dtype).value_or(f32) * general_share_;
}

double Reachable::general_at(double power) const {
  return clock_under(general_power_ / power) / clock_under(general_power_);
}

}  // namespace plimsoll
