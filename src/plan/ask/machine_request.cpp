#include "plan/ask/machine_request.h"

#include <charconv>

namespace plimsoll {

Row framework_row() {
  return {.name = "framework",
          .subject = Subject::machine,
          .help = "framework whose memory and time are predicted: " + listed(choice_names<Framework>()),
          .value = "NAME",
          .fallback = "pytorch on GPUs, else plimsoll",
          .page = true};
}

Row attention_row() {
  return {.name = "attention",
          .subject = Subject::machine,
          .help =
              "how PyTorch computes attention: flash or sdpa (one kernel, scores are never written), or eager (single "
              "operations)",
          .value = "KERNEL",
          .fallback = "sdpa, or eager where a file's network writes it out",
          .page = true};
}

void FrameworkRun::describe(Fields& fields) {
  fields.add(layout, {.name = "layout",
                      .subject = Subject::machine,
                      .help = "memory layout of images in PyTorch on a GPU: nchw, or nhwc (channels last)",
                      .value = "LAYOUT",
                      .page = true});
  fields.add(compile,
             {.name = "compile",
              .subject = Subject::machine,
              .help = "predict for torch.compile, which fuses chains of element-wise operations into one kernel",
              .page = true});
  fields.add(torch, {.name = "torch",
                     .subject = Subject::machine,
                     .help = "PyTorch version, where it matters: 1.12, 2.4 …",
                     .value = "VERSION",
                     .page = true});
  fields.add(attention, attention_row());
}

Result<TorchVersion> Form<TorchVersion>::parse(const Row&, const std::string& called, const std::string& text) {
  const auto parts = split(text, '.');
  TorchVersion version;
  const auto number = [](const std::string& part, int& into) {
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), into);
    return error == std::errc() && end == part.data() + part.size() && into >= 0 && into < 1000;
  };
  if (parts.size() >= 2 && number(parts[0], version.major) && number(parts[1], version.minor)) return version;
  return user_error(fmt::format("{} is {}, expected a version", called, in_quotes(text)), "for example 2.4");
}

Row load_line_row() {
  return {.name = "load_line",
          .subject = Subject::machine,
          .help = "share of the memory that may be filled",
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
          .help = "threads per step on this machine",
          .value = "N",
          .fallback = "one per core",
          .least = 1,
          .most = double(kMostThreads),
          .resume = OnResume::may_change,
          .workers_differ = true};
}

Row conv_row() {
  return {.name = "conv",
          .subject = Subject::engine,
          .help =
              "how to compute convolutions here: auto (the fastest for each layer), direct, winograd (faster for 3x3 "
              "kernels, more memory) or fft (faster for large kernels, more memory)",
          .value = "HOW"};
}

Framework framework_for(std::optional<Framework> asked, const std::optional<Device>& device) {
  if (asked) return *asked;
  return device && device->kind == DeviceKind::gpu ? Framework::pytorch : Framework::plimsoll;
}

}  // namespace plimsoll
