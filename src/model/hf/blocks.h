// The pieces that networks of transformers are made of, each written once. All read and give batch × tokens × width.
#pragma once

#include "model/hf/config.h"
#include "model/hf/decoder.h"

namespace plimsoll {

ValueId norm(Builder& b, const std::string& name, ValueId x, const NormSpec& spec);

// By its name in transformers; read_activation() has refused what is not known.
ValueId activate(Builder& b, const std::string& name, ValueId x, const std::string& activation);
std::string read_activation(const Config& config, std::string_view keys, const std::string& fallback);

ValueId scaled_by(Builder& b, const std::string& name, ValueId x, double factor);  // x itself for 1
std::vector<ValueId> split_last(Builder& b, const std::string& name, ValueId x, const Sizes& sizes);
ValueId turn(Builder& b, const std::string& name, ValueId x, int64_t heads, const RopeSpec& rope);

// Attributes of grouped_attention for these heads.
Attributes attention_attributes(const AttentionSpec& spec);
// `memory`: what keys and values are made from; x itself in self-attention. `bias`: of the scores, or absent.
ValueId attention_block(Builder& b, const AttentionSpec& spec, ValueId x, ValueId memory, ValueId bias = {});
ValueId latent_attention_block(Builder& b, const LatentSpec& spec, ValueId x);
ValueId feed_forward_block(Builder& b, const FeedForwardSpec& spec, ValueId x);
ValueId moe_block(Builder& b, const MoeSpec& spec, ValueId x);
ValueId mamba_block(Builder& b, const MambaSpec& spec, ValueId x);
ValueId delta_block(Builder& b, const DeltaSpec& spec, ValueId x);
ValueId lightning_block(Builder& b, const LightningSpec& spec, ValueId x);
ValueId short_conv_block(Builder& b, const ShortConvSpec& spec, ValueId x);
// A convolution over the sequence that sees only what came before, each channel by itself, then an activation ("":
// none).
ValueId causal_conv(Builder& b, const std::string& name, ValueId x, int64_t kernel, bool bias,
                    const std::string& activation = "silu");

}  // namespace plimsoll
