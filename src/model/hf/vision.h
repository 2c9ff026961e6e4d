// Encoders of pictures: patches as tokens, then layers as of any transformer.
#pragma once

#include "model/hf/request.h"

namespace plimsoll {

struct VisionSpec {
  DecoderSpec encoder;
  int64_t image = 224, patch = 16, channels = 3;
  bool patch_bias = true;
  std::string patches = "patch_embeddings.projection", positions = "position_embeddings";  // none: empty
  std::vector<std::string> tokens = {"cls_token"};
  int64_t registers = 0;                 // learned tokens without a position, between those and the patches
  std::vector<std::string> unread = {};  // learned and not read here: what stands for hidden patches

  int64_t patch_count() const { return (image / patch) * (image / patch); }
};

// Layers of equal heads with biases; names as ViT's unless the caller changes them.
DecoderSpec vision_layers(const Config& config, int64_t width, int64_t layers, int64_t heads, int64_t inner,
                          double epsilon);
// ViT's own layers and names.
VisionSpec read_vit_layers(const Config& config);
// image_size and patch_size, checked.
void read_image(const Config& config, VisionSpec& spec, int64_t image, int64_t patch);
// Batch × tokens × width of a picture, positions added.
ValueId embed_patches(Builder& b, const VisionSpec& spec, ValueId picture);
ValueId learned_token(Builder& b, const std::string& name, ValueId x);  // batch × 1 × the width of x
ValueId take_token(Builder& b, const std::string& name, ValueId x, int64_t token);

// Means of kernel × kernel patches of a square, a token each.
ValueId average_patches(Builder& b, ValueId x, int64_t side, int64_t kernel);
ValueId without_first_tokens(Builder& b, const std::string& name, ValueId x, int64_t tokens);

// Rotary positions of patches: half of the pairs turn with the row, half with the column. Here all turn with the number
// of the patch, which costs the same.
std::shared_ptr<const RopeSpec> axial_rope(const Config& config, int64_t head);

// CLIP's and SigLIP's encoders, which other networks have as a part. The prefix is the caller's scope.
VisionSpec read_clip_vision(const Config& config, bool needs_sizes, int64_t image = 224);
ValueId clip_vision(Builder& b, const VisionSpec& spec, ValueId picture, bool post_norm);
struct VisionDefaults {
  int64_t width = 768, heads = 12, patch = 16;
};
VisionSpec read_siglip_vision(const Config& config, bool needs_sizes, const VisionDefaults& defaults = {});
VisionSpec read_siglip2_vision(const Config& config);  // a picture of as many patches as it has positions
ValueId siglip_vision(Builder& b, const VisionSpec& spec, ValueId picture);

}  // namespace plimsoll
