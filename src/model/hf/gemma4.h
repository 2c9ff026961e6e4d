// The encoders of Gemma 4: pictures as patches with rotary positions and a table for each axis, sounds through two
// convolutions and a conformer. A sample has one picture of 48 × 48 patches and ten seconds of sound.
#pragma once

#include "model/hf/vision.h"

namespace plimsoll {

struct Gemma4Vision {
  DecoderSpec encoder;
  int64_t patch = 16, pooling = 3, rows = 10'240;  // rows: of each axis' table of positions
};
Gemma4Vision read_gemma4_vision(const Config& config);
// Batch × tokens × `width`, the text's.
ValueId look_gemma4(Builder& b, const Gemma4Vision& spec, int64_t width);

struct Gemma4Audio {
  int64_t width = 1024, layers = 12, heads = 8, kernel = 5, output = 1536, chunk = 12, before = 13, after = 0;
  std::vector<int64_t> channels = {128, 32};
  std::string activation = "silu";
  double epsilon = 1e-6, residual = 0.5;
};
Gemma4Audio read_gemma4_audio(const Config& config);
ValueId listen_gemma4(Builder& b, const Gemma4Audio& spec, int64_t width);

}  // namespace plimsoll
