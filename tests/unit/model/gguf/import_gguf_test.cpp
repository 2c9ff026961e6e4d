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
