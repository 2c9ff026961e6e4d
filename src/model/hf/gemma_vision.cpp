// Gemma 3 with pictures (Google 2025): SigLIP's encoder, its patches averaged to 256 tokens, a norm and a product.
#include <fmt/format.h>

#include <cmath>

#include "model/hf/gemma.h"
#include "model/hf/llama.h"
#include "model/hf/towers.h"

namespace plimsoll {
Result<Graph> build_gemma3(const Request& request) {
  const Config& config = request.config;
  const Config text = config.part("text_config"), pictures = config.part("vision_config");
  const Tower tower = read_tower(pictures, "siglip_vision_model");
  const VisionSpec& vision = tower.vision;
  const int64_t side = vision.image / vision.patch, tokens = config.size("mm_tokens_per_image", 256);
  const auto out_side = int64_t(std::llround(std::sqrt(double(tokens))));
  if (out_side * out_side != tokens || side % std::max<int64_t>(1, out_side) != 0)
    config.fail(
        fmt::format("mm_tokens_per_image is {}, which does not divide {} × {} patches evenly", tokens, side, side));
  const int64_t width = text.size("hidden_size", 2304), seen = vision.encoder.width;
  const Sight sight = [=](Builder& b) {
    ValueId x = look_through(b, tower, {-1});
    const auto scope = b.enter("multi_modal_projector");
    x = average_patches(b, x, side, side / out_side);
    x = norm(b, "mm_soft_emb_norm", x, {NormKind::rms, 1e-6, "gemma"});
    if (b.failed()) return Seen{x, {}};
    const ValueId weight = b.parameter("mm_input_projection_weight", {seen, width});
    return Seen{b.apply("mm_input_projection", "matmul", {x, weight}), {}};
  };
  return build_text_part(request, text, "gemma3_text", config.flag("tie_word_embeddings", true), sight);
}

}  // namespace plimsoll
