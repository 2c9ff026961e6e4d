// Request: what a family is asked to build, and what every family reads in the same way.
#pragma once

#include <optional>
#include <string>

#include "model/hf/blocks.h"

namespace plimsoll {

struct Request {
  const Config& config;
  std::string name;          // of the network
  std::string architecture;  // "LlamaForCausalLM"
  std::string model_type;    // "llama"; may be empty
  std::optional<int64_t> sequence;
  Sight sight = nullptr;                    // what stands in the text besides words
  std::optional<bool> tied = std::nullopt;  // where the whole decides it, not this part

  // The tokens of a sample: what was asked for, else the smaller of 2,048 and what the network was made for.
  int64_t tokens(int64_t most) const;
  bool ends_with(std::string_view suffix) const { return architecture.ends_with(suffix); }
  bool is_model_alone() const { return ends_with("Model") && !ends_with("LMHeadModel") && !ends_with("MTModel"); }
};

using BuildFamily = Result<Graph> (*)(const Request&);

// Of a text decoder, by the architecture's name; `name` is the layer's for classes and tokens.
HeadSpec read_head(const Request& request);
int64_t read_labels(const Config& config);

// Heads that divide the width. `fallback`: of keys and values, 0 for as many as there are queries.
struct HeadSizes {
  int64_t heads, kv_heads, head;
};
HeadSizes read_heads(const Config& config, int64_t width, int64_t default_heads, int64_t default_kv,
                     int64_t default_head);

// `head`: numbers of a head of which `fraction` are turned. Reads rope_theta, rope_scaling and rope_parameters; `kind`:
// of layer, where they differ.
struct RopeDefaults {
  double theta = 10'000;
  double fraction = 1;
  bool interleaved = false;
  std::string kind;
};
bool is_sound_head(const Config& config, int64_t head);  // fails where a head has more numbers than any
std::shared_ptr<const RopeSpec> read_rope(const Config& config, int64_t head, const RopeDefaults& defaults = {});

// Which layers see only a window: by `layer_types`, else by a rule of the family.
std::vector<std::string> read_layer_types(const Config& config, int64_t layers,
                                          std::string (*rule)(int64_t layer, int64_t pattern), int64_t pattern);

// The text part of a network of several, with what it sees: built by the family that its model_type names, `usual`
// where it names none.
Result<Graph> build_text_part(const Request& whole, const Config& text, const std::string& usual, bool tied,
                              Sight sight);

// Stops at more layers than any list of operations should hold.
int64_t read_layer_count(const Config& config, std::string_view keys, std::optional<int64_t> fallback = std::nullopt);

}  // namespace plimsoll
