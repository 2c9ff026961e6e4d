// Encoders of pictures that networks of text and pictures have as a part, by the model_type of that part.
#pragma once

#include "model/hf/vision.h"

namespace plimsoll {

struct Tower {
  VisionSpec vision;
  bool post_norm = false;  // CLIP keeps one after its layers that the text does not read
  bool pools = false;      // SigLIP's attention over all patches, which the text does not read either
  std::string scope = "vision_tower";
};

VisionSpec read_pixtral_vision(const Config& config);
VisionSpec read_internvl_vision(const Config& config);

// What transformers takes for a part that a file of this family leaves out.
Config usual_part(const std::string& family);

// `usual`: the type of a part that names none.
Tower read_tower(const Config& config, const std::string& usual);
// The states of its patches, those of the class token too where it has one: after each of `layers`, -1 being the last,
// side by side.
ValueId look_through(Builder& b, const Tower& tower, const std::vector<int64_t>& layers);

// SigLIP's head: attention of one learned query over all patches, then an MLP. Gives batch × width.
ValueId siglip_pooling(Builder& b, const VisionSpec& spec, ValueId x);

}  // namespace plimsoll
