// The rows of a request that say where its steps are computed, and in which format; shared by the verbs that run.
#pragma once

#include "base/rows/fields.h"
#include "run/exec/compute_format.h"
#include "run/exec/run_device.h"

namespace plimsoll {

Row device_row();
Row compute_row();

template <>
struct Form<RunDevice> : TextForm<RunDevice> {
  static Result<RunDevice> parse(const Row&, const std::string& called, const std::string& text) {
    return parse_run_device(called, text);
  }
  static Json write(const RunDevice& device) { return device.name(); }
};

template <>
struct Form<ComputeFormat> : TextForm<ComputeFormat> {
  static Result<ComputeFormat> parse(const Row&, const std::string& called, const std::string& text) {
    return parse_compute_format(called, text);
  }
  static Json write(const ComputeFormat& format) { return format.name(); }
};

}  // namespace plimsoll
