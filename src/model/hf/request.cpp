#include "model/hf/request.h"

#include <fmt/format.h>

#include <algorithm>

namespace plimsoll {
namespace {

constexpr int64_t kMostLayers = 10'000;
constexpr int64_t kUsualTokens = 2048;

}  // namespace

int64_t Request::tokens(int64_t most) const { return sequence.value_or(std::min(kUsualTokens, most)); }

int64_t read_labels(const Config& config) {
  const size_t listed = config.length("id2label");
  const int64_t stated = config.size("num_labels|_num_labels", 2);
  return listed > 0 ? int64_t(listed) : stated;
}

HeadSpec read_head(const Request& request) {
  HeadSpec head;
  if (request.ends_with("ForSequenceClassification")) head = {Head::classes, read_labels(request.config), "score"};
  else if (request.ends_with("ForTokenClassification")) head = {Head::tokens, read_labels(request.config), "score"};
  else if (request.ends_with("ForQuestionAnswering")) head = {Head::spans, 2, "qa_outputs"};
  else if (request.is_model_alone()) head = {Head::none, 0, ""};
  head.sight = request.sight;
  head.tied = request.tied;
  return head;
}

int64_t read_layer_count(const Config& config, std::string_view keys, std::optional<int64_t> fallback) {
  const int64_t layers = config.size(keys, fallback);
  if (layers <= kMostLayers) return layers;
  config.fail(fmt::format("{} layers were found, expected at most {}", layers, kMostLayers));
  return 1;
}

HeadSizes read_heads(const Config& config, int64_t width, int64_t default_heads, int64_t default_kv,
                     int64_t default_head) {
  HeadSizes sizes;
  sizes.heads = config.size("num_attention_heads", default_heads);
  const bool null_kv = config.is_null("num_key_value_heads");
  sizes.kv_heads = config.size("num_key_value_heads", default_kv == 0 || null_kv ? sizes.heads : default_kv);
  const bool null_head = config.is_null("head_dim");
  if (!config.has("head_dim") && (default_head == 0 || null_head) && width % sizes.heads != 0)
    config.fail(fmt::format("num_attention_heads is {}, which does not divide hidden_size {}", sizes.heads, width));
  sizes.head = config.size("head_dim",
                           default_head == 0 || null_head ? std::max<int64_t>(1, width / sizes.heads) : default_head);
  if (!is_sound_head(config, sizes.head)) sizes.head = 2;
  if (sizes.heads % sizes.kv_heads != 0)
    config.fail(fmt::format("num_key_value_heads is {}, which does not divide num_attention_heads {}", sizes.kv_heads,
                            sizes.heads));
  return sizes;
}

std::vector<std::string> read_layer_types(const Config& config, int64_t layers, std::string (*rule)(int64_t, int64_t),
                                          int64_t pattern) {
  auto types = config.words("layer_types");
  if (types.empty())
    for (int64_t i = 0; i < layers; ++i) types.push_back(rule(i, pattern));
  if (int64_t(types.size()) != layers) {
    config.fail(fmt::format("layer_types has {} entries, expected one for each of {} layers", types.size(), layers));
    types.resize(size_t(layers), "full_attention");
  }
  return types;
}

}  // namespace plimsoll
