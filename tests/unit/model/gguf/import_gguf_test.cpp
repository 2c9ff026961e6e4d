// The header of a small .gguf file, and the same with counts that lie.
#include "model/gguf/import_gguf.h"

#include <gtest/gtest.h>

#include <cstring>

#include "model/gguf/gguf_header.h"

namespace plimsoll {
namespace {

class GgufWriter {
 public:
  GgufWriter& text(const std::string& value) {
    number<uint64_t>(value.size());
    bytes_ += value;
    return *this;
  }
  template <class T>
  GgufWriter& number(T value) {
    char raw[sizeof value];
    std::memcpy(raw, &value, sizeof value);
    bytes_.append(raw, sizeof value);
    return *this;
  }
  GgufWriter& setting(const std::string& name, uint32_t value) { return text(name).number<uint32_t>(4).number(value); }
  GgufWriter& tensor(const std::string& name, const std::vector<uint64_t>& sizes, uint32_t type = 0) {
    text(name).number(uint32_t(sizes.size()));
    for (const uint64_t size : sizes) number(size);
    return number(type).number<uint64_t>(0);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

struct Lies {
  uint64_t tensors = 3, settings = 6, axis = 16;
  uint32_t version = 3;
};

std::string small_llama(const Lies& lies = {}) {
  GgufWriter w;
  for (const char letter : std::string("GGUF")) w.number(letter);
  w.number(lies.version).number(lies.tensors).number(lies.settings);
  w.text("general.architecture").number<uint32_t>(8).text("llama");
  w.setting("llama.embedding_length", 16).setting("llama.block_count", 1).setting("llama.feed_forward_length", 32);
  w.setting("llama.attention.head_count", 2).setting("llama.context_length", 64);
  w.tensor("token_embd.weight", {lies.axis, 40}).tensor("output.weight", {16, 40}).tensor("output_norm.weight", {16});
  return w.bytes();
}

std::string failure(const std::string& bytes) {
  const auto graph = import_gguf(MemorySource(bytes));
  EXPECT_FALSE(graph.ok());
  return graph.ok() ? "" : graph.error().line();
}

// Three tensors, most numbers of which are of `type`; the file may say what they are together.
std::string quantised(uint32_t type, std::optional<uint32_t> file_type) {
  GgufWriter w;
  for (const char letter : std::string("GGUF")) w.number(letter);
  w.number<uint32_t>(3).number<uint64_t>(3).number<uint64_t>(file_type ? 2 : 1);
  w.text("general.architecture").number<uint32_t>(8).text("llama");
  if (file_type) w.setting("general.file_type", *file_type);
  w.tensor("token_embd.weight", {256, 40}, 14).tensor("blk.0.ffn_up.weight", {256, 512}, type);
  w.tensor("output_norm.weight", {256});
  return w.bytes();
}

TEST(ImportGguf, TellsTheFormatOfItsWeights) {
  const auto format = [](uint32_t type, std::optional<uint32_t> file_type) {
    return gguf_weights(MemorySource(quantised(type, file_type)));
  };
  EXPECT_EQ(format(12, 15), "q4_k_m");
  EXPECT_EQ(format(12, std::nullopt), "q4_k_m");
  EXPECT_EQ(format(8, 7), "q8_0");
  EXPECT_EQ(format(8, std::nullopt), "q8_0");
  EXPECT_EQ(format(12, 16), "q5_k_m");      // what the file says counts
  EXPECT_EQ(format(99, std::nullopt), "");  // nobody knows it
  EXPECT_EQ(gguf_weights(MemorySource("GGUF")), "");
  EXPECT_EQ(gguf_weights(std::string("/no/such.gguf")), "");
}

TEST(ImportGguf, ReadsHeaderAndBuildsTheFamily) {
  const std::string bytes = small_llama();
  const auto header = read_gguf_header(MemorySource(bytes));
  ASSERT_TRUE(header.ok()) << header.error().line();
  EXPECT_EQ(header->settings.size(), 6U);
  EXPECT_EQ(header->tensors[0].numbers, Count(640));
  const auto graph = import_gguf(MemorySource(bytes), {.sequence = 4});
  ASSERT_TRUE(graph.ok()) << graph.error().line();
  int64_t words = 0;
  for (const auto& value : graph->values)
    if (value.name == "lm_head.weight") words = (*value.shape)[0].size;
  EXPECT_EQ(words, 40) << "the vocabulary is the embedding's";
  ASSERT_EQ(graph->notes.size(), 1U) << "the table has not all tensors of the family";
  EXPECT_NE(graph->notes[0].find("1,296 parameters"), std::string::npos) << graph->notes[0];
}

struct Stated {
  const char* architecture;
  int64_t vocabulary;
  std::vector<std::pair<const char*, uint32_t>> settings;
  bool tied;
  std::vector<const char*> marks;  // tensors whose presence says something
  int64_t params;
};

// Settings as llama.cpp's converter writes them for published models, whose sizes are known.
const std::vector<Stated> kPublishedFiles = {
    {"deepseek2",
     102'400,
     {{"block_count", 27},
      {"embedding_length", 2048},
      {"feed_forward_length", 10'944},
      {"attention.head_count", 16},
      {"attention.kv_lora_rank", 512},
      {"attention.key_length", 192},
      {"attention.value_length", 128},
      {"rope.dimension_count", 64},
      {"leading_dense_block_count", 1},
      {"expert_count", 64},
      {"expert_used_count", 6},
      {"expert_shared_count", 2},
      {"expert_feed_forward_length", 1408}},
     false,
     {},
     15'706'484'224},
    {"deepseek2",  // as newer files have it: one head for keys and values, which are the latent vector
     129'280,
     {{"block_count", 61},
      {"embedding_length", 7168},
      {"feed_forward_length", 18'432},
      {"attention.head_count", 128},
      {"attention.head_count_kv", 1},
      {"attention.q_lora_rank", 1536},
      {"attention.kv_lora_rank", 512},
      {"attention.key_length", 576},
      {"attention.value_length", 512},
      {"attention.key_length_mla", 192},
      {"attention.value_length_mla", 128},
      {"rope.dimension_count", 64},
      {"leading_dense_block_count", 3},
      {"expert_count", 256},
      {"expert_used_count", 8},
      {"expert_shared_count", 1},
      {"expert_feed_forward_length", 2048},
      {"expert_gating_func", 2}},
     false,
     {},
     671'026'404'352},
    {"qwen",
     151'936,
     {{"block_count", 32},
      {"embedding_length", 4096},
      {"feed_forward_length", 22'016},
      {"attention.head_count", 32},
      {"context_length", 32'768}},
     false,
     {},
     7'721'324'544},
    {"internlm2",
     92'544,
     {{"block_count", 32},
      {"embedding_length", 4096},
      {"feed_forward_length", 14'336},
      {"attention.head_count", 32},
      {"attention.head_count_kv", 8}},
     false,
     {},
     7'737'708'544},
    {"baichuan",
     125'696,
     {{"block_count", 40},
      {"embedding_length", 5120},
      {"feed_forward_length", 13'696},
      {"attention.head_count", 40},
      {"context_length", 4096}},
     false,
     {},
     13'896'668'160},
    {"glm4moe",
     151'552,
     {{"block_count", 47},
      {"nextn_predict_layers", 1},
      {"embedding_length", 4096},
      {"feed_forward_length", 10'944},
      {"attention.head_count", 96},
      {"attention.head_count_kv", 8},
      {"attention.key_length", 128},
      {"leading_dense_block_count", 1},
      {"expert_count", 128},
      {"expert_used_count", 8},
      {"expert_shared_count", 1},
      {"expert_feed_forward_length", 1408}},
     false,
     {"attn_q.bias"},
     106'852'245'504}};

TEST(ImportGguf, BuildsWhatPublishedFilesHold) {
  for (const auto& file : kPublishedFiles) {
    SCOPED_TRACE(file.architecture);
    GgufWriter w;
    for (const char letter : std::string("GGUF")) w.number(letter);
    const bool marked = !file.marks.empty();
    const uint64_t blocks = marked ? file.settings[0].second : 0;
    w.number<uint32_t>(3).number<uint64_t>(file.tied ? 1 : 2 + blocks).number<uint64_t>(1 + file.settings.size());
    w.text("general.architecture").number<uint32_t>(8).text(file.architecture);
    for (const auto& [name, value] : file.settings) w.setting(std::string(file.architecture) + "." + name, value);
    w.tensor("token_embd.weight", {64, uint64_t(file.vocabulary)});
    if (!file.tied) w.tensor("output.weight", {64, uint64_t(file.vocabulary)});
    for (uint64_t i = 0; i < blocks; ++i) w.tensor("blk." + std::to_string(i) + "." + file.marks[0], {8});
    const auto graph = import_gguf(MemorySource(w.bytes()), {.sequence = 4});
    ASSERT_TRUE(graph.ok()) << graph.error().line();
    Count params;
    for (const auto& value : graph->values) {
      if (value.role != Role::parameter) continue;
      Count numbers(1);
      for (const auto& dim : *value.shape) numbers = numbers * dim.size;
      params += numbers;
    }
    EXPECT_EQ(params, Count(file.params));
  }
}

TEST(ImportGguf, RefusesBlocksThatAreNotThere) {
  const auto of_blocks = [](uint32_t stated, uint32_t parts) {
    GgufWriter w;
    for (const char letter : std::string("GGUF")) w.number(letter);
    w.number<uint32_t>(3).number<uint64_t>(3).number<uint64_t>(parts > 0 ? 7 : 6);
    w.text("general.architecture").number<uint32_t>(8).text("llama");
    w.setting("llama.embedding_length", 16).setting("llama.block_count", stated);
    w.setting("llama.feed_forward_length", 32).setting("llama.attention.head_count", 2);
    w.setting("llama.context_length", 64);
    if (parts > 0) w.setting("split.count", parts);
    w.tensor("token_embd.weight", {16, 40}).tensor("blk.0.attn_q.weight", {16, 16});
    w.tensor("blk.1.attn_q.weight", {16, 16});
    return w.bytes();
  };
  EXPECT_EQ(failure(of_blocks(3, 0)).find("says that it has 3 blocks, and its tensors are of 2"), 0U);
  EXPECT_TRUE(import_gguf(MemorySource(of_blocks(2, 0)), {.sequence = 4}).ok());
  EXPECT_TRUE(import_gguf(MemorySource(of_blocks(3, 2)), {.sequence = 4}).ok()) << "a part of a file in two";
}

TEST(ImportGguf, RefusesCountsThatLie) {
  EXPECT_NE(failure(small_llama({.tensors = 1ULL << 60})).find("tensors, more than"), std::string::npos);
  EXPECT_NE(failure(small_llama({.settings = 1ULL << 60})).find("settings, more than"), std::string::npos);
  EXPECT_NE(failure(small_llama({.axis = 0})).find("an axis of 0"), std::string::npos);
  EXPECT_NE(failure(small_llama({.version = 9})).find("version 9"), std::string::npos);
  EXPECT_NE(failure("GGML").find("does not begin with GGUF"), std::string::npos);
  const std::string whole = small_llama();
  for (size_t cut = 0; cut < whole.size(); ++cut)
    EXPECT_FALSE(read_gguf_header(MemorySource(whole.substr(0, cut))).ok());
}

}  // namespace
}  // namespace plimsoll
