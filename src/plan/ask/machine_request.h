// Rows about machines that several verbs share: the framework, the load line, the engine here.
#pragma once

#include "base/rows/fields.h"
#include "plan/devices/conv_way.h"
#include "plan/memory/framework_profile.h"

namespace plimsoll {

template <>
struct Choices<Framework> {
  static constexpr std::pair<Framework, std::string_view> kAll[] = {
      {Framework::plimsoll, "plimsoll"}, {Framework::pytorch, "pytorch"}, {Framework::tensorflow, "tensorflow"}};
};

template <>
struct Choices<ConvWay> {
  static constexpr std::pair<ConvWay, std::string_view> kAll[] = {{ConvWay::automatic, "auto"},
                                                                  {ConvWay::direct, "direct"},
                                                                  {ConvWay::winograd, "winograd"},
                                                                  {ConvWay::fft, "fft"}};
};

inline constexpr int64_t kMostThreads = 1024;

Row framework_row();
Row load_line_row();
Row threads_row();
Row conv_row();

// PyTorch on GPUs, our own engine elsewhere, unless another is asked for.
Framework framework_for(std::optional<Framework> asked, const std::optional<Device>& device);

}  // namespace plimsoll
