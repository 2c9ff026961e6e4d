// What devices calibrate answers, key by key: operations and bytes a second, seconds.
#pragma once

#include "plan/ask/calibrate_request.h"
#include "plan/ask/devices_reply.h"

namespace plimsoll {

inline std::string_view schema_name(const CalibratedRun*) { return "CalibratedRun"; }

template <class V>
void describe(V& row, const CalibratedRun* r) {
  row("run", "as it was given", [=] { return r->text; });
  row("measured_seconds", "", [=] { return r->measured; });
  row("before_seconds", "predicted by the data sheet", [=] { return r->before; });
  row("after_seconds", "predicted by the calibrated device", [=] { return r->after; });
}

inline std::string_view schema_name(const CalibrateOutcome*) { return "Calibration"; }

template <class V>
void describe(V& row, const CalibrateOutcome* o) {
  row("gemm_dtype", "the number format of the product", [=] { return name_of(o->after.format); });
  row("gemm_before", "expected of a large product from the data sheet, operations a second",
      [=] { return o->before.gemm; });
  row("gemm", "as measured or fitted", [=] { return o->after.gemm; });
  row("bandwidth_before", "expected of a large copy from the data sheet, bytes a second",
      [=] { return o->before.bandwidth; });
  row("bandwidth", "as measured or fitted", [=] { return o->after.bandwidth; });
  row("runs", "that it was fitted to", [=] { return unless_empty(o->runs); });
  row("median_error_before", "of these runs by the data sheet", [=] { return o->median_before; });
  row("median_error", "of these runs afterwards; of others it may be more", [=] { return o->median_after; });
  row("kept_in", "the device file", [=] { return o->kept_in; });
  row("device", "with every figure", [=] { return DeviceReply{&o->device, true}; });
}

}  // namespace plimsoll
