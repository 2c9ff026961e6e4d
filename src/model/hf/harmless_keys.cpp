// Which keys of a config.json may be passed over unread. Files are full of settings of training, generation and
// tokens; what would change the parameters has a size, a number of things or a kind of layer in its name.
#include <algorithm>
#include <array>

#include "model/hf/config.h"

namespace plimsoll {
namespace {

// Look like sizes and are none: limits of generation and of other programs, and sizes that only a loss or an
// optimizer reads.
constexpr std::array kHarmless = {
    std::string_view("chunk_size_feed_forward"),
    std::string_view("num_beams"),
    std::string_view("num_beam_groups"),
    std::string_view("num_return_sequences"),
    std::string_view("no_repeat_ngram_size"),
    std::string_view("encoder_no_repeat_ngram_size"),
    std::string_view("num_labels"),
    std::string_view("_num_labels"),
    std::string_view("num_logits_to_keep"),
    std::string_view("n_ctx"),
    std::string_view("n_special"),
    std::string_view("ep_size"),
    std::string_view("batch_size"),
    std::string_view("hidden_dropout_ratio"),
    std::string_view("num_train_timesteps"),
    std::string_view("num_nextn_predict_layers"),
    std::string_view("num_mtp_modules"),
    std::string_view("mtp_transformer_layers"),
    std::string_view("sample_size"),
    std::string_view("max_window_layers"),
    std::string_view("layer_norm_elementwise_affine"),
    std::string_view("torch_dtype_num_bytes"),
    std::string_view("router_group_size"),
    std::string_view("moe_layer_freq"),
    std::string_view("output_router_logits"),
    std::string_view("first_layer_fusion"),
    std::string_view("quantize_layers"),
    std::string_view("layers_to_transform"),
    std::string_view("block_size_q"),
    std::string_view("use_mamba_kernels"),
    std::string_view("gradient_checkpointing_layers"),
    std::string_view("expert_tensor_parallel"),
    std::string_view("num_assistant_tokens"),
    std::string_view("attn_window_size"),
    std::string_view("num_choices"),
    std::string_view("pooler_fc_size"),
    std::string_view("pooler_num_attention_heads"),
    std::string_view("pooler_num_fc_layers"),
    std::string_view("pooler_size_per_head"),
    std::string_view("pad_vocab_size_multiple"),
};

constexpr std::array kBegins = {std::string_view("num_"), std::string_view("n_"), std::string_view("d_")};
constexpr std::array kEnds = {std::string_view("_size"),   std::string_view("_dim"),     std::string_view("_dims"),
                              std::string_view("_layers"), std::string_view("_layer"),   std::string_view("_heads"),
                              std::string_view("_head"),   std::string_view("_rank"),    std::string_view("_channels"),
                              std::string_view("_width"),  std::string_view("_depth"),   std::string_view("_depths"),
                              std::string_view("_groups"), std::string_view("_experts"), std::string_view("_blocks"),
                              std::string_view("_bias"),   std::string_view("_types")};
constexpr std::array kHolds = {std::string_view("expert"), std::string_view("lora"),      std::string_view("adapter"),
                               std::string_view("kernel"), std::string_view("mlp_ratio"), std::string_view("_conv"),
                               std::string_view("conv_")};

}  // namespace

bool is_harmless_key(std::string_view key) {
  if (std::find(kHarmless.begin(), kHarmless.end(), key) != kHarmless.end()) return true;
  if (key.find("token") != std::string_view::npos || key.find("dropout") != std::string_view::npos ||
      key.find("loss") != std::string_view::npos || key.find("jitter") != std::string_view::npos ||
      key.find("_coef") != std::string_view::npos)
    return true;
  const auto is_shape = [&](const auto& list, auto&& test) { return std::any_of(list.begin(), list.end(), test); };
  return !is_shape(kBegins, [&](auto part) { return key.starts_with(part); }) &&
         !is_shape(kEnds, [&](auto part) { return key.ends_with(part); }) &&
         !is_shape(kHolds, [&](auto part) { return key.find(part) != std::string_view::npos; });
}

}  // namespace plimsoll
