// What the decoders that follow Llama read in the same way, with the sizes that each family has when its config.json
// is silent.
#pragma once

#include "model/hf/request.h"

namespace plimsoll {

struct LlamaDefaults {
  int64_t width = 4096, layers = 32, inner = 11'008, heads = 32;
  int64_t kv_heads = 0;  // 0: as many as queries
  int64_t head = 0;      // 0: width / heads
  int64_t vocabulary = 32'000;
  bool tied = false, attention_bias = false;
  bool needs_sizes = true;  // width and layers have to be there; not so in a part of a larger config
  std::string activation = "silu";
  RopeDefaults rope = {};
  double epsilon = 1e-6;
  std::string layers_key = "num_hidden_layers";
};

inline const LlamaDefaults kQwen2{.inner = 22'016, .vocabulary = 151'936, .attention_bias = true};
inline const LlamaDefaults kQwen3{.inner = 22'016, .head = 128, .vocabulary = 151'936};

DecoderSpec read_llama(const Config& config, const LlamaDefaults& defaults);
// What every such decoder ends with: its head, the check of what was not read, the graph.
Result<Graph> finish_llama(const Request& request, const DecoderSpec& spec, int64_t positions);
int64_t read_positions(const Config& config, int64_t fallback);
void set_windows(const Config& config, DecoderSpec& spec, int64_t window, const std::vector<std::string>& types);
void add_qwen_windows(const Config& config, DecoderSpec& spec);
void add_head_norms(DecoderSpec& spec);
void add_exaone_windows(const Config& config, DecoderSpec& spec);
void read_granite_multipliers(const Config& config, DecoderSpec& spec);
DecoderSpec read_qwen3_moe(const Config& config, bool needs_sizes);
void add_qwen_experts(const Config& config, DecoderSpec& spec, MoeSpec moe);

}  // namespace plimsoll
