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
  GgufWriter& tensor(const std::string& name, const std::vector<uint64_t>& sizes) {
    text(name).number(uint32_t(sizes.size()));
    for (const uint64_t size : sizes) number(size);
    return number<uint32_t>(0).number<uint64_t>(0);
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
