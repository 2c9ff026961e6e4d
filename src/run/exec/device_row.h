// The row of a request that says where its steps are computed; shared by the verbs that run.
#pragma once

#include "base/rows/fields.h"
#include "run/exec/run_device.h"

namespace plimsoll {

Row device_row();

template <>
struct Form<RunDevice> : TextForm<RunDevice> {
  static Result<RunDevice> parse(const Row&, const std::string& called, const std::string& text) {
    return parse_run_device(called, text);
  }
  static Json write(const RunDevice& device) { return device.name(); }
};

}  // namespace plimsoll
