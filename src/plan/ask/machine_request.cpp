#include "plan/ask/machine_request.h"

namespace plimsoll {

Row framework_row() {
  return {.name = "framework",
          .subject = Subject::machine,
          .help = "whose memory and time: " + listed(choice_names<Framework>()),
          .value = "NAME",
          .fallback = "pytorch on GPUs, else plimsoll",
          .page = true};
}

Row load_line_row() {
  return {.name = "load_line",
          .subject = Subject::machine,
          .help = "how far the memory may be filled",
          .value = "SHARE",
          .least = 0,
          .most = 1,
          .edge = Edge::above,
          .page = true,
          .resume = OnResume::may_change,
          .workers_differ = true};
}

Row threads_row() {
  return {.name = "threads",
          .subject = Subject::engine,
          .help = "threads of a step on this machine",
          .value = "N",
          .fallback = "its cores",
          .least = 1,
          .most = double(kMostThreads),
          .resume = OnResume::may_change,
          .workers_differ = true};
}

Row conv_row() {
  return {.name = "conv",
          .subject = Subject::engine,
          .help =
              "how convolutions are computed here: auto (the fastest for each layer), direct, winograd (3x3 "
              "kernels faster, more memory) or fft (large kernels faster, more memory)",
          .value = "HOW"};
}

Framework framework_for(std::optional<Framework> asked, const std::optional<Device>& device) {
  if (asked) return *asked;
  return device && device->kind == DeviceKind::gpu ? Framework::pytorch : Framework::plimsoll;
}

}  // namespace plimsoll
