// What Gemma 3 reads alone and as a part of its multimodal form.
#pragma once

#include "model/hf/config.h"
#include "model/hf/decoder.h"

namespace plimsoll {

DecoderSpec read_gemma3_text(const Config& config, bool needs_sizes);

}  // namespace plimsoll
