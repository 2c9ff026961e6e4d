// Rates as fields of a request: "71TFLOPS", "900GB/s". In JSON the same text, or the plain number a second.
#pragma once

#include "base/rows/form.h"
#include "base/units.h"

namespace plimsoll {

// "71TFLOPS", "71 TFLOP/s", "71T", "312 GFLOPS": above 0.
Result<FlopsPerSecond> parse_flops_rate(const std::string& flag, const std::string& text);

template <>
struct Form<FlopsPerSecond> {
  static Result<FlopsPerSecond> parse(const Row& row, const std::string& called, const std::string& text);
  static Result<FlopsPerSecond> read(const Row& row, const std::string& called, const Json& json);
  static Json write(FlopsPerSecond value) { return value.per_second; }
  static Json schema(const Row& row);
};

template <>
struct Form<BytesPerSecond> {
  static Result<BytesPerSecond> parse(const Row& row, const std::string& called, const std::string& text);
  static Result<BytesPerSecond> read(const Row& row, const std::string& called, const Json& json);
  static Json write(BytesPerSecond value) { return value.per_second; }
  static Json schema(const Row& row);
};

}  // namespace plimsoll
