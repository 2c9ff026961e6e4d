// What decoders of text differ in, and the graph that follows. A family reads its config.json into a DecoderSpec; the
// names of layers and parameters are those of its checkpoints.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/build/builder.h"

namespace plimsoll {

enum class NormKind { none, rms, layer, layer_without_bias, without_parameters, rms_without_parameters };

struct NormSpec {
  NormKind kind = NormKind::rms;
  double epsilon = 1e-6;
  std::string written_as = "llama";  // how transformers computes it, which decides what a backward pass finds kept
};

// Rotary positions: empty without.
struct RopeSpec {
  std::vector<double> frequencies;  // one a pair
  double scale = 1;
  int64_t turned = 0;  // numbers of a head; 0: all
  bool interleaved = false;
};

enum class QkNorm { none, each_head, whole };

struct AttentionSpec {
  int64_t heads = 1, kv_heads = 1, head = 1;
  int64_t value_head = 0;                     // 0: as head
  bool bias = false;                          // of queries, keys and values
  std::optional<bool> key_bias, output_bias;  // where they differ from it
  std::string packed;                         // the one layer for all three; empty: three layers
  QkNorm qk_norm = QkNorm::none;
  std::string q_norm = "q_norm", k_norm = "k_norm";
  NormSpec head_norm;
  bool turned_first = false;  // positions come before the norms of heads
  bool value_norm = false;    // of each head of values, without parameters
  std::shared_ptr<const RopeSpec> rope;
  int64_t window = 0, chunk = 0;
  double scale = 0, softcap = 0;
  bool causal = true, alibi = false, sinks = false, output_gate = false;
  bool upcast = true;              // the softmax is computed in f32, whatever the format
  bool repeats_keys = true;        // shared keys are written out for each head, where attention is not fused
  bool single_operations = false;  // transformers has no fused attention for the family
  bool global_tokens = false;      // tokens that see all have projections of their own (Longformer)
  bool gated_bias = false;         // each head weighs the bias of its scores by what a token is (WavLM)
  std::string q = "q_proj", k = "k_proj", v = "v_proj", o = "o_proj";
  std::string gate, gate_activation = "sigmoid";  // of the layer that gates what heads leave; empty: none
  bool gates_heads = false;                       // one number a head, not one each
};

// Multi-head latent attention (DeepSeek-V2): keys and values from one short vector a token, which is all a cache holds.
struct LatentSpec {
  int64_t heads = 1, q_rank = 0, kv_rank = 512, nope = 128, turned = 64, value = 128;
  int64_t index_heads = 0, index_head = 128;  // of what picks the keys of a long sequence (DeepSeek V3.2); 0: none
  bool bias = false;
  double scale = 0;
  NormSpec norm;
  std::shared_ptr<const RopeSpec> rope;
};

struct FeedForwardSpec {
  int64_t width = 1;
  bool gated = true, bias = false;
  std::optional<bool> down_bias;
  std::string activation = "silu", packed;  // packed: the one layer for gate and up
  double gate_scale = 1, down_scale = 1;
  std::string gate = "gate_proj", up = "up_proj", down = "down_proj";
};

struct MoeSpec {
  int64_t experts = 1, top_k = 1, width = 1;
  int64_t shared_width = 0, latent = 0;  // latent: experts work on so many numbers, projected down and up again
  bool gated = true, shared_gate = false, shared_bias = false, correction = false, correction_is_parameter = false,
       router_bias = false, expert_bias = false;
  bool normalise = false, chosen_only = false;  // chosen_only: a softmax over the chosen scores
  std::string scores = "softmax", activation = "silu";
  double scale = 1, limit = 0, alpha = 1;
  int64_t groups = 1, chosen_groups = 1;
  std::string router = "gate", experts_name = "experts", shared_name = "shared_experts",
              correction_name = "gate.e_score_correction_bias";
};

struct MambaSpec {
  int64_t inner = 1, state = 16, kernel = 4, rank = 0;  // rank: of steps, Mamba 1
  int64_t heads = 0, groups = 1;                        // heads: Mamba 2
  bool bias = false, conv_bias = true;
  NormKind inner_norm = NormKind::none;    // of steps, B and C
  bool normed = true, norm_first = false;  // of what Mamba 2 leaves; first: before its gate
  // Of Mamba 2: its input, and the five parts that the first layer makes of it (gate, what is scanned, B, C, steps).
  double in_scale = 1;
  std::vector<double> part_scales;
  double epsilon = 1e-5;
};

// A short convolution between two gates (Liquid AI 2025).
struct ShortConvSpec {
  int64_t kernel = 3;
  bool bias = false;
};

// Attention without a softmax, older keys weighing less (Qin 2024): a state of head × head for each head.
struct LightningSpec {
  int64_t heads = 1, head = 1;
  std::vector<double> slopes;  // how fast each head forgets
  std::string activation = "silu";
  NormSpec norm;  // its epsilon is the class's own, whatever the file says
};

// A gated delta rule (Yang 2024): a state of key × value for each head of values.
struct DeltaSpec {
  int64_t key_heads = 16, value_heads = 32, key = 128, value = 128, kernel = 4;
  bool packed = true;  // one layer for queries, keys, values and gates, one for strengths and decays
  double epsilon = 1e-6;
};

struct LayerSpec {
  std::optional<AttentionSpec> attention;
  std::optional<LatentSpec> latent;
  std::optional<MambaSpec> mamba;
  std::optional<DeltaSpec> delta;
  std::optional<ShortConvSpec> short_conv;
  std::optional<LightningSpec> lightning;
  std::optional<MambaSpec> beside;  // a state that reads what attention reads; what both leave is added
  double beside_scale = 1, mixer_in_scale = 1, mixer_out_scale = 1, mlp_out_scale = 1;
  double mixer_keeps = 1, mlp_keeps = 1;  // BlockForm::sum_of_normed: factors of what is added to
  std::optional<FeedForwardSpec> mlp;
  std::optional<MoeSpec> moe;
  std::optional<AttentionSpec> cross;  // between the two halves: over what an encoder has left
  std::string mixer_scope = "self_attn", mlp_scope = "mlp", cross_scope = "encoder_attn";
  bool reads_memory = false;  // keys and values are made from what an encoder has left
  bool first_norm = true;     // whether the mixer reads through a norm
  std::string owner;          // the layer whose parameters this one uses again; empty: its own
  // Learned factors of what each half adds, one a channel, by name; empty: none.
  std::string mixer_scale, mlp_scale;
  bool scalar_gates = false;  // they are one number each, through a tanh
};

enum class BlockForm {
  sequential,          // x + mixer(norm(x)), then x + mlp(norm(x))
  parallel,            // x + mixer(norm(x)) + mlp(norm(x)), one norm
  parallel_two_norms,  // the same with a norm for each
  sandwich,            // x + norm(mixer(norm(x))), then the same with the MLP
  norm_after,          // x + norm(mixer(x)), then the same with the MLP
  norm_of_sum,         // norm(x + mixer(x)), then the same with the MLP
  sum_of_normed,       // norm(x) + mixer(norm(x)), then the same with the MLP
  single,              // x + mixer(norm(x)), whichever the mixer is
};

struct DecoderSpec {
  int64_t vocabulary = 1, width = 1, embedding_width = 0;  // embedding_width: where it differs
  NormSpec norm;
  BlockForm block = BlockForm::sequential;
  std::vector<LayerSpec> layers;
  int64_t learned_positions = 0, position_offset = 0;
  bool embedding_norm = false, final_norm = true;
  double embedding_scale = 1, residual_scale = 1, logit_scale = 1, logit_softcap = 0;
  bool tied = false, head_bias = false;
  std::string root = "model", head = "lm_head", embedding = "embed_tokens", positions = "embed_positions",
              layers_name = "layers", final_norm_name = "norm", embedding_norm_name = "embedding_norm";
  std::string cross_norm = "encoder_attn_layer_norm";
  std::vector<std::string> norm_names = {"input_layernorm", "post_attention_layernorm", "pre_feedforward_layernorm",
                                         "post_feedforward_layernorm"};
};

// Pictures (or sounds) in a text: the encoder that turns one into tokens, batch × tokens × width of the text.
struct Seen {
  ValueId tokens;
  std::vector<ValueId> deeper;  // added to those tokens after the first layers, one each
};
using Sight = std::function<Seen(Builder&)>;

// What a network answers with, and what its text stands beside.
enum class Head { none, language, classes, tokens, spans, classes_with_bias };

struct HeadSpec {
  Head kind = Head::language;
  int64_t labels = 2;
  std::string name = "score";
  Sight sight;
  std::optional<bool> tied;  // where the whole decides it, not its text part
};

// From tokens to the last hidden states; `words` gets the embedding table.
ValueId decode(Builder& b, const DecoderSpec& spec, ValueId tokens, ValueId& words);

// What layers read besides their input.
struct Surroundings {
  ValueId memory;                          // an encoder's last states
  ValueId score_bias;                      // added to the scores of self-attention
  std::vector<ValueId> score_biases;       // instead, from layer to layer; the last holds on
  std::vector<ValueId> deeper;             // added to the first tokens after layer 0, 1, …
  std::vector<ValueId>* states = nullptr;  // gets what each layer leaves
};
// From embeddings that are there already. Encoders are built by the same function: nothing in them is causal.
ValueId decode_embedded(Builder& b, const DecoderSpec& spec, ValueId x, const Surroundings& around = {});
// The first tokens of a text are the picture's.
ValueId place_picture(Builder& b, ValueId text, ValueId picture);
// The scores of the vocabulary, from the embedding's own table where they are tied.
ValueId language_head(Builder& b, const DecoderSpec& spec, ValueId x, ValueId words);
ValueId other_head(Builder& b, const HeadSpec& head, ValueId x);

Result<Graph> build_decoder(const std::string& name, const DecoderSpec& spec, const HeadSpec& head, int64_t sequence);

}  // namespace plimsoll
