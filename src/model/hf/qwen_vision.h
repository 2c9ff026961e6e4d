// The encoders of pictures of Qwen2-VL, 2.5-VL, 3-VL and 3.5: pictures of any size as patches with rotary positions,
// several patches merged into one token of the text. A sample has one picture of 32 × 32 patches.
#pragma once

#include "model/hf/vision.h"

namespace plimsoll {

struct QwenVision {
  DecoderSpec encoder;
  int64_t patch_numbers = 1176, merge = 2, output = 3584;
  int64_t positions = 0;        // rows of a learned table; 0: none
  std::vector<int64_t> deeper;  // blocks that are merged too, for the first layers of the text
  bool patch_bias = false;
  std::string merger_norm = "ln_q", merger_up = "mlp.0", merger_down = "mlp.2";
};

QwenVision read_qwen2_vision(const Config& config);
QwenVision read_qwen2_5_vision(const Config& config);
QwenVision read_qwen3_vision(const Config& config, bool deep);
Seen look(Builder& b, const QwenVision& spec);

}  // namespace plimsoll
