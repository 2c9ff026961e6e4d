// devices calibrate, asked and answered: a device file with the two numbers that no data sheet tells, as they were
// measured or as measured steps lead to them.
#pragma once

#include "plan/ask/measured_run_form.h"
#include "plan/ask/rate_form.h"
#include "plan/verdict/measured_runs.h"

namespace plimsoll {

inline constexpr std::string_view kCalibrateSchema = "plimsoll.calibrate/1";

enum class ProductFormat : uint8_t { f16, bf16, tf32, f32 };

template <>
struct Choices<ProductFormat> {
  static constexpr std::pair<ProductFormat, std::string_view> kAll[] = {{ProductFormat::f16, "f16"},
                                                                        {ProductFormat::bf16, "bf16"},
                                                                        {ProductFormat::tf32, "tf32"},
                                                                        {ProductFormat::f32, "f32"}};
};

struct CalibrateRequest {
  std::optional<std::string> device;
  std::optional<FlopsPerSecond> gemm;
  std::optional<ProductFormat> gemm_dtype;
  std::optional<BytesPerSecond> bandwidth;
  std::vector<WrittenRun> measured;
  std::optional<std::string> source;
  std::optional<std::string> out;

  void describe(Fields& fields);
};

struct CalibratedRun {
  std::string text;
  Seconds measured, before, after;  // before: predicted by the data sheet
};

struct CalibrateOutcome {
  Device device;                 // calibrated
  ReachedNumbers before, after;  // before: as expected from the data sheet
  std::vector<CalibratedRun> runs;
  std::optional<double> median_before, median_after;  // of the errors of these runs
  std::optional<std::string> kept_in;                 // the file
};

Result<CalibrateOutcome> ask_calibrate(const CalibrateRequest& request);

}  // namespace plimsoll
