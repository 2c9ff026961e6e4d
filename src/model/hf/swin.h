// Swin transformers' stages of layers in windows, as SwinForImageClassification has them and CLAP for sounds.
#pragma once

#include "model/hf/request.h"

namespace plimsoll {

struct SwinSpec {
  std::vector<int64_t> depths, heads;
  int64_t width, image, patch, channels, window;
  double ratio, epsilon;
  bool bias, absolute;
  std::string activation;
  bool single_operations = false;  // transformers has no fused attention for it
  bool second = false;             // version 2: norms after each half, scores by angle, biases computed from distances
};

void check_swin(const Config& config, const SwinSpec& spec);
// Batch × height × columns × width, through all stages and the last norm; names of layers begin with `layers`.
ValueId swin_stages(Builder& b, const SwinSpec& spec, ValueId x, const std::string& layers,
                    const std::string& last_norm);

}  // namespace plimsoll
