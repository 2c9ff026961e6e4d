#include "plan/serving/served_network.h"

#include <cmath>

#include "tests/served.h"

namespace plimsoll {
namespace {

double cache_per_token(const std::string& name) {
  const ServedNetwork network = served(name);
  return cache_bytes_per_token(network, **find_kv_format("bf16", "kv"), false);
}

TEST(ServedNetwork, HasEveryParameterOnce) {
  EXPECT_EQ(served("qwen2.5-7b").params(), 7'615'616'512.0);
  EXPECT_EQ(served("qwen2.5-0.5b").params(), 494'032'768.0);  // tied
  EXPECT_EQ(served("qwen3-30b-a3b").params(), 30'532'122'624.0);
  EXPECT_TRUE(served("qwen2.5-0.5b").tied);
  EXPECT_FALSE(served("qwen2.5-7b").tied);
}

TEST(ServedNetwork, CachesByArchitecture) {
  EXPECT_EQ(cache_per_token("qwen2.5-7b"), 28 * 2 * 4 * 128 * 2);  // grouped: 4 of 28 heads
  EXPECT_EQ(cache_per_token("llama-2-7b"), 32 * 2 * 32 * 128 * 2);
  EXPECT_EQ(cache_per_token("deepseek-v3"), 61 * (512 + 64) * 2);  // one latent for 128 heads
}

TEST(ServedNetwork, TransformersCachesKeysAndValuesOfALatentToo) {
  const ServedNetwork network = served("deepseek-v3");
  EXPECT_EQ(cache_bytes_per_token(network, **find_kv_format("bf16", "kv"), true), 61.0 * 128 * (192 + 128) * 2);
}

TEST(ServedNetwork, AWindowStopsGrowing) {
  const ServedNetwork network = served("gpt-oss-20b");  // every second layer sees 128 tokens
  const KvFormat& kv = **find_kv_format("bf16", "kv");
  const double layer = 2 * 8 * 64 * 2;
  EXPECT_EQ(cache_bytes(network, kv, 100, false), 24 * layer * 100);
  EXPECT_EQ(cache_bytes(network, kv, 4096, false), 12 * layer * 4096 + 12 * layer * 128);
}

TEST(ServedNetwork, AStateDoesNotGrow) {
  const ServedNetwork network = served("mamba-130m");
  const KvFormat& kv = **find_kv_format("bf16", "kv");
  EXPECT_EQ(cache_bytes(network, kv, 1, false), cache_bytes(network, kv, 100'000, false));
  EXPECT_EQ(cache_bytes(network, kv, 1, false), 24.0 * 1536 * 16 * 4);
}

TEST(ServedNetwork, ExpertsThatATokenMeets) {
  const ServedNetwork network = served("qwen3-30b-a3b");
  EXPECT_EQ(network.experts, 128);
  EXPECT_EQ(network.chosen, 8);
  const double layer = 2048.0 * 4096 * 2 + 2048.0 * 512 * 2 + 2048.0 * 128 + 8 * 3 * 2048.0 * 768;
  EXPECT_EQ(network.macs_per_token(), 48 * layer);
}

TEST(ServedNetwork, DistinctExperts) {
  EXPECT_DOUBLE_EQ(expected_experts(128, 8, 1, 1), 8);
  EXPECT_NEAR(expected_experts(128, 8, 16, 1), 128 * (1 - std::pow(120.0 / 128, 16)), 1e-9);
  EXPECT_NEAR(expected_experts(8, 2, 1000, 1), 8, 1e-9);
  EXPECT_LT(expected_experts(128, 8, 16, 0.5), expected_experts(128, 8, 16, 1));
}

// Sizes of published files, as llama-bench prints them.
TEST(WeightFormat, FilesAreAsLargeAsTheyAre) {
  struct File {
    const char *model, *format;
    double gib;
  };
  for (const auto& [model, format, gib] :
       {File{"qwen2.5-7b", "q8_0", 7.54}, File{"qwen3-30b-a3b", "q8_0", 30.25}, File{"gpt-oss-20b", "mxfp4", 11.27},
        File{"gpt-oss-120b", "mxfp4", 59.02}, File{"llama-3-8b", "q4_k_m", 4.58}}) {
    const double bytes = weight_bytes(served(model), **find_weight_format(format, "weights"));
    EXPECT_NEAR(bytes / (1 << 30) / gib, 1, 0.01) << model << " " << format;
  }
}

}  // namespace
}  // namespace plimsoll
