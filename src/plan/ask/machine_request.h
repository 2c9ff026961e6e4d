// Rows about machines that several verbs share: the framework, the load line, the engine here.
#pragma once

#include "base/rows/fields.h"
#include "plan/devices/conv_setting.h"
#include "plan/memory/attention_kernel.h"
#include "plan/memory/framework_profile.h"
#include "plan/time/execution.h"

namespace plimsoll {

template <>
struct Choices<Framework> {
  static constexpr std::pair<Framework, std::string_view> kAll[] = {{Framework::plimsoll, "plimsoll"},
                                                                    {Framework::pytorch, "pytorch"},
                                                                    {Framework::tensorflow, "tensorflow"},
                                                                    {Framework::hf, "hf"},
                                                                    {Framework::vllm, "vllm"},
                                                                    {Framework::llama_cpp, "llama.cpp"},
                                                                    {Framework::gpt_fast, "gpt-fast"}};
};

template <>
struct Choices<ConvSetting> {
  static constexpr std::pair<ConvSetting, std::string_view> kAll[] = {{ConvSetting::automatic, "auto"},
                                                                      {ConvSetting::direct, "direct"},
                                                                      {ConvSetting::winograd, "winograd"},
                                                                      {ConvSetting::fft, "fft"}};
};

template <>
struct Choices<ImageLayout> {
  static constexpr std::pair<ImageLayout, std::string_view> kAll[] = {{ImageLayout::nchw, "nchw"},
                                                                      {ImageLayout::nhwc, "nhwc"}};
};

template <>
struct Form<TorchVersion> : TextForm<TorchVersion> {
  static Result<TorchVersion> parse(const Row& row, const std::string& called, const std::string& text);
  static Json write(const TorchVersion& value) { return fmt::format("{}.{}", value.major, value.minor); }
};

inline constexpr int64_t kMostThreads = 1024;

// How a framework is run on a GPU.
struct FrameworkRun {
  ImageLayout layout = ImageLayout::nchw;
  bool compile = false;
  TorchVersion torch;
  std::optional<AttentionKernel> attention;

  void describe(Fields& fields);
};

Row framework_row();
Row load_line_row();
Row attention_row();
Row threads_row();
Row conv_row();

// PyTorch on GPUs, our own engine elsewhere, unless another is asked for.
Framework framework_for(std::optional<Framework> asked, const std::optional<Device>& device);

}  // namespace plimsoll
